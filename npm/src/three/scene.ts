import { BackSide, FrontSide, Matrix4, Ray, type Camera as ThreeCamera, type Intersection, type Layers, type Mesh as ThreeMesh, type Material, type Object3D, type Raycaster } from "three";
import { Camera, Cursor, Scene, Selector, type Character, type CharacterState, type ClosestPoint, type CursorOptions, type Moved, type PoseLike, type Region, type SceneRayOptions, type SelectorOptions, type Snap, type SnapKind, type SweepHit, type SweepOptions, type Vec2Like, type Vec3Like, type ViewportLike, type Volume } from "hitscan";
import { Entities, type Entry, type ObjectEntities } from "./entities.js";
import { hasOwnRaycast, hasTriangles } from "./own.js";
import { followBones, isDeformed } from "./pose.js";
import { ObjectTree, type Followed } from "./tree.js";
import { intersectTriangle, isDrawn, toWorld } from "./triangles.js";

/** The target of a hit: an object, and the number of its instance or batched geometry. */
export interface Target {
  readonly object: ThreeMesh;
  readonly instanceId: number | undefined;
  readonly batchId: number | undefined;
}

/** A hit with its place in the order in which three.js tests things: objects, their instances, the groups of these, and triangles. */
interface Found {
  readonly hit: Intersection;
  readonly object: number;
  readonly instance: number;
  readonly group: number;
  readonly triangle: number;
}

/** Compares hits by distance, and those at the same distance as three.js' stable sort does. */
function compare(a: Found, b: Found): number {
  return a.hit.distance - b.hit.distance || a.object - b.object || a.instance - b.instance || a.group - b.group || a.triangle - b.triangle;
}

/** Returns whether an object or one of its ancestors is in a set. */
function isBelow(object: Object3D | null, set: ReadonlySet<Object3D>): boolean {
  if (set.size === 0) return false;
  for (let above = object; above !== null; above = above.parent) if (set.has(above)) return true;
  return false;
}

const inverse = new Matrix4();
const localRay = new Ray();
const world = new Matrix4();

/** Choices of `HitscanScene`. */
export interface HitscanSceneOptions {
  /** Whether objects with `visible = false`, and their descendants, are left out (`"skip"`, the default) or hit (`"hit"`, as three.js does). */
  readonly invisible?: "skip" | "hit";
}

/**
 * A tree of three.js objects as a scene of hitscan. `update` follows the changes of the objects: transforms, visibility, layers, geometry, instances, batches,
 * skins and morph targets. Every question calls it, unless `autoUpdate` is false.
 *
 * For rays, an object with a `raycast` of its own (points, lines, sprites, levels of detail, and objects to which the program has given one) is asked by that
 * function, as in three.js' `Raycaster`: if it returns `false`, the object's descendants are not hit. Other questions use the triangles of all meshes.
 *
 * A mesh with a fault (a vertex that is not finite, an index without a vertex, no material) is named once on the
 * console, and only the faulty part is not hit.
 */
export class HitscanScene {
  /** The root of the objects. */
  readonly root: Object3D;
  /** The scene itself, for all other questions. Its keys are the targets. */
  readonly scene = new Scene<Target>();
  /** Whether questions call `update` first; true by default. Otherwise call it once a frame. */
  autoUpdate = true;
  /** Whether invisible objects are left out or hit. */
  invisible: "skip" | "hit";
  readonly #entities = new Entities(this.scene);
  readonly #tree: ObjectTree<ObjectEntities>;
  readonly #deformed: Followed<ObjectEntities>[] = [];
  /** The objects that are asked by their own `raycast`, parents first. */
  readonly #askers: Followed<ObjectEntities>[] = [];
  readonly #isFresh: (object: Object3D) => boolean;

  private constructor(root: Object3D, { invisible = "skip" }: HitscanSceneOptions) {
    this.root = root;
    this.invisible = invisible;
    this.#tree = new ObjectTree(root, (node) => this.#visit(node));
    this.#isFresh = (object) => this.#tree.isFresh(object);
    this.update();
  }

  /** Makes the scene of an object and all of its descendants. */
  static fromObject3D(root: Object3D, options: HitscanSceneOptions = {}): HitscanScene {
    return new HitscanScene(root, options);
  }

  /** Follows the changes below the root. An unchanged object only costs a comparison. */
  update(): void {
    this.#askers.length = this.#deformed.length = 0;
    this.#entities.begin();
    this.#tree.visitsInvisible = this.invisible === "hit";
    const isOtherTree = this.#tree.update();
    // Bones may be visited after the object that they deform.
    for (const node of this.#deformed) {
      this.#entities.follow(node, () => followBones(node.object as ThreeMesh, this.#isFresh));
    }
    if (isOtherTree) this.#entities.keep((node) => this.#tree.isVisited(node));
    this.#entities.end();
  }

  #visit(node: Followed<ObjectEntities>): void {
    const { object } = node;
    if (hasOwnRaycast(object)) this.#askers.push(node);
    if (!hasTriangles(object)) return;
    if (isDeformed(object as ThreeMesh)) this.#deformed.push(node);
    else this.#entities.follow(node);
  }

  /**
   * Returns the hits of a raycaster, as `Raycaster.intersectObject(root)` does; with `raycaster.firstHitOnly` it returns only the first hit. Hits at the same
   * distance are in three.js' order: parents before their children, children in the order of their list, and of one object by instance, group and triangle.
   */
  raycast(raycaster: Raycaster, intersects: Intersection[] = []): Intersection[] {
    if (this.autoUpdate) this.update();
    const isFirst = (raycaster as Raycaster & { firstHitOnly?: boolean }).firstHitOnly === true;
    const found: Found[] = [];
    const stopped = this.#ask(raycaster, found);
    const { ray, near, far, layers } = raycaster;
    const cull = this.#entities.side === FrontSide ? "back" : this.#entities.side === BackSide ? "front" : "none";
    // The range in f32 is a little larger: the distance in doubles decides.
    const tMin = near - Math.abs(near) * 1e-6;
    const tMax = far + Math.abs(far) * 1e-6;
    const exclude = this.#askers.flatMap(({ data }) => data?.entries.filter((entry) => entry !== undefined) ?? []);
    // The origin is passed in doubles, so that no precision is lost far from the world's origin.
    const options: SceneRayOptions<Target> = { layers: layers.mask >>> 0, cull, tMin, tMax, relativeTo: ray.origin, exclude };
    const ofEntities = (isFirst && this.#firsts(raycaster, options, stopped)) || this.#all(raycaster, options, stopped);
    for (const one of ofEntities) found.push(one);
    found.sort(compare);
    if (isFirst) found.splice(1);
    for (const { hit } of found) intersects.push(hit);
    return intersects.sort((a, b) => a.distance - b.distance);
  }

  /** Asks the objects that have a `raycast` of their own. Returns the objects below which nothing is hit. */
  #ask(raycaster: Raycaster, found: Found[]): Set<Object3D> {
    const stopped = new Set<Object3D>();
    for (const { object, order } of this.#askers) {
      if (typeof object.raycast !== "function" || !object.layers.test(raycaster.layers) || isBelow(object.parent, stopped)) continue;
      const hits: Intersection[] = [];
      if ((object.raycast(raycaster, hits) as unknown) === false) stopped.add(object);
      for (const hit of hits) found.push({ hit, object: order, instance: 0, group: 0, triangle: 0 });
    }
    return stopped;
  }

  /** Returns the hits at about the distance of the first hit. Returns `undefined` if entities have different sides, or if three.js finds no hit there. */
  #firsts(raycaster: Raycaster, options: SceneRayOptions<Target>, stopped: Set<Object3D>): Found[] | undefined {
    if (this.#entities.side === undefined) return undefined;
    const hit = this.scene.cast([0, 0, 0], raycaster.ray.direction, options);
    if (hit === null) return [];
    // three.js rounds distances differently from the scene.
    const slack = 1e-5 * hit.t;
    const tMin = Math.max(options.tMin!, hit.t - slack);
    const hits = this.#all(raycaster, { ...options, tMin, tMax: Math.min(options.tMax!, hit.t + slack) }, stopped);
    return hits.length > 0 ? hits : undefined;
  }

  #all(raycaster: Raycaster, options: SceneRayOptions<Target>, stopped: Set<Object3D>): Found[] {
    return this.scene.castAll([0, 0, 0], raycaster.ray.direction, options).flatMap(({ id, triangle }) => {
      return isBelow(id.object.parent, stopped) ? [] : this.#report(id as Entry, triangle, raycaster);
    });
  }

  /** Returns whether anything is hit: for shadows and lines of sight. Sides do not count. */
  isBlocked(raycaster: Raycaster): boolean {
    if (this.autoUpdate) this.update();
    const { ray, near, far, layers } = raycaster;
    return this.scene.isBlocked([0, 0, 0], ray.direction, { layers: layers.mask >>> 0, tMin: near, tMax: far, relativeTo: ray.origin });
  }

  /** Returns a hit with all fields of three.js. */
  #report(entry: Entry, number: number | undefined, raycaster: Raycaster): Found[] {
    const { object, shaped } = entry;
    const { geometry } = object;
    const { triangle, materials } = shaped.triangleAt(object, number!);
    if (entry.batchId === undefined && !isDrawn(geometry, triangle)) return [];
    world.fromArray(entry.matrix);
    localRay.copy(raycaster.ray).applyMatrix4(inverse.copy(world).invert());
    const found: Found[] = [];
    for (const { material: { side }, materialIndex, group } of materials) {
      const hit = intersectTriangle(geometry, object, localRay, triangle, side, true);
      if (hit === null || !toWorld(hit, object, world, raycaster)) continue;
      hit.face!.materialIndex = materialIndex;
      if (entry.instanceId !== undefined) hit.instanceId = entry.instanceId;
      if (entry.batchId !== undefined) hit.batchId = entry.batchId;
      found.push({ hit, object: entry.state.node.order, instance: entry.place, group, triangle });
    }
    return found;
  }

  /** Makes hitscan's camera from three.js' camera. The rays of the returned camera begin at the near plane and end at the far plane. Free it with `dispose`. */
  static camera(camera: ThreeCamera): Camera {
    camera.updateWorldMatrix(true, false);
    const made = Camera.fromMatrices(camera.matrixWorldInverse, camera.projectionMatrix);
    const { near, far, isOrthographicCamera } = camera as ThreeCamera & { readonly near?: number; readonly far?: number; readonly isOrthographicCamera?: true };
    if (near === undefined || far === undefined || !(near < far && (near > 0 || isOrthographicCamera))) return made;
    // In older releases of three.js, the view matrix of a scaled camera is scaled, and so are the distances of the planes.
    const { elements } = camera.matrixWorldInverse;
    const scale = Math.hypot(elements[2]!, elements[6]!, elements[10]!);
    made.setClip(near / scale, far / scale);
    return made;
  }

  /** Returns the objects in a region of the canvas, in three.js' order: a marquee, a circle or a lasso, in CSS pixels of a viewport. */
  select(camera: ThreeCamera, size: ViewportLike, region: Region, options: SelectorOptions & { readonly layers?: Layers } = {}): Target[] {
    if (this.autoUpdate) this.update();
    using eye = HitscanScene.camera(camera);
    const { layers } = options;
    const found = new Selector(eye, size, region, options).entities(this.scene, layers && { layers: layers.mask >>> 0 }) as Entry[];
    return found.sort((a, b) => a.state.node.order - b.state.node.order || a.place - b.place);
  }

  /** Returns the best point within some pixels of a cursor: vertices, edges, midpoints and more. */
  snap(camera: ThreeCamera, size: ViewportLike, cursor: Vec2Like, radius: number, kinds?: readonly SnapKind[], options: CursorOptions = {}): Snap<Target> | null {
    if (this.autoUpdate) this.update();
    using eye = HitscanScene.camera(camera);
    return new Cursor(eye, size, cursor, radius, options).nearest(this.scene, kinds);
  }

  /** Returns the nearest point of all meshes. */
  closestPoint(at: Vec3Like): ClosestPoint<Target> | null {
    if (this.autoUpdate) this.update();
    return this.scene.closestPoint(at);
  }

  /** Returns the first contact of a moving volume. */
  sweep(volume: Volume, from: PoseLike, motion: Vec3Like, options?: SweepOptions<Target>): SweepHit<Target> | null {
    if (this.autoUpdate) this.update();
    return this.scene.sweep(volume, from, motion, options);
  }

  /** Moves a character. */
  moveAndSlide(character: Character, state: CharacterState<Target>, velocity: Vec3Like, dt: number): Moved<Target> {
    if (this.autoUpdate) this.update();
    return character.moveAndSlide(this.scene, state, velocity, dt);
  }

  /** Returns the material of a hit, even if the mesh has several materials. */
  static materialOf(hit: Intersection): Material | undefined {
    const { material } = hit.object as ThreeMesh;
    return Array.isArray(material) ? material[hit.face?.materialIndex ?? 0] : material;
  }

  /** Frees the memory of this object. The objects are not touched. */
  dispose(): void {
    this.scene.dispose();
    this.#entities.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

import { BackSide, FrontSide, Matrix4, Ray, type Camera as ThreeCamera, type Intersection, type Layers, type Mesh as ThreeMesh, type Material, type Object3D, type Raycaster } from "three";
import { Camera, Cursor, Scene, Selector, type Character, type CharacterState, type ClosestPoint, type CursorOptions, type Moved, type PoseLike, type Region, type SelectorOptions, type Snap, type SnapKind, type SweepHit, type SweepOptions, type Vec2Like, type Vec3Like, type ViewportLike, type Volume } from "hitscan";
import { Entities, type Entry, type ObjectEntities } from "./entities.js";
import { followBones, isDeformed } from "./pose.js";
import { ObjectTree, type Followed } from "./tree.js";
import { intersectTriangle, isDrawn, materialsAt, toWorld } from "./triangles.js";

/** The thing that is hit: an object, and which of its instances or batched geometries. */
export interface Target {
  readonly object: ThreeMesh;
  readonly instanceId: number | undefined;
  readonly batchId: number | undefined;
}

const inverse = new Matrix4();
const localRay = new Ray();
const world = new Matrix4();

/**
 * A tree of three.js objects as a scene of hitscan. It follows the objects: transforms, visibility, layers, geometry, instances,
 * batches, skins and morph targets, by `update`, which every question calls by itself unless `autoUpdate` is false.
 *
 * Objects that are no meshes (points, lines, sprites) are asked by their own `raycast`.
 */
export class HitscanScene {
  /** The root of the objects. */
  readonly root: Object3D;
  /** The scene itself, for all other questions. Its keys are the targets. */
  readonly scene = new Scene<Target>();
  /** Whether questions call `update` first; true by default. Otherwise call it once a frame. */
  autoUpdate = true;
  readonly #entities = new Entities(this.scene);
  readonly #tree: ObjectTree<ObjectEntities>;
  readonly #deformed: Followed<ObjectEntities>[] = [];
  readonly #others: Object3D[] = [];
  readonly #isFresh: (object: Object3D) => boolean;

  private constructor(root: Object3D) {
    this.root = root;
    this.#tree = new ObjectTree(root, (node) => this.#visit(node));
    this.#isFresh = (object) => this.#tree.isFresh(object);
    this.update();
  }

  /** Makes the scene of an object and all below it. */
  static fromObject3D(root: Object3D): HitscanScene {
    return new HitscanScene(root);
  }

  /** Follows what has changed below the root. Only what did costs more than a look. */
  update(): void {
    this.#others.length = this.#deformed.length = 0;
    this.#entities.begin();
    const isOtherTree = this.#tree.update();
    // Bones may come after the object that they deform.
    for (const node of this.#deformed) {
      followBones(node.object as ThreeMesh, this.#isFresh);
      this.#entities.follow(node);
    }
    if (isOtherTree) this.#entities.keep((node) => this.#tree.isVisible(node));
    this.#entities.end();
  }

  #visit(node: Followed<ObjectEntities>): void {
    const { object } = node;
    if ((object as ThreeMesh).isMesh) {
      if (isDeformed(object as ThreeMesh)) this.#deformed.push(node);
      else this.#entities.follow(node);
    } else if ((object as { isPoints?: true }).isPoints || (object as { isLine?: true }).isLine || (object as { isSprite?: true }).isSprite) {
      this.#others.push(object);
    }
  }

  /** Answers the hits of a raycaster, as `Raycaster.intersectObject(root)` does; with `raycaster.firstHitOnly` the first hit alone. */
  raycast(raycaster: Raycaster, intersects: Intersection[] = []): Intersection[] {
    if (this.autoUpdate) this.update();
    const isFirst = (raycaster as Raycaster & { firstHitOnly?: boolean }).firstHitOnly === true;
    const { ray, near, far, layers } = raycaster;
    const cull = this.#entities.side === FrontSide ? "back" : this.#entities.side === BackSide ? "front" : "none";
    // The range in f32 is a little larger: the distance in doubles decides.
    const tMin = near - Math.abs(near) * 1e-6;
    const tMax = far + Math.abs(far) * 1e-6;
    // The origin is taken in doubles, so that nothing is lost far from the world's origin.
    const options = { layers: layers.mask >>> 0, cull, tMin, tMax, relativeTo: ray.origin } as const;
    if (isFirst && this.#entities.side !== undefined) {
      const hit = this.scene.cast([0, 0, 0], ray.direction, options);
      const found = hit && this.#report(hit.id as Entry, hit.triangle, raycaster);
      if (hit !== null && found?.length) intersects.push(found[0]!);
      else if (hit !== null) this.#all(raycaster, options, intersects, true);
    } else {
      this.#all(raycaster, options, intersects, isFirst);
    }
    for (const other of this.#others) if (other.layers.test(layers)) other.raycast(raycaster, intersects);
    return intersects.sort((a, b) => a.distance - b.distance);
  }

  #all(raycaster: Raycaster, options: object, intersects: Intersection[], isFirst: boolean): void {
    for (const hit of this.scene.castAll([0, 0, 0], raycaster.ray.direction, options)) {
      const found = this.#report(hit.id as Entry, hit.triangle, raycaster);
      intersects.push(...found);
      if (isFirst && found.length > 0) return;
    }
  }

  /** Answers whether anything is hit: for shadows and lines of sight. Sides do not count. */
  isBlocked(raycaster: Raycaster): boolean {
    if (this.autoUpdate) this.update();
    const { ray, near, far, layers } = raycaster;
    return this.scene.isBlocked([0, 0, 0], ray.direction, { layers: layers.mask >>> 0, tMin: near, tMax: far, relativeTo: ray.origin });
  }

  /** Returns a hit with all fields of three.js. */
  #report(entry: Entry, number: number | undefined, raycaster: Raycaster): Intersection[] {
    const { object, shaped } = entry;
    const { geometry, material } = object;
    const triangle = number! + shaped.first;
    if (entry.batchId === undefined && !isDrawn(geometry, triangle)) return [];
    world.fromArray(entry.matrix);
    localRay.copy(raycaster.ray).applyMatrix4(inverse.copy(world).invert());
    const found: Intersection[] = [];
    for (const [{ side }, materialIndex] of materialsAt(geometry, material, triangle)) {
      const hit = intersectTriangle(geometry, object, localRay, triangle, side, true);
      if (hit === null || !toWorld(hit, object, world, raycaster)) continue;
      hit.face!.materialIndex = materialIndex;
      if (entry.instanceId !== undefined) hit.instanceId = entry.instanceId;
      if (entry.batchId !== undefined) hit.batchId = entry.batchId;
      found.push(hit);
    }
    return found;
  }

  /** Makes the camera that three.js draws with. Free it with `dispose`. */
  static camera(camera: ThreeCamera): Camera {
    camera.updateWorldMatrix(true, false);
    return Camera.fromMatrices(inverse.copy(camera.matrixWorld).invert(), camera.projectionMatrix);
  }

  /** Answers what a region of the canvas shows: a marquee, a circle or a lasso, in CSS pixels of a viewport. */
  select(camera: ThreeCamera, size: ViewportLike, region: Region, options: SelectorOptions & { readonly layers?: Layers } = {}): Target[] {
    if (this.autoUpdate) this.update();
    using eye = HitscanScene.camera(camera);
    const { layers } = options;
    return new Selector(eye, size, region, options).entities(this.scene, layers && { layers: layers.mask >>> 0 });
  }

  /** Answers the best point within some pixels of a cursor: vertices, edges, midpoints and more. */
  snap(camera: ThreeCamera, size: ViewportLike, cursor: Vec2Like, radius: number, kinds?: readonly SnapKind[], options: CursorOptions = {}): Snap<Target> | null {
    if (this.autoUpdate) this.update();
    using eye = HitscanScene.camera(camera);
    return new Cursor(eye, size, cursor, radius, options).nearest(this.scene, kinds);
  }

  /** Answers the nearest point of all meshes. */
  closestPoint(at: Vec3Like): ClosestPoint<Target> | null {
    if (this.autoUpdate) this.update();
    return this.scene.closestPoint(at);
  }

  /** Answers what a moving volume meets first. */
  sweep(volume: Volume, from: PoseLike, motion: Vec3Like, options?: SweepOptions<Target>): SweepHit<Target> | null {
    if (this.autoUpdate) this.update();
    return this.scene.sweep(volume, from, motion, options);
  }

  /** Moves a character. */
  moveAndSlide(character: Character, state: CharacterState<Target>, velocity: Vec3Like, dt: number): Moved<Target> {
    if (this.autoUpdate) this.update();
    return character.moveAndSlide(this.scene, state, velocity, dt);
  }

  /** Returns a material that is hit, of several. */
  static materialOf(hit: Intersection): Material | undefined {
    const { material } = hit.object as ThreeMesh;
    return Array.isArray(material) ? material[hit.face?.materialIndex ?? 0] : material;
  }

  /** Frees its memory. The objects are not touched. */
  dispose(): void {
    this.scene.dispose();
    this.#entities.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

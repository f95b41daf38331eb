import { BackSide, Box3, FrontSide, Matrix4, Ray, Vector3, type BufferGeometry, type Intersection, type Material, type Object3D, type Raycaster, type Side, type Sphere } from "three";
import { Mesh, Scene, Sphere as Ball, Aabb, type Quality, type SurfacePoint } from "hitscan";
import { indicesOf, positionsOf } from "./geometry.js";
import { geometryVertices, intersectTriangle, isDrawn, materialsAt, toWorld, type MaterialAt } from "./triangles.js";

/** Choices of `HitscanBVH`. All other choices of three-mesh-bvh are ignored, because this tree does not need them. */
export interface HitscanBVHOptions {
  /** The time that the build may take; `"balanced"` by default. */
  readonly quality?: Quality;
  /** Whether the geometry's bounding box is set, as by default. */
  readonly setBoundingBox?: boolean;
  /** The part of the index that has the triangles; all of it by default. */
  readonly range?: { readonly start: number; readonly count: number } | null;
}

type Sides = Material | Material[] | Side;

const culls = new Map<Side, "back" | "front">([[FrontSide, "back"], [BackSide, "front"]]);
const inverse = new Matrix4();
const localRay = new Ray();
const direction = new Vector3();
const nearestPoint: Partial<SurfacePoint> = {};

function isMaterial(sides: Sides): sides is Material | Material[] {
  return typeof sides === "object";
}

/** Returns the hit with the least distance; at equal distances, the first hit. */
function nearest(hits: readonly Intersection[]): Intersection | null {
  return hits.reduce<Intersection | null>((best, hit) => (best === null || hit.distance < best.distance ? hit : best), null);
}

/** Widens a range for f32, so that no hit within the range in doubles is lost. Hits beyond it are dropped later. */
function widened(near: number, far: number): { tMin: number; tMax: number } {
  return { tMin: near - Math.abs(near) * 1e-6, tMax: far + Math.abs(far) * 1e-6 };
}

/**
 * A tree for a `BufferGeometry` that replaces three-mesh-bvh's `MeshBVH`:
 *
 * ```js
 * import { init } from "hitscan";
 * import { HitscanBVH } from "hitscan/three";
 *
 * await init();
 * geometry.computeBoundsTree({ type: HitscanBVH });
 * ```
 *
 * The geometry is never reordered. The triangle that a ray hits is determined exactly, from the ray's own doubles; three.js' formulas compute the distance, the
 * point and the rest.
 *
 * A geometry with a vertex that is not finite, or an index without a vertex, is refused with an error that names the first fault. Mend the geometry, or use
 * `HitscanScene` or `HitscanRaycaster`, in which only the faulty triangles are lost.
 */
export class HitscanBVH {
  readonly geometry: BufferGeometry;
  readonly #mesh: Mesh;
  /** The number of the tree's first triangle in the geometry. */
  readonly #first: number;
  /** True if the tree has only a range of the triangles. Then the draw range is ignored, because drawing a batch sets it for each instance. */
  readonly #isPart: boolean;
  #scene: Scene<0> | undefined;

  /** @throws If the geometry has no positions, a position that is not finite, or an index without a vertex. The geometry is unchanged then. */
  constructor(geometry: BufferGeometry, options: HitscanBVHOptions = {}) {
    const { quality = "balanced", setBoundingBox = true, range } = options;
    this.geometry = geometry;
    this.#first = (range?.start ?? 0) / 3;
    this.#isPart = range !== undefined && range !== null;
    this.#mesh = new Mesh(positionsOf(geometry), indicesOf(geometry, range?.start, range?.count), { quality });
    if (setBoundingBox && geometry.boundingBox === null) {
      geometry.boundingBox = this.getBoundingBox(new Box3());
    }
  }

  /** The mesh itself, for all other questions. Its triangles are numbered from 0. */
  get mesh(): Mesh {
    return this.#mesh;
  }

  /** Returns the box around the geometry. */
  getBoundingBox(target: Box3): Box3 {
    const { min, max } = this.#mesh.bounds();
    return target.set(new Vector3(...min), new Vector3(...max));
  }

  /** Returns all hits of a local ray. The distances are local. */
  raycast(ray: Ray, sides: Sides = FrontSide, near = 0, far = Infinity): Intersection[] {
    const { origin, direction } = ray;
    const cull = isMaterial(sides) ? undefined : culls.get(sides);
    const triangles = this.#mesh.triangles(origin, direction, { ...widened(near, far), ...(cull && { cull }) });
    const hits: Intersection[] = [];
    const groups: number[] = [];
    for (const triangle of triangles) this.#intersect(ray, triangle, sides, near, far, hits, groups);
    if (!Array.isArray(sides)) return hits;
    // three.js tests one group after the other.
    const order = hits.map((_, i) => i).sort((a, b) => groups[a]! - groups[b]! || a - b);
    return order.map((i) => hits[i]!);
  }

  /** Returns the first hit of a local ray, or `null`: the nearest hit of `raycast`, and at equal distances the first hit. The distance is local. */
  raycastFirst(ray: Ray, sides: Sides = FrontSide, near = 0, far = Infinity): Intersection | null {
    const side = isMaterial(sides) ? (Array.isArray(sides) ? undefined : sides.side) : sides;
    const { start, count } = this.geometry.drawRange;
    if (side !== undefined && (this.#isPart || (start === 0 && count === Infinity))) {
      const cull = culls.get(side);
      const triangle = this.#mesh.firstTriangle(ray.origin, ray.direction, { ...widened(near, far), ...(cull && { cull }) });
      if (triangle < 0) return null;
      const hits: Intersection[] = [];
      this.#intersect(ray, triangle, side, near, far, hits, []);
      const first = hits[0];
      if (first !== undefined) {
        // three.js rounds distances differently from the tree, so all hits at about this distance are compared.
        const slack = 1e-6 * first.distance;
        return nearest(this.raycast(ray, sides, Math.max(near, first.distance - slack), Math.min(far, first.distance + slack))) ?? first;
      }
    }
    return nearest(this.raycast(ray, sides, near, far));
  }

  /** Adds the hits of a triangle, and the numbers of their groups. */
  #intersect(ray: Ray, found: number, sides: Sides, near: number, far: number, hits: Intersection[], groups: number[]): void {
    const triangle = found + this.#first;
    const { geometry } = this;
    if (!this.#isPart && !isDrawn(geometry, triangle)) return;
    const materials: MaterialAt[] = isMaterial(sides) ? materialsAt(geometry, sides, triangle) : [{ material: { side: sides }, materialIndex: 0, group: 0 }];
    for (const { material: { side }, materialIndex, group } of materials) {
      const hit = intersectTriangle(geometry, geometryVertices(geometry), ray, triangle, side, true);
      if (hit === null || hit.distance < near || hit.distance > far) continue;
      hit.face!.materialIndex = materialIndex;
      hits.push(hit);
      groups.push(group);
    }
  }

  /** Returns the hits of an object that has this geometry, in the world, for three-mesh-bvh's `acceleratedRaycast`. */
  raycastObject3D(object: Object3D, raycaster: Raycaster, intersects: Intersection[] = []): Intersection[] {
    const { material } = object as Object3D & { readonly material?: Material | Material[] };
    if (!material) return intersects;
    inverse.copy(object.matrixWorld).invert();
    localRay.copy(raycaster.ray).applyMatrix4(inverse);
    const e = object.matrixWorld.elements;
    const { x, y, z } = localRay.direction;
    direction.set(e[0]! * x + e[4]! * y + e[8]! * z, e[1]! * x + e[5]! * y + e[9]! * z, e[2]! * x + e[6]! * y + e[10]! * z);
    // The length of a local unit in the world. Here the range is only narrowed roughly; at the end the distance in the world decides.
    const unit = direction.length();
    const slack = 1e-6;
    const near = (raycaster.near / unit) * (1 - slack);
    const far = (raycaster.far / unit) * (1 + slack);
    const isFirst = (raycaster as Raycaster & { firstHitOnly?: boolean }).firstHitOnly === true;
    if (isFirst) {
      const hit = this.raycastFirst(localRay, material, near, far);
      if (hit === null) return intersects;
      if (toWorld(hit, object, object.matrixWorld, raycaster)) {
        intersects.push(hit);
        return intersects;
      }
    }
    const hits = this.raycast(localRay, material, near, far).filter((hit) => toWorld(hit, object, object.matrixWorld, raycaster));
    if (isFirst) hits.sort((a, b) => a.distance - b.distance).splice(1);
    intersects.push(...hits);
    return intersects;
  }

  /** Returns the nearest point of the surface in local coordinates, or `null` if it is farther than `maxThreshold`. */
  closestPointToPoint(
    point: Vector3,
    target: { point?: Vector3; distance?: number; faceIndex?: number } = {},
    minThreshold = 0,
    maxThreshold = Infinity,
  ): { point: Vector3; distance: number; faceIndex: number } | null {
    const nearest = this.#mesh.closestOnSurface(point, maxThreshold, nearestPoint);
    if (nearest === null) return null;
    void minThreshold; // Any point within this distance would be a valid answer; the nearest point always is.
    const found = target as { point: Vector3; distance: number; faceIndex: number };
    found.point = (target.point ?? new Vector3()).set(...nearest.point);
    found.distance = point.distanceTo(found.point);
    found.faceIndex = nearest.triangle + this.#first;
    return found;
  }

  /** Returns whether a local sphere touches the surface. */
  intersectsSphere(sphere: Sphere): boolean {
    using ball = new Ball(sphere.center, sphere.radius);
    return this.#alone().overlaps(ball, [0, 0, 0]);
  }

  /** Returns whether a box, which a matrix transforms to the local space, touches the surface. */
  intersectsBox(box: Box3, boxToMesh: Matrix4): boolean {
    // The mesh is transformed to the space of the box, in which the box is aligned to the axes.
    using volume = new Aabb(box.min, box.max);
    const scene = this.#alone();
    inverse.copy(boxToMesh).invert();
    // The last row of the inverse has rounding errors.
    const { elements } = inverse;
    [elements[3], elements[7], elements[11], elements[15]] = [0, 0, 0, 1];
    try {
      scene.setTransform(0, inverse);
      return scene.overlaps(volume, [0, 0, 0]);
    } finally {
      scene.setTransform(0, [0, 0, 0]);
    }
  }

  #alone(): Scene<0> {
    if (this.#scene === undefined) {
      const scene = new Scene<0>();
      // A disposed mesh is an error, after which an empty scene must not be kept.
      scene.insert(0, this.#mesh);
      this.#scene = scene;
    }
    return this.#scene;
  }

  /** Updates the tree after the geometry's positions have changed. */
  refit(): void {
    this.#scene?.dispose();
    this.#scene = undefined;
    this.#mesh.refit(positionsOf(this.geometry));
  }

  /** Returns the number of a triangle in the geometry: the argument itself, because triangles are not reordered. */
  resolveTriangleIndex(triangle: number): number {
    return triangle;
  }

  /** Frees the memory of this object. The garbage collector does so, too, but later. */
  dispose(): void {
    this.#scene?.dispose();
    this.#scene = undefined;
    this.#mesh.dispose();
  }
}

import { meshPoint, shapeHit, type ShapeHit, type ShapePoint } from "./answers.js";
import { floats, type Numbers } from "./arrays.js";
import { crossings, rethrow, type CustomHit, type CustomRay } from "./crossings.js";
import { boundsOf } from "./mesh.js";
import { glue } from "./glue.js";
import { disposed, doubles, ready, recordStart } from "./module.js";
import type { Capsule, Cone, Cylinder, RoundedBox } from "./plainShapes.js";
import { rayNumbers as q, readRay, type RayLike, type RayOptions } from "./questions.js";
import { quat, vec3, wrong, type QuatLike, type Vec3, type Vec3Like } from "./vectors.js";

/**
 * An immutable shape, in its own space. Its memory in the module, about a hundred bytes, is freed with the object, or at once by `dispose`.
 */
export abstract class Shape {
  #handle: glue.Shape | undefined;

  /** @internal */
  protected constructor(handle: glue.Shape) {
    this.#handle = handle;
  }

  /** @internal */
  protected static make(kind: number, numbers: readonly number[]): glue.Shape {
    ready();
    return new glue.Shape(kind, Float32Array.from(numbers));
  }

  /** @internal Returns the module's handle of a shape, or throws for anything else. */
  static handleOf(shape: unknown): glue.Shape {
    if (!(shape instanceof Shape)) throw wrong("the volume", "a shape such as `new Sphere([0, 0, 0], 1)`", shape);
    return shape.handle;
  }

  /** @internal */
  get handle(): glue.Shape {
    return this.#handle ?? disposed("shape");
  }

  /** Returns the first hit of a ray, or `null`. */
  cast(ray: RayLike, options?: RayOptions): ShapeHit | null;
  cast(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): ShapeHit | null;
  cast(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions): ShapeHit | null {
    return this.#hits(first, second, third) ? shapeHit() : null;
  }

  /** Returns only the `t` of the hit that `cast` finds, or `null`. */
  castT(ray: RayLike, options?: RayOptions): number | null;
  castT(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): number | null;
  castT(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions): number | null {
    return this.#hits(first, second, third) ? doubles()[recordStart()]! : null;
  }

  /** Returns whether a ray hits the shape. */
  isBlocked(ray: RayLike, options?: RayOptions): boolean;
  isBlocked(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): boolean;
  isBlocked(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions): boolean {
    return this.#hits(first, second, third);
  }

  /** Finds the first hit of a ray. */
  #hits(first: Vec3Like | RayLike, second: Vec3Like | RayOptions | undefined, third: RayOptions | undefined): boolean {
    const bits = readRay(first, second, third);
    const found = this.handle.cast(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    rethrow();
    return found;
  }

  /**
   * Returns whether a point is inside or on the surface. For a box along the axes the answer is exact. For a hull it is exact if f32 can hold the point. For
   * other shapes it has the rounding error of f64. A flat shape contains nothing, and a point that is not finite is never inside.
   */
  contains(point: Vec3Like): boolean {
    return this.handle.contains(...vec3(point, "the point"));
  }

  /** Returns the nearest point of the surface, and whether the query point is inside. */
  closestPoint(point: Vec3Like): ShapePoint | null {
    const [x, y, z] = vec3(point, "the point");
    if (!this.handle.closest_point(x, y, z)) return null;
    const { triangle: _, ...found } = meshPoint();
    return found;
  }

  /** Returns the smallest box around the shape. */
  bounds(): { min: Vec3; max: Vec3 } {
    return boundsOf(this.handle.bounds());
  }

  /** Frees the memory of this object. Scenes with the shape have a copy. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A solid ball. */
export class Sphere extends Shape {
  constructor(center: Vec3Like, radius: number) {
    super(Shape.make(3, [...vec3(center, "the center"), radius]));
  }
}

/** A solid box along the axes. */
export class Aabb extends Shape {
  constructor(min: Vec3Like, max: Vec3Like) {
    super(Shape.make(1, [...vec3(min, "the least corner"), ...vec3(max, "the greatest corner")]));
  }

  /**
   * Returns the t at which the infinite line of a ray enters and leaves the box. Both may be outside of the ray's range. It is `null` if the line misses the
   * box, or if the box is outside of the range.
   */
  interval(ray: RayLike, options?: RayOptions): [enter: number, leave: number] | null;
  interval(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): [enter: number, leave: number] | null;
  interval(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions): [number, number] | null {
    const bits = readRay(first, second, third);
    const found = this.handle.interval(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    return found === undefined ? null : [found[0]!, found[1]!];
  }
}

/** A solid box with a rotation. */
export class OrientedBox extends Shape {
  constructor(center: Vec3Like, halfExtents: Vec3Like, rotation?: QuatLike) {
    super(Shape.make(2, [...vec3(center, "the center"), ...vec3(halfExtents, "the half extents"), ...quat(rotation, "the rotation")]));
  }
}

/** An infinite plane through a point. */
export class Plane extends Shape {
  constructor(point: Vec3Like, normal: Vec3Like) {
    super(Shape.make(8, [...vec3(point, "the point"), ...vec3(normal, "the normal")]));
  }

  /** Returns the distance of a point (in f32) from the plane: positive on the side of the normal, negative behind, and 0 on it. */
  signedDistance(point: Vec3Like): number {
    return this.handle.signed_distance(...vec3(point, "the point"))!;
  }
}

/** The convex hull of points: a solid. */
export class ConvexHull extends Shape {
  /** @throws If the points are all in one plane, or a point is not finite. */
  constructor(points: Numbers) {
    ready();
    super(glue.Shape.hull(floats(points, "the points")));
  }

  /** Returns the corners, three numbers each. */
  vertices(): Float32Array {
    return this.handle.vertices();
  }
}

/**
 * A shape of your own, such as a distance field or voxels: a function casts rays at it. In a scene, rays hit it like any other shape. Volumes and closest
 * points ignore it, and a scene with such a shape cannot be saved.
 *
 * The function is given a ray in the shape's own space, and returns the crossings of the shape's surface in the ray's range, in the order of `t`: an array, or
 * an iterable such as a generator, from which often only the first crossings are taken. The same ray must have the same crossings every time, and their sides
 * must alternate as on a solid: a ray that begins inside crosses a back first. Crossings that break these rules, or are outside of the box, are left out. The
 * function must not change the scene. If it throws, the question throws the same error.
 */
export class Custom extends Shape {
  /** @throws If `bounds` is empty. It is the box around all of the surface, and may be infinite. */
  constructor(bounds: { readonly min: Vec3Like; readonly max: Vec3Like }, cast: (ray: CustomRay) => Iterable<CustomHit>) {
    ready();
    if (typeof cast !== "function") throw wrong("the function of a shape", "a function of a ray", cast);
    const corners = [...vec3(bounds?.min, "the least corner"), ...vec3(bounds?.max, "the greatest corner")];
    super(glue.Shape.custom(Float32Array.from(corners), crossings(cast)));
  }
}

/** A volume without an extent, for motions and overlaps. */
export class Point extends Shape {
  constructor() {
    ready();
    super(glue.Shape.point());
  }
}

/** A volume with a margin around it, for motions and overlaps. */
export class Rounded extends Shape {
  constructor(volume: Volume, margin: number) {
    super(Shape.handleOf(volume).with_margin(margin));
  }
}

/** A volume that moves, overlaps or walks. */
export type Volume = Sphere | Aabb | OrientedBox | RoundedBox | Capsule | Cylinder | Cone | ConvexHull | Point | Rounded;

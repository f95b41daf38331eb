import { shapeHit, type ShapeHit } from "./answers.js";
import { segmentHit, type SegmentHit } from "./records.js";
import { glue } from "./glue.js";
import { disposed, doubles, ready, recordStart } from "./module.js";
import { rayNumbers as q, readRay, type RayLike, type RayOptions } from "./questions.js";
import { vec3, type Vec3Like } from "./vectors.js";

/**
 * The transform into the space of one triangle, where x and y are the barycentrics of a point. It is for a triangle that is tested against very many rays. Its
 * rounded f64 entries decide about hits, so it is not watertight, unlike `Triangle` and `Mesh`.
 */
export class CollisionMatrix {
  #handle: glue.CollisionMatrix | undefined;

  /** @throws If the corners lie on one line, or a corner is not finite. */
  constructor(a: Vec3Like, b: Vec3Like, c: Vec3Like) {
    ready();
    const corners = [...vec3(a, "the first corner"), ...vec3(b, "the second corner"), ...vec3(c, "the third corner")];
    this.#handle = new glue.CollisionMatrix(Float32Array.from(corners));
  }

  /** @internal */
  get handle(): glue.CollisionMatrix {
    return this.#handle ?? disposed("collision matrix");
  }

  /** Returns the hit of a ray, or `null`. */
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

  /** Returns whether a ray hits the triangle. */
  isBlocked(ray: RayLike, options?: RayOptions): boolean;
  isBlocked(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): boolean;
  isBlocked(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions): boolean {
    return this.#hits(first, second, third);
  }

  /** Finds the hit of a ray. */
  #hits(first: Vec3Like | RayLike, second: Vec3Like | RayOptions | undefined, third: RayOptions | undefined): boolean {
    const bits = readRay(first, second, third);
    return this.handle.cast(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
  }

  /**
   * Returns the hit of the segment from `start` to `end` on the triangle, or `null`. Both ends, the edges and the corners count; a segment within the plane, or
   * one that is not finite, does not hit.
   */
  collideSegment(start: Vec3Like, end: Vec3Like): SegmentHit | null {
    return this.segmentIsBlocked(start, end) ? segmentHit() : null;
  }

  /** Returns whether `collideSegment` finds a hit of the segment from `start` to `end`. */
  segmentIsBlocked(start: Vec3Like, end: Vec3Like): boolean {
    return this.handle.collide_segment(...vec3(start, "the start of the segment"), ...vec3(end, "the end of the segment"));
  }

  /** Frees the memory of this object. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

import { floats, type Numbers } from "./arrays.js";
import { glue } from "./glue.js";
import { ready } from "./module.js";
import { optionBits, type RayOptions } from "./questions.js";

/** The columns of a batch that are optional, in addition to `t` and `triangle`. */
export interface BatchColumns {
  /** Asks for the sides. */
  readonly sides?: boolean;
  /** Asks for the barycentric coordinates. */
  readonly uvs?: boolean;
  /** Asks for the points. */
  readonly points?: boolean;
  /** Asks for the normals. */
  readonly normals?: boolean;
}

/** The answers to a batch of rays: one row of each column for each ray. */
export interface BatchHits {
  /** The distance along each ray; infinite on a miss. */
  t: Float32Array;
  /** The triangle that is hit; 4294967295 on a miss and for a shape. */
  triangle: Uint32Array;
  /** The side: 0 front, 1 back, 2 inside, 3 on a miss. */
  side?: Uint8Array;
  /** Two coordinates for each ray; NaN on a miss. */
  uv?: Float32Array;
  /** Three coordinates a ray; NaN on a miss. */
  point?: Float32Array;
  /** Three coordinates a ray; NaN on a miss. */
  normal?: Float32Array;
}

/** All hits of a batch of rays, one after the other: the hits of ray `i` have the indices from `offsets[i]` up to but not including `offsets[i + 1]`. */
export interface AllHits extends BatchHits {
  /** The index of each ray's first hit, and at the end the number of all hits. */
  offsets: Uint32Array;
}

/** The nearest points of a surface to many points: one row of each column for each point. */
export interface NearestPoints {
  /** The distance; infinite where there is no such point. */
  distance: Float32Array;
  /** The triangle; 4294967295 where there is no such point. */
  triangle: Uint32Array;
  /** The part of the triangle: 0 its face, 1 to 3 an edge, 4 to 6 a corner, in the order of `Feature`. */
  feature: Uint8Array;
  /** Three coordinates a point; NaN where there is none. */
  point: Float32Array;
  /** Three coordinates a point; NaN where there is none. */
  normal: Float32Array;
}

/** The nearest points of a mesh to many points. */
export interface MeshPoints extends NearestPoints {
  /** The containment of each query point: 0 outside, 1 inside, 2 if the mesh is open, 3 where nothing was found. */
  containment: Uint8Array;
}

/** The nearest points of a mesh's surface to many points. */
export interface SurfacePoints extends NearestPoints {
  /** The side of the triangle's plane on which each query point is: 0 front, 1 back, 3 where nothing was found. */
  side: Uint8Array;
}

/** @internal The module's numbers of the columns. Distances are in the column of t, and containments in the column of sides. */
export const column = { t: 0, triangle: 1, side: 2, uv: 3, point: 4, normal: 5, id: 6, offset: 7, feature: 8 } as const;

/** @internal Puts rays into the module's buffer. */
export function putRays(given: Numbers, options: (RayOptions & { readonly ranges?: boolean }) | undefined): { count: number; stride: number; bits: number } {
  const memory = ready();
  const rays = floats(given, "the rays of a batch");
  const stride = options?.ranges === true ? 8 : 6;
  if (rays.length % stride !== 0) {
    throw new RangeError(`the rays of a batch are ${stride} numbers each: ${rays.length} is no multiple of ${stride}`);
  }
  const address = glue.batch_input(rays.length);
  new Float32Array(memory.buffer, address, rays.length).set(rays);
  return { count: rays.length / stride, stride, bits: options === undefined ? 0 : optionBits(options) };
}

/** @internal Returns the bits of the requested columns. */
export function columnBits(columns: BatchColumns | undefined): number {
  if (columns === undefined) return 0;
  return (columns.sides ? 1 : 0) | (columns.uvs ? 2 : 0) | (columns.points ? 4 : 0) | (columns.normals ? 8 : 0);
}

/** @internal Copies a column of numbers. */
export function floatsOf(which: number, length: number, target: Float32Array | undefined): Float32Array {
  const from = new Float32Array(ready().buffer, glue.batch_column(which), length);
  if (target === undefined || target.length !== length) return from.slice();
  target.set(from);
  return target;
}

/** @internal Copies a column of whole numbers. */
export function wholes(which: number, length: number, target: Uint32Array | undefined): Uint32Array {
  const from = new Uint32Array(ready().buffer, glue.batch_column(which), length);
  if (target === undefined || target.length !== length) return from.slice();
  target.set(from);
  return target;
}

/** @internal Copies a column of bytes. */
export function bytes(which: number, length: number, target: Uint8Array | undefined): Uint8Array {
  const from = new Uint8Array(ready().buffer, glue.batch_column(which), length);
  if (target === undefined || target.length !== length) return from.slice();
  target.set(from);
  return target;
}

/** @internal Copies the answers out of the module. */
export function takeHits<T extends BatchHits>(count: number, bits: number, target: Partial<T> | undefined): T {
  const hits = (target ?? {}) as T;
  hits.t = floatsOf(column.t, count, target?.t);
  hits.triangle = wholes(column.triangle, count, target?.triangle);
  if (bits & 1) hits.side = bytes(column.side, count, target?.side);
  if (bits & 2) hits.uv = floatsOf(column.uv, 2 * count, target?.uv);
  if (bits & 4) hits.point = floatsOf(column.point, 3 * count, target?.point);
  if (bits & 8) hits.normal = floatsOf(column.normal, 3 * count, target?.normal);
  return hits;
}

/** @internal Copies all hits of a number of rays out of the module. */
export function takeAllHits(rays: number, count: number, bits: number): AllHits {
  return Object.assign(takeHits<BatchHits>(count, bits, undefined), { offsets: wholes(column.offset, rays + 1, undefined) });
}

/** @internal Copies the nearest points of a batch out of the module. */
export function takeNearest<T extends NearestPoints>(count: number, target: Partial<T> | undefined): T {
  const found = (target ?? {}) as T;
  found.distance = floatsOf(column.t, count, target?.distance);
  found.triangle = wholes(column.triangle, count, target?.triangle);
  found.feature = bytes(column.feature, count, target?.feature);
  found.point = floatsOf(column.point, 3 * count, target?.point);
  found.normal = floatsOf(column.normal, 3 * count, target?.normal);
  return found;
}

/** @internal Copies an answer that is true or false for each ray or point, as 1 or 0. */
export function takeVerdicts(count: number, target: Uint8Array | undefined): Uint8Array {
  return bytes(column.side, count, target);
}

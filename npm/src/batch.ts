import { floats, type Numbers } from "./arrays.js";
import { glue } from "./glue.js";
import { ready } from "./module.js";
import { optionBits, type RayOptions } from "./questions.js";

/** Optional columns of a batch, beside `t` and `triangle`. */
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

/** The answers to a batch of rays: a place in each column for each ray. */
export interface BatchHits {
  /** The distance along each ray; infinite on a miss. */
  t: Float32Array;
  /** The triangle that is hit; 4294967295 on a miss and for a shape. */
  triangle: Uint32Array;
  /** The side: 0 front, 1 back, 2 inside, 3 on a miss. */
  side?: Uint8Array;
  /** Two coordinates a ray; NaN on a miss. */
  uv?: Float32Array;
  /** Three coordinates a ray; NaN on a miss. */
  point?: Float32Array;
  /** Three coordinates a ray; NaN on a miss. */
  normal?: Float32Array;
}

/** @internal A column, as the module numbers it. */
export const column = { t: 0, triangle: 1, side: 2, uv: 3, point: 4, normal: 5, id: 6 } as const;

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

function floatsOf(which: number, length: number, target: Float32Array | undefined): Float32Array {
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

/** @internal Copies whether rays are blocked. */
export function takeBlocked(count: number, target: Uint8Array | undefined): Uint8Array {
  return bytes(column.side, count, target);
}

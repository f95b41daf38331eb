import { place, vector } from "./answers.js";
import { doubles, recordStart } from "./module.js";
import { readVec3, wrong, type Vec3, type Vec3Like } from "./vectors.js";

/** A ray in the own space of a `Custom` shape, in f64. */
export interface CustomRay {
  readonly origin: Vec3;
  /** The direction, of any length but 0, which is the unit of `t`. */
  readonly direction: Vec3;
  /** The least `t` that counts. */
  readonly tMin: number;
  /** The greatest `t` that counts; it may be infinite. */
  readonly tMax: number;
}

/** A crossing of a ray with the surface of a `Custom` shape, in the shape's own space. */
export interface CustomHit {
  /** The distance along the ray, in multiples of its direction. */
  readonly t: number;
  /** The outward normal, of any length. */
  readonly normal: Vec3Like;
  /** The side that the ray hits: the exit from a solid is the back. */
  readonly side: "front" | "back";
  /** The coordinates on the surface, which hits report. */
  readonly u?: number;
  readonly v?: number;
  /** A whole number from 0 on for the thing that was hit, such as a voxel. Hits of a scene report it; 0 by default. */
  readonly feature?: number;
}

const sides = { front: 0, back: 1 };

let failure: { readonly error: unknown } | undefined;

/** @internal Throws the error that the function of a shape has thrown since the last call, if there is one. */
export function rethrow(): void {
  if (failure === undefined) return;
  const { error } = failure;
  failure = undefined;
  throw error;
}

/** Calls `ask`, and keeps its error for `rethrow`. After the first error, `ask` is not called any more. */
function guarded<T>(ask: () => T, otherwise: T): T {
  if (failure !== undefined) return otherwise;
  try {
    return ask();
  } catch (error) {
    failure = { error };
    return otherwise;
  }
}

/**
 * @internal Returns the function that the module calls for a ray, which is in the record. This function returns another one, which writes the next crossing to
 * the record, and returns whether there is one.
 */
export function crossings(cast: (ray: CustomRay) => Iterable<CustomHit>): () => () => boolean {
  return () => {
    const found = guarded(() => begin(cast), undefined);
    return () => found !== undefined && guarded(() => write(found.next()), false);
  };
}

function begin(cast: (ray: CustomRay) => Iterable<CustomHit>): Iterator<CustomHit> {
  const row = doubles();
  const at = recordStart();
  const ray = { origin: vector(row, at + place.point), direction: vector(row, at + place.normal), tMin: row[at]!, tMax: row[at + place.extra]! };
  const found = cast(ray);
  if (typeof found?.[Symbol.iterator] !== "function") throw wrong("the answer of a shape's function", "an array or another iterable of crossings", found);
  return found[Symbol.iterator]();
}

function write({ done, value }: IteratorResult<CustomHit>): boolean {
  if (done === true) return false;
  const { t, normal, side, u = NaN, v = NaN, feature = 0 } = value;
  if (typeof t !== "number") throw wrong("the t of a crossing", "a number", t);
  if (sides[side] === undefined) throw wrong("the side of a crossing", '"front" or "back"', side);
  const row = doubles();
  const at = recordStart();
  readVec3(normal, row, at + place.normal, "the normal of a crossing");
  row[at] = t;
  row[at + place.side] = sides[side];
  row[at + place.uv] = u;
  row[at + place.uv + 1] = v;
  row[at + place.feature] = feature;
  return true;
}

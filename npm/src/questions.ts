import { readVec3, wrong, type Vec3Like } from "./vectors.js";

/** A ray as an object: the result of `Camera.ray`, or three.js' `Ray`. */
export interface RayLike {
  readonly origin: Vec3Like;
  readonly direction: Vec3Like;
  readonly tMin?: number;
  readonly tMax?: number;
  readonly normalize?: boolean;
}

/** Choices of a ray. */
export interface RayOptions {
  /**
   * True, the default, normalizes the direction first, so that `t` is a distance. Otherwise `t` is a multiple of the direction: if this is the
   * difference of two points, `t` is the fraction of the path between them.
   */
  readonly normalize?: boolean;
  /** The least `t` that counts; 0 by default. The range is closed. */
  readonly tMin?: number;
  /** The greatest `t` that counts; infinite by default. */
  readonly tMax?: number;
  /** The sides of surfaces that do not count; none by default. Counter-clockwise triangles face front. */
  readonly cull?: "none" | "back" | "front";
  /** The answer to a ray that starts inside a solid: its exit (the default), the solid at the start, or nothing. */
  readonly whenInside?: "exit" | "solid" | "ignore";
  /** The meaning of cut-outs: they are holes (`"open"`, the default) or surface (`"solid"`). */
  readonly cutOuts?: "open" | "solid";
}

/** A hit that a filter may refuse. */
export interface Candidate<K> {
  readonly id: K;
  readonly part: number;
  readonly t: number;
  readonly triangle: number | undefined;
  readonly u: number | undefined;
  readonly v: number | undefined;
}

/**
 * Choices of the entities and surfaces that count in a scene. The question ignores all others: they are not hit, and they hide nothing, unless `hiddenBy`
 * selects them.
 */
export interface FilterOptions<K> {
  /** The layers that count, as the bits of a number; all by default. */
  readonly layers?: number;
  /** The sides of surfaces that do not count; none by default. */
  readonly cull?: "none" | "back" | "front";
  /** Entities that do not count. */
  readonly exclude?: Iterable<K>;
  /** Says which entities count. It must not change the scene. */
  readonly entities?: (id: K) => boolean;
  /** Says which hits of rays and sweeps count. It must not change the scene. */
  readonly hits?: (candidate: Candidate<K>) => boolean;
  /** The origin of the coordinates in the question and its answer: for worlds that are too large for f32. */
  readonly relativeTo?: Vec3Like;
}

/** Choices of a ray in a scene. */
export interface SceneRayOptions<K> extends RayOptions, FilterOptions<K> {}

/** Choices of a question in which some things hide others: a visible selection, or a cursor that snaps. */
export interface SightOptions<K> extends SceneRayOptions<K> {
  /**
   * Selects the entities and surfaces that hide others, whether the other options select them or not: with `{}` everything hides others. By default, the
   * entities and surfaces that count hide others. With `hiddenBy`, a ray finds all hits that count, up to the first hit on something that hides others.
   */
  readonly hiddenBy?: Omit<FilterOptions<K>, "relativeTo">;
}

/** Choices of a motion in a scene. */
export interface SweepOptions<K> extends FilterOptions<K> {
  /** With `"ahead"`, only contacts that stop the motion count. By default, a contact also counts if the motion leads along its surface or away from it. */
  readonly contacts?: "all" | "ahead";
  /** The gap that `safeT` and `slide` of the answer keep; 0 by default. */
  readonly skin?: number;
}

/** @internal A ray's numbers, as the module takes them: origin, direction, range. */
export const rayNumbers = new Float64Array(8);

const culls = { none: 0, back: 2, front: 4 };
const insides = { exit: 0, solid: 8, ignore: 16 };

function choice<T extends string>(value: T, bits: Record<T, number>, what: string): number {
  const found = bits[value];
  if (found === undefined) throw wrong(what, `one of ${Object.keys(bits).map((name) => `"${name}"`).join(", ")}`, value);
  return found;
}

/** @internal Returns the bits of choices. */
export function optionBits(options: RayOptions): number {
  return (
    (options.normalize === false ? 1 : 0) |
    (options.cull === undefined ? 0 : choice(options.cull, culls, "cull")) |
    (options.whenInside === undefined ? 0 : choice(options.whenInside, insides, "whenInside")) |
    (options.cutOuts === undefined ? 0 : choice(options.cutOuts, { open: 0, solid: 32 }, "cutOuts"))
  );
}

/** @internal Reads a ray into `rayNumbers`, and returns the bits of its choices. */
export function readRay(
  first: Vec3Like | RayLike,
  second: Vec3Like | RayOptions | undefined,
  third: RayOptions | undefined,
): number {
  const ray = first as RayLike;
  if (ray?.origin !== undefined) {
    const options = second as RayOptions | undefined;
    readVec3(ray.origin, rayNumbers, 0, "the ray's origin");
    readVec3(ray.direction, rayNumbers, 3, "the ray's direction");
    rayNumbers[6] = options?.tMin ?? ray.tMin ?? 0;
    rayNumbers[7] = options?.tMax ?? ray.tMax ?? Infinity;
    const normalize = options?.normalize ?? ray.normalize ?? true;
    return options === undefined ? (normalize ? 0 : 1) : (optionBits(options) & ~1) | (normalize ? 0 : 1);
  }
  readVec3(first as Vec3Like, rayNumbers, 0, "the origin");
  readVec3(second as Vec3Like, rayNumbers, 3, "the direction");
  if (third === undefined) {
    rayNumbers[6] = 0;
    rayNumbers[7] = Infinity;
    return 0;
  }
  rayNumbers[6] = third.tMin ?? 0;
  rayNumbers[7] = third.tMax ?? Infinity;
  return optionBits(third);
}

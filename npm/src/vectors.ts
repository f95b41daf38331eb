/** A point or direction: three numbers, or anything with `x`, `y` and `z`, such as three.js' `Vector3`. */
export type Vec3Like = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };

/** A pixel: two numbers, or anything with `x` and `y`. */
export type Vec2Like = ArrayLike<number> | { readonly x: number; readonly y: number };

/** A rotation: the four numbers of a quaternion of any length but 0, or anything with `x`, `y`, `z` and `w`. */
export type QuatLike =
  | ArrayLike<number>
  | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };

/**
 * The transform of an entity: a translation, a matrix of 16 numbers (column by column, as in WebGL), an object with such numbers in `elements` (three.js'
 * `Matrix4`), or a position with a rotation and a scale.
 */
export type TransformLike =
  | Vec3Like
  | { readonly elements: ArrayLike<number> }
  | { readonly position: Vec3Like; readonly rotation?: QuatLike; readonly scale?: Vec3Like | number };

/** The position and rotation of a volume. */
export type PoseLike = Vec3Like | { readonly position: Vec3Like; readonly rotation?: QuatLike };

/** A point or direction in answers. */
export type Vec3 = [x: number, y: number, z: number];

type Xyz = { readonly x?: number; readonly y?: number; readonly z?: number; readonly w?: number };

/** @internal Writes the three numbers of a vector to a place, and throws for a value that is no vector. */
export function readVec3(value: Vec3Like, target: { [index: number]: number }, at: number, what: string): void {
  const list = value as ArrayLike<number>;
  if (list?.length === 3) {
    target[at] = list[0]!;
    target[at + 1] = list[1]!;
    target[at + 2] = list[2]!;
    return;
  }
  const { x, y, z } = (value ?? {}) as Xyz;
  if (typeof x !== "number" || typeof y !== "number" || typeof z !== "number") throw wrong(what, "[x, y, z] or {x, y, z}", value);
  target[at] = x;
  target[at + 1] = y;
  target[at + 2] = z;
}

/** @internal Returns the two numbers of a pixel. */
export function vec2(value: Vec2Like, what: string): [number, number] {
  const list = value as ArrayLike<number>;
  if (list?.length === 2) return [list[0]!, list[1]!];
  const { x, y } = (value ?? {}) as Xyz;
  if (typeof x !== "number" || typeof y !== "number") throw wrong(what, "[x, y] or {x, y}", value);
  return [x, y];
}

/** @internal Returns the three numbers of a vector. */
export function vec3(value: Vec3Like, what: string): Vec3 {
  const numbers: Vec3 = [0, 0, 0];
  readVec3(value, numbers, 0, what);
  return numbers;
}

/** @internal Returns the four numbers of a rotation, of unit length; `undefined` is the identity. */
export function quat(value: QuatLike | undefined, what: string): [number, number, number, number] {
  if (value === undefined) return [0, 0, 0, 1];
  const list = value as ArrayLike<number>;
  if (list?.length === 4) return unit(list[0]!, list[1]!, list[2]!, list[3]!, what);
  const { x, y, z, w } = (value ?? {}) as Xyz;
  if (typeof x !== "number" || typeof y !== "number" || typeof z !== "number" || typeof w !== "number") {
    throw wrong(what, "the quaternion [x, y, z, w] or {x, y, z, w}", value);
  }
  return unit(x, y, z, w, what);
}

/** Normalizes a quaternion. If its length is 1 up to the rounding of f32, it is unchanged. */
function unit(x: number, y: number, z: number, w: number, what: string): [number, number, number, number] {
  if (Math.abs(x * x + y * y + z * z + w * w - 1) <= 1e-6) return [x, y, z, w];
  // All numbers are first divided by the largest, so that squares neither underflow nor overflow.
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(w));
  if (largest === 0) throw wrong(what, "a quaternion that is not 0", [x, y, z, w]);
  const [a, b, c, d] = [x / largest, y / largest, z / largest, w / largest];
  const length = Math.hypot(a, b, c, d);
  return [a / length, b / length, c / length, d / length];
}

/** @internal Returns a pose as seven numbers. */
export function pose(value: PoseLike, what: string): [number, number, number, number, number, number, number] {
  const placed = value as { readonly position?: Vec3Like; readonly rotation?: QuatLike };
  const at = vec3(placed?.position ?? (value as Vec3Like), `the position of ${what}`);
  return [...at, ...quat(placed?.rotation, `the rotation of ${what}`)];
}

const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** @internal Returns a transform as a matrix of 16 numbers, column by column. */
export function matrix(value: TransformLike | undefined, what = "the transform"): Float64Array {
  if (value === undefined) return identity;
  const given = value as {
    readonly elements?: ArrayLike<number>;
    readonly length?: number;
    readonly position?: Vec3Like;
    readonly rotation?: QuatLike;
    readonly scale?: Vec3Like | number;
  };
  const elements = given?.elements ?? (given?.length === 16 ? (value as ArrayLike<number>) : undefined);
  if (elements !== undefined) {
    if (elements.length !== 16) throw wrong(what, "16 numbers", elements);
    return Float64Array.from(elements);
  }
  const { position, rotation, scale } = given?.position === undefined ? { position: value as Vec3Like } : given;
  const [x, y, z] = vec3(position!, what);
  const [a, b, c, d] = quat(rotation, `the rotation of ${what}`);
  const [sx, sy, sz] = typeof scale === "number" ? [scale, scale, scale] : vec3(scale ?? [1, 1, 1], `the scale of ${what}`);
  return Float64Array.of(
    (1 - 2 * (b * b + c * c)) * sx, 2 * (a * b + c * d) * sx, 2 * (a * c - b * d) * sx, 0,
    2 * (a * b - c * d) * sy, (1 - 2 * (a * a + c * c)) * sy, 2 * (b * c + a * d) * sy, 0,
    2 * (a * c + b * d) * sz, 2 * (b * c - a * d) * sz, (1 - 2 * (a * a + b * b)) * sz, 0,
    x, y, z, 1,
  );
}

/** @internal Returns a number that must be finite and above 0. */
export function positive(value: number, what: string): number {
  if (!(value > 0 && value < Infinity)) throw wrong(what, "a finite number above 0", value);
  return value;
}

/** @internal Returns a number that must be finite and not below 0. */
export function notNegative(value: number, what: string): number {
  if (!(value >= 0 && value < Infinity)) throw wrong(what, "a finite number that is not negative", value);
  return value;
}

/** @internal Returns the error for an argument that is not what a function expects. */
export function wrong(what: string, expected: string, value: unknown): TypeError {
  let shown: string;
  try {
    shown = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
  } catch {
    shown = String(value);
  }
  return new TypeError(`${what} must be ${expected}, not ${shown.length > 80 ? `${shown.slice(0, 77)}...` : shown}`);
}

import { glue } from "./glue.js";
import { doubles, recordStart } from "./module.js";
import type { RayLike } from "./questions.js";
import type { Vec3 } from "./vectors.js";

/** The side of a surface that was hit: `"inside"` if the ray starts inside a solid, and `whenInside` is `"solid"`. */
export type Side = "front" | "back" | "inside";

/** The part of a triangle or flat shape that is hit or nearest: the interior, the edge from a corner to the next, or a corner. */
export type Feature = "face" | "edge0" | "edge1" | "edge2" | "vertex0" | "vertex1" | "vertex2";

/** The side of a point relative to a solid or closed mesh: inside or outside of it; `"open"` if there is no inside. */
export type Containment = "outside" | "inside" | "open";

/** The relation between a volume and an obstacle at the beginning of a motion. */
export type SweepStart = "apart" | "touching" | "penetrating";

/** A hit of a mesh or height field. */
export interface MeshHit {
  /** The distance along the ray, in multiples of its direction. */
  t: number;
  side: Side;
  triangle: number;
  /** The barycentric coordinate of the triangle's second corner. */
  u: number;
  /** The barycentric coordinate of the triangle's third corner. */
  v: number;
  point: Vec3;
  /** The normal of the front, of unit length. */
  normal: Vec3;
}

/** A hit of a shape. */
export interface ShapeHit {
  t: number;
  side: Side;
  point: Vec3;
  /** The outward normal, of unit length. */
  normal: Vec3;
  /** The first coordinate on the surface, if the shape has such coordinates. */
  u: number | undefined;
  v: number | undefined;
}

/** A hit of an entity of a scene. */
export interface Hit<K> {
  /** The entity's key. */
  id: K;
  /** The number of the part of a compound; 0 otherwise. */
  part: number;
  t: number;
  side: Side;
  triangle: number | undefined;
  u: number | undefined;
  v: number | undefined;
  /** The number that a `Custom` shape has given to the crossing; `undefined` on other geometry. */
  feature: number | undefined;
  point: Vec3;
  normal: Vec3;
}

/** The nearest point of a mesh or height field. */
export interface MeshPoint {
  triangle: number;
  feature: Feature;
  distance: number;
  point: Vec3;
  normal: Vec3;
  containment: Containment;
}

/** The nearest point of a mesh's surface. */
export type SurfacePoint = Omit<MeshPoint, "containment"> & {
  /** The side of the triangle's plane on which the query point is. */
  side: Side;
};

/** The nearest point of a shape. */
export type ShapePoint = Omit<MeshPoint, "triangle">;

/** The nearest point of a scene. */
export interface ClosestPoint<K> extends ShapePoint {
  id: K;
  part: number;
  triangle: number | undefined;
}

/** A contact of a moving volume in a scene. */
export interface SweepHit<K> {
  id: K;
  part: number;
  /** The fraction of the motion at the contact. */
  t: number;
  side: Side;
  triangle: number | undefined;
  feature: Feature;
  start: SweepStart;
  point: Vec3;
  /** The direction in which the contact pushes the volume. */
  normal: Vec3;
  /** The normal of the surface itself. */
  surfaceNormal: Vec3;
  /** The fraction of the motion that leaves the gap `skin`. */
  safeT: number;
  /** The motion to try next, to slide along the contact. */
  slide: Vec3;
}

/** A contact of a volume that moves and rotates. It has no `safeT` and no `slide`, because the points of the volume move in different directions. */
export type RotatingHit<K> = Omit<SweepHit<K>, "safeT" | "slide">;

/** @internal The length of a record; the places of its numbers, as in `src/answer.rs` of the crate. */
export const recordLength = 24;
/** @internal */
export const place = { t: 0, id: 1, part: 2, triangle: 3, side: 4, point: 5, normal: 8, uv: 11, feature: 13, state: 14, extra: 15, second: 16, third: 19 } as const;

/** @internal */
export const sides: readonly Side[] = ["front", "back", "inside"];
/** @internal */
export const features: readonly Feature[] = ["face", "edge0", "edge1", "edge2", "vertex0", "vertex1", "vertex2"];
const containments: readonly Containment[] = ["outside", "inside", "open"];
/** @internal */
export const starts: readonly SweepStart[] = ["apart", "touching", "penetrating"];

/** @internal Reads the records of the list. */
export function records<T>(count: number, read: (row: Float64Array, at: number) => T): T[] {
  if (count === 0) return [];
  const row = doubles();
  const start = glue.list_address() / 8;
  return Array.from({ length: count }, (_, i) => read(row, start + i * recordLength));
}

/** @internal Reads an optional whole number. */
export function index(number: number): number | undefined {
  return number < 0 ? undefined : number;
}

/** @internal Reads an optional number. */
export function optional(number: number): number | undefined {
  return number !== number ? undefined : number;
}

/** @internal Reads a vector. */
export function vector(row: Float64Array, at: number): Vec3 {
  return [row[at]!, row[at + 1]!, row[at + 2]!];
}

/** @internal Reads a vector into another one, if there is one. */
function into(row: Float64Array, at: number, target: Vec3 | undefined): Vec3 {
  if (target === undefined) return vector(row, at);
  target[0] = row[at]!;
  target[1] = row[at + 1]!;
  target[2] = row[at + 2]!;
  return target;
}

/** @internal Reads a ray, whose direction is not normalized again. */
export function rayRecord(): Required<RayLike> & { origin: Vec3; direction: Vec3 } {
  const row = doubles();
  const at = recordStart();
  return {
    origin: vector(row, at + place.point),
    direction: vector(row, at + place.normal),
    tMin: row[at]!,
    tMax: row[at + place.extra]!,
    normalize: false,
  };
}

/** @internal Reads a hit of a mesh. */
export function meshHit(target: Partial<MeshHit> | undefined, row = doubles(), at = recordStart()): MeshHit {
  if (target === undefined) {
    return {
      t: row[at]!,
      side: sides[row[at + 4]!]!,
      triangle: row[at + 3]!,
      u: row[at + 11]!,
      v: row[at + 12]!,
      point: [row[at + 5]!, row[at + 6]!, row[at + 7]!],
      normal: [row[at + 8]!, row[at + 9]!, row[at + 10]!],
    };
  }
  target.t = row[at]!;
  target.side = sides[row[at + 4]!]!;
  target.triangle = row[at + 3]!;
  target.u = row[at + 11]!;
  target.v = row[at + 12]!;
  target.point = into(row, at + place.point, target.point);
  target.normal = into(row, at + place.normal, target.normal);
  return target as MeshHit;
}

/** @internal Reads a hit of a shape. */
export function shapeHit(): ShapeHit {
  const row = doubles();
  const at = recordStart();
  return {
    t: row[at]!,
    side: sides[row[at + place.side]!]!,
    point: vector(row, at + place.point),
    normal: vector(row, at + place.normal),
    u: optional(row[at + place.uv]!),
    v: optional(row[at + place.uv + 1]!),
  };
}

/** @internal Reads a hit of a scene whose key is known. */
export function sceneHit<K>(id: K, target: Partial<Hit<K>> | undefined, row = doubles(), at = recordStart()): Hit<K> {
  const hit = (target ?? {}) as Hit<K>;
  hit.id = id;
  hit.part = row[at + place.part]!;
  hit.t = row[at]!;
  hit.side = sides[row[at + place.side]!]!;
  hit.triangle = index(row[at + place.triangle]!);
  hit.u = optional(row[at + place.uv]!);
  hit.v = optional(row[at + place.uv + 1]!);
  hit.feature = index(row[at + place.feature]!);
  hit.point = into(row, at + place.point, target?.point);
  hit.normal = into(row, at + place.normal, target?.normal);
  return hit;
}

/** @internal Reads the nearest point of a mesh. */
export function meshPoint(): MeshPoint {
  const row = doubles();
  const at = recordStart();
  return {
    triangle: row[at + place.triangle]!,
    feature: features[row[at + place.feature]!]!,
    distance: row[at]!,
    point: vector(row, at + place.point),
    normal: vector(row, at + place.normal),
    containment: containments[row[at + place.state]!]!,
  };
}

/** @internal Reads the nearest point of a mesh's surface, with the side. */
export function surfacePoint(target: Partial<SurfacePoint> = {}): SurfacePoint {
  const row = doubles();
  const at = recordStart();
  const found = target as SurfacePoint;
  found.triangle = row[at + place.triangle]!;
  found.feature = features[row[at + place.feature]!]!;
  found.distance = row[at]!;
  found.point = vector(row, at + place.point);
  found.normal = vector(row, at + place.normal);
  found.side = sides[row[at + place.side]!]!;
  return found;
}

/** @internal Reads the contact of a volume that moves and rotates in a scene. */
export function rotatingHit<K>(id: K, row = doubles(), at = recordStart()): RotatingHit<K> {
  return {
    id,
    part: row[at + place.part]!,
    t: row[at]!,
    side: sides[row[at + place.side]!]!,
    triangle: index(row[at + place.triangle]!),
    feature: features[row[at + place.feature]!]!,
    start: starts[row[at + place.state]!]!,
    point: vector(row, at + place.point),
    normal: vector(row, at + place.normal),
    surfaceNormal: vector(row, at + place.second),
  };
}

/** @internal Reads the contact of a volume in a scene. */
export function sweepHit<K>(id: K, row = doubles(), at = recordStart()): SweepHit<K> {
  return { ...rotatingHit(id, row, at), safeT: row[at + place.extra]!, slide: vector(row, at + place.third) };
}


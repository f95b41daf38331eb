import { meshContact, type MeshContact } from "./records.js";
import { meshHit, meshPoint, records, surfacePoint, type MeshHit, type MeshPoint, type SurfacePoint } from "./answers.js";
import { bytesOf, doublesOf, floats, indicesFrom, type Numbers } from "./arrays.js";
import { bytes, column, columnBits, floatsOf, putRays, takeAllHits, takeHits, takeNearest, takeVerdicts, type AllHits, type BatchColumns, type BatchHits, type MeshPoints, type SurfacePoints } from "./batch.js";
import { glue } from "./glue.js";
import { disposed, ready } from "./module.js";
import { rayNumbers as q, readRay, type RayLike, type RayOptions } from "./questions.js";
import { Shape, type Volume } from "./shapes.js";
import { pose, vec3, wrong, type PoseLike, type Vec3, type Vec3Like } from "./vectors.js";

/** The time that a build may take to make rays faster. */
export type Quality = "fast" | "balanced" | "best";

const qualities: Record<Quality, number> = { fast: 0, balanced: 1, best: 2 };

/** Choices of a mesh. */
export interface MeshOptions {
  /** The time that the build may take; `"balanced"` by default. */
  readonly quality?: Quality;
  /** Normals at the vertices, three numbers each. */
  readonly normals?: Numbers;
  /** Texture coordinates at the vertices, two numbers each. */
  readonly texcoords?: Numbers;
}

/** A cut-out: where a picture's alpha is below a limit, triangles have holes. */
export interface CutOutOptions {
  readonly width: number;
  readonly height: number;
  /** A number from 0 to 255 for each texel, row by row, beginning with the row at v = 0. */
  readonly alpha: Numbers;
  /** The limit, from 0 to 1: texels with a lower alpha are holes; 0.5 by default. */
  readonly cutoff?: number;
  /** The wrapping of texture coordinates outside of the picture, across and down; `"repeat"` by default. */
  readonly wrap?: readonly [Wrap, Wrap];
  /** The triangles with the cut-out, from the first number up to but not including the second; all by default. */
  readonly triangles?: readonly [number, number];
  /** The texture coordinates at the three corners of each of these triangles, six numbers for a triangle; by default the coordinates of the mesh's vertices. */
  readonly texcoords?: Numbers;
}

/** A box of a mesh's tree that a ray reached. */
export interface TreeVisit {
  min: Vec3;
  max: Vec3;
  /** The depth in the tree; 0 for the root. */
  depth: number;
  /** True for a box of up to eight triangles; false for a box of further boxes. */
  isLeaf: boolean;
}

/** Choices of a ray whose sides and holes do not matter. */
export type RangeOptions = Pick<RayOptions, "normalize" | "tMin" | "tMax">;

type Wrap = "repeat" | "mirror" | "clamp";

const wraps: Record<Wrap, number> = { repeat: 0, mirror: 1, clamp: 2 };

/**
 * Triangles with a tree for fast questions.
 *
 * The mesh decides exactly whether a ray hits a triangle, so no ray slips through an edge or a corner. Edges and corners belong to their triangles. The
 * constructor copies its arrays and never changes them.
 */
export class Mesh {
  #handle: glue.Mesh | undefined;

  /**
   * Builds a mesh from positions, three numbers each, and three indices for each triangle. Without indices, every three positions are a triangle.
   *
   * Numbers may be in any array; Float32Array and Uint32Array need no conversion.
   *
   * @throws If a position is not finite, an index has no position, or the number of indices is no multiple of three. The message names the first fault.
   */
  constructor(positions: Numbers, indices?: Numbers | null, options: MeshOptions = {}) {
    ready();
    if ((positions as unknown) instanceof glue.Mesh) {
      this.#handle = positions as unknown as glue.Mesh;
      return;
    }
    const { quality = "balanced", normals, texcoords } = options;
    const level = qualities[quality];
    if (level === undefined) throw wrong("the quality", '"fast", "balanced" or "best"', quality);
    this.#handle = new glue.Mesh(floats(positions, "the positions"), wholeIndices(indices), level);
    if (normals !== undefined) this.setNormals(normals);
    if (texcoords !== undefined) this.setTexcoords(texcoords);
  }

  /**
   * Reads a mesh with its tree from the bytes of `toBytes`. This is much faster than building the tree.
   *
   * @throws If the bytes are damaged or of another version.
   */
  static fromBytes(bytes: Uint8Array | ArrayBuffer): Mesh {
    ready();
    return wrapMesh(glue.Mesh.from_bytes(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes));
  }

  /** Saves the mesh with its tree. The bytes are the same on every machine, and their buffer can be transferred to a worker. */
  toBytes(): Uint8Array {
    return this.handle.to_bytes();
  }

  /** @internal */
  get handle(): glue.Mesh {
    return this.#handle ?? disposed("mesh");
  }

  /** Returns the first hit of a ray, or `null`. With a target, the hit is written there, and nothing is allocated. */
  cast(ray: RayLike, options?: RayOptions): MeshHit | null;
  cast(origin: Vec3Like, direction: Vec3Like, options?: RayOptions, target?: Partial<MeshHit>): MeshHit | null;
  cast(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions, target?: Partial<MeshHit>): MeshHit | null {
    const bits = readRay(first, second, third);
    return this.handle.cast(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits) ? meshHit(target) : null;
  }

  /**
   * Returns the number of the first triangle that a ray hits, or -1. The numbers of the ray are not rounded to f32, and its direction is not normalized: this
   * is for callers who compute the rest in double precision.
   */
  firstTriangle(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): number {
    const bits = readRay(origin, direction, options);
    return this.handle.first_triangle(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
  }

  /** Returns the numbers of all triangles that a ray hits, the lowest first. The ray is as in `firstTriangle`. */
  triangles(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): Uint32Array {
    const bits = readRay(origin, direction, options);
    const count = this.handle.triangles(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    return wholeNumbers(count);
  }

  /** Returns whether a ray hits anything. */
  isBlocked(ray: RayLike, options?: RayOptions): boolean;
  isBlocked(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): boolean;
  isBlocked(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions): boolean {
    const bits = readRay(first, second, third);
    return this.handle.is_blocked(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
  }

  /** Returns all hits of a ray, the nearest first: one for each triangle that the ray touches, and so two at an edge that two triangles share. */
  castAll(ray: RayLike, options?: RayOptions): MeshHit[];
  castAll(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): MeshHit[];
  castAll(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions): MeshHit[] {
    const bits = readRay(first, second, third);
    const count = this.handle.cast_all(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    return meshHits(count);
  }

  /**
   * Returns the hits at which a ray enters and leaves the mesh, the nearest first. Each crossing is one hit, even at an edge or a corner, where `castAll` has a
   * hit for each triangle. So fronts and backs alternate on a closed mesh that faces outwards. If a ray only touches a corner, there is no hit. In a mesh that
   * is not closed, an entry without an exit, or an exit without an entry, is a hit, too. Both sides count, and cut-outs count as surface.
   */
  castCrossings(ray: RayLike, options?: RangeOptions): MeshHit[];
  castCrossings(origin: Vec3Like, direction: Vec3Like, options?: RangeOptions): MeshHit[];
  castCrossings(first: Vec3Like | RayLike, second?: Vec3Like | RangeOptions, third?: RangeOptions): MeshHit[] {
    const bits = readRay(first, second, third);
    return meshHits(this.handle.cast_crossings(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits));
  }

  /**
   * Returns the first hit of each ray. A ray is six numbers, its origin and its direction, or eight with `tMin` and `tMax` if
   * `ranges` is true. Arrays of the target that have the right length are used again.
   */
  castBatch(rays: Numbers, options?: RayOptions & BatchColumns & { readonly ranges?: boolean }, target?: Partial<BatchHits>): BatchHits {
    const { count, stride, bits } = putRays(rays, options);
    const columns = columnBits(options);
    this.handle.cast_batch(count, stride, bits, columns);
    return takeHits(count, columns, target);
  }

  /** Returns all hits of each ray, in the order of `castAll`, one ray after the other. The rays and the columns are as in `castBatch`. */
  castAllBatch(rays: Numbers, options?: RayOptions & BatchColumns & { readonly ranges?: boolean }): AllHits {
    const { count, stride, bits } = putRays(rays, options);
    const columns = columnBits(options);
    return takeAllHits(count, this.handle.cast_all_batch(count, stride, bits, columns), columns);
  }

  /** Returns whether each ray hits anything: 1 or 0. The rays are as in `castBatch`. */
  isBlockedBatch(rays: Numbers, options?: RayOptions & { readonly ranges?: boolean }, target?: Uint8Array): Uint8Array {
    const { count, stride, bits } = putRays(rays, options);
    this.handle.is_blocked_batch(count, stride, bits);
    return takeVerdicts(count, target);
  }

  /** Returns the nearest point of the surface; `null` for a mesh without triangles. */
  closestPoint(point: Vec3Like): MeshPoint | null {
    const [x, y, z] = vec3(point, "the point");
    return this.handle.closest_point(x, y, z) ? meshPoint() : null;
  }

  /**
   * Returns the point that `closestPoint` finds if it is within a distance, or `null`. The answer lacks the containment, which takes longer to compute than
   * everything else. With a target, the answer is written there.
   */
  closestOnSurface(point: Vec3Like, maxDistance = Infinity, target?: Partial<SurfacePoint>): SurfacePoint | null {
    const [x, y, z] = vec3(point, "the point");
    return this.handle.closest_on_surface(x, y, z, maxDistance) ? surfacePoint(target) : null;
  }

  /**
   * Returns the point that `closestPoint` finds for each point (three numbers each, in f64), faster than single calls, because neighbours share work. Arrays of
   * the target that have the right length are used again. For a point that is not finite, nothing is found.
   */
  closestPointBatch(points: Numbers, target?: Partial<MeshPoints>): MeshPoints {
    const numbers = doublesOf(points, "the points");
    this.handle.closest_point_batch(numbers);
    const found = takeNearest(numbers.length / 3, target);
    found.containment = bytes(column.side, numbers.length / 3, target?.containment);
    return found;
  }

  /** Returns the point that `closestOnSurface` finds for each point within a distance. Points and target are as in `closestPointBatch`. */
  closestOnSurfaceBatch(points: Numbers, maxDistance = Infinity, target?: Partial<SurfacePoints>): SurfacePoints {
    const numbers = doublesOf(points, "the points");
    this.handle.closest_on_surface_batch(numbers, maxDistance);
    const found = takeNearest(numbers.length / 3, target);
    found.side = bytes(column.side, numbers.length / 3, target?.side);
    return found;
  }

  /** Returns whether a point is inside of the mesh, which must be closed. The surface does not count. */
  contains(point: Vec3Like): boolean {
    const [x, y, z] = vec3(point, "the point");
    return this.handle.contains(x, y, z);
  }

  /** Returns whether each point is inside: 1 or 0. Points are as in `closestPointBatch`. */
  containsBatch(points: Numbers, target?: Uint8Array): Uint8Array {
    const numbers = doublesOf(points, "the points");
    this.handle.contains_batch(numbers);
    return takeVerdicts(numbers.length / 3, target);
  }

  /**
   * Returns the distance from a point to the surface, negative inside: the distance that `closestPoint` finds. It is `null` for a mesh that is not closed
   * and for a point that is not finite.
   */
  signedDistance(point: Vec3Like): number | null {
    const [x, y, z] = vec3(point, "the point");
    return this.handle.signed_distance(x, y, z) ?? null;
  }

  /** Returns the distance that `signedDistance` finds for each point; NaN where there is none. Points are as in `closestPointBatch`. */
  signedDistanceBatch(points: Numbers, target?: Float32Array): Float32Array {
    const numbers = doublesOf(points, "the points");
    this.handle.signed_distance_batch(numbers);
    return floatsOf(column.t, numbers.length / 3, target);
  }

  /**
   * Returns the pairs of triangles that intersect or touch beyond the corners and edges that they share, as two numbers for each pair: the lower one first,
   * and each pair once, in order. The lower one is from the first number of `triangles` up to but not including the second. The decision is exact.
   */
  selfIntersections(triangles: readonly [number, number] = [0, this.triangleCount]): Uint32Array {
    return wholeNumbers(this.handle.self_intersections(triangles[0], triangles[1])).slice();
  }

  /** Returns the first contact of a moving volume, or `null`. */
  sweep(volume: Volume, from: PoseLike, motion: Vec3Like): MeshContact | null {
    const at = pose(from, "the volume");
    return this.handle.sweep(Shape.handleOf(volume), ...at, ...vec3(motion, "the motion")) ? meshContact() : null;
  }

  /**
   * Moves all vertices, and refits the tree.
   *
   * @throws If the number of positions has changed, or a position is not finite. The mesh is unchanged then.
   */
  refit(positions: Numbers): void {
    this.handle.refit(floats(positions, "the positions"));
  }

  /** Sets the normals at the vertices, three numbers each. */
  setNormals(normals: Numbers): void {
    this.handle.set_normals(floats(normals, "the normals"));
  }

  /** Sets the texture coordinates at the vertices, two numbers each. */
  setTexcoords(texcoords: Numbers): void {
    this.handle.set_texcoords(floats(texcoords, "the texture coordinates"));
  }

  /**
   * Makes holes where a picture is transparent. The cut-out or the mesh needs texture coordinates. All cut-outs without coordinates of their own use the
   * coordinates that were last given to the mesh.
   *
   * @throws If there are no texture coordinates, or not six numbers for each triangle, or if the mesh has no such triangles, or one with a cut-out already.
   */
  cutOut(cutOut: CutOutOptions): void {
    const { width, height, alpha, cutoff = 0.5, wrap = ["repeat", "repeat"], triangles = [0, this.triangleCount], texcoords } = cutOut;
    const wrapping = wrap.map((name) => wraps[name] ?? fail(name));
    const corners = texcoords && floats(texcoords, "the texture coordinates of a cut-out");
    this.handle.cut_out(width, height, bytesOf(alpha, "the alpha"), wrapping[0]! | (wrapping[1]! << 2), cutoff, triangles[0], triangles[1], corners);
  }

  /** The number of triangles, including triangles without an area. */
  get triangleCount(): number {
    return this.handle.triangle_count();
  }

  /** The number of triangles that have no area, so that nothing hits them. */
  get degenerateCount(): number {
    return this.handle.degenerate_count();
  }

  /** The size of the tree in bytes. */
  get treeBytes(): number {
    return this.handle.tree_bytes();
  }

  /** Returns the smallest box around all triangles. */
  bounds(): { min: Vec3; max: Vec3 } {
    return boundsOf(this.handle.bounds());
  }

  /** Returns the corners of a triangle, nine numbers, or `undefined` beyond the last one. */
  triangle(triangle: number): Float32Array | undefined {
    return this.handle.triangle(triangle);
  }

  /** Returns the three vertices of a triangle, or `undefined` beyond the last one. */
  indices(triangle: number): Uint32Array | undefined {
    return this.handle.indices(triangle);
  }

  /** Returns the edges of the tree's boxes down to a depth, as lines of six numbers. */
  treeLines(depth: number): Float32Array {
    return this.handle.tree_lines(depth);
  }

  /** Returns the edges of the tree's boxes at one depth, as lines of six numbers. There are none at depths below the tree. */
  levelLines(depth: number): Float32Array {
    return this.handle.level_lines(depth);
  }

  /** Returns the boxes of the tree that `cast` visits for a ray, in the order of the visits: the box around everything is the first. Holes count as surface. */
  visits(ray: RayLike, options?: RayOptions): TreeVisit[];
  visits(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): TreeVisit[];
  visits(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions): TreeVisit[] {
    const bits = readRay(first, second, third);
    const row = this.handle.visits(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    return Array.from({ length: row.length / 8 }, (_, i) => ({ ...boundsOf(row.subarray(8 * i)), depth: row[8 * i + 6]!, isLeaf: row[8 * i + 7] === 1 }));
  }

  /** Returns the cost of each ray: the number of boxes that `cast` visits for it. A ray is six numbers, its origin and its direction. */
  visitCounts(rays: Numbers): Uint32Array {
    return this.handle.visit_counts(floats(rays, "the rays"));
  }

  /** Frees the memory of this object. Scenes that share the mesh keep it. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** @internal Wraps a mesh of the module. */
export function wrapMesh(handle: glue.Mesh): Mesh {
  return new Mesh(handle as unknown as Float32Array);
}

function fail(name: string): never {
  throw wrong("the wrap", '"repeat", "mirror" or "clamp"', name);
}

function wholeIndices(indices: Numbers | null | undefined): Uint32Array | undefined {
  if (indices === undefined || indices === null) return undefined;
  return indicesFrom(indices, "the indices");
}

/** @internal Reads the hits of the list. */
export function meshHits(count: number): MeshHit[] {
  return records(count, (row, at) => meshHit(undefined, row, at));
}

/** @internal Returns the whole numbers of the last answer, copied. */
export function wholeNumbers(count: number): Uint32Array {
  return count === 0 ? new Uint32Array(0) : new Uint32Array(ready().buffer, glue.numbers_address(), count).slice();
}

/** @internal Reads a box. */
export function boundsOf(numbers: Float32Array): { min: Vec3; max: Vec3 } {
  const [a, b, c, d, e, f] = numbers;
  return { min: [a!, b!, c!], max: [d!, e!, f!] };
}

/** @internal Reads rows of whole numbers. */
export function rows<T>(count: number, width: number, read: (row: Uint32Array) => T): T[] {
  const numbers = wholeNumbers(count);
  return Array.from({ length: count / width }, (_, i) => read(numbers.subarray(i * width, (i + 1) * width)));
}

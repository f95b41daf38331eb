import { index, meshPoint, place, records, rotatingHit, sceneHit, sweepHit, vector, type ClosestPoint, type Hit, type RotatingHit, type SweepHit } from "./answers.js";
import { contactPoint, penetration, type ContactPoint, type Penetration } from "./records.js";
import { column, columnBits, putRays, takeAllHits, takeHits, takeVerdicts, wholes, type AllHits, type BatchColumns, type BatchHits } from "./batch.js";
import { doublesOf, floats, type Numbers } from "./arrays.js";
import { rethrow } from "./crossings.js";
import { HeightField } from "./heightField.js";
import { boundsOf, Mesh, rows, wholeNumbers } from "./mesh.js";
import { glue } from "./glue.js";
import { disposed, doubles, ready, recordStart } from "./module.js";
import { ScenePair, type NearPair, type NearPairOptions, type Pair, type PairOptions } from "./pairs.js";
import { optionBits, rayNumbers as q, readRay, type FilterOptions, type RayLike, type SceneRayOptions, type SightOptions, type SweepOptions } from "./questions.js";
import { Shape, type Volume } from "./shapes.js";
import { matrix, pose, vec3, wrong, type PoseLike, type TransformLike, type Vec3, type Vec3Like } from "./vectors.js";

/** A part of an entity with several parts. */
export interface Part {
  readonly geometry: Mesh | HeightField | Shape;
  readonly transform?: TransformLike;
}

/** The geometry of an entity. */
export type Geometry = Mesh | HeightField | Shape | readonly Part[];

const none = 0xffffffff;

/**
 * Entities under keys of any kind, and the questions about them. Keys are compared as by a `Map`.
 *
 * There is no update call: each question sees every change that was made before it.
 */
export class Scene<K = string> {
  #handle: glue.Scene | undefined;
  readonly #numbers = new Map<K, number>();
  readonly #keys: K[] = [];
  readonly #free: number[] = [];
  readonly #pairs = new ScenePair<K>(this, this, false);
  #filtered = false;
  #hidden = false;
  #calls = false;

  constructor() {
    ready();
    this.#handle = new glue.Scene();
  }

  /** @internal */
  get handle(): glue.Scene {
    return this.#handle ?? disposed("scene");
  }

  /** Returns the number of entities. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Returns whether a key has an entity. */
  has(key: K): boolean {
    return this.#numbers.has(key);
  }

  /** Iterates over the keys. */
  keys(): IterableIterator<K> {
    return this.#numbers.keys();
  }

  /**
   * Inserts an entity, or replaces the entity with this key. If several hits have the same distance, the entity that was inserted first is hit. A
   * replaced entity keeps its place in this order; an entity that was removed and is inserted again becomes the last. Meshes and height fields are shared, not
   * copied.
   *
   * @throws If the transform is invalid; the scene is unchanged then.
   */
  insert(key: K, geometry: Geometry, transform?: TransformLike): void {
    const known = this.#numbers.get(key);
    const number = known ?? this.#free.at(-1) ?? this.#keys.length;
    const numbers = matrix(transform);
    if (geometry instanceof Mesh) this.handle.insert_mesh(number, geometry.handle, numbers);
    else if (geometry instanceof Shape) this.handle.insert_shape(number, geometry.handle, numbers);
    else if (geometry instanceof HeightField) this.handle.insert_height_field(number, geometry.handle, numbers);
    else if (Array.isArray(geometry)) this.#insertParts(number, geometry as readonly Part[], numbers);
    else throw wrong("the geometry", "a Mesh, a HeightField, a shape or a list of parts", geometry);
    if (known !== undefined) return;
    if (number === this.#keys.length) this.#keys.push(key);
    else {
      this.#free.pop();
      this.#keys[number] = key;
    }
    this.#numbers.set(key, number);
  }

  #insertParts(number: number, parts: readonly Part[], numbers: Float64Array): void {
    const list = new glue.Parts();
    try {
      parts.forEach(({ geometry, transform }, i) => {
        const at = matrix(transform, `the transform of part ${i}`);
        if (geometry instanceof Mesh) list.push_mesh(geometry.handle, at);
        else if (geometry instanceof Shape) list.push_shape(geometry.handle, at);
        else if (geometry instanceof HeightField) list.push_height_field(geometry.handle, at);
        else throw wrong(`the geometry of part ${i}`, "a Mesh, a HeightField or a shape", geometry);
      });
      this.handle.insert_parts(number, list, numbers);
    } finally {
      list.free();
    }
  }

  /** Removes an entity, and returns whether it was there. */
  remove(key: K): boolean {
    const number = this.#numbers.get(key);
    if (number === undefined) return false;
    this.handle.remove(number);
    this.#numbers.delete(key);
    this.#keys[number] = undefined as K;
    this.#free.push(number);
    return true;
  }

  /** Removes all entities. */
  clear(): void {
    this.handle.clear();
    this.#numbers.clear();
    this.#keys.length = this.#free.length = 0;
  }

  /** Moves an entity, and returns whether it is there. */
  setTransform(key: K, transform: TransformLike): boolean {
    const number = this.#numbers.get(key);
    return number !== undefined && this.handle.set_transform(number, matrix(transform));
  }

  /**
   * Moves many entities at once, by 16 numbers each, and returns the number of keys that exist. Either all of them move, or none. If more than an eighth of all
   * parts move, the tree is refitted or rebuilt once, so make one call for everything that moves in a frame.
   */
  setTransforms(keys: readonly K[], matrices: Numbers): number {
    const numbers = Uint32Array.from(keys, (key) => this.#numbers.get(key) ?? none);
    return this.handle.set_transforms(numbers, doublesOf(matrices, "the matrices"));
  }

  /** Sets the layers of an entity, as the bits of a number, and returns whether the entity is there. By default an entity is only on the first layer. */
  setLayers(key: K, layers: number): boolean {
    const number = this.#numbers.get(key);
    return number !== undefined && this.handle.set_layers(number, layers);
  }

  /** Moves the vertices of an entity's mesh, and returns whether there is one. Other entities with the same mesh keep their vertices. */
  refit(key: K, positions: Numbers, part = 0): boolean {
    const number = this.#numbers.get(key);
    return number !== undefined && this.handle.refit(number, part, floats(positions, "the positions"));
  }

  /** Returns the smallest box around all entities. */
  bounds(): { min: Vec3; max: Vec3 } {
    return boundsOf(this.handle.bounds());
  }

  /** Returns the smallest box around an entity, or `undefined` if it is not there. */
  boundsOf(key: K): { min: Vec3; max: Vec3 } | undefined {
    const number = this.#numbers.get(key);
    const numbers = number === undefined ? undefined : this.handle.bounds_of(number);
    return numbers === undefined ? undefined : boundsOf(numbers);
  }

  /** Returns the first hit of a ray, or `null`. With a target, the hit is written there, and nothing is allocated. */
  cast(ray: RayLike, options?: SceneRayOptions<K>): Hit<K> | null;
  cast(origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>, target?: Partial<Hit<K>>): Hit<K> | null;
  cast(first: Vec3Like | RayLike, second?: Vec3Like | SceneRayOptions<K>, third?: SceneRayOptions<K>, target?: Partial<Hit<K>>): Hit<K> | null {
    const bits = this.#ray(first, second, third);
    const found = this.handle.cast(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    this.#end();
    return found ? sceneHit(this.#id(), target) : null;
  }

  /** Returns whether a ray hits anything. */
  isBlocked(ray: RayLike, options?: SceneRayOptions<K>): boolean;
  isBlocked(origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>): boolean;
  isBlocked(first: Vec3Like | RayLike, second?: Vec3Like | SceneRayOptions<K>, third?: SceneRayOptions<K>): boolean {
    const bits = this.#ray(first, second, third);
    const found = this.handle.is_blocked(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    this.#end();
    return found;
  }

  /**
   * Returns all hits of a ray, the nearest first: one for each triangle that the ray touches, and so two at an edge that two triangles share, and one for each
   * crossing of a solid.
   */
  castAll(ray: RayLike, options?: SceneRayOptions<K>): Hit<K>[];
  castAll(origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>): Hit<K>[];
  castAll(first: Vec3Like | RayLike, second?: Vec3Like | SceneRayOptions<K>, third?: SceneRayOptions<K>): Hit<K>[] {
    return this.#many(this.#ray(first, second, third), none);
  }

  /** Returns the first hits of a ray, at most `count`. */
  castFirstN(count: number, origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>): Hit<K>[] {
    if (!(count >= 1)) return [];
    return this.#many(this.#ray(origin, direction, options), Math.min(count, none - 1));
  }

  /** Returns the first hit on each entity that a ray hits, the nearest first. */
  castEntities(ray: RayLike, options?: SceneRayOptions<K>): Hit<K>[];
  castEntities(origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>): Hit<K>[];
  castEntities(first: Vec3Like | RayLike, second?: Vec3Like | SceneRayOptions<K>, third?: SceneRayOptions<K>): Hit<K>[] {
    return this.#many(this.#ray(first, second, third), 0);
  }

  #many(bits: number, most: number): Hit<K>[] {
    const count = this.handle.cast_many(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits, most);
    this.#end();
    return this.#records(count, (id, row, at) => sceneHit(id, undefined, row, at));
  }

  /** Returns the first hit of each ray. It has the columns of `Mesh.castBatch`, and the key of each entity, `undefined` on a miss. */
  castBatch(rays: Numbers, options?: SceneRayOptions<K> & BatchColumns & { readonly ranges?: boolean }, target?: Partial<BatchHits>): BatchHits & { id: (K | undefined)[] } {
    const { count, stride, bits } = putRays(rays, options);
    const columns = columnBits(options);
    this.#filter(options);
    this.handle.cast_batch(count, stride, bits, columns);
    this.#end();
    const ids = Array.from(wholes(column.id, count, undefined), (number) => this.#keys[number]);
    return Object.assign(takeHits(count, columns, target), { id: ids });
  }

  /** Returns all hits of each ray, in the order of `castAll`, one ray after the other, with the key of each entity. */
  castAllBatch(rays: Numbers, options?: SceneRayOptions<K> & BatchColumns & { readonly ranges?: boolean }): AllHits & { id: K[] } {
    const { count, stride, bits } = putRays(rays, options);
    const columns = columnBits(options);
    this.#filter(options);
    const hits = this.handle.cast_all_batch(count, stride, bits, columns);
    this.#end();
    const ids = Array.from(wholes(column.id, hits, undefined), (number) => this.#keys[number]!);
    return Object.assign(takeAllHits(count, hits, columns), { id: ids });
  }

  /** Returns whether each ray hits anything: 1 or 0. */
  isBlockedBatch(rays: Numbers, options?: SceneRayOptions<K> & { readonly ranges?: boolean }, target?: Uint8Array): Uint8Array {
    const { count, stride, bits } = putRays(rays, options);
    this.#filter(options);
    this.handle.is_blocked_batch(count, stride, bits);
    this.#end();
    return takeVerdicts(count, target);
  }

  /** Returns the first hit of a path along points (three numbers each), with the number of its segment, or `null`. */
  castPath(points: Numbers, options?: SceneRayOptions<K>): (Hit<K> & { segment: number }) | null {
    const found = this.handle.cast_path(floats(points, "the points of the path"), this.#choices(options));
    this.#end();
    return found ? Object.assign(sceneHit<K>(this.#id(), undefined), { segment: this.#extra() }) : null;
  }

  /**
   * Returns the first hit of a thrown point, with its time and velocity, or `null`. The arc is replaced by chords within a tolerance. The arc ends after ten
   * units of time, unless `tMax` says otherwise.
   */
  castTrajectory(
    throwing: { readonly origin: Vec3Like; readonly velocity: Vec3Like; readonly acceleration: Vec3Like; readonly tMin?: number; readonly tMax?: number },
    tolerance: number,
    options?: SceneRayOptions<K>,
  ): (Hit<K> & { time: number; velocity: Vec3 }) | null {
    const { origin, velocity, acceleration, tMin = 0, tMax = 10 } = throwing;
    const numbers = Float32Array.from([...vec3(origin, "the origin"), ...vec3(velocity, "the velocity"), ...vec3(acceleration, "the acceleration")]);
    const found = this.handle.cast_trajectory(numbers, tMin, tMax, tolerance, this.#choices(options));
    this.#end();
    if (!found) return null;
    const speed = vector(doubles(), recordStart() + place.second);
    return Object.assign(sceneHit<K>(this.#id(), undefined), { time: this.#extra(), velocity: speed });
  }

  /** Returns the intervals in which a ray is inside solids and closed meshes, the first entrance first. */
  solidIntervals(origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>): { id: K; part: number; tEnter: number; tExit: number }[] {
    const bits = this.#ray(origin, direction, options);
    const count = this.handle.solid_intervals(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    this.#end();
    return this.#records(count, (id, row, at) => ({ id, part: row[at + place.part]!, tEnter: row[at]!, tExit: row[at + place.extra]! }));
  }

  /** Returns the ground below a point, up to a distance, with the cosine of its slope, or `null`. */
  groundBelow(point: Vec3Like, up: Vec3Like, reach: number, options?: SceneRayOptions<K>): (Hit<K> & { slopeCos: number }) | null {
    const found = this.handle.ground_below(...vec3(point, "the point"), ...vec3(up, "the up direction"), reach, this.#choices(options));
    this.#end();
    return found ? Object.assign(sceneHit<K>(this.#id(), undefined), { slopeCos: this.#extra() }) : null;
  }

  /**
   * Returns whether nothing is on the segment between two points, both ends included. Equal points see each other. For points on two entities that must not
   * hide anything themselves, use `lineOfSight`.
   */
  sees(eye: Vec3Like, point: Vec3Like, options?: SceneRayOptions<K>): boolean {
    const seen = this.handle.sees(...vec3(eye, "the eye"), ...vec3(point, "the point"), this.#choices(options));
    this.#end();
    return seen;
  }

  /**
   * Returns whether no third entity is on the segment between a point of one entity and a point of another, both ends included. So a floor hides feet that
   * stand on it. A key without an entity excludes nothing.
   */
  lineOfSight(viewer: K, eye: Vec3Like, target: K, point: Vec3Like, options?: SceneRayOptions<K>): boolean {
    const [from, to] = [this.#numbers.get(viewer) ?? none, this.#numbers.get(target) ?? none];
    const seen = this.handle.line_of_sight(from, ...vec3(eye, "the eye"), to, ...vec3(point, "the point"), this.#choices(options));
    this.#end();
    return seen;
  }

  /** Returns the fraction of the points (three numbers each) that can be seen from an eye, from 0 to 1. */
  visibility(eye: Vec3Like, points: Numbers, options?: SceneRayOptions<K>): number {
    const seen = this.handle.visibility(...vec3(eye, "the eye"), floats(points, "the points"), this.#choices(options));
    this.#end();
    return seen;
  }

  /** Moves a point to its first hit. Returns its position, the hit, and the motion to try next. */
  movePoint(from: Vec3Like, motion: Vec3Like, skin = 0, options?: SceneRayOptions<K>): { position: Vec3; fraction: number; slide: Vec3; id: K | undefined } {
    const row = this.handle.move_point(...vec3(from, "the point"), ...vec3(motion, "the motion"), skin, this.#choices(options));
    this.#end();
    const [fraction, number, ...rest] = row;
    const [x, y, z, a, b, c] = rest;
    return { fraction: fraction!, position: [x!, y!, z!], slide: [a!, b!, c!], id: this.keyOf(number!) };
  }

  /** Explains in words why a ray does not hit an entity first, or that it does. */
  explain(key: K, origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>): string {
    const bits = this.#ray(origin, direction, options);
    const number = this.#numbers.get(key) ?? none;
    const words = this.handle.explain(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits, number);
    this.#end();
    return words;
  }

  /** Returns the texture coordinates and the smooth normal at the first hit of a ray, if the mesh has them; `null` on a miss. */
  surface(origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>): { texcoord: [number, number] | undefined; normal: Vec3 | undefined } | null {
    const bits = this.#ray(origin, direction, options);
    const [u, v, x, y, z] = this.handle.surface(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    this.#end();
    if (u === undefined) return null;
    return { texcoord: u !== u ? undefined : [u, v!], normal: x !== x ? undefined : [x!, y!, z!] };
  }

  /** Returns the first contact of a moving volume, or `null`. */
  sweep(volume: Volume, from: PoseLike, motion: Vec3Like, options?: SweepOptions<K>): SweepHit<K> | null {
    this.#filter(options);
    const at = pose(from, "the volume");
    const ahead = options?.contacts === "ahead";
    const found = this.handle.sweep(Shape.handleOf(volume), ...at, ...vec3(motion, "the motion"), ahead, options?.skin ?? 0);
    this.#end();
    return found ? sweepHit(this.#id()) : null;
  }

  /** Returns all contacts of a moving volume, the first one first. */
  sweepAll(volume: Volume, from: PoseLike, motion: Vec3Like, options?: SweepOptions<K>): SweepHit<K>[] {
    this.#filter(options);
    const at = pose(from, "the volume");
    const ahead = options?.contacts === "ahead";
    const count = this.handle.sweep_all(Shape.handleOf(volume), ...at, ...vec3(motion, "the motion"), ahead, options?.skin ?? 0);
    this.#end();
    return this.#records(count, (id, row, start) => sweepHit(id, row, start));
  }

  /**
   * Returns the first contact of a volume that moves and rotates from one pose to another, or `null`. Its centre moves along a straight line while it rotates
   * by the smaller angle. Both have a constant speed, and `t` is the fraction of both. A contact is never late, and may be early by a millionth of the sizes.
   */
  sweepRotating(volume: Volume, from: PoseLike, to: PoseLike, options?: Omit<SweepOptions<K>, "skin">): RotatingHit<K> | null {
    this.#filter(options);
    const poses = [...pose(from, "the volume"), ...pose(to, "the volume at the end")] as const;
    const found = this.handle.sweep_rotating(Shape.handleOf(volume), ...poses, options?.contacts === "ahead");
    this.#end();
    return found ? rotatingHit(this.#id()) : null;
  }

  /**
   * Returns the first contact of an entity that moves from its present place without rotating, or `null`. Only its convex parts move: hulls, and shapes other
   * than planes and tori. It never hits itself, and the scene is not changed. The filter chooses the obstacles.
   */
  sweepEntity(key: K, motion: Vec3Like, options?: SweepOptions<K>): SweepHit<K> | null {
    this.#filter(options);
    const number = this.#numbers.get(key) ?? none;
    const found = this.handle.sweep_entity(number, ...vec3(motion, "the motion"), options?.contacts === "ahead", options?.skin ?? 0);
    this.#end();
    return found ? sweepHit(this.#id()) : null;
  }

  /** Returns whether anything overlaps or touches a volume. */
  overlaps(volume: Volume, at: PoseLike, options?: FilterOptions<K>): boolean {
    this.#filter(options);
    const found = this.handle.overlaps(Shape.handleOf(volume), ...pose(at, "the volume"));
    this.#end();
    return found;
  }

  /** Returns the entities that overlap or touch a volume. */
  overlapEntities(volume: Volume, at: PoseLike, options?: FilterOptions<K>): K[] {
    this.#filter(options);
    const count = this.handle.overlap_entities(Shape.handleOf(volume), ...pose(at, "the volume"));
    this.#end();
    return Array.from(wholeNumbers(count), (number) => this.#keys[number]!);
  }

  /** Returns everything that overlaps or touches a volume: entities, parts and triangles. */
  overlapAll(volume: Volume, at: PoseLike, options?: FilterOptions<K>): { id: K; part: number; triangle: number | undefined }[] {
    this.#filter(options);
    const count = this.handle.overlap_all(Shape.handleOf(volume), ...pose(at, "the volume"));
    this.#end();
    return rows(count, 3, ([id, part, triangle]) => ({ id: this.#keys[id!]!, part: part!, triangle: triangle === none ? undefined : triangle }));
  }

  /** Returns the deepest overlap with a volume and the motion that ends it, or `null`. */
  penetration(volume: Volume, at: PoseLike, options?: FilterOptions<K>): Penetration<K> | null {
    this.#filter(options);
    const found = this.handle.penetration(Shape.handleOf(volume), ...pose(at, "the volume"));
    this.#end();
    return found ? penetration(this.#id()) : null;
  }

  /**
   * Returns everything that a volume overlaps or touches, the deepest first, with the motion that ends each overlap. Where a surface bends, the motion out of
   * one triangle also leads out of neighbours that are hidden behind it. These are left out; `overlapAll` returns them.
   */
  penetrationAll(volume: Volume, at: PoseLike, options?: FilterOptions<K>): Penetration<K>[] {
    this.#filter(options);
    const count = this.handle.penetration_all(Shape.handleOf(volume), ...pose(at, "the volume"));
    this.#end();
    return this.#records(count, penetration);
  }

  /** Returns the points at which a volume rests on the things that it overlaps. */
  contactPoints(volume: Volume, at: PoseLike, options?: FilterOptions<K>): ContactPoint<K>[] {
    this.#filter(options);
    const count = this.handle.contact_points(Shape.handleOf(volume), ...pose(at, "the volume"));
    this.#end();
    return this.#records(count, (id, row, start) => contactPoint(id, row, start));
  }

  /** Returns the nearest point of all surfaces, or `null`. */
  closestPoint(point: Vec3Like, options?: FilterOptions<K>): ClosestPoint<K> | null {
    return this.closestPointWithin(point, Infinity, options);
  }

  /** Returns the nearest point of all surfaces up to a distance, or `null`. */
  closestPointWithin(point: Vec3Like, maxDistance: number, options?: FilterOptions<K>): ClosestPoint<K> | null {
    this.#filter(options);
    const found = this.handle.closest_point(...vec3(point, "the point"), maxDistance);
    this.#end();
    if (!found) return null;
    const row = doubles();
    const at = recordStart();
    return { ...meshPoint(), id: this.#id(), part: row[at + place.part]!, triangle: index(row[at + place.triangle]!) };
  }

  /** Returns the questions about two entities. If a key has no entity, the two do not overlap, and have no distance and no depth (`null`). */
  pair(first: K, second: K): Pair {
    return this.#pairs.pair(first, second);
  }

  /** Returns all pairs of entities that overlap or touch. */
  overlapPairs(options?: PairOptions<K>): [K, K][] {
    return this.#pairs.overlapPairs(options);
  }

  /**
   * Returns the two entities that are nearest to each other, with their distance and nearest points, or `null` if there are no two. Among equally near pairs,
   * the one counts whose first entity was inserted first, and then the one whose second entity was.
   */
  closestPair(options?: NearPairOptions<K>): NearPair<K> | null {
    return this.#pairs.closestPair(options);
  }

  /**
   * Returns every two entities that are at most `maxDistance` apart, each pair once, with their distance and nearest points. They are ordered by their first
   * entities, which were inserted before the second ones, and then by the second ones.
   *
   * @throws If the distance is negative or NaN.
   */
  distancePairs(maxDistance: number, options?: NearPairOptions<K>): NearPair<K>[] {
    return this.#pairs.distancePairs(maxDistance, options);
  }

  /**
   * Returns the questions about pairs of an entity of this scene and an entity of another one, such as a robot and its surroundings. Both are in the same world
   * space, and may have keys of different kinds. A scene against itself pairs each entity with itself, too.
   *
   * ```js
   * const [robot, room] = [new Scene(), new Scene()];
   * robot.insert("hand", new Sphere([0, 1, 0], 0.25));
   * room.insert("floor", new Aabb([-4, -1, -4], [4, 0, 4]));
   * const { first, second, distance } = robot.against(room).closestPair();
   * console.log(first, second, distance); // hand floor 0.75
   * ```
   */
  against<L>(other: Scene<L>): ScenePair<K, L> {
    if (!(other instanceof Scene)) throw wrong("the other scene", "a Scene", other);
    return new ScenePair<K, L>(this, other, true);
  }

  /**
   * Saves the scene with all of its trees. Keys must be strings or numbers.
   *
   * @throws If a key is something else.
   */
  toBytes(): Uint8Array {
    const keys = Array.from(this.#numbers, ([key, number]) => {
      if (typeof key !== "string" && typeof key !== "number") throw wrong("each key of a scene that is saved", "a string or a number", key);
      return [number, key];
    });
    const head = new TextEncoder().encode(JSON.stringify(keys));
    const body = this.handle.to_bytes();
    const bytes = new Uint8Array(4 + head.length + body.length);
    new DataView(bytes.buffer).setUint32(0, head.length, true);
    bytes.set(head, 4);
    bytes.set(body, 4 + head.length);
    return bytes;
  }

  /**
   * Reads a scene from the bytes of `toBytes`.
   *
   * @throws If the bytes are damaged or of another version.
   */
  static fromBytes<K extends string | number = string>(bytes: Uint8Array | ArrayBuffer): Scene<K> {
    ready();
    const all = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
    const length = all.length < 4 ? 0 : new DataView(all.buffer, all.byteOffset, 4).getUint32(0, true);
    let keys: [number, K][];
    try {
      keys = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(all.subarray(4, 4 + length))) as [number, K][];
    } catch {
      throw new Error("these bytes are no saved scene: their keys cannot be read");
    }
    const handle = glue.Scene.from_bytes(all.subarray(4 + length));
    const scene = new Scene<K>();
    scene.#handle?.free();
    scene.#handle = handle;
    if (!Array.isArray(keys) || keys.length !== handle.len()) throw new Error("these bytes are no saved scene: it has not as many keys as entities");
    for (const [number, key] of keys) {
      scene.#numbers.set(key, number);
      scene.#keys[number] = key;
    }
    for (let number = 0; number < scene.#keys.length; number++) if (!(number in scene.#keys)) scene.#free.push(number);
    return scene;
  }

  /** Frees the memory of this object. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
    this.#numbers.clear();
    this.#keys.length = this.#free.length = 0;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal Returns the key of a number, if it has one. */
  keyOf(number: number): K | undefined {
    return number < 0 ? undefined : this.#keys[number];
  }

  /** @internal Returns the number of a key; the greatest number if it has none. */
  numberOf(key: K): number {
    return this.#numbers.get(key) ?? none;
  }

  /** @internal Begins a question that another class asks, and returns the bits of its choices. */
  begin(options: SightOptions<K> | undefined): number {
    const bits = this.#choices(options);
    this.#hides(options?.hiddenBy);
    return bits;
  }

  /** @internal Begins a question that another class asks with a ray, reads the ray, and returns the bits of its choices. */
  beginRay(first: Vec3Like | RayLike, second: Vec3Like | SceneRayOptions<K> | undefined, third: SceneRayOptions<K> | undefined): number {
    return this.#ray(first, second, third);
  }

  /**
   * @internal Sets the function that decides what the hit or contact in the record does in the question that has begun. The function returns the number of
   * the decision.
   */
  decide(decides: (row: Float64Array, at: number) => number): void {
    this.#calls = true;
    glue.set_decision(() => {
      try {
        return decides(doubles(), recordStart());
      } finally {
        // The function may have asked this scene another question, whose end has cleared the flag.
        this.#calls = true;
      }
    });
  }

  /** @internal Reads the hit in the record. */
  hit(row = doubles(), at = recordStart()): Hit<K> {
    return sceneHit(this.#keys[row[at + place.id]!]!, undefined, row, at);
  }

  /** @internal Reads the hit in the record, if there is one. */
  hitOrNull(row = doubles(), at = recordStart()): Hit<K> | null {
    return row[at + place.id]! < 0 ? null : this.hit(row, at);
  }

  /** @internal Ends a question that another class asks. */
  end(): void {
    this.#end();
  }

  #ray(first: Vec3Like | RayLike, second: Vec3Like | SceneRayOptions<K> | undefined, third: SceneRayOptions<K> | undefined): number {
    const bits = readRay(first, second, third);
    this.#filter((first as RayLike).origin === undefined ? third : (second as SceneRayOptions<K> | undefined));
    return bits;
  }

  #choices(options: SceneRayOptions<K> | undefined): number {
    this.#filter(options);
    return options === undefined ? 0 : optionBits(options);
  }

  /** Passes the filter to the module. */
  #filter(options: FilterOptions<K> | undefined): void {
    const { layers, cull, exclude, entities, hits, relativeTo } = options ?? {};
    const isPlain = layers === undefined && exclude === undefined && entities === undefined && hits === undefined && relativeTo === undefined;
    if (isPlain && (cull === undefined || cull === "none")) {
      if (this.#filtered) this.handle.clear_filter();
      this.#filtered = false;
      return;
    }
    const [x, y, z] = relativeTo === undefined ? [0, 0, 0] : vec3(relativeTo, "the origin");
    this.handle.set_filter(...this.#numbersOf(options!), x, y, z);
    this.#filtered = true;
    if (entities === undefined && hits === undefined) return;
    this.#calls = true;
    glue.set_callbacks(...this.#functionsOf(options!));
  }

  /** Passes the filter of the entities that hide others to the module. */
  #hides(options: FilterOptions<K> | undefined): void {
    if (options === undefined) {
      if (this.#hidden) this.handle.clear_hides();
      this.#hidden = false;
      return;
    }
    this.handle.set_hides(...this.#numbersOf(options));
    this.#hidden = true;
    if (options.entities === undefined && options.hits === undefined) return;
    this.#calls = true;
    glue.set_hiding_callbacks(...this.#functionsOf(options));
  }

  /** Returns the choices of a filter as the module takes them: layers, sides, exclusions, and whether there are functions. */
  #numbersOf({ layers, cull, exclude, entities, hits }: FilterOptions<K>): [number, number, Uint32Array, boolean, boolean] {
    const excluded = Uint32Array.from(exclude ?? [], (key) => this.#numbers.get(key) ?? none);
    const bits = cull === undefined ? 0 : optionBits({ cull });
    return [(layers ?? none) >>> 0, bits, excluded, entities !== undefined, hits !== undefined];
  }

  /** Returns the functions of a filter as the module calls them. */
  #functionsOf({ entities, hits }: FilterOptions<K>) {
    return [
      entities && ((number: number) => entities(this.#keys[number]!)),
      hits && (() => hits(this.#candidate())),
    ] as const;
  }

  #candidate() {
    const row = doubles();
    const at = recordStart();
    const u = row[at + place.uv]!;
    const v = row[at + place.uv + 1]!;
    return {
      id: this.#id(),
      part: row[at + place.part]!,
      t: row[at]!,
      triangle: index(row[at + place.triangle]!),
      u: u !== u ? undefined : u,
      v: v !== v ? undefined : v,
    };
  }

  /** Throws the error that a callback, or the function of a shape, has thrown. */
  #end(): void {
    rethrow();
    if (!this.#calls) return;
    this.#calls = false;
    const error = glue.end_callbacks() as unknown;
    if (error !== undefined) throw error;
  }

  /** Returns the key of the entity in the record. */
  #id(): K {
    return this.#keys[doubles()[recordStart() + place.id]!]!;
  }

  #extra(): number {
    return doubles()[recordStart() + place.extra]!;
  }

  /** Reads the records of the list. */
  #records<T>(count: number, read: (id: K, row: Float64Array, at: number) => T): T[] {
    return records(count, (row, at) => read(this.#keys[row[at + place.id]!]!, row, at));
  }
}

import { index, place, records, vector } from "./answers.js";
import type { glue } from "./glue.js";
import { rows } from "./mesh.js";
import { doubles, recordStart } from "./module.js";
import type { Scene } from "./scene.js";
import { wrong, type Vec3 } from "./vectors.js";

const none = 0xffffffff;

/** The penetration depth of two entities, and the motion that separates them. */
export interface PairPenetration {
  depth: number;
  /** The direction from the first entity to the second, of unit length. */
  normal: Vec3;
  /** The deepest points: one on the surface of the first entity, and one on the surface of the second. */
  points: [Vec3, Vec3];
  /** The motion of the second entity that ends the overlap. The opposite motion of the first entity ends it, too. */
  separation: Vec3;
  /** The parts of compounds; 0 for other entities. */
  parts: [number, number];
  /** The triangles of meshes and height fields. */
  triangles: [number | undefined, number | undefined];
}

/** The questions about two entities. */
export interface Pair {
  /** Returns whether the two entities overlap or touch. */
  overlaps(): boolean;
  /**
   * Returns the distance between the two entities, which is 0 if they overlap, and the nearest point of each. Returns `null` if one of them does not
   * exist, or has no distance.
   */
  distance(): { distance: number; points: [Vec3, Vec3] } | null;
  /**
   * Returns the penetration depth, and the shortest motion that takes the second entity out of the first, or `null` if they neither overlap nor touch. The
   * motion separates the deepest pair of convex parts and triangles, and may lead into the next pair: move, and ask again.
   */
  penetration(): PairPenetration | null;
  /**
   * Returns the penetration of every two convex pieces of the two entities that overlap or touch, the deepest first. A piece is a solid or a triangle, so two
   * meshes have one for every two triangles that intersect. The first is as deep as the answer of `penetration`.
   */
  penetrationAll(): PairPenetration[];
}

/** Two entities, and the distance between them. */
export interface NearPair<K, L = K> {
  /** The entity of the two that was inserted first, or the entity of the first scene. */
  first: K;
  second: L;
  /** The distance, as of `Pair.distance`: 0 if they touch or overlap. */
  distance: number;
  /** The nearest points of the first and the second entity. If they overlap, both are the same point. */
  points: [Vec3, Vec3];
  /** The direction from the first to the second, of unit length; zero if they overlap and no direction leads out. */
  normal: Vec3;
  /** The parts of compounds that the points are on; 0 for other entities. */
  parts: [number, number];
  /** The triangles of meshes and height fields that the points are on. */
  triangles: [number | undefined, number | undefined];
}

/** Choices of pairs of entities. */
export interface NearPairOptions<K = string, L = K> {
  /** The layers of one of the two entities, as the bits of a number; all by default. */
  readonly layers?: number;
  /** The layers of the other entity; all by default. */
  readonly otherLayers?: number;
  /**
   * Pairs that do not count, such as two links of a robot that a joint connects. In one scene, the order of the two does not matter; between two scenes, the
   * first of each pair is an entity of the first scene.
   */
  readonly exclude?: Iterable<readonly [K, L]>;
}

/** Choices of pairs of entities that overlap. */
export interface PairOptions<K = string, L = K> extends NearPairOptions<K, L> {
  /**
   * The test of a pair: by default, the shapes must overlap or touch. With `"boxes"`, only the boxes around the shapes must overlap or touch: for callers
   * who test the shapes themselves.
   */
  readonly test?: "shapes" | "boxes";
}

/**
 * The questions about pairs of an entity of one scene and an entity of another one: the answer of `Scene.against`. Each question sees the present state of both
 * scenes.
 */
export class ScenePair<K = string, L = K> {
  readonly #first: Scene<K>;
  readonly #second: Scene<L>;
  readonly #areTwo: boolean;

  /** @internal Pairs the entities of two scenes, or the different entities of one. */
  constructor(first: Scene<K>, second: Scene<L>, areTwo: boolean) {
    this.#first = first;
    this.#second = second;
    this.#areTwo = areTwo;
  }

  get #scenes(): [glue.Scene, boolean] {
    return [this.#second.handle, this.#areTwo];
  }

  /** Returns the questions about an entity of the first scene and one of the second, as `Scene.pair` does. */
  pair(first: K, second: L): Pair {
    const keys = [this.#first.numberOf(first), this.#second.numberOf(second)] as const;
    return {
      overlaps: () => this.#first.handle.pair_overlaps(...this.#scenes, ...keys),
      distance: () => {
        const row = this.#first.handle.pair_distance(...this.#scenes, ...keys);
        if (row === undefined) return null;
        const [distance, x, y, z, u, v, w] = row;
        return { distance: distance!, points: [[x!, y!, z!], [u!, v!, w!]] };
      },
      penetration: () => (this.#first.handle.pair_penetration(...this.#scenes, ...keys) ? pairPenetration() : null),
      penetrationAll: () => records(this.#first.handle.pair_penetration_all(...this.#scenes, ...keys), pairPenetration),
    };
  }

  /** Returns all pairs that overlap or touch, each once. They are ordered by their first entities, then by their second ones. */
  overlapPairs(options: PairOptions<K, L> = {}): [K, L][] {
    const { test = "shapes" } = options;
    if (test !== "shapes" && test !== "boxes") throw wrong("the test of pairs", '"shapes" or "boxes"', test);
    const count = this.#first.handle.overlap_pairs(...this.#scenes, ...this.#filter(options), test === "boxes");
    return rows(count, 2, ([a, b]) => [this.#first.keyOf(a!)!, this.#second.keyOf(b!)!]);
  }

  /**
   * Returns the two entities that are nearest to each other, or `null`. Among equally near pairs, the one counts whose first entity was inserted first, and
   * then the one whose second entity was. Only few pairs are measured.
   */
  closestPair(options: NearPairOptions<K, L> = {}): NearPair<K, L> | null {
    return this.#first.handle.closest_pair(...this.#scenes, ...this.#filter(options)) ? this.#nearPair() : null;
  }

  /**
   * Returns every two entities that are at most `maxDistance` apart, each pair once, in the order of `overlapPairs`. With an infinite distance, all pairs are
   * measured.
   *
   * @throws If the distance is negative or NaN.
   */
  distancePairs(maxDistance: number, options: NearPairOptions<K, L> = {}): NearPair<K, L>[] {
    if (!(maxDistance >= 0)) throw wrong("the distance of pairs", "a number that is not negative", maxDistance);
    const count = this.#first.handle.distance_pairs(...this.#scenes, ...this.#filter(options), maxDistance);
    return records(count, (row, at) => this.#nearPair(row, at));
  }

  /** Returns the choices of pairs as the module takes them: layers of both, and exclusions. */
  #filter({ layers = none, otherLayers = none, exclude = [] }: NearPairOptions<K, L>): [number, number, Uint32Array] {
    const excluded: number[] = [];
    for (const pair of exclude) {
      if (!Array.isArray(pair) || pair.length !== 2) throw wrong("each excluded pair", "an array of two keys", pair);
      const [first, second] = [this.#first.numberOf(pair[0]), this.#second.numberOf(pair[1])];
      if (first !== none && second !== none) excluded.push(first, second);
    }
    return [layers >>> 0, otherLayers >>> 0, Uint32Array.from(excluded)];
  }

  #nearPair(row = doubles(), at = recordStart()): NearPair<K, L> {
    return {
      first: this.#first.keyOf(row[at + place.id]!)!,
      second: this.#second.keyOf(row[at + place.extra]!)!,
      distance: row[at]!,
      normal: vector(row, at + place.normal),
      ...ofBoth(row, at),
    };
  }
}

/** Reads what a record has of each of two entities. */
function ofBoth(row: Float64Array, at: number): Pick<PairPenetration, "points" | "parts" | "triangles"> {
  return {
    points: [vector(row, at + place.point), vector(row, at + place.second)],
    parts: [row[at + place.part]!, row[at + place.uv]!],
    triangles: [index(row[at + place.triangle]!), index(row[at + place.uv + 1]!)],
  };
}

function pairPenetration(row = doubles(), at = recordStart()): PairPenetration {
  return { depth: row[at]!, normal: vector(row, at + place.normal), separation: vector(row, at + place.third), ...ofBoth(row, at) };
}

/** A pair of entities, and how it has changed since the previous update. */
export interface PairEvent<K> {
  /** The entity of the two that was inserted first. */
  first: K;
  second: K;
  /** `"enter"` if the pair overlaps and did not before, `"stay"` if it did, `"leave"` if it no longer overlaps or one of the two is gone. */
  change: "enter" | "stay" | "leave";
}

/** A set of pairs, in which the order of the two keys does not matter. */
class PairSet<K> {
  readonly #seconds = new Map<K, Set<K>>();

  constructor(pairs: readonly [K, K][]) {
    for (const [first, second] of pairs) {
      const seconds = this.#seconds.get(first);
      if (seconds === undefined) this.#seconds.set(first, new Set([second]));
      else seconds.add(second);
    }
  }

  has([first, second]: readonly [K, K]): boolean {
    return this.#seconds.get(first)?.has(second) === true || this.#seconds.get(second)?.has(first) === true;
  }
}

/**
 * Reports the entities of a scene that begin to overlap, still overlap, or no longer overlap: for triggers, sensors and contacts.
 *
 * Pairs are identified by their keys: an entity that is replaced, or removed and inserted again under its key, counts as the same entity.
 */
export class PairTracker<K = string> {
  readonly #options: PairOptions<K>;
  #pairs: [K, K][] = [];
  #events: PairEvent<K>[] = [];

  constructor(options: PairOptions<K> = {}) {
    this.#options = options;
  }

  /**
   * Finds the pairs of a scene, usually once a frame, and returns an event for every pair that overlaps now or overlapped at the last update. Pairs that leave
   * come first, in their former order. The other pairs follow in the order of `Scene.overlapPairs`.
   */
  update(scene: Scene<K>): PairEvent<K>[] {
    const former = this.#pairs;
    const pairs = scene.overlapPairs(this.#options);
    const [before, now] = [new PairSet(former), new PairSet(pairs)];
    const left = former.filter((pair) => !now.has(pair)).map((pair) => event(pair, "leave"));
    this.#events = [...left, ...pairs.map((pair) => event(pair, before.has(pair) ? "stay" : "enter"))];
    this.#pairs = pairs;
    return this.#events;
  }

  /** The events of the last update. */
  get events(): readonly PairEvent<K>[] {
    return this.#events;
  }

  /** The pairs at the last update. */
  get pairs(): readonly (readonly [K, K])[] {
    return this.#pairs;
  }
}

function event<K>([first, second]: readonly [K, K], change: PairEvent<K>["change"]): PairEvent<K> {
  return { first, second, change };
}

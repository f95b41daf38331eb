import type { Vec3 } from "./vectors.js";
import type { Scene } from "./scene.js";

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
}

/** Choices of pairs of entities. */
export interface PairOptions {
  /** The layers of one of the two entities, as the bits of a number; all by default. */
  readonly layers?: number;
  /** The layers of the other entity; all by default. */
  readonly otherLayers?: number;
  /**
   * The test of a pair: by default, the shapes must overlap or touch. With `"boxes"`, only the boxes around the shapes must overlap or touch: for callers
   * who test the shapes themselves.
   */
  readonly test?: "shapes" | "boxes";
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
  readonly #options: PairOptions;
  #pairs: [K, K][] = [];
  #events: PairEvent<K>[] = [];

  constructor(options: PairOptions = {}) {
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

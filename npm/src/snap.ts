import { index, optional, place, records, vector } from "./answers.js";
import { viewport, type Camera, type ViewportLike } from "./camera.js";
import type { SightOptions } from "./questions.js";
import type { Scene } from "./scene.js";
import { vec2, vec3, wrong, type Vec2Like, type Vec3, type Vec3Like } from "./vectors.js";

/** The kinds of points to snap to, in the order of their priority. */
export const snapKinds = ["vertex", "midpoint", "center", "crossing", "perpendicular", "edge", "axis", "face"] as const;

/** A kind of points to snap to. */
export type SnapKind = (typeof snapKinds)[number];

/** A point within the radius of the cursor. */
export interface Snap<K> {
  kind: SnapKind;
  point: Vec3;
  /** The pixel that shows the point. */
  pixel: [x: number, y: number];
  /** The distance from the cursor, in pixels. */
  distance: number;
  /** The distance from the camera's plane. */
  depth: number;
  /** The entity; `undefined` for points on an axis. */
  id: K | undefined;
  part: number | undefined;
  triangle: number | undefined;
  vertex: number | undefined;
  /** The two vertices of the edge. */
  edge: [number, number] | undefined;
  /** The direction of the axis. */
  axis: Vec3 | undefined;
}

/** Choices of a cursor. */
export interface CursorOptions {
  /** Skips or keeps points behind a surface; they are skipped by default. Entities that a filter leaves out hide nothing, unless `hiddenBy` selects them. */
  readonly hidden?: "skip" | "keep";
  /** The point from which a line is drawn: for perpendiculars and axes. */
  readonly fromStart?: Vec3Like;
}

/** A cursor that snaps to points within some pixels. */
export class Cursor {
  readonly #camera: Camera;
  readonly #numbers: [number, number, number, number, number, number, number];
  readonly #keep: boolean;
  readonly #start: Vec3;

  constructor(camera: Camera, size: ViewportLike, cursor: Vec2Like, radius: number, options: CursorOptions = {}) {
    this.#camera = camera;
    this.#numbers = [...viewport(size), ...vec2(cursor, "the cursor"), radius];
    this.#keep = options.hidden === "keep";
    this.#start = options.fromStart === undefined ? [NaN, NaN, NaN] : vec3(options.fromStart, "the start");
  }

  /** Returns the best point of some kinds, or `null`. A point of an earlier kind wins over a nearer point of a later kind. */
  nearest<K>(scene: Scene<K>, kinds: readonly SnapKind[] = snapKinds, options?: SightOptions<K>): Snap<K> | null {
    return this.#ask(scene, kinds, options, true)[0] ?? null;
  }

  /** Returns all points of some kinds, the best first. */
  all<K>(scene: Scene<K>, kinds: readonly SnapKind[] = snapKinds, options?: SightOptions<K>): Snap<K>[] {
    return this.#ask(scene, kinds, options, false);
  }

  #ask<K>(scene: Scene<K>, kinds: readonly SnapKind[], options: SightOptions<K> | undefined, best: boolean): Snap<K>[] {
    const wanted = kinds.reduce((bits, kind) => {
      const number = snapKinds.indexOf(kind);
      if (number < 0) throw wrong("a kind of snap", snapKinds.join(", "), kind);
      return bits | (1 << number);
    }, 0);
    const bits = scene.begin(options);
    const count = scene.handle.snap(this.#camera.handle, ...this.#numbers, wanted, this.#keep, ...this.#start, bits, best);
    scene.end();
    return records(count, (row, at) => read(scene, row, at));
  }
}

function read<K>(scene: Scene<K>, row: Float64Array, at: number): Snap<K> {
  const first = index(row[at + place.second]!);
  return {
    kind: snapKinds[row[at + place.side]!]!,
    point: vector(row, at + place.point),
    pixel: [row[at + place.uv]!, row[at + place.uv + 1]!],
    distance: row[at]!,
    depth: row[at + place.extra]!,
    id: scene.keyOf(row[at + place.id]!),
    part: index(row[at + place.part]!),
    triangle: index(row[at + place.triangle]!),
    vertex: index(row[at + place.feature]!),
    edge: first === undefined ? undefined : [first, row[at + place.second + 1]!],
    axis: optional(row[at + place.normal]!) === undefined ? undefined : vector(row, at + place.normal),
  };
}

import { floats, type Numbers } from "./arrays.js";
import { viewport, type Camera, type ViewportLike } from "./camera.js";
import { glue } from "./glue.js";
import { disposed, ready } from "./module.js";
import type { SightOptions } from "./questions.js";
import { rows } from "./mesh.js";
import type { Scene } from "./scene.js";
import { vec2, wrong, type Vec2Like } from "./vectors.js";

/** A region of the window, in pixels. */
export class Region {
  #handle: glue.Region | undefined;

  private constructor(handle: glue.Region) {
    this.#handle = handle;
  }

  /** Makes a rectangle from two opposite corners. */
  static rect(a: Vec2Like, b: Vec2Like): Region {
    ready();
    return new Region(glue.Region.rect(...vec2(a, "the first corner"), ...vec2(b, "the second corner")));
  }

  /** Makes a circle. */
  static circle(center: Vec2Like, radius: number): Region {
    ready();
    return new Region(glue.Region.circle(...vec2(center, "the center"), radius));
  }

  /** Makes a lasso from its corners: pixels, or two numbers each. The lasso closes itself from the last corner to the first, and may cross itself. */
  static lasso(corners: Numbers | readonly Vec2Like[]): Region {
    ready();
    const isFlat = !Array.isArray(corners) || typeof corners[0] === "number";
    const flat = isFlat ? (corners as Numbers) : (corners as Vec2Like[]).flatMap((corner, i) => vec2(corner, `corner ${i}`));
    return new Region(glue.Region.lasso(floats(flat, "the corners")));
  }

  /** @internal */
  get handle(): glue.Region {
    return this.#handle ?? disposed("region");
  }

  /** Returns whether a pixel is in the region. */
  contains(pixel: Vec2Like): boolean {
    return this.handle.contains(...vec2(pixel, "the pixel"));
  }

  /** Frees the memory of this object. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Choices of a selection. */
export interface SelectorOptions {
  /** The part of a thing that must be in the region; `"touching"` by default. */
  readonly rule?: "touching" | "inside" | "center";
  /**
   * If given, only visible things count: the things that rays through samples hit first. The number is the distance between the samples, in pixels. By default,
   * hidden things count, too. Entities that a filter leaves out hide nothing, unless `hiddenBy` of the question selects them.
   */
  readonly visible?: number;
}

const rules = { touching: 0, inside: 1, center: 2 };

/** The questions about the things in a region of the window. */
export class Selector {
  readonly #camera: Camera;
  readonly #viewport: [number, number, number, number];
  readonly #region: Region;
  readonly #rule: number;
  readonly #spacing: number;

  constructor(camera: Camera, size: ViewportLike, region: Region, options: SelectorOptions = {}) {
    const { rule = "touching", visible } = options;
    if (rules[rule] === undefined) throw wrong("the rule", '"touching", "inside" or "center"', rule);
    this.#camera = camera;
    this.#viewport = viewport(size);
    this.#region = region;
    this.#rule = rules[rule];
    this.#spacing = visible ?? NaN;
  }

  /** Returns the entities. */
  entities<K>(scene: Scene<K>, options?: SightOptions<K>): K[] {
    return rows(this.#ask(scene, 0, options), 1, ([id]) => scene.keyOf(id!)!);
  }

  /** Returns the triangles. */
  triangles<K>(scene: Scene<K>, options?: SightOptions<K>): { id: K; part: number; triangle: number }[] {
    return rows(this.#ask(scene, 1, options), 3, ([id, part, triangle]) => ({ id: scene.keyOf(id!)!, part: part!, triangle: triangle! }));
  }

  /** Returns the vertices. */
  vertices<K>(scene: Scene<K>, options?: SightOptions<K>): { id: K; part: number; vertex: number }[] {
    return rows(this.#ask(scene, 2, options), 3, ([id, part, vertex]) => ({ id: scene.keyOf(id!)!, part: part!, vertex: vertex! }));
  }

  /** Returns the edges. */
  edges<K>(scene: Scene<K>, options?: SightOptions<K>): { id: K; part: number; vertices: [number, number] }[] {
    return rows(this.#ask(scene, 3, options), 4, ([id, part, a, b]) => ({ id: scene.keyOf(id!)!, part: part!, vertices: [a!, b!] }));
  }

  #ask<K>(scene: Scene<K>, what: number, options: SightOptions<K> | undefined): number {
    const bits = scene.begin(options);
    const count = scene.handle.select(this.#camera.handle, ...this.#viewport, this.#region.handle, this.#rule, this.#spacing, what, bits);
    scene.end();
    return count;
  }
}

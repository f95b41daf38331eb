import { type Side } from "./answers.js";
import { glue } from "./glue.js";
import { disposed, ready } from "./module.js";
import { vec2, type Vec2Like } from "./vectors.js";

/** A hit of a two-dimensional shape. */
export interface Hit2 {
  /** The distance along the ray, in multiples of its direction. */
  t: number;
  side: Side;
  point: [number, number];
  /** The outward normal, of unit length. */
  normal: [number, number];
}

const sides: readonly Side[] = ["front", "back", "inside"];

/** A two-dimensional shape. */
export abstract class Shape2 {
  #handle: glue.Shape2 | undefined;

  /** @internal */
  protected constructor(kind: number, numbers: readonly number[]) {
    ready();
    this.#handle = new glue.Shape2(kind, Float32Array.from(numbers));
  }

  /** Returns the first hit of a ray, or `null`. The direction is not normalized: `t` is a multiple of it. */
  cast(origin: Vec2Like, direction: Vec2Like, range: readonly [tMin: number, tMax: number] = [0, Infinity]): Hit2 | null {
    const handle = this.#handle ?? disposed("shape");
    const found = handle.cast(...vec2(origin, "the origin"), ...vec2(direction, "the direction"), range[0], range[1]);
    if (found === undefined) return null;
    const [t, x, y, nx, ny, side] = found;
    return { t: t!, side: sides[side!]!, point: [x!, y!], normal: [nx!, ny!] };
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

/** An infinite line through a point. The normal points to its front. */
export class Line extends Shape2 {
  constructor(point: Vec2Like, normal: Vec2Like) {
    super(0, [...vec2(point, "the point"), ...vec2(normal, "the normal")]);
  }
}

/** A disk: a ray from inside hits its rim. */
export class Circle extends Shape2 {
  constructor(center: Vec2Like, radius: number) {
    super(1, [...vec2(center, "the center"), radius]);
  }
}

/** A rectangle along the axes. */
export class Rect extends Shape2 {
  constructor(min: Vec2Like, max: Vec2Like) {
    super(2, [...vec2(min, "the least corner"), ...vec2(max, "the greatest corner")]);
  }
}

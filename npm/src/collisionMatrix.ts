import { shapeHit, type ShapeHit } from "./answers.js";
import { glue } from "./glue.js";
import { disposed, ready } from "./module.js";
import { rayNumbers as q, readRay, type RayLike, type RayOptions } from "./questions.js";
import { vec3, type Vec3Like } from "./vectors.js";

/**
 * The transform of one triangle into its own space, where x and y are the barycentrics of a point: for a triangle that is tested against
 * very many rays. It decides in f64 from rounded entries, so it is not watertight, unlike `Triangle` and `Mesh`.
 */
export class CollisionMatrix {
  #handle: glue.CollisionMatrix | undefined;

  /** @throws If the corners lie on one line, or one is not finite. */
  constructor(a: Vec3Like, b: Vec3Like, c: Vec3Like) {
    ready();
    const corners = [...vec3(a, "the first corner"), ...vec3(b, "the second corner"), ...vec3(c, "the third corner")];
    this.#handle = new glue.CollisionMatrix(Float32Array.from(corners));
  }

  /** Returns the hit of a ray, or `null`. */
  cast(ray: RayLike, options?: RayOptions): ShapeHit | null;
  cast(origin: Vec3Like, direction: Vec3Like, options?: RayOptions): ShapeHit | null;
  cast(first: Vec3Like | RayLike, second?: Vec3Like | RayOptions, third?: RayOptions): ShapeHit | null {
    const bits = readRay(first, second, third);
    const handle = this.#handle ?? disposed("collision matrix");
    return handle.cast(q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits) ? shapeHit() : null;
  }

  /** Frees its memory. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

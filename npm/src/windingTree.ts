import { doublesOf, type Numbers } from "./arrays.js";
import { glue } from "./glue.js";
import { disposed } from "./module.js";
import type { Mesh } from "./mesh.js";
import { vec3, type Vec3Like } from "./vectors.js";

/**
 * The winding numbers of a mesh: how often its surface goes around points, as a fraction where it is not closed. The number of a point inside of a closed mesh
 * is 1, and outside it is 0. Points with a number of at least one half may be taken for the inside of a mesh with holes, pieces that cross each other or loose
 * triangles.
 *
 * To make it takes little time for a mesh that is closed or has few border edges, and the time of a build for others. A later `refit` of the mesh does not
 * change it.
 */
export class WindingTree {
  #handle: glue.WindingTree | undefined;

  constructor(mesh: Mesh) {
    this.#handle = new glue.WindingTree(mesh.handle);
  }

  /** @internal */
  get handle(): glue.WindingTree {
    return this.#handle ?? disposed("winding tree");
  }

  /**
   * Returns the winding number of a point, in the mesh's own space, with an error of at most `errorBound`; `null` for a point that is not finite. A larger
   * bound takes less time, and 0 leaves the rounding alone. On a surface the number is the mean of the numbers on its two sides.
   */
  windingNumber(point: Vec3Like, errorBound = 1e-6): number | null {
    const [x, y, z] = vec3(point, "the point");
    return this.handle.winding_number(x, y, z, errorBound) ?? null;
  }

  /** Returns the winding number of each point (three numbers each, in f64); NaN for a point that is not finite. */
  windingNumberBatch(points: Numbers, errorBound = 1e-6): Float64Array {
    return this.handle.winding_numbers(doublesOf(points, "the points"), errorBound);
  }

  /** Frees its memory. The mesh is not touched. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

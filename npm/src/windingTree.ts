import { doublesOf, type Numbers } from "./arrays.js";
import { glue } from "./glue.js";
import { disposed } from "./module.js";
import type { Mesh } from "./mesh.js";
import { vec3, type Vec3Like } from "./vectors.js";

/**
 * The winding numbers of a mesh: how often the surface goes around a point. This is a fraction if the mesh is not closed. Inside of a closed mesh the number is
 * 1, and outside it is 0. If a mesh has holes, pieces that cross each other or loose triangles, points with a number of at least one half may be regarded as
 * inside.
 *
 * The constructor takes little time for a mesh that is closed or has few border edges. For other meshes it takes as long as building a mesh. A later `refit` of
 * the mesh does not change the winding tree.
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
   * bound takes less time; with 0, only rounding errors remain. On a surface, the number is the mean of the numbers on the two sides.
   */
  windingNumber(point: Vec3Like, errorBound = 1e-6): number | null {
    const [x, y, z] = vec3(point, "the point");
    return this.handle.winding_number(x, y, z, errorBound) ?? null;
  }

  /** Returns the winding number of each point (three numbers each, in f64); NaN for a point that is not finite. */
  windingNumberBatch(points: Numbers, errorBound = 1e-6): Float64Array {
    return this.handle.winding_numbers(doublesOf(points, "the points"), errorBound);
  }

  /** Frees the memory of this object. The mesh is not touched. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

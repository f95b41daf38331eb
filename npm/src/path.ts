import { rayRecord, type Hit } from "./answers.js";
import { glue } from "./glue.js";
import { disposed, ready } from "./module.js";
import { rayNumbers as q, type RayLike, type SceneRayOptions } from "./questions.js";
import type { Scene } from "./scene.js";
import type { Vec3Like } from "./vectors.js";

/**
 * The path of a ray that goes on from its hits. It remembers the last hit, and the next ray leaves all surfaces that it touched there, so that no small number
 * need be added anywhere.
 */
export class Path<K = string> {
  #handle: glue.Path | undefined;

  constructor() {
    ready();
    this.#handle = new glue.Path();
  }

  /** @internal */
  get handle(): glue.Path {
    return this.#handle ?? disposed("path");
  }

  /**
   * Returns the first hit of a ray after the last hit, or `null`, and remembers it; after a miss the path has no hit. The first ray is any. The next one is the
   * same again, for the hits behind, or begins at the hit, as `bounce` and `onward` do: surfaces through that point that lie ahead are hit at `t` = 0, and all
   * others are left. If the entity has moved or is gone since, no surface is left.
   */
  cast(scene: Scene<K>, ray: RayLike, options?: SceneRayOptions<K>): Hit<K> | null;
  cast(scene: Scene<K>, origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>): Hit<K> | null;
  cast(scene: Scene<K>, first: Vec3Like | RayLike, second?: Vec3Like | SceneRayOptions<K>, third?: SceneRayOptions<K>): Hit<K> | null {
    const bits = scene.beginRay(first, second, third);
    const found = this.handle.cast(scene.handle, q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    scene.end();
    return found ? scene.hit() : null;
  }

  /** Returns the ray from the last hit that is reflected there, of the same length, or `null` without a hit. */
  bounce(): Required<RayLike> | null {
    return this.handle.bounce() ? rayRecord() : null;
  }

  /** Returns the ray that goes straight on from the last hit, into or out of the entity, or `null` without a hit. */
  onward(): Required<RayLike> | null {
    return this.handle.onward() ? rayRecord() : null;
  }

  /** Forgets the last hit, so that another path can begin. */
  reset(): void {
    this.handle.reset();
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

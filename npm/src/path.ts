import { rayRecord, type Hit } from "./answers.js";
import { glue } from "./glue.js";
import { disposed, ready } from "./module.js";
import { rayNumbers as q, type RayLike, type SceneRayOptions } from "./questions.js";
import type { Scene } from "./scene.js";
import type { Vec3Like } from "./vectors.js";

/**
 * The path of a ray that goes on from its hits. It remembers the last hit. The next ray does not hit the surfaces that the last ray touched there, so no
 * epsilon is needed.
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
   * Returns the first hit of a ray after the last hit, or `null`, and remembers it; after a miss the path has no hit. The first ray may be any ray. The next
   * ray may be the same ray again, which finds the next hit. Or it begins at the last hit, as the rays of `bounce` and `onward` do. A surface through that
   * point is hit at `t` = 0 if it lies ahead; otherwise it is not hit. If the entity has since moved or been removed, no surface is excluded.
   */
  cast(scene: Scene<K>, ray: RayLike, options?: SceneRayOptions<K>): Hit<K> | null;
  cast(scene: Scene<K>, origin: Vec3Like, direction: Vec3Like, options?: SceneRayOptions<K>): Hit<K> | null;
  cast(scene: Scene<K>, first: Vec3Like | RayLike, second?: Vec3Like | SceneRayOptions<K>, third?: SceneRayOptions<K>): Hit<K> | null {
    const bits = scene.beginRay(first, second, third);
    const found = this.handle.cast(scene.handle, q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!, q[6]!, q[7]!, bits);
    scene.end();
    return found ? scene.hit() : null;
  }

  /** Returns the ray that is reflected at the last hit, with a direction of the same length, or `null` without a hit. */
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

  /** Frees the memory of this object. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

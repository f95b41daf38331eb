import simd128 from "packed:simd128";
import { startOnce, type InitOptions } from "./load.js";
import { unpack } from "./unpack.js";

export * from "./api.js";

/**
 * Starts the library. Await it once; everything else is synchronous. Further calls do nothing.
 *
 * ```js
 * import { init, Mesh } from "hitscan";
 *
 * await init();
 * const mesh = new Mesh(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), new Uint32Array([0, 1, 2]));
 * const hit = mesh.cast([0.25, 0.25, 8], [0, 0, -4], { normalize: false });
 * console.log(hit.t, hit.triangle); // 2 0
 * ```
 */
export function init(options: InitOptions = {}): Promise<void> {
  return startOnce(options, async (level) => {
    // Few engines have no vectors, so only they load the other module.
    const { size, data } = level === "simd128" ? simd128 : (await import("./scalar.js")).default;
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    return WebAssembly.compile(unpack(bytes, size));
  });
}

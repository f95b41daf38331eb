import { inflate } from "./inflate.js";
import { startOnce, type InitOptions } from "./load.js";
import packed from "packed-modules";

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
  return startOnce(options, (level) => {
    const { size, data } = packed[level];
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    return WebAssembly.compile(inflate(bytes, size));
  });
}

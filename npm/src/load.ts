import { bestLevel, isReady, start, type Level } from "./module.js";

/** The options of `init`. */
export interface InitOptions {
  /** The instruction set; by default the best one that the engine has. The answers have the same bits with each. */
  readonly level?: Level;
}

let starting: Promise<void> | undefined;

/** @internal Starts the module once, however often it is called. */
export function startOnce(options: InitOptions, load: (level: Level) => Promise<WebAssembly.Module>): Promise<void> {
  if (isReady()) return Promise.resolve();
  const level = options.level ?? bestLevel();
  if (level !== "simd128" && level !== "scalar") {
    return Promise.reject(new TypeError(`the level must be "simd128" or "scalar", not ${JSON.stringify(level)}`));
  }
  if (level === "simd128" && bestLevel() !== level) {
    return Promise.reject(new Error('this engine has no vectors: leave the level out, or take "scalar"'));
  }
  starting ??= load(level).then((module) => start(module, level));
  // After a failure, another call may try again.
  starting.catch(() => (starting = undefined));
  return starting;
}

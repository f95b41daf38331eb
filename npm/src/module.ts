import { glue } from "./glue.js";

/** An instruction set of WebAssembly. */
export type Level = "simd128" | "scalar";

let memory: WebAssembly.Memory | undefined;
let level: Level | undefined;
let floats = new Float64Array(0);
let record = 0;

/** A module with one function that uses a vector instruction. It is valid only in engines that have these. */
const probe = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** @internal Returns the best instruction set that this engine has. */
export function bestLevel(): Level {
  return WebAssembly.validate(probe) ? "simd128" : "scalar";
}

/** @internal Starts a module, unless one has been started. */
export function start(module: WebAssembly.Module, chosen: Level | undefined): void {
  if (memory !== undefined) return;
  const exports = glue.initSync({ module });
  record = glue.record_address() / 8;
  memory = exports.memory;
  level = chosen;
}

/** Returns the instruction set in use: `"simd128"` or `"scalar"`; `undefined` before `init`, and for a module of your own. */
export function simdLevel(): Level | undefined {
  return level;
}

/** Returns whether `init` has been awaited, so that everything else may be called. */
export function isReady(): boolean {
  return memory !== undefined;
}

/** @internal Returns the module's memory, or throws before `init`. */
export function ready(): WebAssembly.Memory {
  if (memory === undefined) throw new Error("hitscan is not ready: call `await init()` once before anything else");
  return memory;
}

/** @internal Returns a view of the module's memory as numbers. Do not keep the view: it becomes empty when the memory grows. */
export function doubles(): Float64Array {
  // A view of memory that has grown is empty.
  if (floats.length === 0) floats = new Float64Array(ready().buffer);
  return floats;
}

/** @internal Returns the index in `doubles()` at which the record begins. */
export function recordStart(): number {
  return record;
}

/** Returns the size of the module's memory in bytes. Freed memory is used again, but not given back. */
export function memoryBytes(): number {
  return ready().buffer.byteLength;
}

/** @internal Throws the error for an object that was disposed. */
export function disposed(what: string): never {
  ready();
  throw new Error(`this ${what} was disposed`);
}

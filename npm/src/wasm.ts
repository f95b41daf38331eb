import { startOnce, type InitOptions } from "./load.js";
import { isReady, start } from "./module.js";

export * from "./api.js";

/** The source that `init` takes: a compiled module, its bytes, a response with them, or the address of a file. */
export type ModuleSource = WebAssembly.Module | BufferSource | Response | URL | string;

/**
 * Starts the library from a file. Without a source it fetches `hitscan.simd128.wasm` or `hitscan.scalar.wasm`, whichever the
 * engine can run, from the folder of this module; bundlers that know `new URL(.., import.meta.url)` include the files.
 */
export async function init(source?: ModuleSource | Promise<ModuleSource>, options: InitOptions = {}): Promise<void> {
  if (source === undefined) {
    const files = {
      simd128: () => new URL("./hitscan.simd128.wasm", import.meta.url),
      scalar: () => new URL("./hitscan.scalar.wasm", import.meta.url),
    };
    return startOnce(options, (level) => compile(files[level]()));
  }
  if (isReady()) return;
  start(await compile(await source), options.level);
}

async function compile(source: ModuleSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  if (source instanceof Response) {
    if (!source.ok) throw new Error(`cannot load ${source.url}: ${source.status} ${source.statusText}`);
    // A stream is compiled while it arrives, but only if the server names its type.
    const isNamed = source.headers.get("content-type") === "application/wasm";
    return isNamed && typeof WebAssembly.compileStreaming === "function" ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
  }
  const url = new URL(source, import.meta.url);
  if (url.protocol === "file:") {
    // Node's fetch cannot read files.
    const { readFile } = (await import(/* @vite-ignore */ `node:fs/${"promises"}`)) as {
      readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
    };
    return WebAssembly.compile(await readFile(url));
  }
  return compile(await fetch(url));
}

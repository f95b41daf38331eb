// Makes `dist` of the modules that cargo built: node build.mjs SCALAR_DIR SIMD128_DIR
//
// Each folder has the output of wasm-bindgen: hitscan_web.js and hitscan_web_bg.wasm. `cargo xtask npm` calls this.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

const { LZMA } = createRequire(import.meta.url)("lzma/src/lzma_worker.js");

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const glue = join(here, "build/glue");
/** The largest gzipped sizes of the files, in bytes: 3 % more than they have. */
const most = {
  "index.js": 610_390,
  "scalar.js": 580_070,
  "wasm.js": 23_699,
  "three.js": 12_730,
  "hitscan.simd128.wasm": 817_351,
  "hitscan.scalar.wasm": 821_573,
};
const [scalar, simd128] = process.argv.slice(2);
if (simd128 === undefined) throw new Error("usage: node build.mjs SCALAR_DIR SIMD128_DIR");

// Each module only works with its own JavaScript.
const script = readFileSync(join(scalar, "hitscan_web.js"), "utf8");
if (script !== readFileSync(join(simd128, "hitscan_web.js"), "utf8")) {
  throw new Error("the two modules have different JavaScript: they are not of the same source");
}
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
mkdirSync(glue, { recursive: true });
// Bundlers would look for the file that the script names as the default module.
const address = "module_or_path = new URL('hitscan_web_bg.wasm', import.meta.url);";
if (!script.includes(address)) throw new Error("wasm-bindgen writes another script than this knows");
writeFileSync(join(glue, "hitscan_web.js"), script.replace(address, ""));
// The types are in the comments of the JavaScript.
const types = ["--allowJs", "--declaration", "--emitDeclarationOnly", "--outDir", glue, "--target", "es2022", "--module", "nodenext", "--ignoreConfig"];
tsc(join(glue, "hitscan_web.js"), ...types);

const modules = new Map();
for (const [level, folder] of Object.entries({ simd128, scalar })) {
  const from = join(folder, "hitscan_web_bg.wasm");
  const to = join(dist, `hitscan.${level}.wasm`);
  const bytes = withoutNames(readFileSync(from));
  writeFileSync(to, bytes);
  modules.set(level, { size: bytes.length, data: packed(bytes, level).toString("base64") });
}

/** Packs a module by LZMA. That takes most of the time of a build, so the last one of each level is kept. */
function packed(bytes, level) {
  const folder = join(here, "build/packed", level);
  const file = join(folder, `${createHash("sha256").update(bytes).digest("hex")}.lzma`);
  if (!existsSync(file)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, Uint8Array.from(LZMA.compress(bytes, 6)));
  }
  return readFileSync(file);
}

/**
 * Returns a module without the sections that no engine reads, such as the names of functions. Binaryen's `wasm-opt` takes minutes
 * and makes no gzipped module smaller.
 */
function withoutNames(bytes) {
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const [length, start] = unsigned(bytes, at + 1);
    if (bytes[at] !== 0) kept.push(bytes.subarray(at, start + length));
    at = start + length;
  }
  return Buffer.concat(kept);
}

/** Reads a number of a module, and returns it with the place behind it. */
function unsigned(bytes, at) {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++];
    value += (byte & 127) * factor;
    if (byte < 128) return [value, at];
  }
}

function tsc(...args) {
  execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), ...args], { stdio: "inherit" });
}

const packedModules = {
  name: "packed-modules",
  setup(made) {
    made.onResolve({ filter: /^packed:/ }, ({ path }) => ({ path: path.slice("packed:".length), namespace: "packed" }));
    made.onLoad({ filter: /.*/, namespace: "packed" }, ({ path }) => ({ contents: `export default ${JSON.stringify(modules.get(path))}`, loader: "js" }));
  },
};

const common = { bundle: true, format: "esm", target: "es2022", legalComments: "none", minifySyntax: true, minifyWhitespace: true, logLevel: "warning" };
await bundle("index", "index.js", ["./scalar.js"]);
await bundle("scalar", "scalar.js", []);
await bundle("wasm", "wasm.js", ["node:*"]);
await bundle("three/index", "three.js", ["three", "hitscan"]);

function bundle(entry, file, external) {
  return build({ ...common, entryPoints: [join(here, `src/${entry}.ts`)], outfile: join(dist, file), external, plugins: [packedModules] });
}

for (const [file, limit] of Object.entries(most)) {
  const bytes = readFileSync(join(dist, file));
  const { length } = gzipSync(bytes, { level: 9 });
  console.log(`${file}: ${bytes.length} bytes, ${length} gzipped, ${brotliCompressSync(bytes).length} by brotli`);
  if (length > limit) throw new Error(`${file} has more than ${limit} bytes gzipped: ${length}`);
}

tsc("-p", here);
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(here, "..", name), join(here, name));

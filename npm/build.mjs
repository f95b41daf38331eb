// Makes `dist` of the modules that cargo built: node build.mjs SCALAR_DIR SIMD128_DIR
//
// Each folder has the output of wasm-bindgen: hitscan_web.js and hitscan_web_bg.wasm. `cargo xtask npm` calls this.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const glue = join(here, "build/glue");
/** The largest gzipped size of a module: 150 KB is the aim. */
const most = 905 * 1024;
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

const modules = {};
for (const [level, folder] of Object.entries({ simd128, scalar })) {
  const from = join(folder, "hitscan_web_bg.wasm");
  const to = join(dist, `hitscan.${level}.wasm`);
  const bytes = withoutNames(readFileSync(from));
  writeFileSync(to, bytes);
  const packed = gzipSync(bytes, { level: 9 }).length;
  console.log(`${level}: ${bytes.length} bytes, ${packed} gzipped`);
  if (packed > most) throw new Error(`the module ${level} is larger than ${most} bytes gzipped: ${packed}`);
  modules[level] = { size: bytes.length, data: deflateRawSync(bytes, { level: 9 }).toString("base64") };
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
    made.onResolve({ filter: /^packed-modules$/ }, () => ({ path: "packed-modules", namespace: "packed" }));
    made.onLoad({ filter: /.*/, namespace: "packed" }, () => ({ contents: `export default ${JSON.stringify(modules)}`, loader: "js" }));
  },
};

const common = { bundle: true, format: "esm", target: "es2022", legalComments: "none", minifySyntax: true, logLevel: "warning" };
await build({ ...common, entryPoints: [join(here, "src/index.ts")], outfile: join(dist, "index.js"), plugins: [packedModules] });
await build({ ...common, entryPoints: [join(here, "src/wasm.ts")], outfile: join(dist, "wasm.js"), external: ["node:*"] });
await build({ ...common, entryPoints: [join(here, "src/three/index.ts")], outfile: join(dist, "three.js"), external: ["three", "hitscan"] });

tsc("-p", here);
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(here, "..", name), join(here, name));

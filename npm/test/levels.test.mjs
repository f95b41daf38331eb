// Both modules, each in a process of its own, run the same tests; the file beside the inlined one works too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const node = (script, env = {}) => execFileSync(process.execPath, ["--input-type=module", "--eval", script], { env: { ...process.env, ...env }, encoding: "utf8" });

test("the scalar module is chosen where there are no vectors, and by name", () => {
  const cast = `const m = new Mesh(Float32Array.of(0,0,0,1,0,0,0,1,0)); console.log(simdLevel(), m.cast([0.25,0.25,8],[0,0,-1]).t);`;
  assert.equal(node(`import { init, Mesh, simdLevel } from "hitscan"; await init({ level: "scalar" }); ${cast}`), "scalar 8\n");
  assert.equal(node(`const real = WebAssembly.validate; WebAssembly.validate = (bytes) => bytes.length > 100 && real(bytes); const { init, Mesh, simdLevel } = await import("hitscan"); await init(); ${cast}`), "scalar 8\n");
});

test("the module as a file: by itself, as bytes, compiled, and a wrong one", () => {
  const cast = `const m = new Mesh(Float32Array.of(0,0,0,1,0,0,0,1,0)); console.log(m.cast([0.25,0.25,8],[0,0,-1]).t);`;
  const start = (init) => node(`import { readFileSync } from "node:fs"; import { init, Mesh } from "hitscan/wasm"; const bytes = readFileSync("dist/hitscan.simd128.wasm"); ${init}; ${cast}`);
  assert.equal(start("await init()"), "8\n");
  assert.equal(start("await init(bytes)"), "8\n");
  assert.equal(start("await init(new WebAssembly.Module(bytes))"), "8\n");
  assert.equal(start("await init(Uint8Array.of(1, 2)).catch(() => init(bytes))"), "8\n");
});

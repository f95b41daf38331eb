// Both modules, each in a process of its own, run the same tests; the file beside the inlined one works too.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const node = (script, env = {}) => execFileSync(process.execPath, ["--input-type=module", "--eval", script], { env: { ...process.env, ...env }, encoding: "utf8" });

test("the scalar module is chosen where there are no vectors, and by name", () => {
  const cast = `const m = new Mesh(Float32Array.of(0,0,0,1,0,0,0,1,0)); console.log(simdLevel(), m.cast([0.25,0.25,8],[0,0,-1]).t);`;
  assert.equal(node(`import { init, Mesh, simdLevel } from "hitscan"; await init({ level: "scalar" }); ${cast}`), "scalar 8\n");
  assert.equal(node(`const real = WebAssembly.validate; WebAssembly.validate = (bytes) => bytes.length > 100 && real(bytes); const { init, Mesh, simdLevel } = await import("hitscan"); await init(); ${cast}`), "scalar 8\n");
});

test("only an engine without vectors loads the other module", () => {
  const cast = `const m = new Mesh(Float32Array.of(0,0,0,1,0,0,0,1,0)); console.log(simdLevel(), m.cast([0.25,0.25,8],[0,0,-1]).t);`;
  const folder = mkdtempSync(join(tmpdir(), "hitscan-"));
  try {
    cpSync("dist", folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    rmSync(join(folder, "scalar.js"));
    const script = (options) => `const { init, Mesh, simdLevel } = await import(${JSON.stringify(pathToFileURL(join(folder, "index.js")).href)}); await init(${options}).catch((error) => console.log(error.code)); ${cast}`;
    assert.equal(node(script("")), "simd128 8\n");
    // A failure is an error, after which another call may succeed.
    assert.equal(node(script('{ level: "scalar" }').replace(cast, `await init(); ${cast}`)), "ERR_MODULE_NOT_FOUND\nsimd128 8\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a module that is fetched is compiled while it arrives, if the server names its type", async () => {
  const bytes = readFileSync("dist/hitscan.simd128.wasm");
  const types = ["application/wasm", "application/wasm; charset=utf-8", "application/octet-stream"];
  const server = createServer((request, response) => {
    const type = types[Number(request.url.slice(1))];
    response.writeHead(type === undefined ? 404 : 200, { "content-type": type ?? "text/plain" }).end(bytes);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const script = `
      import { init, Mesh } from "hitscan/wasm";
      const real = WebAssembly.compileStreaming;
      WebAssembly.compileStreaming = (source) => (console.log("streams"), real(source));
      await init(process.argv[1]).catch((error) => console.log(error.message));
      if (process.argv[1].endsWith("3")) process.exit();
      console.log(new Mesh(Float32Array.of(0,0,0,1,0,0,0,1,0)).cast([0.25,0.25,8],[0,0,-1]).t);`;
    const address = `http://127.0.0.1:${server.address().port}`;
    const run = promisify(execFile);
    const said = await Promise.all([0, 1, 2, 3].map((i) => run(process.execPath, ["--input-type=module", "--eval", script, `${address}/${i}`]).then(({ stdout }) => stdout)));
    assert.deepEqual(said.slice(0, 3), ["streams\n8\n", "8\n", "8\n"]);
    assert.match(said[3], /^cannot load http.*\/3: 404 Not Found\n$/);
  } finally {
    server.close();
  }
});

test("the module as a file: by itself, as bytes, compiled, and a wrong one", () => {
  const cast = `const m = new Mesh(Float32Array.of(0,0,0,1,0,0,0,1,0)); console.log(m.cast([0.25,0.25,8],[0,0,-1]).t);`;
  const start = (init) => node(`import { readFileSync } from "node:fs"; import { init, Mesh } from "hitscan/wasm"; const bytes = readFileSync("dist/hitscan.simd128.wasm"); ${init}; ${cast}`);
  assert.equal(start("await init()"), "8\n");
  assert.equal(start("await init(bytes)"), "8\n");
  assert.equal(start("await init(new WebAssembly.Module(bytes))"), "8\n");
  assert.equal(start("await init(Uint8Array.of(1, 2)).catch(() => init(bytes))"), "8\n");
});

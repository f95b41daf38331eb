// The package as it would be published.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

test("publint finds nothing", () => {
  const words = execFileSync(process.execPath, ["node_modules/publint/src/cli.js", "--strict"], { encoding: "utf8" });
  assert.match(words, /All good!/);
});

test("attw finds nothing: each entry has its types, for ES modules, which all of the package are", () => {
  const options = ["--pack", ".", "--profile", "esm-only", "--exclude-entrypoints", "hitscan.simd128.wasm", "hitscan.scalar.wasm", "--no-emoji", "--no-color"];
  const words = execFileSync(process.execPath, ["node_modules/@arethetypeswrong/cli/dist/index.js", ...options], { encoding: "utf8" });
  assert.match(words, /"hitscan" +│ OK[^]*"hitscan\/wasm" +│ OK[^]*"hitscan\/three" +│ OK/);
});

test("the inlined module asks bundlers for no file, and three.js is not in it", () => {
  const index = readFileSync("dist/index.js", "utf8");
  assert.doesNotMatch(index, /import\.meta|from "three"/);
  assert.doesNotMatch(readFileSync("dist/three.js", "utf8"), /class Matrix4/);
});

test("what is packed is what is meant", () => {
  const [{ files }] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { encoding: "utf8" }));
  const paths = files.map(({ path }) => path);
  for (const path of ["package.json", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-NOTICES.txt", "dist/index.js", "dist/index.d.ts", "dist/scalar.js", "dist/wasm.js", "dist/three.js", "dist/three/index.d.ts", "dist/hitscan.scalar.wasm", "dist/hitscan.simd128.wasm"]) {
    assert.ok(paths.includes(path), path);
  }
  assert.deepEqual(paths.filter((path) => !/^(dist\/|package\.json|README\.md|LICENSE-|THIRD-PARTY-NOTICES\.txt)/.test(path)), []);
});

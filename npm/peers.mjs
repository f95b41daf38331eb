// Runs three-mesh-bvh's own tests with hitscan as the tree: node peers.mjs CHECKOUT [ROUNDS]
//
// `cargo xtask peers three-mesh-bvh CHECKOUT` calls this. CHECKOUT is a clone of its repository, bare or not. Nothing of it is kept.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { init } from "hitscan";

const [checkout, rounds = "1"] = process.argv.slice(2);
if (checkout === undefined) throw new Error("usage: node peers.mjs CHECKOUT [ROUNDS]");
const files = ["test/RandomRaycasts.test.js", "test/repro/Multimaterial.test.js"];
const folder = join(dirname(fileURLToPath(import.meta.url)), "build/peers");

function read(path) {
  const file = join(checkout, path);
  return existsSync(file) ? readFileSync(file, "utf8") : execFileSync("git", ["-C", checkout, "show", `HEAD:${path}`], { encoding: "utf8" });
}

/** Their tests import the package by its name, and so get this one: their package with hitscan's tree. */
const peer = `export * from "three-mesh-bvh";
import { computeBoundsTree as build } from "three-mesh-bvh";
import { HitscanBVH, computeBatchedBoundsTree } from "hitscan/three";
export { HitscanBVH as MeshBVH, computeBatchedBoundsTree };
export function computeBoundsTree(options) { return build.call(this, { ...options, type: HitscanBVH }); }
`;

function write(path, text) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

// This is the part of vitest that these tests use.
const suites = [];
let suite = { before: [], each: [], tests: [], name: "" };
globalThis.describe = (name, define) => {
  const outer = suite;
  suite = { before: [...outer.before], each: [...outer.each], tests: [], name: `${outer.name} ${name}` };
  suites.push(suite);
  define();
  suite = outer;
};
globalThis.beforeAll = (run) => suite.before.push(run);
globalThis.beforeEach = (run) => suite.each.push(run);
globalThis.it = (name, run) => suite.tests.push([name, run]);
globalThis.expect = (left) => ({
  toEqual(right) {
    if (!isDeepStrictEqual(left, right)) throw Object.assign(new Error("not equal"), { left, right });
  },
});

await init();
write("peer.mjs", peer);
write("test/utils.mjs", read("test/utils.js").replaceAll("'three-mesh-bvh'", "'../peer.mjs'"));
let passed = 0;
let failed = 0;
for (let round = 0; round < Number(rounds); round++) {
  for (const path of files) {
    const depth = path.split("/").length - 1;
    const text = read(path).replaceAll("'three-mesh-bvh'", `'${"../".repeat(depth)}peer.mjs'`).replaceAll("utils.js'", "utils.mjs'");
    const file = write(path.replace(/js$/, "mjs"), text);
    suites.length = 0;
    suite = { before: [], each: [], tests: [], name: path };
    await import(`${pathToFileURL(file)}?${round}`);
    for (const { before, each, tests, name } of suites) {
      if (tests.length === 0) continue;
      before.forEach((run) => run());
      for (const [test, run] of tests) {
        each.forEach((prepare) => prepare());
        try {
          run();
          passed++;
        } catch (error) {
          failed++;
          console.log(`differs: ${name}: ${test}: ${explained(error)}`);
        }
      }
    }
  }
}
console.log(`${passed} tests of three-mesh-bvh pass with HitscanBVH, ${failed} differ`);
process.exitCode = failed === 0 ? 0 : 1;

/** Describes the hits in which two lists differ. */
function explained({ message, left, right }) {
  if (left === undefined && right === undefined) return message;
  const list = (hits) => (Array.isArray(hits) ? hits : [hits]).map((hit) => hit && `${hit.object.uuid.slice(0, 4)}/${hit.batchId ?? ""}/${hit.faceIndex}@${hit.distance}`);
  const [a, b] = [list(left), list(right)];
  return `one has ${a.filter((hit) => !b.includes(hit)).join(" ") || "nothing more"}, the other ${b.filter((hit) => !a.includes(hit)).join(" ") || "nothing more"}`;
}

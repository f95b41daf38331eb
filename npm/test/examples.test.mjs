// Every example runs, and says something.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "node:test";

const expected = { "node.mjs": /guard at 9\.5/, "three.mjs": /^tree \d+, triangle \d+/ };

for (const name of readdirSync("examples").filter((name) => name.endsWith(".mjs"))) {
  test(name, () => assert.match(execFileSync(process.execPath, [`examples/${name}`], { encoding: "utf8" }), expected[name]));
}

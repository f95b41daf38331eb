// Runs the tests: node test.mjs [NAME]... They are written with `using`, which node has from version 24 on, so esbuild turns it into older code first.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const folder = join(here, "build/test");
const wanted = process.argv.slice(2);
const names = readdirSync(join(here, "test")).filter((name) => name.endsWith(".mjs"));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const common = { outdir: folder, outExtension: { ".js": ".mjs" }, format: "esm", target: "node18", logLevel: "warning" };
await build({ ...common, entryPoints: names.map((name) => join(here, "test", name)) });
// The tests of three.js also run with the oldest release that the package supports.
const oldest = ["three", "follow", "objects"].map((name) => ({ in: join(here, `test/${name}.test.mjs`), out: `${name}.oldest.test` }));
const alias = { three: "three-oldest", "hitscan/three": join(here, "dist/three.js") };
await build({ ...common, entryPoints: oldest, bundle: true, platform: "node", alias, external: ["hitscan"] });
const all = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const chosen = all.filter((name) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));
const { status } = spawnSync(process.execPath, ["--test", ...chosen.map((name) => join(folder, name))], {
  cwd: here,
  stdio: "inherit",
  // Tests that pack the build must not build again.
  env: { ...process.env, npm_config_ignore_scripts: "true" },
});
process.exitCode = status ?? 1;

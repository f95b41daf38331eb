//! The package for JavaScript in node.

use super::trial_file::write;
use crate::release::wheel::newest;
use crate::shell::run as sh;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = r#"import { init, Mesh } from "hitscan";
import * as separate from "hitscan/wasm";
import assert from "node:assert/strict";

await init();
const mesh = new Mesh(new Float32Array([0, 0, 0, 2, 0, 0, 0, 2, 0]), new Uint32Array([0, 1, 2]));
assert.equal(mesh.cast([0.5, 0.5, 3], [0, 0, -1]).t, 3);
assert.equal(mesh.cast([5, 5, 3], [0, 0, -1]), null);
assert.equal(typeof separate.init, "function");
console.log("a hit at", mesh.cast([0.5, 0.5, 3], [0, 0, -1]).point);
"#;

pub(super) fn run(packages: &Path, folder: &Path) -> Result<()> {
    write(folder, "package.json", "{ \"private\": true, \"type\": \"module\" }\n")?;
    write(folder, "use.mjs", PROGRAM)?;
    let package = newest(packages, "tgz")?;
    sh(Command::new("npm").args(["install", "--no-audit", "--no-fund"]).arg(package).current_dir(folder))?;
    sh(Command::new("node").arg("use.mjs").current_dir(folder))
}

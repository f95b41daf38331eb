//! `cargo xtask npm` makes the package for JavaScript in `npm/`, and tests it.

use crate::effort::features;
use crate::shell::{TESTED, built, cargo, root, run, succeeds, target};
use crate::skips::skip;
use crate::snippets;
use crate::wasm::{LEVELS, Level, Toolchain};
use anyhow::{Context, Result, bail, ensure};
use std::path::PathBuf;
use std::process::Command;

/// The crate, which is a workspace of its own.
const CRATE: &str = "crates/hitscan-web/Cargo.toml";

/// The program that casts rays natively, an example of `hitscan-digest`.
const NATIVE: &str = "cast_file";

/// Makes the package.
pub(crate) fn build() -> Result<()> {
    ensure!(
        has_node(),
        "the package needs node and npm, which are not there (on Debian: `apt-get install nodejs npm`)"
    );
    let toolchain = Toolchain::bring(Some(&bindgen_version()?))?;
    // Each module is one unit of code, which one thread compiles. So both modules are built at once.
    let [scalar, simd128] = std::thread::scope(|scope| {
        let builds = LEVELS.each_ref().map(|level| scope.spawn(|| module(&toolchain, level)));
        builds.map(|build| build.join().unwrap_or_else(|_| bail!("a build panicked")))
    });
    let folders = [scalar?, simd128?];
    install("npm")?;
    run(Command::new("node").arg("build.mjs").args(folders).current_dir(root().join("npm")))
}

/// Builds the module for an instruction set with the JavaScript around it, and returns their folder.
fn module(toolchain: &Toolchain, level: &Level) -> Result<PathBuf> {
    let args = ["build", "--locked", "--manifest-path", CRATE];
    let module = toolchain.build(&args, &target()?.join("web"), level, "hitscan_web.wasm")?;
    let folder = target()?.join("web/glue").join(level.name);
    run(toolchain.bindgen()?.args(["--target", "web", "--out-dir"]).arg(&folder).arg(module))?;
    Ok(folder)
}

/// Makes the package and runs its tests, as a step. Returns false if node is missing, and the step is skipped.
pub(crate) fn check() -> Result<bool> {
    if !has_node() {
        skip("node", "the package for JavaScript", "on a Debian: apt-get install nodejs npm")?;
        return Ok(false);
    }
    build()?;
    // The tests compare their answers with the native library from the step that builds all tests.
    run(cargo(&["build", &features(), "--profile", "test", "--example", NATIVE]).args(TESTED))?;
    let program = built("debug/examples", NATIVE)?;
    run(Command::new("npm").arg("test").env("HITSCAN_NATIVE", program).current_dir(root().join("npm")))?;
    snippets::javascript::check()?;
    Ok(true)
}

/// Makes the package, and runs the code of the pages with it.
pub(crate) fn run_snippets() -> Result<()> {
    build()?;
    snippets::javascript::check()
}

/// Runs another project's own tests with our package instead of theirs: `three-mesh-bvh CHECKOUT`.
pub(crate) fn peers(args: &[&str]) -> Result<()> {
    let ["three-mesh-bvh", checkout, rounds @ ..] = args else {
        bail!(
            "`peers` takes `three-mesh-bvh CHECKOUT [ROUNDS]`: a clone of https://github.com/gkjohnson/three-mesh-bvh"
        );
    };
    let checkout = std::path::absolute(checkout).with_context(|| format!("there is no {checkout}"))?;
    build()?;
    run(Command::new("node").arg("peers.mjs").arg(checkout).args(rounds).current_dir(root().join("npm")))
}

/// Installs the packages of a folder's lock file, unless they are there.
pub(crate) fn install(folder: &str) -> Result<()> {
    let folder = root().join(folder);
    let time = |file: &str| folder.join(file).metadata().and_then(|file| file.modified()).ok();
    let installed = time("node_modules/.package-lock.json");
    if installed.is_some() && installed >= time("package-lock.json") {
        return Ok(());
    }
    run(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))
}

/// Returns whether node and npm are there.
pub(crate) fn has_node() -> bool {
    ["node", "npm"].iter().all(|program| succeeds(Command::new(program).arg("--version")))
}

/// Returns the version of wasm-bindgen in the crate's lock file: the command must have the same version.
fn bindgen_version() -> Result<String> {
    let file = root().join("crates/hitscan-web/Cargo.lock");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let after = text.split_once("name = \"wasm-bindgen\"\nversion = \"").map(|(_, after)| after);
    let version = after.and_then(|after| after.split_once('"')).map(|(version, _)| version.to_owned());
    version.with_context(|| format!("{} has no wasm-bindgen", file.display()))
}

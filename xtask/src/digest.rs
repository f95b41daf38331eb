//! `cargo xtask digest` checks that rays have the same answers, to the bit, on this machine and in WebAssembly.

use crate::shell::{cargo, run, succeeds, target};
use crate::wasm::{LEVELS, Toolchain};
use anyhow::Result;
use std::process::Command;

/// Builds the digest for this machine and, if possible, for WebAssembly without and with vector instructions, and runs it with these arguments.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    let mut command = cargo(&["run", "--release", "--package", "hitscan-digest", "--features", "all-simd", "--"]);
    if let Some(toolchain) = toolchain() {
        // For WebAssembly, only the library is built, as a module.
        let module = ["rustc", "--package", "hitscan-digest", "--lib", "--crate-type", "cdylib"];
        let folder = target()?.join("digest");
        for level in &LEVELS {
            let file = toolchain.build(&module, &folder, level, "hitscan_digest.wasm")?;
            command.arg(format!("--wasm-{}", level.name)).arg(file);
        }
    }
    run(command.args(args))
}

/// Runs the tests of the digest with the oldest glam that the library accepts. The step `clippy` compiles them.
pub(crate) fn test_with_oldest_glam() -> Result<()> {
    let mut command = cargo(&["test", "--manifest-path", "glam-floor/Cargo.toml", "--locked", "--target-dir"]);
    run(command.arg(target()?.join("glam-floor")))
}

/// Returns the toolchain for WebAssembly, or reports what is missing.
fn toolchain() -> Option<Toolchain> {
    if !succeeds(Command::new("node").arg("--version")) {
        println!("skipped: WebAssembly: node is not there");
        return None;
    }
    let brought = Toolchain::bring(None);
    brought.inspect_err(|error| println!("skipped: WebAssembly: {error:#}")).ok()
}

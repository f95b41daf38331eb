//! `cargo xtask digest` checks that the same rays have the same answers, to the bit, on this machine and in WebAssembly.

use crate::shell::{cargo, run, succeeds};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PACKAGE: [&str; 3] = ["--release", "--package", "hitscan-digest"];

/// Builds the digest for this machine and, where that is possible, for WebAssembly without and with vectors, and runs it with these arguments.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    let mut command = cargo(&[&["run"], &PACKAGE[..], &["--"]].concat());
    if can_run_wasm() {
        for (name, flags) in [("scalar", ""), ("simd128", "-C target-feature=+simd128")] {
            command.arg(format!("--wasm-{name}")).arg(build_wasm(name, flags)?);
        }
    }
    run(command.args(args))
}

/// Returns whether WebAssembly can be run, and says what is missing.
fn can_run_wasm() -> bool {
    let missing = [
        (!succeeds(Command::new("node").arg("--version")), "node is not there".to_owned()),
        (!has_target(), format!("`rustup target add {TARGET}` has not been run")),
    ];
    missing.iter().filter(|(is_missing, _)| *is_missing).for_each(|(_, what)| println!("skipped: WebAssembly: {what}"));
    missing.iter().all(|(is_missing, _)| !is_missing)
}

/// Returns whether the compiler that cargo uses has the standard library for it.
fn has_target() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = output.ok().filter(|output| output.status.success());
    let folder = folder.and_then(|output| String::from_utf8(output.stdout).ok());
    let is_std = |name: std::ffi::OsString| name.to_string_lossy().starts_with("libstd-");
    let files = folder.and_then(|folder| Path::new(folder.trim()).read_dir().ok());
    files.is_some_and(|files| files.flatten().any(|file| is_std(file.file_name())))
}

/// Builds the library alone as a module. Each has a folder of its own, since the compiler's flags differ.
fn build_wasm(name: &str, flags: &str) -> Result<PathBuf> {
    let this = std::env::current_exe().context("cannot find this program")?;
    let target = this.parent().and_then(Path::parent).context("this program is in no target folder")?;
    let folder = target.join("digest").join(name);
    let options = ["--lib", "--crate-type", "cdylib", "--target", TARGET, "--target-dir"];
    let mut command = cargo(&[&["rustc"], &PACKAGE[..], &options].concat());
    run(command.arg(&folder).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags))?;
    Ok(folder.join(TARGET).join("release/hitscan_digest.wasm"))
}

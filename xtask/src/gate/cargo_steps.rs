//! The steps that are commands of cargo.
//!
//! Every profile needs a build of all dependencies. So code is compiled in only two profiles. One is `test`, which the tests, the doc tests and the examples
//! share. The other is `release`, for instruction counts and the README's command. Clippy, the checks and the docs only need metadata.

use crate::effort::{features, full_features, is_full};
use crate::lints::{self, Extent, LINTS};
use crate::shell::{FEATURES, TESTED, TOOLS, built, cargo, root, run as sh, succeeds, target};
use crate::skips::{may_install, skip};
use crate::tools;
use anyhow::{Context, Result};
use std::process::Command;

pub(crate) fn formatting() -> Result<()> {
    if !tools::has_component("rustfmt", "fmt")? {
        return Ok(());
    }
    lints::formatting()
}

pub(super) fn clippy() -> Result<()> {
    if !tools::has_component("clippy", "clippy")? {
        return Ok(());
    }
    lints::clippy(&features(), if is_full() { Extent::All } else { Extent::Library })
}

pub(super) fn no_std() -> Result<()> {
    let check = || checked(&["check", "--package", "hitscan", "--no-default-features"]);
    // The first check leaves out the dependencies of tests, which may enable features that the library itself does not enable.
    sh(&mut check()?)?;
    sh(check()?.arg("--all-targets"))
}

pub(super) fn each_feature() -> Result<()> {
    for feature in ["all-simd", "std", "huge-pages", "mint", "parallel", "serde"] {
        sh(&mut checked(&["check", "--package", "hitscan", "--no-default-features", "--features", feature])?)?;
    }
    Ok(())
}

/// Checks the code of the library with the oldest supported compiler. The newest compiler builds and tests it; the
/// tests need not compile with the oldest one.
pub(super) fn stated_rust() -> Result<()> {
    const STATED: &str = env!("CARGO_PKG_RUST_VERSION");
    let install = ["toolchain", "install", STATED, "--profile", "minimal", "--no-self-update"];
    let has = || succeeds(Command::new("rustup").args(["run", STATED, "cargo", "--version"]));
    let is_there = has() || may_install() && succeeds(Command::new("rustup").args(install));
    if !is_there {
        return skip("old-rust", "the oldest Rust", &format!("rustup {}", install.join(" ")));
    }
    let mut command = Command::new("rustup");
    command.args(["run", STATED, "cargo", "check", "--locked", "--workspace", FEATURES]);
    sh(command.current_dir(root()).arg("--target-dir").arg(target()?.join("rust-version")))
}

pub(super) fn docs() -> Result<()> {
    let mut command = checked(&["doc", "--workspace", "--no-deps", FEATURES])?;
    sh(command.env("RUSTDOCFLAGS", "--deny warnings"))
}

/// Returns a command of cargo that checks code and builds no program. It has its own target folder, so that it runs in parallel with the
/// steps that build.
fn checked(args: &[&str]) -> Result<Command> {
    let mut command = cargo(args);
    command.arg("--target-dir").arg(target()?.join(LINTS));
    Ok(command)
}

/// Runs `cargo test`. Features are chosen for all packages, so that the library is compiled once.
fn test(args: &[&str]) -> Result<()> {
    sh(cargo(&["test", &features()]).args(TESTED).args(args))
}

/// Compiles everything for the steps of a run at once, so that cargo keeps all processors busy.
pub(super) fn tests(targets: &[&str]) -> Result<()> {
    test(&[&["--no-run"], targets].concat())
}

/// Runs tests of the workspace.
pub(super) fn run_tests(targets: &[&str]) -> Result<()> {
    test(targets)
}

/// Runs the unit tests of the workspace, and the tests of this program.
pub(super) fn unit_tests(targets: &[&str]) -> Result<()> {
    test(targets)?;
    TOOLS.iter().try_for_each(|package| sh(&mut cargo(&["test", "--profile", "dev", "--package", package])))
}

/// Runs the tests of the benchmark. It is built for the whole workspace. So it uses the library that the other tests
/// use.
pub(super) fn benchmark() -> Result<()> {
    let without = TOOLS.map(|package| format!("--exclude={package}"));
    sh(cargo(&["test", "--workspace", &features(), "--bin", "hitscan-bench"]).args(without))
}

/// Compiles the examples in the documentation together, and runs them.
pub(super) fn doc_tests() -> Result<()> {
    test(&["--doc"])
}

/// Compares answers with recorded ones, bit for bit, with all instruction sets.
pub(super) fn digest() -> Result<()> {
    sh(cargo(&["test", &full_features()]).args(TESTED).args(["--test", "digest", "--test", "bits"]))
}

/// Runs the examples. They are built for the whole workspace like the tests, which have built them already. For one
/// package, cargo would choose other features for the dependencies, and build these again.
pub(super) fn examples() -> Result<()> {
    sh(cargo(&["build", &features(), "--examples", "--profile", "test"]).args(TESTED))?;
    for name in example_names()? {
        // The profiles `dev` and `test` share a folder.
        sh(Command::new(built("debug/examples", &name)?).current_dir(root()))?;
    }
    Ok(())
}

/// Returns the names of the examples. Each is a file, or a folder with a `main.rs`.
fn example_names() -> Result<Vec<String>> {
    let folder = root().join("crates/hitscan/examples");
    if !folder.is_dir() {
        println!("there are none in {}", folder.display());
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
        let is_example = path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").is_file();
        names.extend(path.file_stem().filter(|_| is_example).map(|name| name.display().to_string()));
    }
    names.sort();
    Ok(names)
}

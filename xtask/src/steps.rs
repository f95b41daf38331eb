//! The steps of `cargo xtask test`.
//!
//! Every profile is a build of all dependencies. So code is compiled in two: `test`, which the tests, the doc tests and the examples share, and `release` for
//! counting instructions and for the README's command. Clippy, the checks and the docs only need metadata.

use crate::shell::{FEATURES, built, cargo, root, run as sh, succeeds, target};
use crate::window::{self, WINDOW};
use crate::{
    capi, counts, homonyms, layers, npm, playground, prose, python, questions, readme, release, tools, viewer,
};
use anyhow::{Context, Result, bail};
use std::process::Command;
use std::time::Instant;

pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    run: fn() -> Result<()>,
}

pub(crate) const STEPS: [Step; 24] = [
    Step { name: "fmt", what: "formatting", run: formatting },
    Step {
        name: "prose",
        what: "whole sentences in comments, lines and paragraphs of a length to read",
        run: prose::check,
    },
    Step { name: "typos", what: "the spelling of all words", run: || tools::TYPOS.check() },
    Step { name: "machete", what: "no dependency that nothing uses", run: || tools::MACHETE.check() },
    Step { name: "deny", what: "licences, versions and sources of the dependencies", run: release::check_dependencies },
    Step { name: "clippy", what: "clippy on all targets, warnings denied", run: clippy },
    Step { name: "no-std", what: "the library without the standard library", run: no_std },
    Step { name: "features", what: "the library with each feature alone", run: features },
    Step { name: "rust-version", what: "all packages by the oldest Rust that is stated", run: stated_rust },
    Step { name: "questions", what: "edges, examples and the page of every question", run: questions::check },
    Step { name: "layers", what: "modules use what is below them, and no circles", run: layers::check },
    Step { name: "homonyms", what: "one name, one type", run: homonyms::check },
    Step { name: "docs", what: "the documentation, warnings denied", run: docs },
    Step { name: "tests", what: "all tests, doc tests and the checks of the fuzz targets included", run: tests },
    Step { name: "glam", what: "the digest with the oldest glam that the library takes", run: oldest_glam },
    Step { name: "examples", what: "every example of the library", run: examples },
    Step { name: "window", what: "the example with a window, and a picture of it", run: window::check },
    Step { name: "viewer", what: "the program with a window, driven by a script", run: viewer::check },
    Step { name: "capi", what: "the header, the libraries and the programs in C and C++", run: capi::check },
    Step { name: "python", what: "the Python package, its tests and its types", run: python::check },
    Step { name: "npm", what: "the package for JavaScript, and its tests", run: npm::check },
    Step { name: "playground", what: "the page, in a browser", run: playground::check },
    Step { name: "counts", what: "instructions of fixed rays, as recorded", run: counts::compare },
    Step { name: "readme", what: "the README's first command", run: readme::run_first_command },
];

/// The workspace of the fuzz targets.
const FUZZ: &str = "fuzz/Cargo.toml";

/// Runs the steps of these names, or all if there are none.
pub(crate) fn run(names: &[&str]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        let known = STEPS.map(|step| step.name).join(", ");
        bail!("there is no step `{unknown}`; there are {known}");
    }
    let chosen = |step: &&Step| names.is_empty() || names.contains(&step.name);
    tools::install(&STEPS.iter().filter(chosen).map(|step| step.name).collect::<Vec<_>>())?;
    let start = Instant::now();
    for step in STEPS.iter().filter(chosen) {
        println!("\n== {}: {}", step.name, step.what);
        let start = Instant::now();
        (step.run)().with_context(|| format!("step `{}`", step.name))?;
        println!("== {} passed in {} s", step.name, start.elapsed().as_secs());
    }
    println!("\n== all passed in {} s", start.elapsed().as_secs());
    Ok(())
}

pub(crate) fn formatting() -> Result<()> {
    sh(&mut cargo(&["fmt", "--all", "--check"]))?;
    sh(&mut cargo(&["fmt", "--manifest-path", FUZZ, "--check"]))?;
    sh(&mut cargo(&["fmt", "--manifest-path", WINDOW, "--check"]))?;
    sh(&mut cargo(&["fmt", "--manifest-path", python::MANIFEST, "--check"]))
}

fn clippy() -> Result<()> {
    sh(&mut cargo(&["clippy", "--workspace", "--all-targets", FEATURES, "--", "--deny", "warnings"]))?;
    sh(of_fuzz("clippy")?.args(["--all-targets", "--", "--deny", "warnings"]))
}

fn no_std() -> Result<()> {
    let check = ["check", "--package", "hitscan", "--no-default-features"];
    // The first check leaves out what only tests depend on, which may have features that the library has not.
    sh(&mut cargo(&check))?;
    sh(cargo(&check).arg("--all-targets"))
}

fn features() -> Result<()> {
    for feature in ["all-simd", "std", "huge-pages", "mint", "parallel", "serde"] {
        sh(&mut cargo(&["check", "--package", "hitscan", "--no-default-features", "--features", feature]))?;
    }
    Ok(())
}

/// This only checks: code that compiles with it is what the newest compiler builds and tests. Tests need not compile with it.
fn stated_rust() -> Result<()> {
    const STATED: &str = env!("CARGO_PKG_RUST_VERSION");
    let install = ["toolchain", "install", STATED, "--profile", "minimal", "--no-self-update"];
    if !succeeds(Command::new("rustup").args(install)) {
        println!("skipped: Rust {STATED}: `rustup {}` did not bring it", install.join(" "));
        return Ok(());
    }
    let mut command = Command::new("rustup");
    command.args(["run", STATED, "cargo", "check", "--locked", "--workspace", FEATURES]);
    sh(command.current_dir(root()).arg("--target-dir").arg(target()?.join("rust-version")))
}

fn docs() -> Result<()> {
    let mut command = cargo(&["doc", "--workspace", "--no-deps", FEATURES]);
    sh(command.env("RUSTDOCFLAGS", "--deny warnings"))
}

fn tests() -> Result<()> {
    sh(&mut cargo(&["test", "--workspace", FEATURES]))
}

/// The newest glam is in the workspace's lock file, and so in all other steps.
fn oldest_glam() -> Result<()> {
    let mut command = cargo(&["test", "--manifest-path", "glam-floor/Cargo.toml", "--locked", "--target-dir"]);
    sh(command.arg(target()?))
}

/// Returns a command for the fuzz targets, which are another workspace. They use this compiler, without libFuzzer, so
/// that they are known to compile when they are needed. The output goes into this workspace's folder.
fn of_fuzz(subcommand: &str) -> Result<Command> {
    let mut command = cargo(&[subcommand, "--manifest-path", FUZZ, "--no-default-features"]);
    command.arg("--target-dir").arg(target()?);
    Ok(command)
}

/// Runs the examples. They are built for the whole workspace like the tests, which have built them already: for one
/// package cargo would choose other features for the dependencies, and build these again.
fn examples() -> Result<()> {
    sh(&mut cargo(&["build", "--workspace", FEATURES, "--examples", "--profile", "test"]))?;
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

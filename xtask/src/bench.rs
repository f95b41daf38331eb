//! `cargo xtask bench` runs the benchmark with all contenders that are available here.

use crate::shell::{cargo, run, succeeds};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The Python package that contains Embree's library. Nothing else of it is used.
const EMBREE: &str = "embreex==4.4.0.post1";
/// The variable that makes this program act as the compiler's wrapper.
const WRAPS: &str = "HITSCAN_XTASK_WRAPS_RUSTC";

/// Installs Embree if it can, builds the benchmark with all peers, and runs it with these arguments.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    let this = std::env::current_exe().context("cannot find this program")?;
    if std::env::var_os("EMBREE_LIB").is_none() {
        bring_embree(&embree_folder(&this)?);
    }
    let mut command = cargo(&["run", "--release", "--package", "hitscan-bench", "--features", "peers", "--"]);
    if cfg!(target_arch = "x86_64") {
        command.env("RUSTC_WRAPPER", &this).env(WRAPS, "1");
    }
    run(command.args(args))
}

/// Returns the folder in which the benchmark looks for Embree: next to the folders of the build profiles.
fn embree_folder(this: &Path) -> Result<PathBuf> {
    let target = this.parent().and_then(Path::parent).context("this program is in no target folder")?;
    Ok(target.join("embree"))
}

/// Installs Embree. A failure is not an error, because the benchmark reports a missing library.
fn bring_embree(folder: &Path) {
    let python = ["bin/python", "Scripts/python.exe"].map(|path| folder.join(path));
    let in_folder = || python.iter().find(|path| path.is_file());
    let has_embree = |python: &PathBuf| succeeds(Command::new(python).args(["-m", "pip", "show", "embreex"]));
    if in_folder().is_some_and(has_embree) {
        return;
    }
    let make = |python: &&str| run(Command::new(python).args(["-m", "venv"]).arg(folder)).is_ok();
    let install =
        |python: &PathBuf| run(Command::new(python).args(["-m", "pip", "install", "--quiet", EMBREE])).is_ok();
    let is_here = ["python3", "python"].iter().any(make) && in_folder().is_some_and(install);
    if !is_here {
        println!("Embree could not be brought here (python3 -m venv, pip install {EMBREE}): its rows will be missing");
    }
}

/// Compiles, if cargo has called this program as the compiler's wrapper; otherwise returns `None`.
///
/// Everything is compiled for the oldest processor of the platform, as for users, except tinybvh-rs. It casts
/// rays at its widest tree only if it is compiled for AVX2, as its C++ code always is.
pub(crate) fn wrapped_rustc() -> Option<ExitCode> {
    std::env::var_os(WRAPS)?;
    let mut words = std::env::args_os().skip(1);
    let mut rustc = Command::new(words.next()?);
    let words: Vec<_> = words.collect();
    rustc.args(&words);
    if words.windows(2).any(|pair| pair[0] == "--crate-name" && pair[1] == "tinybvh_rs") {
        rustc.args(["-C", "target-feature=+avx2,+fma"]);
    }
    let passed = rustc.status().is_ok_and(|status| status.success());
    Some(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

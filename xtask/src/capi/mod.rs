//! `cargo xtask capi`: the headers, the libraries and the tests of the C interface.

mod cost;
mod functions;
mod header;
mod hpp;
mod install;
mod platform;
mod program;
mod programs;
mod refusals;

use crate::shell::target;
use crate::skips::skip;
use anyhow::{Result, bail};
use std::path::Path;

/// Installs the libraries, or generates the headers again.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    match args {
        [] => install_to(&target()?.join("capi/install")),
        ["--prefix", prefix] => install_to(Path::new(prefix)),
        ["--header"] => {
            header::update()?;
            hpp::update()
        }
        _ => bail!("`capi` takes `--prefix DIR` or `--header`, not `{}`", args.join(" ")),
    }
}

/// Returns the flags of rustc for the shared library of a target.
pub(crate) fn flags(triple: &str) -> String {
    install::flags(triple)
}

/// Installs libraries that are built for a target below a prefix.
pub(crate) fn install_built(built: &Path, triple: &str, prefix: &Path) -> Result<()> {
    install::install_built(built, triple, prefix)
}

fn install_to(prefix: &Path) -> Result<()> {
    // The path must be absolute, because the commands run in the workspace's folder.
    let prefix = std::path::absolute(prefix)?;
    install::install(&prefix)?;
    println!("{} has the libraries, the headers, hitscan.pc and hitscanConfig.cmake", prefix.display());
    Ok(())
}

/// Builds and installs the libraries, and runs the code of the pages with them.
pub(crate) fn run_snippets() -> Result<()> {
    let prefix = target()?.join("capi/install");
    install::install(&prefix)?;
    programs::run_snippets(&prefix)
}

/// Compares the headers, and compiles and runs the tests and the examples.
pub(crate) fn check() -> Result<()> {
    header::check()?;
    hpp::check()?;
    programs::every_function_is_called()?;
    if !cfg!(target_os = "linux") {
        return skip("c", "the programs in C and C++", "they are run on Linux");
    }
    let prefix = target()?.join("capi/install");
    install::install(&prefix)?;
    programs::check(&prefix)
}

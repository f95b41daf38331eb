//! `cargo xtask capi`: the header, the libraries and the tests of the C interface.

mod cost;
mod header;
mod install;
mod programs;
mod refusals;

use crate::gate::skip;
use crate::shell::target;
use anyhow::{Result, bail};
use std::path::Path;

/// The folder of the interface, below that of the workspace.
const CAPI: &str = "crates/hitscan-capi";

/// Installs the libraries, or writes the header anew.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    match args {
        [] => install_to(&target()?.join("capi/install")),
        ["--prefix", prefix] => install_to(Path::new(prefix)),
        ["--header"] => header::update(),
        _ => bail!("`capi` takes `--prefix DIR` or `--header`, not `{}`", args.join(" ")),
    }
}

fn install_to(prefix: &Path) -> Result<()> {
    // The workspace's folder is where other commands run.
    let prefix = std::path::absolute(prefix)?;
    install::install(&prefix)?;
    println!("{} has the libraries, the headers, hitscan.pc and hitscanConfig.cmake", prefix.display());
    Ok(())
}

/// Compares the header, and compiles and runs the tests and the examples.
pub(crate) fn check() -> Result<()> {
    header::check()?;
    programs::every_function_is_called()?;
    if !cfg!(target_os = "linux") {
        return skip("c", "the programs in C and C++", "they are run on Linux");
    }
    let prefix = target()?.join("capi/install");
    install::install(&prefix)?;
    programs::check(&prefix)
}

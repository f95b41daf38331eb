//! `cargo xtask mutants` checks that the tests notice changes of the kernels.

use crate::shell::{cargo, run};
use anyhow::Result;

/// Builds and runs the program that makes the mutants, with these arguments.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    run(cargo(&["run", "--quiet", "--package", "hitscan-mutants", "--"]).args(args))
}

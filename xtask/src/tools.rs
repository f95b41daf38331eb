//! The parts of the toolchain that the steps need.

use crate::shell::{cargo, run, succeeds};
use anyhow::{Result, ensure};
use std::process::Command;

/// The component, and the cargo command that it brings, which is also the name of the step that needs it.
const NEEDED: [(&str, &str); 2] = [("rustfmt", "fmt"), ("clippy", "clippy")];

/// Installs what these steps need if it is missing.
pub(crate) fn install(steps: &[&str]) -> Result<()> {
    for (component, subcommand) in NEEDED {
        let is_there = || succeeds(&mut cargo(&[subcommand, "--version"]));
        if !steps.contains(&subcommand) || is_there() {
            continue;
        }
        // If this fails, what follows shows it and says what to do.
        let _ = run(Command::new("rustup").args(["component", "add", component]));
        ensure!(
            is_there(),
            "`cargo {subcommand}` is missing, and `rustup component add {component}` did not bring it: install \
             {component} for this toolchain, or name the other steps to run them alone"
        );
    }
    Ok(())
}

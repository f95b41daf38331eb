//! The parts of the toolchain and of the system that the steps need.

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
        // The check below reports a failure, and says what to do.
        let _ = run(Command::new("rustup").args(["component", "add", component]));
        ensure!(
            is_there(),
            "`cargo {subcommand}` is missing, and `rustup component add {component}` did not bring it: install \
             {component} for this toolchain, or name the other steps to run them alone"
        );
    }
    Ok(())
}

/// Returns whether nobody needs to be asked before packages of the system are installed.
pub(crate) fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// Installs packages on a Debian, and returns whether what they bring is there.
pub(crate) fn is_there_after_apt(packages: &[&str], is_there: impl Fn() -> bool) -> bool {
    let apt = |words: &[&str]| {
        let (program, first) = if is_root() { ("apt-get", &[][..]) } else { ("sudo", &["-n", "apt-get"][..]) };
        let mut command = Command::new(program);
        // The caller's check reports a failure.
        let _ = run(command.args(first).args(words).env("DEBIAN_FRONTEND", "noninteractive"));
    };
    if succeeds(Command::new("apt-get").arg("--version")) {
        apt(&["update"]);
        apt(&[&["install", "--yes", "--no-install-recommends"], packages].concat());
    }
    is_there()
}

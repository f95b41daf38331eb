//! Commands whose output is read.

use anyhow::{Context, Result, ensure};
use std::process::{Command, Stdio};

/// Runs a command and returns what it prints. Its errors go to the terminal.
pub(super) fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start {}", command.get_program().display()))?;
    ensure!(output.status.success(), "{command:?} failed ({})", output.status);
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} printed no text"))
}

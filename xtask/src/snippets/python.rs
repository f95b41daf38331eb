//! Snippets in Python.

use super::{folder, of_language};
use crate::shell::run;
use anyhow::{Context, Result};
use std::process::Command;

/// Runs the snippets with the Python of an environment that has the package, each in a process of its own.
pub(crate) fn check(python: impl Fn() -> Command) -> Result<()> {
    let folder = folder("python")?;
    for snippet in of_language("python")? {
        let file = snippet.write(&folder, "py")?;
        run(python().arg(&file).current_dir(&folder)).with_context(|| format!("the code at {}", snippet.place()))?;
    }
    Ok(())
}

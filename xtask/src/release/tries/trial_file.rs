//! The files of a trial.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Writes a file of a trial.
pub(super) fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let file = folder.join(name);
    let folder = file.parent().context("a file has a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

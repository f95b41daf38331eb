//! Folders and archives for making packages, and the target of this machine.

use super::command::output;
use crate::shell::{root, run as sh, target};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes an empty folder, or empties an existing one.
pub(super) fn clear(folder: &Path) -> Result<()> {
    if folder.is_dir() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Makes an empty folder for work in the target folder.
pub(super) fn scratch(name: &str) -> Result<PathBuf> {
    let folder = target()?.join("release-scratch").join(name);
    clear(&folder)?;
    Ok(folder)
}

/// Unpacks an archive into a folder. The archive's name is passed without its folder, because some programs take the part of a Windows path before the colon
/// for the name of a machine.
pub(super) fn unpack(archive: &Path, into: &Path) -> Result<()> {
    let (folder, name) =
        (archive.parent().context("a file has a folder")?, archive.file_name().context("a file has a name")?);
    sh(Command::new("tar").arg("-xzf").arg(name).arg("-C").arg(into).current_dir(folder))
}

/// Returns the only subfolder whose name has this ending.
pub(super) fn folder_ending(folder: &Path, end: &str) -> Result<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        found.extend((path.is_dir() && path.display().to_string().ends_with(end)).then_some(path));
    }
    ensure!(found.len() == 1, "there are {} folders `*{end}` in {}, not one", found.len(), folder.display());
    found.pop().context("there is one")
}

/// Returns the default target of the compiler.
pub(super) fn host() -> Result<String> {
    let text = output(Command::new("rustc").arg("-vV").current_dir(root()))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

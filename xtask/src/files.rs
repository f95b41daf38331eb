//! The repository's files by their extension.

use crate::shell::root;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Returns the files with one of these extensions in a folder and in the folders below it, in order.
pub(crate) fn files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let list = || format!("cannot list {}", folder.display());
    let mut entries = folder.read_dir().with_context(list)?.collect::<Result<Vec<_>, _>>().with_context(list)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.path();
        if entry.file_type().with_context(list)?.is_dir() {
            if !is_foreign(&path) {
                found.extend(files(&path, extensions)?);
            }
        } else if path.extension().is_some_and(|own| extensions.iter().any(|other| own == *other)) && !path.is_symlink()
        {
            found.push(path);
        }
    }
    Ok(found)
}

/// Returns whether a folder is hidden or contains only files that a tool has made or installed.
fn is_foreign(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || ["target", "node_modules", "dist"].contains(&&*name) || folder.ends_with("npm/build")
}

/// Returns the path of a file in the repository, with slashes.
pub(crate) fn name(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

pub(crate) fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

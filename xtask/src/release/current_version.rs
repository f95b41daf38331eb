//! The version of the packages of this checkout.

use crate::shell::root;
use anyhow::{Context, Result};
use std::path::Path;

/// Returns the version of the packages.
pub(super) fn current() -> Result<String> {
    current_in(&root())
}

/// Returns the version of the packages of the checkout in a folder.
pub(super) fn current_in(folder: &Path) -> Result<String> {
    let file = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let version = text.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    Ok(version.context("the workspace's Cargo.toml has no version")?.to_owned())
}

//! The sources of the interface, and the programs among them.

use anyhow::{Context, Result};
use std::path::PathBuf;

/// The folder of the interface, below the workspace's folder.
pub(super) const CAPI: &str = "crates/hitscan-capi";

/// A source file of a program.
pub(super) struct Program {
    pub(super) source: PathBuf,
    pub(super) name: String,
}

impl Program {
    pub(super) fn new(source: PathBuf) -> Result<Self> {
        let name = source.file_stem().and_then(|name| name.to_str()).context("a source has a name")?.to_owned();
        Ok(Self { source, name })
    }

    pub(super) fn is_c(&self) -> bool {
        self.source.extension().is_some_and(|extension| extension == "c")
    }

    /// Returns whether the program forks. A child has the memory of its parent's threads but not the threads, so Valgrind would report this
    /// memory as leaked.
    pub(super) fn is_forking(&self) -> bool {
        self.name == "forks"
    }

    /// Returns whether the program opens a window.
    pub(super) fn is_game(&self) -> bool {
        self.name == "game"
    }
}

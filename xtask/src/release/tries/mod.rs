//! Installs each package in a fresh folder outside of the repository, and uses it.

mod c;
mod node;
mod python;
mod rust;
mod trial_file;

use super::options::Kind;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Tries the packages of the chosen kinds.
pub(super) fn run(packages: &Path, kinds: &[Kind], version: &str) -> Result<()> {
    let fresh = std::env::temp_dir().join(format!("hitscan-{version}-{}", std::process::id()));
    for &kind in kinds {
        println!("\n== trying {}", kind.name());
        let folder = fresh.join(kind.name());
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let packages = packages.join(kind.name());
        match kind {
            Kind::Crates => rust::run(&packages, version, &folder),
            Kind::Wheel => python::run_wheel(&packages, &folder),
            Kind::Sdist => python::run_source(&packages, &folder),
            Kind::Npm => node::run(&packages, &folder),
            Kind::C => c::run(&packages, &folder),
        }
        .with_context(|| format!("the packages `{}` in {}", kind.name(), folder.display()))?;
        println!("== {} works", kind.name());
    }
    fs::remove_dir_all(&fresh).with_context(|| format!("cannot remove {}", fresh.display()))
}

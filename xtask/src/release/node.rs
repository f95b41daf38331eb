//! The package for JavaScript.

use super::manifest::NPM;
use super::{folders, notices};
use crate::npm;
use crate::paths;
use crate::shell::{root, run};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Builds the package and packs it.
pub(super) fn pack(out: &Path) -> Result<()> {
    npm::build()?;
    pack_built(out)?;
    check_file(&super::wheel::newest(out, "tgz")?)
}

fn pack_built(out: &Path) -> Result<()> {
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    // The script `prepack` would build the folder `dist` again, which already exists.
    let mut command = Command::new("npm");
    run(command.args(["pack", "--ignore-scripts", "--pack-destination"]).arg(out).current_dir(root().join("npm")))
}

/// Packs the last build, and checks the package.
pub(super) fn check() -> Result<()> {
    let folder = folders::scratch("npm-package")?;
    pack_built(&folder)?;
    check_file(&super::wheel::newest(&folder, "tgz")?)
}

fn check_file(package: &Path) -> Result<()> {
    let folder = folders::scratch("npm")?;
    folders::unpack(package, &folder)?;
    notices::ensure_beside(&NPM, &folder.join("package"))?;
    paths::ensure_none_below(&folder)
}

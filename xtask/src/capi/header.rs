//! The header, which cbindgen makes from the Rust source.

use super::program::CAPI;
use crate::shell::{root, run, target};
use crate::tools::CBINDGEN;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

fn committed() -> PathBuf {
    root().join(CAPI).join("include/hitscan.h")
}

/// Writes the header into the repository.
pub(super) fn update() -> Result<()> {
    let Some(cbindgen) = CBINDGEN.program()? else { return Ok(()) };
    generate(&cbindgen, &committed())
}

/// Fails if the header in the repository differs from the one that cbindgen makes now.
pub(super) fn check() -> Result<()> {
    let Some(cbindgen) = CBINDGEN.program()? else { return Ok(()) };
    let folder = target()?.join("capi");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let fresh = folder.join("hitscan.h");
    generate(&cbindgen, &fresh)?;
    let read = |path: &Path| std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let is_same = read(&fresh)? == read(&committed())?;
    ensure!(is_same, "{} differs from the source: run `cargo xtask capi --header`", committed().display());
    Ok(())
}

fn generate(cbindgen: &Path, header: &Path) -> Result<()> {
    let folder = root().join(CAPI);
    let mut command = Command::new(cbindgen);
    command.args(["--quiet", "--config", "cbindgen.toml", "--output"]).arg(header).arg(".");
    run(command.current_dir(folder))
}

//! Paths of the building machine, which must not be in published programs.

use crate::binary;
use crate::shell::{files_below, root};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The character between flags in `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\u{1f}";

fn home() -> Option<PathBuf> {
    std::env::home_dir()
}

fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(home()?.join(".cargo")))
}

/// Makes cargo compile without the paths of this machine: messages of panics have names from `/hitscan` and `/cargo` instead. The flags also reach rustc.
pub(crate) fn remap<'a>(command: &'a mut Command, flags: &str) -> &'a mut Command {
    // Cargo ignores the flags in `RUSTFLAGS` if the other variable is set, so they are copied.
    let inherited = std::env::var("RUSTFLAGS").unwrap_or_default();
    let mut all: Vec<String> =
        inherited.split_whitespace().chain(flags.split_whitespace()).map(str::to_owned).collect();
    let folders = [(cargo_home(), "/cargo"), (Some(root()), "/hitscan")];
    let folders = folders.into_iter().filter_map(|(folder, name)| Some((folder?, name)));
    all.extend(folders.map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display())));
    command.env("CARGO_ENCODED_RUSTFLAGS", all.join(SEPARATOR))
}

/// Fails if a file below a folder has a path of this machine in it.
pub(crate) fn ensure_none_below(folder: &Path) -> Result<()> {
    let folders: Vec<String> =
        [home(), cargo_home(), Some(root())].into_iter().flatten().map(|path| path.display().to_string()).collect();
    // With a slash at the end, `/root` is not found in `/rootless`.
    let told = folders.iter().filter(|path| path.len() > 1).flat_map(|path| [format!("{path}/"), format!("{path}\\")]);
    let told: Vec<String> = told.collect();
    for file in files_below(folder)? {
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let found = told.iter().find(|path| binary::contains(&bytes, path.as_bytes()));
        ensure!(
            found.is_none(),
            "{} has the path {} of this machine in it",
            file.display(),
            found.map_or("", |path| path)
        );
    }
    Ok(())
}

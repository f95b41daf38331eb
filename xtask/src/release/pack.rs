//! Packs this checkout as it is.

use super::command::output;
use super::options::{Kind, Options};
use super::{archive, crates, node, version, wheel};
use crate::shell::{root, run as sh, target};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes packages of the kinds that are chosen, each in a folder of its own below one.
pub(super) fn run(options: &Options) -> Result<()> {
    super::check()?;
    let version = version::current()?;
    let out = options.out.clone().map_or_else(|| Ok(target()?.join("packages")), Ok::<_, anyhow::Error>)?;
    for &kind in &options.kinds {
        println!("\n== {} {version}", kind.name());
        let folder = out.join(kind.name());
        clear(&folder)?;
        match kind {
            Kind::Crates => crates::pack(&folder, &version),
            Kind::Wheel => wheel::pack(&folder, options),
            Kind::Sdist => wheel::pack_source(&folder),
            Kind::Npm => node::pack(&folder),
            Kind::C => archive::pack(&folder, options, &version),
        }
        .with_context(|| format!("the packages `{}`", kind.name()))?;
    }
    list(&out)
}

/// Prints the files that go out with their sizes.
pub(super) fn list(out: &Path) -> Result<()> {
    println!("\n== what goes out, in {}", out.display());
    for kind in Kind::ALL {
        let folder = out.join(kind.name());
        for file in if folder.is_dir() { files_below(&folder)? } else { Vec::new() } {
            let size = file.metadata()?.len();
            println!("{size:>10}  {}", file.strip_prefix(out).unwrap_or(&file).display());
        }
    }
    Ok(())
}

/// Makes a folder that is empty.
fn clear(folder: &Path) -> Result<()> {
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

/// Unpacks an archive into a folder. The archive is named without its folder, as some programs take the colon of a Windows path for that of another machine.
pub(super) fn unpack(archive: &Path, into: &Path) -> Result<()> {
    let (folder, name) =
        (archive.parent().context("a file has a folder")?, archive.file_name().context("a file has a name")?);
    sh(Command::new("tar").arg("-xzf").arg(name).arg("-C").arg(into).current_dir(folder))
}

/// Returns the files in a folder and in those in it, in order.
pub(super) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the only folder in a folder whose name ends like this.
pub(super) fn folder_ending(folder: &Path, end: &str) -> Result<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        found.extend((path.is_dir() && path.display().to_string().ends_with(end)).then_some(path));
    }
    ensure!(found.len() == 1, "there are {} folders `*{end}` in {}, not one", found.len(), folder.display());
    found.pop().context("there is one")
}

/// Returns the target that the compiler builds for by itself.
pub(super) fn host() -> Result<String> {
    let text = output(Command::new("rustc").arg("-vV").current_dir(root()))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

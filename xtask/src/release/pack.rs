//! Packs this checkout as it is.

use super::folders::clear;
use super::options::{Kind, Options};
use super::{archive, contents, crates, current_version, node, wheel};
use crate::shell::{files_below, target};
use anyhow::{Context, Result};
use std::path::Path;

/// Makes packages of the chosen kinds, each in a separate subfolder.
pub(super) fn run(options: &Options) -> Result<()> {
    contents::check()?;
    let version = current_version::current()?;
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

/// Prints the published files with their sizes.
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

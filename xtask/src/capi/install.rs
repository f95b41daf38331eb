//! The installed libraries, with the headers and the files of pkg-config and CMake.

use super::platform::{Development, Platform};
use super::program::CAPI;
use crate::shell::{cargo, root, run, target};
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Builds the libraries, and installs them with all other files below a prefix.
pub(super) fn install(prefix: &Path) -> Result<()> {
    // The names of the files are the same on all processors of a system.
    const LINUX: &str = "x86_64-unknown-linux-gnu";
    ensure!(
        cfg!(target_os = "linux"),
        "this installs on Linux. Elsewhere `cargo xtask release pack --only c` makes an archive of the libraries and what finds them"
    );
    let mut command = cargo(&["rustc", "--package", "hitscan-capi", "--lib", "--release", "--crate-type"]);
    run(command.args(["cdylib,staticlib", "--", &flags(LINUX)]))?;
    install_built(&target()?.join("release"), LINUX, prefix)
}

/// Returns the flags of rustc that give the shared library of a target its name.
pub(super) fn flags(triple: &str) -> String {
    Platform::of(triple).map_or(String::new(), |platform| platform.flags.to_owned())
}

/// Installs built libraries below a prefix, with the headers and the files of pkg-config and CMake.
pub(super) fn install_built(built: &Path, triple: &str, prefix: &Path) -> Result<()> {
    let platform = Platform::of(triple).with_context(|| format!("no names of libraries are known for {triple}"))?;
    let source = root().join(CAPI);
    let (from, to) = platform.shared;
    copy(&built.join(from), &prefix.join(to))?;
    match platform.development {
        Development::Link(name) => link(to.rsplit('/').next().unwrap_or(to), &prefix.join(name))?,
        Development::ImportLibrary(from, to) => copy(&built.join(from), &prefix.join(to))?,
    }
    copy(&built.join(platform.archive.0), &prefix.join(platform.archive.1))?;
    for header in ["hitscan.h", "hitscan.hpp"] {
        copy(&source.join("include").join(header), &prefix.join("include").join(header))?;
    }
    fill(&platform, &source.join("pkg/hitscan.pc.in"), &prefix.join("lib/pkgconfig/hitscan.pc"))?;
    for name in ["hitscanConfig.cmake", "hitscanConfigVersion.cmake"] {
        let template = source.join("pkg").join(format!("{name}.in"));
        fill(&platform, &template, &prefix.join("lib/cmake/hitscan").join(name))?;
    }
    Ok(())
}

fn make_folder_of(file: &Path) -> Result<()> {
    let folder = file.parent().context("a file has a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    make_folder_of(to)?;
    // A running program may have mapped the old file.
    let _ = std::fs::remove_file(to);
    std::fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

#[cfg(unix)]
fn link(to: &str, link: &Path) -> Result<()> {
    let _ = std::fs::remove_file(link);
    std::os::unix::fs::symlink(to, link).with_context(|| format!("cannot make the link {}", link.display()))
}

#[cfg(not(unix))]
fn link(_to: &str, link: &Path) -> Result<()> {
    anyhow::bail!("cannot make the link {} on this system", link.display())
}

/// Writes a template with its names filled in.
fn fill(platform: &Platform, template: &Path, to: &Path) -> Result<()> {
    make_folder_of(to)?;
    let text = std::fs::read_to_string(template).with_context(|| format!("cannot read {}", template.display()))?;
    let text = text.replace("@VERSION@", &version()?).replace("@SYSTEM@", platform.system);
    let text = text.replace("@SHARED@", &platform.cmake()).replace("@ARCHIVE@", platform.archive.1);
    std::fs::write(to, text).with_context(|| format!("cannot write {}", to.display()))
}

/// Returns the version of the workspace's packages.
fn version() -> Result<String> {
    let manifest =
        std::fs::read_to_string(root().join("Cargo.toml")).context("cannot read the workspace's Cargo.toml")?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    Ok(version.context("the workspace's Cargo.toml has no version")?.to_owned())
}

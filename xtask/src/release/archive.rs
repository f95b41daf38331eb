//! The archive of the C library for a target: libraries, headers, the files of pkg-config and CMake, notices and the page about the
//! library.

use super::manifest::C;
use super::options::{Options, Reach};
use super::{folders, notices};
use crate::capi;
use crate::paths;
use crate::python::Environment;
use crate::shell::{cargo, root, run, target};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages of zig, which links the libraries, and of the cargo command that calls it.
const ZIG: [&str; 2] = ["ziglang==0.15.2", "cargo-zigbuild==0.24.1"];

/// The version of glibc that portable libraries need.
const GLIBC: &str = "2.17";

/// Builds the libraries and packs them with all other files of the archive.
pub(super) fn pack(out: &Path, options: &Options, version: &str) -> Result<()> {
    let triple = options.target.clone().map_or_else(folders::host, Ok)?;
    let name = format!("hitscan-c-{version}-{triple}");
    let folder = folders::scratch("c")?;
    let prefix = folder.join(&name);
    capi::install_built(&build(options, &triple)?, &triple, &prefix)?;
    let documents = prefix.join("share/doc/hitscan");
    fs::create_dir_all(&documents).with_context(|| format!("cannot make {}", documents.display()))?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "docs/c.md"] {
        copy_into(&root().join(file), &documents)?;
    }
    copy_into(&C.notices(), &documents)?;
    notices::ensure_beside(&C, &documents)?;
    paths::ensure_none_below(&prefix)?;
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    run(Command::new("tar")
        .arg("-czf")
        .arg(format!("{name}.tar.gz"))
        .arg("-C")
        .arg(&folder)
        .arg(&name)
        .current_dir(out))
}

fn copy_into(file: &Path, folder: &Path) -> Result<()> {
    let to = folder.join(file.file_name().context("a file has a name")?);
    fs::copy(file, &to).with_context(|| format!("cannot copy {} to {}", file.display(), to.display()))?;
    Ok(())
}

/// Builds the libraries in a separate folder, because of their flags, and returns their folder.
fn build(options: &Options, triple: &str) -> Result<PathBuf> {
    let folder = target()?.join("c");
    let mut command = match options.reach {
        Reach::Here => cargo(&["rustc"]),
        Reach::Portable => zigbuild()?,
    };
    let is_glibc = options.reach == Reach::Portable && triple.ends_with("-gnu");
    let target = if is_glibc { format!("{triple}.{GLIBC}") } else { triple.to_owned() };
    command.args([
        "--locked",
        "--package",
        "hitscan-capi",
        "--lib",
        "--release",
        "--crate-type",
        "cdylib,staticlib",
        "--target",
    ]);
    command.arg(target).arg("--target-dir").arg(&folder);
    run(paths::remap(&mut command, &capi::flags(triple)))?;
    Ok(folder.join(triple).join("release"))
}

/// Returns cargo's command that links with zig.
fn zigbuild() -> Result<Command> {
    let environment = Environment::with_maturin("venv-release")?;
    environment.module("pip", &[&["install", "--quiet", "--disable-pip-version-check"], &ZIG[..]].concat())?;
    let mut command = environment.tool("cargo-zigbuild");
    // The command finds zig by the first Python of the path.
    command.args(["rustc"]).current_dir(root()).env("PATH", environment.path()?).env("CARGO_INCREMENTAL", "0");
    Ok(command)
}

//! The wheel and the source distribution of the Python package.

use super::manifest::PYTHON;
use super::options::{Options, Reach};
use super::{folders, notices};
use crate::paths;
use crate::python::{Environment, interpreter};
use crate::shell::{files_below, run, target};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package of zig, which can link for old systems and for any target of Rust.
const ZIG: &str = "ziglang==0.15.2";

/// Builds a wheel in a separate environment with maturin, and checks it.
pub(super) fn pack(out: &Path, options: &Options) -> Result<()> {
    let environment = Environment::with_maturin("venv-release")?;
    let mut build = environment.python();
    build.args(["-m", "maturin", "build", "--release", "--locked", "--out"]).arg(out).arg("--interpreter");
    build.arg(environment.program()).env("CARGO_TARGET_DIR", target()?.join("python"));
    if let Some(triple) = &options.target {
        build.args(["--target", triple]);
    }
    if options.reach == Reach::Portable {
        environment.module("pip", &["install", "--quiet", "--disable-pip-version-check", ZIG])?;
        build.arg("--zig").args(["--compatibility", compatibility(options)]);
        // maturin finds zig by the first Python of the path.
        build.env("PATH", environment.path()?);
    }
    run(paths::remap(&mut build, ""))?;
    check(&newest(out, "whl")?)
}

/// Returns pip's name for the systems on which a portable wheel runs.
fn compatibility(options: &Options) -> &'static str {
    let is_musl = options.target.as_deref().is_some_and(|triple| triple.contains("musl"));
    if is_musl { "musllinux_1_2" } else { "manylinux2014" }
}

/// Makes the source distribution.
pub(super) fn pack_source(out: &Path) -> Result<()> {
    let environment = Environment::with_maturin("venv-release")?;
    let mut sdist = environment.python();
    sdist.args(["-m", "maturin", "sdist", "--out"]).arg(out).env("CARGO_TARGET_DIR", target()?.join("python"));
    run(&mut sdist)?;
    let folder = folders::scratch("sdist")?;
    folders::unpack(&newest(out, "gz")?, &folder)?;
    let unpacked = only_folder(&folder)?;
    for name in
        ["PKG-INFO", "pyproject.toml", "LICENSE-MIT", "LICENSE-APACHE", "hitscan.cdx.json", super::manifest::FILE]
    {
        let is_there = files_below(&unpacked)?.iter().any(|file| file.ends_with(name));
        ensure!(is_there, "the source distribution has no {name}");
    }
    paths::ensure_none_below(&unpacked)
}

/// Fails if a wheel lacks a licence, a notice, an address or its list of parts, or has a path of this machine.
pub(super) fn check(wheel: &Path) -> Result<()> {
    let folder = folders::scratch("wheel")?;
    let python = interpreter().context("there is no Python, which unpacks the wheel")?;
    run(Command::new(python).args(["-m", "zipfile", "-e"]).arg(wheel).arg(&folder))?;
    let info = folders::folder_ending(&folder, ".dist-info")?;
    notices::ensure_beside(&PYTHON, &info.join("licenses"))?;
    let metadata = fs::read_to_string(info.join("METADATA")).context("the wheel has no METADATA")?;
    for field in ["Project-URL: ", "License-Expression: MIT OR Apache-2.0", "License-File: ", "Requires-Python: "] {
        ensure!(metadata.lines().any(|line| line.starts_with(field)), "the METADATA of the wheel has no `{field}`");
    }
    ensure!(info.join("sboms").is_dir(), "the wheel has no list of its parts in {}", info.join("sboms").display());
    paths::ensure_none_below(&folder)
}

fn only_folder(folder: &Path) -> Result<PathBuf> {
    folders::folder_ending(folder, "")
}

/// Returns the only file with an extension.
pub(super) fn newest(folder: &Path, extension: &str) -> Result<PathBuf> {
    let files = files_below(folder)?;
    let mut found = files.into_iter().filter(|file| file.extension().is_some_and(|its| its == extension));
    let file = found.next().with_context(|| format!("there is no .{extension} in {}", folder.display()))?;
    ensure!(found.next().is_none(), "there are several .{extension} in {}", folder.display());
    Ok(file)
}

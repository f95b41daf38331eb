//! The crates for crates.io: checks the contents of their packages, and makes, copies and unpacks the packages.

use super::command::output;
use crate::shell::{cargo, files_below, root, run, target};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// The published crates, in an order in which each depends only on earlier ones, and the largest size of a package.
pub(super) const CRATES: [(&str, u64); 3] = [("hitscan", 1_500_000), ("hitscan-io", 160_000), ("hitscan-cli", 200_000)];

/// Files and folders that a package may have, in addition to the files that cargo adds.
const ALLOWED: [&str; 10] = [
    "src/",
    "examples/",
    "build.rs",
    "README.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "Cargo.toml",
    "Cargo.toml.orig",
    "Cargo.lock",
    ".cargo_vcs_info.json",
];

/// Fails if a package would have a wrong file or lack a required one. It also fails if a README has a broken link, or if a unit test would not compile.
pub(super) fn check_contents() -> Result<()> {
    for (name, _) in CRATES {
        let list = output(&mut cargo(&["package", "--package", name, "--list", "--allow-dirty"]))?;
        let files: Vec<&str> = list.lines().collect();
        for needed in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "src/"] {
            let is_there = files.iter().any(|file| file.starts_with(needed));
            ensure!(is_there, "the package of {name} has no {needed}");
        }
        let is_allowed =
            |file: &str| ALLOWED.iter().any(|start| file == *start || start.ends_with('/') && file.starts_with(start));
        if let Some(other) = files.iter().find(|file| !is_allowed(&file.replace('\\', "/"))) {
            bail!("the package of {name} has {other}: `include` in crates/{name}/Cargo.toml says what belongs into it");
        }
        let folder = root().join("crates").join(name);
        check_links(&folder.join("README.md"))?;
        check_packaged_tests(&folder)?;
    }
    Ok(())
}

/// The crate that tests share. It is not published, and the manifest of a package does not name it.
const UNPUBLISHED: &str = "hitscan_random";

/// Fails if a unit test needs a crate that is not published. Unit tests are in the package, and such a test would not
/// compile there.
fn check_packaged_tests(folder: &Path) -> Result<()> {
    for file in files_below(&folder.join("src"))? {
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        ensure!(
            !text.contains(UNPUBLISHED),
            "{} names {UNPUBLISHED}, which is not published: use the library's own `math::random`, or move the test to `tests`",
            file.display()
        );
    }
    Ok(())
}

/// Fails if a relative link of a README leads to no file. crates.io resolves these links from the folder of the crate in the
/// repository.
fn check_links(readme: &Path) -> Result<()> {
    let text = fs::read_to_string(readme).with_context(|| format!("cannot read {}", readme.display()))?;
    let folder = readme.parent().context("a file has a folder")?;
    for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        let file = link.split('#').next().unwrap_or_default();
        let is_there = link.starts_with("https://") || file.is_empty() || folder.join(file).exists();
        ensure!(is_there, "{} has a link to {link}, which is not there", readme.display());
    }
    Ok(())
}

/// Makes the packages, builds their contents, and copies them.
pub(super) fn pack(out: &Path, version: &str) -> Result<()> {
    check_contents()?;
    let mut command = cargo(&["package", "--locked"]);
    run(command.args(CRATES.iter().flat_map(|(name, _)| ["--package", name])))?;
    fs::create_dir_all(out)?;
    for (name, most) in CRATES {
        let file = file(&target()?.join("package"), name, version);
        let size = file.metadata().with_context(|| format!("cargo made no {}", file.display()))?.len();
        ensure!(size <= most, "{} has {size} bytes, more than {most}", file.display());
        fs::copy(&file, out.join(file.file_name().context("a package has a name")?))?;
    }
    Ok(())
}

pub(super) fn file(folder: &Path, name: &str, version: &str) -> PathBuf {
    folder.join(format!("{name}-{version}.crate"))
}

/// Unpacks the packages into a folder, and returns the arguments with which cargo finds them there instead of in the registry.
pub(super) fn unpack(packages: &Path, version: &str, into: &Path) -> Result<Vec<String>> {
    let mut patches = Vec::new();
    for (name, _) in CRATES {
        let package = file(packages, name, version);
        super::folders::unpack(&package, into)?;
        let folder = into.join(format!("{name}-{version}"));
        ensure!(!files_below(&folder)?.is_empty(), "{} is empty", package.display());
        patches
            .extend(["--config".to_owned(), format!("patch.crates-io.{name}.path={:?}", folder.display().to_string())]);
    }
    Ok(patches)
}

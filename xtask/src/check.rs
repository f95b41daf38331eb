//! `cargo xtask check` is the quick check between two changes. It checks formatting and prose everywhere, and lints and
//! unit tests of the packages that have changed.

use crate::shell::{cargo, root, run};
use crate::{gate, prose};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// Checks the named packages, or the packages whose files differ from the last commit.
pub(crate) fn run_with(names: &[&str]) -> Result<()> {
    let named = || names.iter().map(|&name| name.to_owned()).collect();
    let packages = if names.is_empty() { packages(&status()?) } else { named() };
    for package in &packages {
        ensure!(folder(package).is_dir(), "there is no package `{package}`");
    }
    gate::formatting()?;
    prose::check()?;
    for package in &packages {
        run(cargo(&["clippy", "--package", package]).args(["--lib", "--bins", "--tests", "--", "--deny", "warnings"]))?;
        let targets = if folder(package).join("src/lib.rs").is_file() { "--lib" } else { "--bins" };
        run(cargo(&["test", "--package", package]).arg(targets))?;
    }
    if packages.is_empty() {
        println!("no package differs from the last commit: name those to lint and test");
    }
    Ok(())
}

/// Returns the folder of a package.
fn folder(package: &str) -> PathBuf {
    if package == "xtask" { root().join(package) } else { root().join("crates").join(package) }
}

/// Returns the lines of `git status` for the files that differ from the last commit.
fn status() -> Result<String> {
    let mut command = Command::new("git");
    let output = command.args(["status", "--porcelain", "--untracked-files=all"]).current_dir(root()).output();
    let output = output.context("cannot start `git status`: name the packages to check")?;
    ensure!(output.status.success(), "`git status` failed: name the packages to check");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the packages to which the files in lines of `git status` belong. The fuzz targets are checked as a package
/// of the workspace.
fn packages(status: &str) -> BTreeSet<String> {
    let files = status.lines().filter_map(|line| line.get(3..)).flat_map(|files| files.split(" -> "));
    files
        .filter_map(|file| {
            let mut folders = file.split('/');
            match (folders.next()?, folders.next()?) {
                // The Python package is not in this workspace; the step `python` checks it.
                ("crates", "hitscan-py") => None,
                ("crates", package) => Some(package),
                ("fuzz", "src") => Some("hitscan-fuzz-checks"),
                ("xtask", _) => Some("xtask"),
                _ => None,
            }
        })
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::packages;

    #[test]
    fn packages_follow_from_changed_files() {
        let status = " M crates/hitscan/src/lib.rs\nR  crates/hitscan-io/a.rs -> crates/hitscan-cli/a.rs\n?? xtask/src/new.rs\n\
                      M  fuzz/src/mesh.rs\n M Cargo.toml\n M docs/bvh.md\n";
        let expected = ["hitscan", "hitscan-cli", "hitscan-fuzz-checks", "hitscan-io", "xtask"];
        assert_eq!(packages(status).into_iter().collect::<Vec<_>>(), expected);
        assert!(packages(" M README.md\n?? crates/hitscan-py/src/new.rs\n").is_empty());
    }
}

//! A release from a clone of the last commit, so that nothing else can get into the packages.

use super::command::output;
use super::options::{Options, Purpose};
use super::{address, changelog, current_version, pack, tries, version};
use crate::shell::{root, run as sh, target};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The file that marks the folder of a release, which may be overwritten.
const MARK: &str = "RELEASE";

/// Shows everything that a release would publish, or prepares it: versions, changelog, commit and tag.
pub(super) fn run(version: &str, options: &Options) -> Result<()> {
    version::ensure_is_version(version)?;
    if options.purpose == Purpose::Prepare {
        address::ensure_filled_in()?;
        ensure!(
            changes()?.is_empty(),
            "the checkout has changes that are not committed: a release is made of a commit"
        );
        ensure!(
            output(git(&root()).args(["tag", "--list", &tag(version)]))?.is_empty(),
            "there is a tag {} already",
            tag(version)
        );
    } else if !changes()?.is_empty() {
        println!("note: changes that are not committed are not in these packages");
    }
    let out =
        options.out.clone().map_or_else(|| Ok(target()?.join(format!("release-{version}"))), Ok::<_, anyhow::Error>)?;
    start(&out)?;
    let source = out.join("source");
    sh(git(&root()).args(["clone", "--quiet", "--no-hardlinks", "."]).arg(&source))?;
    commit(&source, version)?;
    // The clone's own commands pack it, so that the packages do not depend on this checkout.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--quiet", "--locked", "--package", "xtask", "--", "release", "pack", "--out"]).arg(&out);
    command.args(["--only", &options.kinds()]);
    sh(command.current_dir(&source).env("CARGO_TARGET_DIR", target()?.join("release-build")))?;
    if options.is_tried {
        tries::run(&out, &options.kinds, version)?;
    }
    pack::list(&out)?;
    if options.purpose == Purpose::Show {
        println!("\nNothing was changed, committed or published.");
        return Ok(());
    }
    commit(&root(), version)?;
    sh(git(&root()).args(["tag", "--annotate", &tag(version), "--message", &format!("hitscan {version}")]))?;
    println!(
        "\nVersion {version} is committed and tagged. `git push --follow-tags` publishes it: the workflow `release` does the rest."
    );
    Ok(())
}

/// Fails if the tag does not belong to this checkout's version, or if a placeholder is left.
pub(super) fn ensure_tagged(name: &str) -> Result<()> {
    let version = current_version::current()?;
    ensure!(name == tag(&version), "the tag is {name}, and the packages have version {version}");
    address::ensure_filled_in()?;
    changelog::ensure_released(&version)
}

fn tag(version: &str) -> String {
    format!("v{version}")
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder);
    command
}

/// Returns the differences from the last commit.
fn changes() -> Result<String> {
    output(git(&root()).args(["status", "--porcelain"]))
}

/// Makes the folder for the packages, and removes the packages of an earlier run.
fn start(out: &Path) -> Result<()> {
    let is_empty =
        !out.exists() || out.read_dir().with_context(|| format!("cannot list {}", out.display()))?.next().is_none();
    ensure!(is_empty || out.join(MARK).is_file(), "{} is not empty, and not of an earlier release", out.display());
    if !is_empty {
        fs::remove_dir_all(out).with_context(|| format!("cannot remove {}", out.display()))?;
    }
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    fs::write(out.join(MARK), "Packages that `cargo xtask release` made.\n").context("cannot write the mark")
}

/// Writes the version everywhere and commits that, if it differs.
fn commit(folder: &Path, version: &str) -> Result<()> {
    version::bump(folder, version)?;
    if output(git(folder).args(["status", "--porcelain"]))?.is_empty() {
        return Ok(());
    }
    let mut command = git(folder);
    if folder != root() {
        // This commit in the clone is discarded, and a clone has no configured author.
        command.args(["-c", "user.name=hitscan", "-c", "user.email=release@localhost"]);
    }
    sh(command.args(["commit", "--quiet", "--all", "--message", &format!("Release {version}")]))
}

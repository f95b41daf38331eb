//! The comparison of the public interface with the last release, by cargo-semver-checks. Before 1.0, a minor version may break the interface, and a list names
//! each intended break.

use super::command::output;
use super::crates::CRATES;
use crate::shell::{cargo, root, target};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The intended breaks since the last release, one a line.
const ALLOWED: &str = "xtask/semver-allowed.txt";

/// The comment at the beginning of the list. After a release, the list has nothing else.
const HEAD: &str = "\
# Breaks of the public interface since the last release that are meant. `cargo xtask test semver` prints the line of each break.
# A release empties this list.
";

/// Compares the library and hitscan-io with the last tag of a release. Without such a tag there is nothing to compare with, and
/// cargo-semver-checks is not needed.
pub(super) fn check(find: impl Fn() -> Result<Option<PathBuf>>) -> Result<()> {
    let tags = output(
        Command::new("git")
            .args(["tag", "--list", "v*.*.*", "--merged", "HEAD", "--sort=-version:refname"])
            .current_dir(root()),
    )?;
    let Some(tag) = tags.lines().next() else {
        ensure!(
            read_allowed()?.is_empty(),
            "{ALLOWED} lists breaks of a release, and no release is tagged: `git fetch --tags` brings the tags"
        );
        println!("no release is tagged yet, so no interface has to be kept");
        return Ok(());
    };
    let Some(program) = find()? else { return Ok(()) };
    let allowed = read_allowed()?;
    let breaks = breaks_since(&program, tag)?;
    let new: Vec<&String> = breaks.difference(&allowed).collect();
    let gone: Vec<&String> = allowed.difference(&breaks).collect();
    let lines = |list: &[&String]| list.iter().map(|line| format!("\n  {line}")).collect::<String>();
    ensure!(
        new.is_empty(),
        "the interface breaks since {tag}. Mend it, or put these lines into {ALLOWED} and the changelog:{}",
        lines(&new)
    );
    ensure!(gone.is_empty(), "{ALLOWED} lists breaks that are not there:{}", lines(&gone));
    println!("{} breaks since {tag}, all of them in {ALLOWED}", breaks.len());
    Ok(())
}

fn read_allowed() -> Result<BTreeSet<String>> {
    let text = fs::read_to_string(root().join(ALLOWED)).with_context(|| format!("cannot read {ALLOWED}"))?;
    Ok(text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect())
}

/// Empties the list of a checkout.
pub(super) fn empty_allowed(folder: &Path) -> Result<()> {
    fs::write(folder.join(ALLOWED), HEAD).with_context(|| format!("cannot write {ALLOWED}"))
}

/// Returns the breaks since a tag in the crates that are libraries, each as a line.
fn breaks_since(program: &Path, tag: &str) -> Result<BTreeSet<String>> {
    let mut breaks = BTreeSet::new();
    for (name, _) in CRATES.iter().filter(|(name, _)| *name != "hitscan-cli") {
        let mut command = Command::new(program);
        command.args([
            "semver-checks",
            "--package",
            name,
            "--baseline-rev",
            tag,
            "--release-type",
            "minor",
            "--color",
            "never",
        ]);
        command
            .current_dir(root())
            .env("CARGO", cargo(&[]).get_program())
            .env("CARGO_TARGET_DIR", target()?.join("semver"));
        let output = command.stdin(Stdio::null()).output().context("cannot start cargo-semver-checks")?;
        let told = String::from_utf8_lossy(&output.stdout);
        let found = read_breaks(name, &told);
        let is_plausible = output.status.success() == found.is_empty();
        ensure!(
            is_plausible,
            "cargo-semver-checks failed at {name}:\n{told}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        breaks.extend(found);
    }
    Ok(breaks)
}

/// Reads the output for each kind of break: `--- failure KIND: ...`, and the items after `Failed in:`. The places of items in files are left out, because they
/// change too often.
fn read_breaks(package: &str, told: &str) -> BTreeSet<String> {
    let mut breaks = BTreeSet::new();
    for failure in told.split("--- failure ").skip(1) {
        let kind = failure.split(':').next().unwrap_or_default();
        let items = failure.split_once("Failed in:").map_or("", |(_, items)| items);
        for item in items.lines().skip(1).take_while(|line| line.starts_with("  ")) {
            let item = item.trim();
            let item = [", previously in ", " in file ", " in /"]
                .iter()
                .fold(item, |item, end| item.split(end).next().unwrap_or(item));
            breaks.insert(format!("{package} {kind}: {item}"));
        }
    }
    breaks
}

#[cfg(test)]
mod tests {
    use super::read_breaks;

    #[test]
    fn breaks_are_read_without_the_places_of_their_files() {
        let told = "\n--- failure function_missing: pub fn removed or renamed ---\n\nDescription:\nSome.\n        ref: x\n\nFailed in:\n  \
                    function hitscan::batch, previously in file /a/b.rs:12\n  function hitscan::other in /a/b.rs:3\n\nSummary\n";
        let breaks: Vec<String> = read_breaks("hitscan", told).into_iter().collect();
        assert_eq!(
            breaks,
            ["hitscan function_missing: function hitscan::batch", "hitscan function_missing: function hitscan::other"]
        );
    }
}

//! The sections of CHANGELOG.md, which are the notes of a release.

use super::command::output;
use crate::shell::root;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

const FILE: &str = "CHANGELOG.md";
const UNRELEASED: &str = "## [Unreleased]";

fn read(folder: &Path) -> Result<String> {
    fs::read_to_string(folder.join(FILE)).with_context(|| format!("cannot read {FILE}"))
}

/// Returns the text below the heading of a version.
fn section<'a>(text: &'a str, version: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(&format!("\n## [{version}]"))?;
    let (_, body) = after.split_once('\n')?;
    Some(body.split_once("\n## [").map_or(body, |(body, _)| body).trim())
}

/// Prints the notes of a version, or the unreleased notes if it has none.
pub(super) fn print(version: &str) -> Result<()> {
    let text = read(&root())?;
    let notes = section(&text, version).or_else(|| section(&text, "Unreleased"));
    println!("{}", notes.with_context(|| format!("{FILE} has no section [{version}] and none [Unreleased]"))?);
    Ok(())
}

/// Fails if there is no section for unreleased changes.
pub(super) fn check() -> Result<()> {
    ensure!(section(&read(&root())?, "Unreleased").is_some(), "{FILE} has no line `{UNRELEASED}`");
    Ok(())
}

/// Fails if a version has no section.
pub(super) fn ensure_released(version: &str) -> Result<()> {
    ensure!(section(&read(&root())?, version).is_some(), "{FILE} has no section [{version}]");
    Ok(())
}

/// Puts the heading of a version above the unreleased changes, with the day of the last commit. Nothing changes if the version already has a section.
pub(super) fn release(folder: &Path, version: &str) -> Result<()> {
    let text = read(folder)?;
    if section(&text, version).is_some() {
        return Ok(());
    }
    ensure!(section(&text, "Unreleased").is_some_and(|body| !body.is_empty()), "nothing is unreleased in {FILE}");
    let day = output(Command::new("git").args(["log", "-1", "--format=%cs"]).current_dir(folder))?;
    let text = text.replacen(UNRELEASED, &format!("{UNRELEASED}\n\n## [{version}] - {}", day.trim()), 1);
    fs::write(folder.join(FILE), text).with_context(|| format!("cannot write {FILE}"))
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn a_section_ends_at_the_next_version() {
        let text = "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [0.1.0] - 2026-01-01\n\n- old\n";
        assert_eq!(section(text, "Unreleased"), Some("- new"));
        assert_eq!(section(text, "0.1.0"), Some("- old"));
        assert_eq!(section(text, "0.2.0"), None);
    }
}

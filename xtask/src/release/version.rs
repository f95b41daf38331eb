//! The version, which all packages share.

use super::changelog;
use super::current_version::{current, current_in};
use crate::shell::root;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;

/// A text in a file that contains the version, with `@` in place of the version, and the number of times that the text occurs.
struct Place {
    file: &'static str,
    form: &'static str,
    count: usize,
}

const PLACES: [Place; 4] = [
    Place { file: "Cargo.toml", form: "version = \"@\"", count: 3 },
    Place { file: "crates/hitscan-py/Cargo.toml", form: "\nversion = \"@\"", count: 1 },
    Place { file: "crates/hitscan-web/Cargo.toml", form: "\nversion = \"@\"", count: 1 },
    Place { file: "npm/package.json", form: "\"version\": \"@\"", count: 1 },
];

/// A document that names the minor version, and the text with `@` in place of this version.
const MINOR: (&str, &str) = ("docs/c.md", "find_package(hitscan @ ");

/// The lock file of npm has the version before anything else, and the versions of other packages after it.
const NPM_LOCK: &str = "npm/package-lock.json";

/// The lock files of all workspaces.
const LOCKS: [&str; 6] = [
    "Cargo.lock",
    "fuzz/Cargo.lock",
    "glam-floor/Cargo.lock",
    "examples/window/Cargo.lock",
    "crates/hitscan-py/Cargo.lock",
    "crates/hitscan-web/Cargo.lock",
];

/// Fails unless this is a version of three numbers, which all registries accept.
pub(super) fn ensure_is_version(version: &str) -> Result<()> {
    let parts: Vec<&str> = version.split('.').collect();
    let is_number = |part: &&str| part.parse::<u32>().is_ok_and(|number| number.to_string() == **part);
    let is_version = parts.len() == 3 && parts.iter().all(is_number);
    ensure!(is_version, "`{version}` is no version: it has three numbers, such as 0.2.0");
    Ok(())
}

/// Fails if a file has another version.
pub(super) fn check() -> Result<()> {
    let (folder, version) = (root(), current()?);
    for place in PLACES {
        let found = read(&folder, place.file)?.matches(&place.of(&version)).count();
        let form = place.of(&version);
        ensure!(found == place.count, "{} has `{}` {found} times, not {}", place.file, form.trim(), place.count);
    }
    let (file, form) = (MINOR.0, MINOR.1.replace('@', minor(&version)));
    ensure!(read(&folder, file)?.contains(&form), "{file} does not have `{form}`");
    let npm = read(&folder, NPM_LOCK)?;
    ensure!(npm_lock(&npm, &version, &version).is_some(), "{NPM_LOCK} does not begin with version {version}");
    for file in LOCKS {
        let text = read(&folder, file)?;
        let others: Vec<&str> = own_packages(&text)
            .filter(|(_, other)| *other != version && *other != "0.0.0")
            .map(|(name, _)| name)
            .collect();
        ensure!(others.is_empty(), "{file} does not have version {version} of {}", others.join(", "));
    }
    Ok(())
}

/// Writes a version into all files of a checkout that have one. Makes the unreleased changes the section of this version in the changelog.
pub(super) fn bump(folder: &Path, version: &str) -> Result<()> {
    let old = current_in(folder)?;
    for place in PLACES {
        let text = read(folder, place.file)?.replacen(&place.of(&old), &place.of(version), place.count);
        write(folder, place.file, &text)?;
    }
    let (file, form) = MINOR;
    let (from, to) = (form.replace('@', minor(&old)), form.replace('@', minor(version)));
    write(folder, file, &read(folder, file)?.replace(&from, &to))?;
    let npm = read(folder, NPM_LOCK)?;
    let npm = npm_lock(&npm, &old, version).with_context(|| format!("{NPM_LOCK} does not begin with version {old}"))?;
    write(folder, NPM_LOCK, &npm)?;
    for file in LOCKS {
        let text = read(folder, file)?;
        let own: Vec<String> =
            own_packages(&text).filter(|(_, its)| *its == old).map(|(name, _)| name.to_owned()).collect();
        let bumped = own.iter().fold(text, |text, name| text.replace(&entry(name, &old), &entry(name, version)));
        write(folder, file, &bumped)?;
    }
    super::sbom::bump(folder, version)?;
    super::semver::empty_allowed(folder)?;
    changelog::release(folder, version)
}

/// Returns a version without its last number.
fn minor(version: &str) -> &str {
    version.rsplit_once('.').map_or(version, |(minor, _)| minor)
}

impl Place {
    fn of(&self, version: &str) -> String {
        self.form.replace('@', version)
    }
}

/// Replaces the first two versions in npm's lock file; `None` if they are not the old version.
fn npm_lock(text: &str, old: &str, new: &str) -> Option<String> {
    let form = |version: &str| format!("\"version\": \"{version}\"");
    let mut seen = text.match_indices("\"version\": ").map(|(at, _)| text[at..].starts_with(&form(old)));
    let are_there = seen.next()? && seen.next()?;
    are_there.then(|| text.replacen(&form(old), &form(new), 2))
}

/// Returns names and versions of the packages of a lock file that come from a folder, not from a registry.
fn own_packages(lock: &str) -> impl Iterator<Item = (&str, &str)> {
    lock.split("[[package]]").filter(|package| !package.contains("\nsource = ")).filter_map(|package| {
        let value = |key: &str| package.lines().find_map(|line| line.strip_prefix(key)?.strip_suffix('"'));
        Some((value("name = \"")?, value("version = \"")?)).filter(|(name, _)| name.starts_with("hitscan"))
    })
}

fn entry(name: &str, version: &str) -> String {
    format!("name = \"{name}\"\nversion = \"{version}\"\n")
}

fn read(folder: &Path, file: &str) -> Result<String> {
    fs::read_to_string(folder.join(file)).with_context(|| format!("cannot read {file}"))
}

fn write(folder: &Path, file: &str, text: &str) -> Result<()> {
    fs::write(folder.join(file), text).with_context(|| format!("cannot write {file}"))
}

#[cfg(test)]
mod tests {
    use super::{ensure_is_version, npm_lock, own_packages};

    #[test]
    fn versions_have_three_numbers() {
        assert!(ensure_is_version("0.10.2").is_ok());
        for wrong in ["1.0", "1.0.0-rc.1", "v1.0.0", "01.0.0", "1.0.0.0", "1..0"] {
            assert!(ensure_is_version(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_own_packages_of_a_lock_file_are_bumped() {
        let lock = "[[package]]\nname = \"hitscan\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"hitscan-old\"\nversion = \"0.1.0\"\nsource = \"registry\"\n";
        assert_eq!(own_packages(lock).collect::<Vec<_>>(), [("hitscan", "0.1.0")]);
    }

    #[test]
    fn the_lock_file_of_npm_begins_with_the_version_twice() {
        let lock = r#"{"version": "0.1.0", "packages": {"": {"version": "0.1.0"}, "other": {"version": "0.1.0"}}}"#;
        let bumped = npm_lock(lock, "0.1.0", "0.2.0").unwrap();
        assert_eq!((bumped.matches("0.2.0").count(), bumped.matches("0.1.0").count()), (2, 1));
        assert!(npm_lock(lock, "0.3.0", "0.2.0").is_none());
    }
}

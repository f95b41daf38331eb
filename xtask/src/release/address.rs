//! The address of the repository. `repository` of the workspace's Cargo.toml has it; other files repeat it, as their
//! formats cannot refer to Cargo.toml.

use crate::shell::root;
use anyhow::{Context, Result, ensure};
use std::fs;

/// The placeholder for the address, until the owner fills in the real one.
const PLACEHOLDER: &str = "https://github.com/OWNER/hitscan";

/// The file that has the address, and the files that repeat it.
const SOURCE: &str = "Cargo.toml";
const REPEATED: [&str; 4] = [
    "crates/hitscan-py/pyproject.toml",
    "crates/hitscan-py/README.md",
    "npm/package.json",
    ".github/ISSUE_TEMPLATE/config.yml",
];

fn read(file: &str) -> Result<String> {
    fs::read_to_string(root().join(file)).with_context(|| format!("cannot read {file}"))
}

/// Returns the address.
fn current() -> Result<String> {
    let text = read(SOURCE)?;
    let address = text.lines().find_map(|line| line.strip_prefix("repository = \"")?.strip_suffix('"'));
    Ok(address.with_context(|| format!("{SOURCE} has no line `repository = \"...\"`"))?.to_owned())
}

/// Fails while the address is the placeholder, with which nothing may be published.
pub(super) fn ensure_filled_in() -> Result<()> {
    ensure!(
        current()? != PLACEHOLDER,
        "the repository has no address yet: run `cargo xtask release address https://github.com/OWNER/NAME` with yours, and \
         commit. With `--dry-run` the placeholder is packed"
    );
    Ok(())
}

/// Writes an address into all files that have it.
pub(super) fn set(address: &str) -> Result<()> {
    ensure!(
        is_address(address),
        "`{address}` is not of the form https://github.com/OWNER/NAME, without a slash at the end"
    );
    let old = current()?;
    for file in [SOURCE].into_iter().chain(REPEATED) {
        fs::write(root().join(file), read(file)?.replace(&old, address))
            .with_context(|| format!("cannot write {file}"))?;
    }
    check()?;
    println!("the repository's address is {address}");
    Ok(())
}

/// Returns whether this is an address on GitHub, which has the workflows, trusted publishing and private reports of
/// faults.
fn is_address(address: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
    };
    let path = address.strip_prefix("https://github.com/").and_then(|path| path.split_once('/'));
    path.is_some_and(|(owner, name)| is_word(owner) && is_word(name) && !name.ends_with(".git"))
}

/// Fails if a file repeats another address.
pub(super) fn check() -> Result<()> {
    let address = current()?;
    ensure!(is_address(&address), "`{address}` in {SOURCE} is not of the form https://github.com/OWNER/NAME");
    for file in REPEATED {
        let text = read(file)?;
        ensure!(text.contains(&address), "{file} does not have {address}: run `cargo xtask release address {address}`");
        let is_left = address != PLACEHOLDER && text.contains(PLACEHOLDER);
        ensure!(!is_left, "{file} still has {PLACEHOLDER}: replace it by {address}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn addresses_are_of_one_form() {
        assert!(is_address("https://github.com/some-one/hit.scan"));
        for wrong in [
            "https://github.com/a",
            "https://github.com/a/b/",
            "https://github.com/a/b.git",
            "http://github.com/a/b",
            "",
        ] {
            assert!(!is_address(wrong), "{wrong}");
        }
    }
}

//! The list of parts of the wheel in the format CycloneDX. maturin would write one with the paths of the machine.

use super::current_version;
use super::manifest::{Crate, PYTHON};
use crate::shell::root;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn file() -> PathBuf {
    file_in(&root())
}

fn file_in(folder: &Path) -> PathBuf {
    folder.join(PYTHON.folder).join("hitscan.cdx.json")
}

/// Returns the subject of the list.
fn own(version: &str) -> Value {
    json!({ "type": "library", "bom-ref": "hitscan", "name": "hitscan", "version": version, "purl": format!("pkg:pypi/hitscan@{version}") })
}

fn fresh(crates: &[Crate], version: &str) -> Result<String> {
    let components: Vec<Value> = crates
        .iter()
        .map(|item| {
            let purl = format!("pkg:cargo/{}@{}", item.name, item.version);
            json!({
                "type": "library", "bom-ref": purl, "name": item.name, "version": item.version, "purl": purl,
                "licenses": [{ "expression": item.licence }],
            })
        })
        .collect();
    let about = json!({ "component": own(version) });
    text(
        &json!({ "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": about, "components": components }),
    )
}

fn text(list: &Value) -> Result<String> {
    Ok(serde_json::to_string_pretty(list)? + "\n")
}

/// Writes a version of the package into the list of a checkout.
pub(super) fn bump(folder: &Path, version: &str) -> Result<()> {
    let file = file_in(folder);
    let old = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut list: Value = serde_json::from_slice(&old).with_context(|| format!("{} is no JSON", file.display()))?;
    list["metadata"]["component"] = own(version);
    fs::write(&file, text(&list)?).with_context(|| format!("cannot write {}", file.display()))
}

pub(super) fn write(crates: &[Crate]) -> Result<()> {
    fs::write(file(), fresh(crates, &current_version::current()?)?)
        .with_context(|| format!("cannot write {}", file().display()))
}

/// Fails if the list in the repository does not name the crates that are compiled now.
pub(super) fn check(crates: &[Crate]) -> Result<()> {
    let committed = fs::read_to_string(file()).with_context(|| format!("cannot read {}", file().display()))?;
    let is_same = committed.replace("\r\n", "\n") == fresh(crates, &current_version::current()?)?;
    ensure!(is_same, "{} is not up to date: run `cargo xtask release notices`", file().display());
    Ok(())
}

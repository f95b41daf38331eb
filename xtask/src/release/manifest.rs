//! The crates that a package contains, as cargo resolves them.

use super::command::output;
use crate::shell::{cargo, root};
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub(super) const FILE: &str = "THIRD-PARTY-NOTICES.txt";

/// A package that contains other people's code.
pub(super) struct Product {
    /// The folder of the package's notices.
    pub(super) folder: &'static str,
    pub(super) manifest: &'static str,
    pub(super) package: &'static str,
}

pub(super) const PYTHON: Product =
    Product { folder: "crates/hitscan-py", manifest: "crates/hitscan-py/Cargo.toml", package: "hitscan-py" };
pub(super) const NPM: Product =
    Product { folder: "npm", manifest: "crates/hitscan-web/Cargo.toml", package: "hitscan-web" };
pub(super) const C: Product =
    Product { folder: "crates/hitscan-capi", manifest: "Cargo.toml", package: "hitscan-capi" };

/// A crate by other authors.
#[derive(Clone)]
pub(super) struct Crate {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) licence: String,
    pub(super) repository: String,
    pub(super) folder: PathBuf,
}

impl Product {
    /// Returns the foreign crates that are compiled into the package on any target, sorted by name.
    pub(super) fn crates(&self) -> Result<Vec<Crate>> {
        let known = self.known()?;
        let mut command =
            cargo(&["tree", "--locked", "--prefix", "none", "--format", "{p}", "--manifest-path", self.manifest]);
        command.args(["--package", self.package, "--target", "all", "--edges", "normal,no-proc-macro"]);
        let tree = output(&mut command)?;
        let mut names = BTreeSet::new();
        for line in tree.lines() {
            let mut words = line.split(' ');
            let name = words.next().unwrap_or_default();
            let version = words.next().unwrap_or_default().trim_start_matches('v');
            // The lines of our own crates have the folder as a third word.
            if words.next().is_none_or(|word| word == "(*)") {
                names.insert((name.to_owned(), version.to_owned()));
            }
        }
        let found = |key: &(String, String)| {
            known.get(key).cloned().with_context(|| format!("cargo does not describe {} {}", key.0, key.1))
        };
        names.iter().map(found).collect()
    }

    /// Returns all packages of the product's lock file, by name and version.
    fn known(&self) -> Result<BTreeMap<(String, String), Crate>> {
        let mut command = cargo(&["metadata", "--format-version", "1", "--locked", "--manifest-path", self.manifest]);
        let metadata: Value = serde_json::from_str(&output(&mut command)?).context("cargo's metadata is no JSON")?;
        let packages = metadata["packages"].as_array().context("cargo's metadata has no packages")?;
        Ok(packages
            .iter()
            .filter_map(Crate::read)
            .map(|item| ((item.name.clone(), item.version.clone()), item))
            .collect())
    }

    /// Returns the file with the product's notices.
    pub(super) fn notices(&self) -> PathBuf {
        root().join(self.folder).join(FILE)
    }
}

impl Crate {
    fn read(package: &Value) -> Option<Self> {
        let text = |key: &str| package[key].as_str().map(str::to_owned);
        let folder = PathBuf::from(package["manifest_path"].as_str()?).parent()?.to_owned();
        let licence = text("license").unwrap_or_default().replace('/', " OR ");
        Some(Self {
            name: text("name")?,
            version: text("version")?,
            licence,
            repository: text("repository").unwrap_or_default(),
            folder,
        })
    }
}

//! The dependencies of every workspace, by cargo-deny.

use crate::shell::{root, run};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// The manifests of all workspaces, and the features with which they are checked.
const WORKSPACES: [(&str, &str); 6] = [
    ("Cargo.toml", "hitscan/mint,hitscan/serde,hitscan-cli/window"),
    ("fuzz/Cargo.toml", ""),
    ("glam-floor/Cargo.toml", ""),
    ("examples/window/Cargo.toml", ""),
    ("crates/hitscan-py/Cargo.toml", ""),
    ("crates/hitscan-web/Cargo.toml", ""),
];

/// The warnings about settings that a workspace does not need, which are off. A licence in the settings that no dependency
/// has is a warning in the first workspace alone.
const NOT_IN_ALL: [&str; 5] = [
    "advisory-not-detected",
    "license-exception-not-encountered",
    "unnecessary-skip",
    "unmatched-skip",
    "unmatched-skip-root",
];

/// Checks licences, versions and sources by `deny.toml`, with the cargo-deny at this path.
pub(super) fn check_dependencies(program: &Path) -> Result<()> {
    deny(program, &["licenses", "bans", "sources"])
}

/// Looks for advisories. cargo-deny downloads their database with git.
pub(super) fn check(program: &Path) -> Result<()> {
    deny(program, &["advisories"])
}

fn deny(program: &Path, checks: &[&str]) -> Result<()> {
    let settings = root().join("deny.toml");
    for (manifest, features) in WORKSPACES {
        let mut command = Command::new(program);
        command.arg("--manifest-path").arg(root().join(manifest)).arg("--config").arg(&settings).arg("--locked");
        if !features.is_empty() {
            command.args(["--features", features]);
        }
        command.args(["check", "--hide-inclusion-graph"]);
        if manifest != "Cargo.toml" {
            command.args(["--allow", "license-not-encountered"]);
        }
        // The settings are shared by all workspaces, and no workspace has everything that they name.
        command.args(NOT_IN_ALL.iter().flat_map(|lint| ["--allow", lint]));
        run(command.args(checks).current_dir(root())).with_context(|| format!("the dependencies of {manifest}"))?;
    }
    Ok(())
}

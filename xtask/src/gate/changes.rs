//! Files that have changed since a branch left the main branch, and the inputs of steps.

use crate::shell::root;
use anyhow::{Context, Result, ensure};
use std::process::Command;

/// The names of the main branch, the name at the remote first.
const MAIN: [&str; 2] = ["origin/main", "main"];

/// The files that a step reads, by the beginnings of their paths.
pub(crate) struct Inputs {
    pub(crate) from: &'static [&'static str],
    pub(crate) except: &'static [&'static str],
}

impl Inputs {
    /// The inputs of a step that reads everything.
    pub(crate) const ALL: Self = Self { from: &[""], except: &[] };

    pub(crate) fn contains(&self, file: &str) -> bool {
        let begins = |paths: &[&str]| paths.iter().any(|path| file.starts_with(path));
        begins(self.from) && !begins(self.except)
    }
}

/// Returns the files that differ from the merge base with the main branch, untracked ones included. `None` means that no step can be skipped, because the
/// current commit is the merge base itself or there is no main branch.
pub(crate) fn since_merge_base() -> Result<Option<Vec<String>>> {
    let Some(base) = MAIN.iter().find_map(|main| git(&["merge-base", "HEAD", main]).ok()) else { return Ok(None) };
    let base = base.trim();
    if git(&["rev-parse", "HEAD"])?.trim() == base {
        return Ok(None);
    }
    let changed = git(&["diff", "--name-only", base])?;
    let untracked = git(&["ls-files", "--others", "--exclude-standard"])?;
    Ok(Some(changed.lines().chain(untracked.lines()).map(str::to_owned).collect()))
}

fn git(args: &[&str]) -> Result<String> {
    let output = Command::new("git").args(args).current_dir(root()).output().context("cannot start git")?;
    ensure!(output.status.success(), "`git {}` failed", args.join(" "));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::Inputs;

    #[test]
    fn inputs_are_prefixes_without_exceptions() {
        let inputs = Inputs { from: &["crates/hitscan/", "Cargo.toml"], except: &["crates/hitscan/src/sweep/"] };
        assert!(inputs.contains("crates/hitscan/src/lib.rs") && inputs.contains("Cargo.toml"));
        assert!(!inputs.contains("crates/hitscan/src/sweep/mod.rs") && !inputs.contains("docs/api.md"));
        assert!(Inputs::ALL.contains("anything"));
    }
}

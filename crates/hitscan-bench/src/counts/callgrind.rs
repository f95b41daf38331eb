//! Runs Callgrind, the instruction counter of Valgrind.

use super::casts::COUNTED;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs all queries in another process, and returns the instructions of each set.
pub(super) fn totals(sets: usize) -> Result<Vec<u64>> {
    let folder = tempfile::tempdir().context("cannot make a folder for valgrind")?;
    ask_within(folder.path())?;
    (1..=sets).map(|set| total(folder.path(), set)).collect()
}

/// Runs all queries in Callgrind, which writes its files to a folder. The process gets an empty environment. So the
/// counts are the same everywhere.
fn ask_within(folder: &Path) -> Result<()> {
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind", "--collect-atstart=no"]);
    command.arg(format!("--toggle-collect={COUNTED}")).arg(format!("--dump-after={COUNTED}"));
    command.arg(format!("--callgrind-out-file={}", folder.join("counts").display()));
    command.arg(std::env::current_exe().context("cannot find this program")?).args(["counts", "--ask"]);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("RAYON_NUM_THREADS", "1");
    let output = command.stdin(Stdio::null()).output().context("cannot start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind failed ({}): {said}", output.status);
    Ok(())
}

/// Reads a total. Callgrind writes a file each time that the counted function returns.
fn total(folder: &Path, set: usize) -> Result<u64> {
    let file = folder.join(format!("counts.{set}"));
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("valgrind has not written {}: is {COUNTED} not found?", file.display()))?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let total = total.and_then(|total| total.trim().parse().ok()).filter(|&total| total > 0);
    total.with_context(|| format!("{} has no total", file.display()))
}

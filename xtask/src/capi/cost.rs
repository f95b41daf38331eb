//! Instructions of rays through C, compared with the same rays in Rust.

use super::program::CAPI;
use crate::shell::{built, cargo, root, run, target};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The kinds of rays, each with the largest allowed ratio of the instructions through C to the instructions in Rust. A single ray has the cost of the call.
/// A batch copies the library's hits.
/// Columns are copied one component at a time, and are compared with rows in Rust.
const MODES: [(&str, f64); 7] = [
    ("mesh_one", 1.05),
    ("scene_one", 1.05),
    ("mesh_batch", 1.04),
    ("scene_batch", 1.01),
    ("view_batch", 1.01),
    ("view_columns", 1.12),
    ("view_blocked", 1.06),
];

/// Counts the instructions in Rust and in C, and fails if C needs too many.
pub(super) fn check(prefix: &Path) -> Result<()> {
    run(&mut cargo(&["build", "--release", "--package", "hitscan-capi-cost"]))?;
    let rust = built("release", "hitscan-capi-cost")?;
    let c = compile(prefix)?;
    for (mode, limit) in MODES {
        let ((of_rust, said), (of_c, said_by_c)) = (count(&rust, mode)?, count(&c, mode)?);
        ensure!(said == said_by_c, "{mode}: the hits of C, {said_by_c}, differ from the hits of Rust, {said}");
        let ratio = of_c as f64 / of_rust as f64;
        println!("{mode}: {of_c} instructions through C, {of_rust} in Rust: {ratio:.3}, at most {limit}");
        ensure!(ratio <= limit, "{mode}: {ratio:.3} times the instructions of Rust are more than {limit}");
    }
    Ok(())
}

fn compile(prefix: &Path) -> Result<PathBuf> {
    let program = target()?.join("capi/gcc/cost");
    let mut command = Command::new("gcc");
    command.args(["-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror", "-I"]).arg(prefix.join("include"));
    command
        .arg(root().join(CAPI).join("cost/cost.c"))
        .arg("-o")
        .arg(&program)
        .arg(format!("-L{}", prefix.join("lib").display()));
    run(command.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display())).arg("-lhitscan"))?;
    Ok(program)
}

/// Returns the instructions of the measured function, and the output of the program.
fn count(program: &Path, mode: &str) -> Result<(u64, String)> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--toggle-collect=*measured*", "--callgrind-out-file=/dev/null"]);
    // A single thread executes the same instructions in each run, because it waits for no other thread.
    let output =
        command.arg(program).arg(mode).env("RAYON_NUM_THREADS", "1").output().context("cannot start valgrind")?;
    let (said, report) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.success(), "{} {mode} failed: {report}", program.display());
    let count =
        report.lines().find_map(|line| line.split_once("Collected :")).and_then(|(_, count)| count.trim().parse().ok());
    Ok((count.with_context(|| format!("callgrind counted nothing: {report}"))?, said.trim().to_owned()))
}

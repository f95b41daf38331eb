//! `cargo xtask counts` checks that fixed rays execute the recorded numbers of instructions.

use crate::shell::{built, cargo, root, run, succeeds};
use crate::skips::skip;
use crate::tools::is_there_after_apt;
use anyhow::{Result, bail, ensure};
use std::process::Command;

/// Compares the counts, records them with `--update`, or compares the counts of another compiler with `--other-rustc`.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    ensure!(
        matches!(args, [] | ["--update"] | ["--other-rustc"]),
        "`counts` takes `--update` or `--other-rustc`, not `{}`",
        args.join(" ")
    );
    match missing()? {
        Some(what) if args.is_empty() => skip("valgrind", "counting instructions", what)?,
        Some(what) => bail!("instructions cannot be counted: {what}"),
        None => {
            // This also builds the program that the next step of the tests runs. So cargo chooses the features for both packages, and builds the library once.
            run(&mut cargo(&["build", "--release", "--package", "hitscan-bench", "--package", "hitscan-cli"]))?;
            run(Command::new(built("release", "hitscan-bench")?).arg("counts").args(args).current_dir(root()))?;
        }
    }
    Ok(())
}

/// Compares the is treated as a step.
pub(crate) fn compare() -> Result<()> {
    run_with(&[])
}

/// Returns the requirement for counting that is missing here, if there is one. The gate installs Valgrind on a Debian.
fn missing() -> Result<Option<&'static str>> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Some("what is recorded is of Linux on x86-64"));
    }
    let has_valgrind = has_valgrind() || is_there_after_apt(&["valgrind"], has_valgrind);
    Ok((!has_valgrind).then_some("apt-get install valgrind"))
}

fn has_valgrind() -> bool {
    succeeds(Command::new("valgrind").arg("--version"))
}

//! The fuzzer of the whole library as a long run, in two builds at once.

use crate::shell::cargo;
use anyhow::{Context, Result, ensure};

/// A build, and the first of its seeds. The two builds share no seed. All seeds are large enough to make the newest calls
/// (`tests/api/numbers.rs`).
const BUILDS: [(&[&str], &str); 2] = [(&[], "500000000000"), (&["--release"], "501000000000")];

/// Runs both builds. The test build has debug assertions and overflow checks; the calls of the release build must be quick.
pub(crate) fn run_long(effort: &str) -> Result<()> {
    for (build, _) in BUILDS {
        let status = cargo(&test(build)).arg("--no-run").status().context("cannot start cargo")?;
        ensure!(status.success(), "the fuzzer does not compile");
    }
    let start = |(build, first): (&[&'static str], &str)| {
        let mut command = cargo(&test(build));
        command.args(["--", "--nocapture", "random_calls"]);
        command.env("HITSCAN_EFFORT", effort).env("HITSCAN_SEED", first);
        command.spawn().context("cannot start cargo")
    };
    // Both builds run at the same time, because each checks the processor time of its own thread.
    let running: Vec<_> = BUILDS.into_iter().map(start).collect();
    let mut is_passed = true;
    for child in running {
        is_passed &= child?.wait()?.success();
    }
    ensure!(is_passed, "the fuzzer found something");
    Ok(())
}

/// Returns the arguments that make cargo build and run the fuzzer.
fn test(build: &[&'static str]) -> Vec<&'static str> {
    [&["test", "--package", "hitscan", "--test", "api"], build].concat()
}

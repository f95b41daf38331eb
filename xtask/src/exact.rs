//! `cargo xtask exact`: the long run of the kernel against exact arithmetic.

use crate::shell::{cargo, run};
use anyhow::{Context, Result, bail};
use std::num::NonZeroU64;

const RAYS: u64 = 10_000_000;

/// The test of hitscan that compares with exact arithmetic, with as many rays as asked for.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    let rays = rays(args)?;
    let mut command = cargo(&["test", "--package", "hitscan", "--test", "exact", "--", "--nocapture"]);
    run(command.env("HITSCAN_EXACT_RAYS", rays.to_string()))
}

fn rays(args: &[&str]) -> Result<u64> {
    match args {
        [] => Ok(RAYS),
        ["--rays", number] => {
            Ok(number.parse::<NonZeroU64>().with_context(|| format!("`--rays {number}` is no count"))?.get())
        }
        _ => bail!("`exact` takes `--rays N` only, not `{}`", args.join(" ")),
    }
}

//! Instruction counts of fixed rays in fixed scenes, compared with `counts.json`. They detect slow kernels
//! independently of the load of the machine. `cargo xtask counts` runs the comparison.
//!
//! Callgrind counts in one run of this program. Gungraun does the same for single functions, but it needs a second
//! program of exactly its version to be installed, and compares with an earlier run on the same machine, so that
//! committed figures would have to be parsed from its output.

mod callgrind;
mod casts;
mod recorded;

use anyhow::{Result, ensure};
use clap::Args;
use hitscan::SimdLevel;
use recorded::Recorded;

/// Counts instructions of fixed rays, and compares them with the recorded ones
#[derive(Args)]
pub(crate) struct CountsArgs {
    /// Record the counts
    #[arg(long)]
    update: bool,
    /// Compare although another compiler has recorded; then more instructions are no failure
    #[arg(long, conflicts_with = "update")]
    other_rustc: bool,
    /// Only cast the rays: the process that is counted
    #[arg(long, hide = true, conflicts_with = "update")]
    cast: bool,
}

/// The level that is counted, which is the best one of x86-64.
const LEVEL: SimdLevel = SimdLevel::Avx2;

pub(crate) fn run(args: &CountsArgs) -> Result<()> {
    if LEVEL.select().is_err() {
        println!("skipped: counting instructions: there is no {LEVEL} here");
        return Ok(());
    }
    if args.cast {
        return casts::cast_all();
    }
    if !(args.update || args.other_rustc) {
        Recorded::read()?.check_compiler()?;
    }
    let names = casts::names();
    let totals = callgrind::totals(names.len())?;
    let per_ray = totals.into_iter().map(|total| (total as f64 / casts::RAYS as f64).round() as u64);
    let counted = Recorded::new(names.into_iter().zip(per_ray).collect())?;
    if args.update {
        return counted.write();
    }
    let comparison = counted.compare(&Recorded::read()?);
    print!("{comparison}");
    ensure!(
        comparison.is_passed(),
        "rays take more instructions than recorded, or others are counted: if that is meant, `cargo xtask counts --update`"
    );
    Ok(())
}

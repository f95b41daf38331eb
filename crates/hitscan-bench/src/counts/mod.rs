//! Instruction counts. The counts of fixed rays in fixed scenes are compared with `counts.json`. The counts of all queries in scenes that are hard for trees
//! are compared with `stress.json`. They detect slower kernels independently of the load of the machine. `cargo xtask counts` runs the comparison.
//!
//! Callgrind counts in one run of this program. Gungraun does the same for single functions. But it needs a second
//! installed program of exactly its version. It also compares with an earlier run on the same machine. So committed
//! figures would have to be parsed from its output.

mod callgrind;
mod casts;
mod recorded;
mod stress;

use anyhow::{Result, ensure};
use clap::Args;
use hitscan::simd::SimdLevel;
use recorded::{RAYS, Recorded, STRESS, Table};

/// Counts instructions of fixed rays and other questions, and compares them with the recorded ones
#[derive(Args)]
pub(crate) struct CountsArgs {
    /// Record the counts
    #[arg(long)]
    update: bool,
    /// Compare although another compiler has recorded; then more instructions are no failure
    #[arg(long, conflicts_with = "update")]
    other_rustc: bool,
    /// Only ask: the process that is counted
    #[arg(long, hide = true, conflicts_with = "update")]
    ask: bool,
}

/// The instruction set whose instructions are counted: the best one of x86-64.
const LEVEL: SimdLevel = SimdLevel::Avx2;

pub(crate) fn run(args: &CountsArgs) -> Result<()> {
    if LEVEL.select().is_err() {
        println!("skipped: counting instructions: there is no {LEVEL} here");
        return Ok(());
    }
    if args.ask {
        casts::cast_all()?;
        return stress::ask_all();
    }
    let tables = [(&RAYS, casts::names()), (&STRESS, stress::names())];
    if !(args.update || args.other_rustc) {
        tables.iter().try_for_each(|(table, _)| table.read()?.check_compiler())?;
    }
    let mut totals = callgrind::totals(tables.iter().map(|(_, names)| names.len()).sum())?;
    let mut are_passed = true;
    for (table, names) in &tables {
        let later = totals.split_off(names.len());
        are_passed &= settle(table, &table.counted(names, &totals)?, args)?;
        totals = later;
    }
    ensure!(
        are_passed,
        "questions take more instructions than recorded, or others are counted: if that is meant, `cargo xtask counts --update`"
    );
    Ok(())
}

/// Records the figures, or compares them and returns whether they are acceptable.
fn settle(table: &'static Table, counted: &Recorded, args: &CountsArgs) -> Result<bool> {
    if args.update {
        table.write(counted)?;
        return Ok(true);
    }
    let comparison = counted.compare(&table.read()?, table);
    print!("{comparison}");
    Ok(comparison.is_passed())
}

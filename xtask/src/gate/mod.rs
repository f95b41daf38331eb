//! `cargo xtask test`: the steps of a contributor's loop, and with `--all` the steps of the gate.
//!
//! Each step is a separate process: this program with the hidden verb `step`. So the environment of a step is set once for all processes that it starts. The
//! processor time of a step is separate, and no other step writes into its output.

mod budgets;
mod cargo_steps;
mod changes;
mod child;
mod options;
mod report;
mod schedule;
mod table;

pub(crate) use cargo_steps::formatting;
pub(crate) use child::run_step;
pub(crate) use table::STEPS;

use crate::effort::is_full;
use anyhow::{Result, ensure};
use options::KINDS;
use options::Options;
use report::Report;
use table::Step;

/// Runs the steps that the arguments choose, and prints a table of them. Fails if a step has failed or, at full effort, if there was an undeclared skip.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    let options = Options::parse(args, is_full())?;
    if let Some(declared) = options.declared() {
        println!("== {declared}");
    }
    let (chosen, unchanged) = choose(&options)?;
    let mut report = Report::new(&options, &unchanged);
    schedule::run(&chosen, &options, &mut report)?;
    if let Some(declared) = options.declared() {
        println!("\n== {declared}");
    }
    report.print();
    let faults = report.faults(options.checks_budgets)?;
    ensure!(faults.is_empty(), "{}{}", faults.join("; "), options.suffix());
    println!("== {} in {} s{}", report.verdict(), report.seconds(), options.suffix());
    Ok(())
}

/// Returns the kinds of tools and data that a run may lack, for a help text.
pub(crate) fn kinds() -> String {
    KINDS.map(|(kind, what)| format!("{kind} ({what})")).join(", ")
}

/// Returns the steps to run, and the steps of a contributor's loop that are left out since their inputs are unchanged.
fn choose(options: &Options) -> Result<(Vec<&'static Step>, Vec<&'static Step>)> {
    let wanted: Vec<&Step> = STEPS.iter().filter(|step| options.wants(step)).collect();
    let changed = if options.leaves_out_unchanged() { changes::since_merge_base()? } else { None };
    let Some(changed) = changed else { return Ok((wanted, Vec::new())) };
    Ok(wanted.into_iter().partition(|step| changed.iter().any(|file| step.inputs.contains(file))))
}

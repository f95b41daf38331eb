//! The order of steps. Two lanes run in parallel. One has the steps that build in the workspace's target folder, and the other has all other steps.

use super::child::{self, Outcome};
use super::options::Options;
use super::report::{Report, State};
use super::table::{Lane, Step};
use anyhow::Result;
use std::collections::BTreeSet;
use std::sync::mpsc;

/// Runs the steps. In a contributor's loop no step starts after the first failure, but the running steps are completed. At full effort the run
/// continues, so that it shows all failures.
pub(crate) fn run(chosen: &[&'static Step], options: &Options, report: &mut Report) -> Result<()> {
    let mut left: Vec<&Step> = chosen.to_vec();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    let mut running: Vec<&Step> = Vec::new();
    let (sender, receiver) = mpsc::channel::<(&Step, Result<Outcome>)>();
    let mut has_failed = false;
    std::thread::scope(|scope| {
        loop {
            while let Some(step) = (!has_failed).then(|| next(&mut left, &running, &done)).flatten() {
                if options.is_without(step) {
                    report.add(step.name, State::Declared);
                    done.insert(step.name);
                    continue;
                }
                let words = targets(step, chosen);
                // The output of the lane with the builds is shown at once, because a user usually waits for this lane.
                let is_beside = step.lane == Lane::Own;
                if !is_beside {
                    println!("\n== {}: {}", step.name, step.what);
                }
                let sender = sender.clone();
                running.push(step);
                scope.spawn(move || {
                    // The receiver lives until all steps have ended.
                    let _ = sender.send((step, child::start(step, &words, options, is_beside)));
                });
            }
            if running.is_empty() {
                break;
            }
            let Ok((step, outcome)) = receiver.recv() else { break };
            running.retain(|other| other.name != step.name);
            let outcome = outcome?;
            if let Some(output) = &outcome.output {
                println!("\n== {}: {}\n{}", step.name, step.what, output.trim_end());
            }
            println!("== {} {} in {} s", step.name, outcome.verdict(), outcome.wall.as_secs());
            has_failed |= !outcome.passed && !options.is_full;
            done.insert(step.name);
            report.add(step.name, State::Ran(outcome));
        }
        left.iter().for_each(|step| report.add(step.name, State::NotReached));
        Ok(())
    })
}

/// The step that compiles the tests of all steps at once.
const BUILD: &str = "build";

/// Returns the arguments of a step. The step [`BUILD`] gets the targets of all chosen steps, and other steps get none.
fn targets(step: &Step, chosen: &[&'static Step]) -> Vec<&'static str> {
    if step.name != BUILD {
        return Vec::new();
    }
    chosen.iter().flat_map(|step| step.targets).copied().collect()
}

/// Removes and returns the first step that may start. Its lane is free, and the steps that must end before it are done or not chosen.
fn next(left: &mut Vec<&'static Step>, running: &[&Step], done: &BTreeSet<&str>) -> Option<&'static Step> {
    let is_left = |name: &str| left.iter().chain(running).any(|step| step.name == name) && !done.contains(name);
    let may_start = |step: &Step| {
        let is_free = running.iter().all(|other| other.lane != step.lane);
        is_free && !step.after.iter().any(|name| is_left(name))
    };
    let found = left.iter().position(|step| may_start(step))?;
    Some(left.remove(found))
}

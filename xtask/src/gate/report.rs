//! The table at the end of a run: the time of each step, and all skips.

use super::budgets;
use super::child::{Outcome, count};
use super::options::Options;
use super::table::Step;
use anyhow::Result;
use std::time::Instant;

/// The state of a step at the end of a run.
pub(crate) enum State {
    Ran(Outcome),
    /// The step was left out, because none of its inputs differs from the merge base.
    Unchanged,
    /// The step was left out, because it needs a tool or data that the run is declared to lack.
    Declared,
    /// The step was left out, because an earlier step has failed.
    NotReached,
}

/// All steps of a run with their states.
pub(crate) struct Report {
    start: Instant,
    is_full: bool,
    without: Vec<String>,
    rows: Vec<(&'static str, State)>,
}

impl Report {
    pub(crate) fn new(options: &Options, unchanged: &[&'static Step]) -> Self {
        let rows = unchanged.iter().map(|step| (step.name, State::Unchanged)).collect();
        Self { start: Instant::now(), is_full: options.is_full, without: options.without.clone(), rows }
    }

    pub(crate) fn add(&mut self, name: &'static str, state: State) {
        self.rows.push((name, state));
    }

    /// Returns the wall time since the start.
    pub(crate) fn seconds(&self) -> u64 {
        self.start.elapsed().as_secs()
    }

    /// Describes the outcome of a run without faults.
    pub(crate) fn verdict(&self) -> String {
        match self.skipped() {
            0 => "all passed".to_owned(),
            skipped => format!("all passed but for {}", count(skipped)),
        }
    }

    fn skipped(&self) -> usize {
        self.ran().map(|(_, outcome)| outcome.skipped()).sum()
    }

    fn ran(&self) -> impl Iterator<Item = (&'static str, &Outcome)> {
        self.rows.iter().filter_map(|(name, state)| match state {
            State::Ran(outcome) => Some((*name, outcome)),
            _ => None,
        })
    }

    /// Prints the table.
    pub(crate) fn print(&self) {
        println!("\n{:<14} {:>7} {:>10}", "step", "wall", "processor");
        for (name, state) in &self.rows {
            match state {
                State::Ran(outcome) => {
                    let processor = outcome.processor.map_or_else(String::new, |seconds| format!("{seconds:.0} s"));
                    let (wall, verdict) = (outcome.wall.as_secs(), outcome.verdict());
                    println!("{name:<14} {wall:>5} s {processor:>10}   {verdict}");
                }
                State::Unchanged => println!("{name:<14} unchanged: none of its inputs differs from the main branch"),
                State::Declared => println!("{name:<14} left out, as declared"),
                State::NotReached => println!("{name:<14} not reached"),
            }
        }
        let skips: Vec<_> =
            self.ran().flat_map(|(name, outcome)| outcome.skips.iter().map(move |skip| (name, skip))).collect();
        println!("\n{}", count(self.skipped()));
        for (name, skip) in skips {
            let who = match &skip.who[..] {
                [one] => one.clone(),
                many => format!("{} tests ({}, ...)", many.len(), many[0]),
            };
            println!("  {name}: {who}: {}: {}", skip.kind, skip.way);
        }
    }

    /// Returns the faults of the run: failed steps, times over their budgets and, at full effort, skips that are not declared.
    pub(crate) fn faults(&self, checks_budgets: bool) -> Result<Vec<String>> {
        let mut faults: Vec<String> = self
            .ran()
            .filter(|(_, outcome)| !outcome.passed)
            .map(|(name, _)| format!("step `{name}` failed"))
            .collect();
        if self.is_full {
            for (name, outcome) in self.ran() {
                let undeclared = outcome.skips.iter().filter(|skip| !self.without.contains(&skip.kind));
                faults.extend(undeclared.map(|skip| {
                    let skips = count(skip.who.len());
                    format!("step `{name}` left out what needs {} ({skips}), which is not declared", skip.kind)
                }));
            }
        }
        if checks_budgets {
            faults
                .extend(budgets::exceeded(self.ran().filter_map(|(name, outcome)| Some((name, outcome.processor?))))?);
        }
        Ok(faults)
    }
}

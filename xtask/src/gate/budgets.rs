//! Each step has a budget of processor time on the gate's machine. Processor times on that machine differ by up to a half from run to run. The reasons are that
//! two threads share a core, and that unknown other work uses the cores, too. So a step is compared with the other steps of its run.

use crate::shell::root;
use anyhow::{Context, Result};

/// The table: its processor, and a line for each step.
const FILE: &str = "xtask/budgets.txt";

/// The factor of a budget above which a step fails, if the run is as fast as the recorded one. Two runs of the same code in one month differed by up to
/// 1.34 in a single step, in addition to the factor of the whole run.
const TOLERANCE: f64 = 1.6;

/// The greatest factor by which the machine of a run may be slower. A larger factor means that the steps themselves have become slower.
const SLOWEST: f64 = 1.5;

/// The shortest budget, in seconds, of the steps that determine how fast a run is.
const LONG: f64 = 60.0;

/// Returns a fault for each step that took longer than its budget allows. On another processor it prints a note instead.
pub(crate) fn exceeded(times: impl Iterator<Item = (&'static str, f64)>) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(root().join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
    let table = Table::parse(&text)?;
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    if !cpus.contains(table.processor) {
        println!("budgets are not compared: {FILE} is for {}", table.processor);
        return Ok(Vec::new());
    }
    let times: Vec<_> = times.collect();
    let slowness = table.slowness(&times);
    println!("each budget counts {slowness:.2} times, by the median of the long steps");
    Ok(times.into_iter().filter_map(|(name, seconds)| table.fault(name, seconds, slowness)).collect())
}

struct Table<'a> {
    processor: &'a str,
    budgets: Vec<(&'a str, f64)>,
}

impl<'a> Table<'a> {
    fn parse(text: &'a str) -> Result<Self> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let processor = lines.next().and_then(|line| line.strip_prefix("processor "));
        let processor = processor.with_context(|| format!("{FILE} begins with no line `processor NAME`"))?;
        let budget = |line: &'a str| {
            let (name, seconds) = line.split_once(' ')?;
            Some((name, seconds.trim().parse().ok()?))
        };
        let budgets =
            lines.map(|line| budget(line).with_context(|| format!("{FILE}: `{line}` is no step with seconds")));
        Ok(Self { processor, budgets: budgets.collect::<Result<_>>()? })
    }

    fn budget(&self, name: &str) -> Option<f64> {
        self.budgets.iter().find(|(step, _)| *step == name).map(|(_, budget)| *budget)
    }

    /// Returns the factor by which the machine is slower than when the budgets were recorded. It is the median, over the long steps, of the time divided by the
    /// budget. It is clamped to the range from 1 to [`SLOWEST`].
    fn slowness(&self, times: &[(&str, f64)]) -> f64 {
        let long = times.iter().filter_map(|(name, seconds)| Some((seconds, self.budget(name)?)));
        let mut ratios: Vec<f64> =
            long.filter(|(_, budget)| *budget >= LONG).map(|(seconds, budget)| seconds / budget).collect();
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).map_or(1.0, |median| median.clamp(1.0, SLOWEST))
    }

    fn fault(&self, name: &str, seconds: f64, slowness: f64) -> Option<String> {
        let Some(budget) = self.budget(name) else {
            return Some(format!("{FILE} has no budget for step `{name}`, which took {seconds:.0} s of the processor"));
        };
        let fault = || format!("step `{name}` took {seconds:.0} s of the processor, and its budget is {budget:.0} s");
        (seconds > TOLERANCE * slowness * budget).then(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use crate::gate::STEPS;

    #[test]
    fn each_step_has_one_budget() {
        let table = Table::parse(include_str!("../../budgets.txt")).unwrap();
        let count = |name: &str| table.budgets.iter().filter(|(step, _)| *step == name).count();
        STEPS.iter().for_each(|step| assert_eq!(count(step.name), 1, "{}", step.name));
        assert_eq!(table.budgets.len(), STEPS.len());
    }

    #[test]
    fn a_time_is_compared_with_its_budget() {
        let table = Table::parse("# seconds\nprocessor Some CPU\nrays 100\nfmt 1\n").unwrap();
        assert_eq!(table.processor, "Some CPU");
        assert_eq!(table.fault("rays", 159.0, 1.0), None);
        assert_eq!(
            table.fault("rays", 161.0, 1.0).unwrap(),
            "step `rays` took 161 s of the processor, and its budget is 100 s"
        );
        assert_eq!(table.fault("rays", 191.0, 1.2), None);
        assert!(table.fault("new", 1.0, 1.0).unwrap().contains("no budget for step `new`"));
        assert!(Table::parse("rays 100\n").is_err() && Table::parse("processor A\nrays\n").is_err());
    }

    #[test]
    fn the_median_of_long_steps_says_how_slow_a_run_is() {
        let table = Table::parse("processor Some CPU\nrays 100\nvolumes 200\nunit 60\nfmt 1\n").unwrap();
        // A single slow step, and short steps, do not change the factor.
        assert_eq!(table.slowness(&[("rays", 100.0), ("volumes", 180.0), ("unit", 120.0), ("fmt", 9.0)]), 1.0);
        assert_eq!(table.slowness(&[("rays", 125.0), ("volumes", 250.0), ("unit", 120.0)]), 1.25);
        assert_eq!(table.slowness(&[("rays", 300.0), ("volumes", 600.0), ("unit", 180.0)]), super::SLOWEST);
        assert_eq!(table.slowness(&[("rays", 50.0), ("volumes", 60.0), ("unit", 30.0)]), 1.0);
        assert_eq!(table.slowness(&[]), 1.0);
    }
}

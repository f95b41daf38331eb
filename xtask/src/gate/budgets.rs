//! Each step has a budget of processor time on the gate's machine. Wall times there differ by a factor of two from run to run, processor times much less.

use crate::shell::root;
use anyhow::{Context, Result};

/// The table: its processor, and a line for each step.
const FILE: &str = "xtask/budgets.txt";

/// The part of a budget above which a step fails.
const TOLERANCE: f64 = 1.3;

/// Returns a fault for each step that took longer than its budget allows. On another processor it prints a note instead.
pub(crate) fn exceeded(times: impl Iterator<Item = (&'static str, f64)>) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(root().join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
    let table = Table::parse(&text)?;
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    if !cpus.contains(table.processor) {
        println!("budgets are not compared: {FILE} is for {}", table.processor);
        return Ok(Vec::new());
    }
    Ok(times.filter_map(|(name, seconds)| table.fault(name, seconds)).collect())
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

    fn fault(&self, name: &str, seconds: f64) -> Option<String> {
        let Some((_, budget)) = self.budgets.iter().find(|(step, _)| *step == name) else {
            return Some(format!("{FILE} has no budget for step `{name}`, which took {seconds:.0} s of the processor"));
        };
        let fault = || format!("step `{name}` took {seconds:.0} s of the processor, and its budget is {budget:.0} s");
        (seconds > TOLERANCE * budget).then(fault)
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
        assert_eq!(table.fault("rays", 129.0), None);
        assert_eq!(
            table.fault("rays", 131.0).unwrap(),
            "step `rays` took 131 s of the processor, and its budget is 100 s"
        );
        assert!(table.fault("new", 1.0).unwrap().contains("no budget for step `new`"));
        assert!(Table::parse("rays 100\n").is_err() && Table::parse("processor A\nrays\n").is_err());
    }
}

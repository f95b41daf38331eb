//! The committed figures.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of figures.
#[derive(Debug)]
pub(super) struct Table {
    file: &'static str,
    /// The unit of the figures.
    unit: &'static str,
    /// The number of calls in each set.
    calls: usize,
    /// The relative tolerance. Counts are reproducible to the instruction, but unrelated changes affect the compiler's
    /// choice of inlining.
    tolerance: f64,
}

pub(super) const RAYS: Table =
    Table { file: "counts.json", unit: "instructions a ray", calls: super::casts::RAYS, tolerance: 0.02 };

/// The counts of hard scenes. They bound the work, and are no measure of speed.
pub(super) const STRESS: Table =
    Table { file: "stress.json", unit: "instructions a question", calls: super::stress::PLACES, tolerance: 0.2 };

impl Table {
    /// Returns the path of the file in the folder of this crate.
    fn path(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(self.file)
    }

    pub(super) fn read(&self) -> Result<Recorded> {
        let path = self.path();
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    pub(super) fn write(&self, recorded: &Recorded) -> Result<()> {
        let (path, text) = (self.path(), serde_json::to_string_pretty(recorded)? + "\n");
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("recorded in {}", path.display());
        Ok(())
    }

    /// Returns the figures of this compiler, given the instructions of each set.
    pub(super) fn counted(&self, names: &[String], totals: &[u64]) -> Result<Recorded> {
        let per_call = |total: &u64| (*total as f64 / self.calls as f64).round() as u64;
        Recorded::new(self.calls, names.iter().cloned().zip(totals.iter().map(per_call)).collect())
    }
}

/// The content of a file of figures.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Recorded {
    /// The compiler's version, which has a large effect on a count.
    rustc: String,
    /// The number of calls in each set.
    calls: usize,
    /// The counts by scene and set.
    instructions_per_call: BTreeMap<String, u64>,
}

impl Recorded {
    /// Returns the counts of this compiler.
    fn new(calls: usize, instructions_per_call: BTreeMap<String, u64>) -> Result<Self> {
        Ok(Self { rustc: rustc()?, calls, instructions_per_call })
    }

    /// Fails if the figures were recorded with another compiler.
    pub(super) fn check_compiler(&self) -> Result<()> {
        self.check_recorded_by(&rustc()?)
    }

    fn check_recorded_by(&self, own: &str) -> Result<()> {
        let recorded = &self.rustc;
        let version = recorded.split(' ').nth(1).unwrap_or(recorded);
        ensure!(
            recorded == own,
            "the counts were recorded with {recorded}, and this is {own}, which compiles other instructions: run `cargo +{version} xtask counts` \
             (`rustup toolchain install {version}` brings it), or compare all the same with `cargo xtask counts --other-rustc`, or record anew with `--update`"
        );
        Ok(())
    }

    pub(super) fn compare(&self, recorded: &Self, table: &'static Table) -> Comparison {
        let names = self.instructions_per_call.keys().chain(recorded.instructions_per_call.keys());
        let rows = names.collect::<BTreeSet<_>>().into_iter().map(|name| Row {
            name: name.clone(),
            counted: self.instructions_per_call.get(name).copied(),
            recorded: recorded.instructions_per_call.get(name).copied(),
            tolerance: table.tolerance,
        });
        let compilers = [&recorded.rustc, &self.rustc].map(String::clone);
        Comparison { table, rows: rows.collect(), compilers }
    }
}

/// Returns the version of the current compiler, which built this program if cargo has just built it.
fn rustc() -> Result<String> {
    let output = Command::new("rustc").arg("--version").output().context("cannot start rustc")?;
    ensure!(output.status.success(), "`rustc --version` failed ({})", output.status);
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Counted figures, compared with recorded figures.
pub(super) struct Comparison {
    table: &'static Table,
    rows: Vec<Row>,
    /// The compiler of the recorded figures, and the current compiler.
    compilers: [String; 2],
}

struct Row {
    name: String,
    counted: Option<u64>,
    recorded: Option<u64>,
    tolerance: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Same,
    Fewer,
    More,
    /// The set is only counted, or only recorded.
    Alone,
}

impl Row {
    /// Returns the ratio of the counted to the recorded figure, if both exist.
    fn ratio(&self) -> Option<f64> {
        Some(self.counted? as f64 / self.recorded? as f64)
    }

    fn verdict(&self) -> Verdict {
        match self.ratio() {
            None => Verdict::Alone,
            Some(ratio) if ratio > 1.0 + self.tolerance => Verdict::More,
            Some(ratio) if ratio < 1.0 - self.tolerance => Verdict::Fewer,
            Some(_) => Verdict::Same,
        }
    }
}

impl Comparison {
    fn has(&self, verdict: Verdict) -> bool {
        self.rows.iter().any(|row| row.verdict() == verdict)
    }

    fn is_of_one_compiler(&self) -> bool {
        self.compilers[0] == self.compilers[1]
    }

    /// Returns whether the counts are acceptable. A set that is only counted or only recorded is an error. More
    /// instructions are an error only with the same compiler, because another compiler may be the cause.
    pub(super) fn is_passed(&self) -> bool {
        let fails = |row: &Row| match row.verdict() {
            Verdict::Alone => true,
            Verdict::More => self.is_of_one_compiler(),
            Verdict::Same | Verdict::Fewer => false,
        };
        !self.rows.iter().any(fails)
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(self.table.unit.len());
        writeln!(f, "{:width$} {:>9} {:>9}", self.table.unit, "recorded", "counted")?;
        for row in &self.rows {
            let shown = |count: Option<u64>| count.map_or_else(|| "-".into(), |count| count.to_string());
            write!(f, "{:width$} {:>9} {:>9}", row.name, shown(row.recorded), shown(row.counted))?;
            let percent = row.ratio().map_or(0.0, |ratio| (ratio - 1.0) * 100.0);
            match row.verdict() {
                Verdict::Same => writeln!(f)?,
                Verdict::Fewer | Verdict::More => writeln!(f, "  {percent:+.1} %")?,
                Verdict::Alone => writeln!(f, "  not in both")?,
            }
        }
        if !self.is_of_one_compiler() {
            let [recorded, own] = &self.compilers;
            writeln!(f, "warning: recorded with {recorded}, counted with {own}: more instructions are no failure")?;
        }
        if self.has(Verdict::Fewer) {
            writeln!(f, "fewer than recorded: `cargo xtask counts --update` keeps it so")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(rustc: &str, counts: &[(&str, u64)]) -> Recorded {
        let counts = counts.iter().map(|&(name, count)| (name.to_owned(), count));
        Recorded { rustc: rustc.into(), calls: 1, instructions_per_call: counts.collect() }
    }

    fn compared(rustc: &str, counts: &[(&str, u64)]) -> (bool, String) {
        let comparison = recorded(rustc, counts).compare(&recorded("1.95", &[("a", 1000), ("b", 1000)]), &RAYS);
        (comparison.is_passed(), comparison.to_string())
    }

    #[test]
    fn two_percent_more_fail() {
        assert!(compared("1.95", &[("a", 1020), ("b", 1000)]).0);
        let (is_passed, text) = compared("1.95", &[("a", 1021), ("b", 900)]);
        assert!(!is_passed && text.contains("+2.1 %") && text.contains("-10.0 %"), "{text}");
    }

    #[test]
    fn fewer_are_said_and_pass() {
        let (is_passed, text) = compared("1.95", &[("a", 979), ("b", 1000)]);
        assert!(is_passed && text.contains("--update"), "{text}");
        assert!(!compared("1.95", &[("a", 980), ("b", 1000)]).1.contains("--update"));
    }

    #[test]
    fn another_compiler_is_refused() {
        let recorded = recorded("rustc 1.95.0 (59807616e 2026-04-14)", &[]);
        assert!(recorded.check_recorded_by("rustc 1.95.0 (59807616e 2026-04-14)").is_ok());
        let error = recorded.check_recorded_by("rustc 1.96.0 (0123456789 2026-06-01)").unwrap_err().to_string();
        assert!(error.contains("with rustc 1.95.0") && error.contains("`cargo +1.95.0 xtask counts`"), "{error}");
    }

    #[test]
    fn another_compiler_that_is_let_in_is_a_warning() {
        let (is_passed, text) = compared("1.96", &[("a", 2000), ("b", 1000)]);
        assert!(is_passed && text.contains("warning: recorded with 1.95, counted with 1.96"), "{text}");
    }

    #[test]
    fn what_is_not_in_both_fails() {
        for counts in [&[("a", 1000)][..], &[("a", 1000), ("b", 1000), ("c", 1000)]] {
            let (is_passed, text) = compared("1.96", counts);
            assert!(!is_passed && text.contains("not in both"), "{text}");
        }
    }

    /// The recorded sets are the same as the sets that would be counted now.
    #[test]
    fn the_committed_figures_are_of_these_sets() {
        use super::super::{casts, stress};

        for (table, mut names) in [(RAYS, casts::names()), (STRESS, stress::names())] {
            let recorded = table.read().unwrap();
            names.sort();
            assert!(recorded.instructions_per_call.keys().eq(&names) && recorded.calls == table.calls, "{table:?}");
        }
    }

    #[test]
    fn bounds_fail_a_fifth_above() {
        let compared = |count| recorded("1.95", &[("a", count)]).compare(&recorded("1.95", &[("a", 1000)]), &STRESS);
        assert!(compared(1200).is_passed() && !compared(1201).is_passed());
    }
}

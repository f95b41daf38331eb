//! The committed figures.

use super::casts::RAYS;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The relative tolerance. Counts are reproducible to the instruction, but unrelated changes affect what the compiler
/// inlines.
const TOLERANCE: f64 = 0.02;

/// The content of `counts.json`.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Recorded {
    /// The compiler's version, which has a large effect on a count.
    rustc: String,
    /// The number of rays in each set.
    rays: usize,
    /// The counts by scene and ray set.
    instructions_per_ray: BTreeMap<String, u64>,
}

impl Recorded {
    /// Returns the counts of this compiler.
    pub(super) fn new(instructions_per_ray: BTreeMap<String, u64>) -> Result<Self> {
        Ok(Self { rustc: rustc()?, rays: RAYS, instructions_per_ray })
    }

    pub(super) fn read() -> Result<Self> {
        let text = std::fs::read_to_string(file()).with_context(|| format!("cannot read {}", file().display()))?;
        serde_json::from_str(&text).with_context(|| file().display().to_string())
    }

    pub(super) fn write(&self) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(file(), text).with_context(|| format!("cannot write {}", file().display()))?;
        println!("recorded in {}", file().display());
        Ok(())
    }

    /// Fails if the current compiler is not the one that has recorded.
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

    pub(super) fn compare(&self, recorded: &Self) -> Comparison {
        let names = self.instructions_per_ray.keys().chain(recorded.instructions_per_ray.keys());
        let rows = names.collect::<BTreeSet<_>>().into_iter().map(|name| Row {
            name: name.clone(),
            counted: self.instructions_per_ray.get(name).copied(),
            recorded: recorded.instructions_per_ray.get(name).copied(),
        });
        let compilers = [&recorded.rustc, &self.rustc].map(String::clone);
        Comparison { rows: rows.collect(), compilers }
    }
}

/// Returns the path beside the crate, where this program was built.
fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("counts.json")
}

/// Returns the version of the current compiler, which built this program if cargo has just built it.
fn rustc() -> Result<String> {
    let output = Command::new("rustc").arg("--version").output().context("cannot start rustc")?;
    ensure!(output.status.success(), "`rustc --version` failed ({})", output.status);
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Counted figures beside recorded ones.
pub(super) struct Comparison {
    rows: Vec<Row>,
    /// The compiler of the recorded figures, and this one.
    compilers: [String; 2],
}

struct Row {
    name: String,
    counted: Option<u64>,
    recorded: Option<u64>,
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
            Some(ratio) if ratio > 1.0 + TOLERANCE => Verdict::More,
            Some(ratio) if ratio < 1.0 - TOLERANCE => Verdict::Fewer,
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

    /// Returns whether the counts are acceptable. More instructions are an error only with the same compiler, as
    /// another one may be the cause.
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
        writeln!(f, "{:26} {:>9} {:>9}", "instructions a ray", "recorded", "counted")?;
        for row in &self.rows {
            let shown = |count: Option<u64>| count.map_or_else(|| "-".into(), |count| count.to_string());
            write!(f, "{:26} {:>9} {:>9}", row.name, shown(row.recorded), shown(row.counted))?;
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
        Recorded { rustc: rustc.into(), rays: 1, instructions_per_ray: counts.collect() }
    }

    fn compared(rustc: &str, counts: &[(&str, u64)]) -> (bool, String) {
        let comparison = recorded(rustc, counts).compare(&recorded("1.95", &[("a", 1000), ("b", 1000)]));
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

    /// The recorded sets are those that would be counted.
    #[test]
    fn the_committed_figures_are_of_these_rays() {
        let recorded = Recorded::read().unwrap();
        let mut names = super::super::casts::names();
        names.sort();
        assert!(recorded.instructions_per_ray.keys().eq(&names) && recorded.rays == RAYS);
    }
}

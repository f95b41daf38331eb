//! What was measured, as tables and as JSON.

use crate::contenders::{Bytes, Meter};
use crate::measure::{Differences, Timing, geometric_mean};
use crate::rays::RaySet;
use crate::run::Part;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// One contender in one cell.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) part: Part,
    pub(crate) scene: &'static str,
    /// Of rays.
    pub(crate) set: Option<RaySet>,
    pub(crate) threads: usize,
    pub(crate) contender: &'static str,
    pub(crate) rounds: usize,
    /// Rays, triangles or instances of a round.
    pub(crate) count: usize,
    /// Median of a round.
    pub(crate) seconds: f64,
    /// Beside the reference: above 1 is faster.
    pub(crate) speed: f64,
    pub(crate) slowest: f64,
    pub(crate) fastest: f64,
    pub(crate) other_verdicts: usize,
    pub(crate) other_distances: usize,
}

impl Row {
    fn set_name(&self) -> &'static str {
        self.set.map_or("", RaySet::name)
    }
}

/// Where a row belongs.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) part: Part,
    pub(crate) scene: &'static str,
    pub(crate) set: Option<RaySet>,
    pub(crate) threads: usize,
    /// What a round did, in rays, triangles or instances.
    pub(crate) count: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct MemoryRow {
    pub(crate) scene: &'static str,
    pub(crate) contender: &'static str,
    pub(crate) triangles: usize,
    /// Without the user's vertices and indices.
    pub(crate) held: usize,
    pub(crate) peak: usize,
    pub(crate) meter: Meter,
}

#[derive(Default, Serialize)]
pub(crate) struct Report {
    pub(crate) machine: String,
    /// The contender that speeds are relative to.
    pub(crate) reference: &'static str,
    pub(crate) rows: Vec<Row>,
    pub(crate) memory: Vec<MemoryRow>,
    /// What was not measured, and why.
    pub(crate) skipped: Vec<String>,
}

impl Report {
    pub(crate) fn push(
        &mut self,
        cell: Cell,
        contender: &'static str,
        rounds: usize,
        timing: Timing,
        differences: Differences,
    ) {
        let Cell { part, scene, set, threads, count } = cell;
        let [slowest, fastest] = timing.spread;
        let Timing { seconds, speed, .. } = timing;
        let Differences { verdicts: other_verdicts, distances: other_distances } = differences;
        self.rows.push(Row {
            part,
            scene,
            set,
            threads,
            contender,
            rounds,
            count,
            seconds,
            speed,
            slowest,
            fastest,
            other_verdicts,
            other_distances,
        });
    }

    pub(crate) fn push_memory(
        &mut self,
        scene: &'static str,
        contender: &'static str,
        triangles: usize,
        bytes: Bytes,
        meter: Meter,
    ) {
        self.memory.push(MemoryRow { scene, contender, triangles, held: bytes.held, peak: bytes.peak, meter });
    }

    /// Says so at once, and again in the report.
    pub(crate) fn skip(&mut self, what: String) {
        eprintln!("skipped: {what}");
        self.skipped.push(what);
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!("Machine: {}. Reference: {}.\n", self.machine, self.reference);
        let threads: BTreeSet<usize> = self.rows.iter().map(|row| row.threads).collect();
        for &threads in &threads {
            self.rays(&mut text, threads);
        }
        self.timed(&mut text, Part::Picks, 1, "Single cold picks, nanoseconds (speed)", |row| {
            format!("{:.0} ({})", row.seconds * 1e9, ratio(row.speed))
        });
        let milliseconds = |row: &Row| format!("{:.1} ({})", row.seconds * 1e3, ratio(1.0 / row.speed));
        for &threads in &threads {
            self.timed(
                &mut text,
                Part::Build,
                threads,
                "Build, milliseconds (multiple of the reference)",
                milliseconds,
            );
        }
        for &threads in &threads {
            self.timed(
                &mut text,
                Part::Refit,
                threads,
                "Refit, milliseconds (multiple of the reference)",
                milliseconds,
            );
        }
        for &threads in &threads {
            let title = "Moving all instances, milliseconds (multiple of the reference)";
            self.timed(&mut text, Part::Update, threads, title, milliseconds);
        }
        self.bytes(&mut text);
        self.differences(&mut text);
        if !self.skipped.is_empty() {
            let _ = write!(text, "\n## Skipped\n\n{}", bullets(&self.skipped));
        }
        text
    }

    fn part(&self, part: Part, threads: usize) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.part == part && row.threads == threads)
    }

    fn rays(&self, text: &mut String, threads: usize) {
        let rows: Vec<&Row> = self.part(Part::Rays, threads).collect();
        let mut scenes: Vec<&str> = rows.iter().map(|row| row.scene).collect();
        scenes.dedup();
        for scene in &scenes {
            let mut table = Table::default();
            for row in rows.iter().filter(|row| row.scene == *scene) {
                let set = row.set_name();
                if row.contender == self.reference {
                    let millions = row.count as f64 / row.seconds / 1e6;
                    table.set(&format!("{} (Mrays/s)", row.contender), set, format!("{millions:.2}"));
                } else {
                    table.set(row.contender, set, ratio(row.speed));
                }
            }
            let _ = write!(text, "\n## Rays, {}, {scene}: speed\n\n{}", counted(threads), table.markdown());
        }
        let mut table = Table::default();
        for row in rows.iter().filter(|row| row.contender != self.reference) {
            let of = |same_set: bool| {
                let rows = rows.iter().filter(|other| other.contender == row.contender);
                rows.filter(move |other| !same_set || other.set == row.set)
            };
            let mean = |same_set| geometric_mean(&of(same_set).map(|row| row.speed).collect::<Vec<_>>());
            let shown = |mean: Option<f64>| mean.map_or(String::new(), ratio);
            table.set(row.contender, row.set_name(), shown(mean(true)));
            table.set(row.contender, "all", shown(mean(false)));
            if let Some(worst) = of(false).min_by(|a, b| a.speed.total_cmp(&b.speed)) {
                let cell = format!("{} ({}, {})", ratio(worst.speed), worst.scene, worst.set_name());
                table.set(row.contender, "worst", cell);
            }
        }
        if !table.rows.is_empty() {
            let title = format!("Rays, {}: geometric mean of the speed over the scenes", counted(threads));
            let _ = write!(text, "\n## {title}\n\n{}", table.ordered_last(&["all", "worst"]).markdown());
        }
    }

    fn timed(&self, text: &mut String, part: Part, threads: usize, title: &str, show: impl Fn(&Row) -> String) {
        let mut table = Table::default();
        for row in self.part(part, threads) {
            table.set(row.contender, row.scene, show(row));
        }
        if !table.rows.is_empty() {
            let _ = write!(text, "\n## {title}, {}\n\n{}", counted(threads), table.markdown());
        }
    }

    fn bytes(&self, text: &mut String) {
        let mut table = Table::default();
        for row in &self.memory {
            let each = |bytes: usize| bytes as f64 / row.triangles as f64;
            table.set(row.contender, row.scene, format!("{:.0}, {:.0}", each(row.held), each(row.peak)));
            table.set(row.contender, "counted by", row.meter.name().into());
        }
        if !table.rows.is_empty() {
            let title = "Bytes a triangle without the user's vertices and indices: held, peak while building";
            let _ = write!(text, "\n## {title}\n\n{}", table.ordered_last(&["counted by"]).markdown());
        }
    }

    fn differences(&self, text: &mut String) {
        let mut lines = Vec::new();
        for row in self.rows.iter().filter(|row| row.part == Part::Rays && row.other_verdicts + row.other_distances > 0)
        {
            let (scene, set) = (row.scene, row.set_name());
            lines.push(format!(
                "{}, {scene}, {set}, {}: {} verdicts, {} distances of {}",
                row.contender,
                counted(row.threads),
                row.other_verdicts,
                row.other_distances,
                row.count
            ));
        }
        let _ = write!(text, "\n## Answers that differ from {}\n\n", self.reference);
        text.push_str(&if lines.is_empty() { "None.\n".into() } else { bullets(&lines) });
    }
}

/// Two decimals, more where they would say nothing.
fn ratio(ratio: f64) -> String {
    if ratio < 0.095 { format!("{ratio:.4}") } else { format!("{ratio:.2}") }
}

fn counted(threads: usize) -> String {
    format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
}

fn bullets(lines: &[String]) -> String {
    lines.iter().map(|line| format!("- {line}\n")).collect()
}

/// Cells by row and column, each in the order in which it first came.
#[derive(Default)]
struct Table {
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<String>>)>,
}

impl Table {
    fn set(&mut self, row: &str, column: &str, cell: String) {
        let at = self.columns.iter().position(|name| name == column).unwrap_or(self.columns.len());
        if at == self.columns.len() {
            self.columns.push(column.into());
        }
        if !self.rows.iter().any(|(name, _)| name == row) {
            self.rows.push((row.into(), Vec::new()));
        }
        if let Some((_, cells)) = self.rows.iter_mut().find(|(name, _)| name == row) {
            cells.resize(cells.len().max(at + 1), None);
            cells[at] = Some(cell);
        }
    }

    /// With these columns moved to the end.
    fn ordered_last(&self, last: &[&str]) -> Self {
        let is_last = |column: &usize| last.contains(&self.columns[*column].as_str());
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_key(is_last);
        let rows = self.rows.iter().map(|(name, cells)| {
            let cells = order.iter().map(|&column| cells.get(column).cloned().flatten());
            (name.clone(), cells.collect())
        });
        Self { rows: rows.collect(), columns: order.iter().map(|&column| self.columns[column].clone()).collect() }
    }

    fn markdown(&self) -> String {
        let line = |first: &str, cells: &mut dyn Iterator<Item = &str>| {
            cells.fold(format!("| {first} |"), |line, cell| format!("{line} {cell} |")) + "\n"
        };
        let mut text = line("", &mut self.columns.iter().map(String::as_str));
        text += &line("---", &mut self.columns.iter().map(|_| "---:"));
        for (name, cells) in &self.rows {
            let cell = |column| cells.get(column).and_then(Option::as_deref).unwrap_or("-");
            text += &line(name, &mut (0..self.columns.len()).map(cell));
        }
        text
    }
}

/// The processor's name, from Linux's /proc; else its architecture.
pub(crate) fn machine() -> String {
    let name = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?.split_once(':')?.1.trim();
        Some(line.to_owned())
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", name.unwrap_or_else(|| std::env::consts::ARCH.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables() {
        let mut table = Table::default();
        table.set("a", "all", "1".into());
        table.set("a", "x", "2".into());
        table.set("b", "x", "3".into());
        assert_eq!(
            table.ordered_last(&["all"]).markdown(),
            "|  | x | all |\n| --- | ---: | ---: |\n| a | 2 | 1 |\n| b | 3 | - |\n"
        );
    }
}

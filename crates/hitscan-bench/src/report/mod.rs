//! The measurements, as tables and as JSON.

mod dynamic;
mod table;

use crate::contenders::{Bytes, Meter};
use crate::measure::{Differences, Timing, geometric_mean};
use crate::part::Part;
use crate::rays::RaySet;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use table::Table;

/// The measurement of one contender in one cell.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) part: Part,
    pub(crate) scene: String,
    /// The set of a measurement of rays.
    pub(crate) set: Option<RaySet>,
    /// The case, if a part has several.
    #[serde(default)]
    pub(crate) case: Option<String>,
    pub(crate) threads: usize,
    pub(crate) contender: String,
    /// The reference of the speed, if it is not the reference of the report.
    #[serde(default)]
    pub(crate) beside: Option<String>,
    pub(crate) rounds: usize,
    /// The rays, triangles or instances of a round.
    pub(crate) count: usize,
    /// The median of a round.
    pub(crate) seconds: f64,
    /// The speed relative to the reference; more than 1 is faster.
    pub(crate) speed: f64,
    pub(crate) slowest: f64,
    pub(crate) fastest: f64,
    pub(crate) other_verdicts: usize,
    pub(crate) other_distances: usize,
    /// The bytes that were read, or that are held.
    #[serde(default)]
    pub(crate) bytes: Option<usize>,
}

impl Row {
    fn case_name(&self) -> &str {
        self.case.as_deref().unwrap_or_default()
    }

    pub(crate) fn set_name(&self) -> &'static str {
        self.set.map_or("", RaySet::name)
    }
}

/// The place of a row in the tables.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) part: Part,
    pub(crate) scene: &'static str,
    pub(crate) set: Option<RaySet>,
    pub(crate) case: Option<&'static str>,
    pub(crate) threads: usize,
    /// The work of a round, in rays, triangles or instances.
    pub(crate) count: usize,
    pub(crate) beside: Option<&'static str>,
}

impl Cell {
    pub(crate) fn new(part: Part, scene: &'static str, threads: usize, count: usize) -> Self {
        Self { part, scene, set: None, case: None, threads, count, beside: None }
    }

    pub(crate) fn of(self, set: RaySet) -> Self {
        Self { set: Some(set), ..self }
    }

    pub(crate) fn case(self, case: &'static str) -> Self {
        Self { case: Some(case), ..self }
    }

    /// Sets a reference other than the report's.
    pub(crate) fn beside(self, what: &'static str) -> Self {
        Self { beside: Some(what), ..self }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MemoryRow {
    pub(crate) scene: String,
    pub(crate) contender: String,
    pub(crate) triangles: usize,
    /// The bytes held without the user's vertices and indices.
    pub(crate) held: usize,
    pub(crate) peak: usize,
    pub(crate) meter: Meter,
}

/// A contender's speeds in several cells.
pub(crate) struct Summary<'a> {
    /// The geometric mean.
    pub(crate) mean: f64,
    pub(crate) worst: &'a Row,
    pub(crate) cells: usize,
}

#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) machine: String,
    /// The contender to which speeds are relative.
    pub(crate) reference: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) memory: Vec<MemoryRow>,
    /// The measurements that were not made, and the reasons.
    pub(crate) skipped: Vec<String>,
    /// Notes on the work of contenders after moves, and other notes that are printed once.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
}

impl Report {
    /// Reads reports of different scenes and merges them.
    pub(crate) fn read_all(files: &[PathBuf]) -> Result<Self> {
        let mut reports = files.iter().map(|file| Self::read(file));
        let mut all = reports.next().context("there are no results to read")??;
        for more in reports {
            let more = more?;
            let [own, other] = [&all.reference, &more.reference];
            ensure!(own == other, "the results are relative to different contenders: {own} and {other}");
            all.rows.extend(more.rows);
            all.memory.extend(more.memory);
            all.skipped.extend(more.skipped);
            more.notes.into_iter().for_each(|note| all.note(note));
        }
        Ok(all)
    }

    fn read(file: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is no result of --json", file.display()))
    }

    pub(crate) fn push(
        &mut self,
        cell: Cell,
        contender: &'static str,
        rounds: usize,
        timing: Timing,
        differences: Differences,
    ) -> &mut Row {
        let Cell { part, scene, set, case, threads, count, beside } = cell;
        let [slowest, fastest] = timing.spread;
        let Timing { seconds, speed, .. } = timing;
        let Differences { verdicts: other_verdicts, distances: other_distances } = differences;
        self.rows.push(Row {
            part,
            scene: scene.into(),
            set,
            case: case.map(Into::into),
            threads,
            contender: contender.into(),
            beside: beside.map(Into::into),
            rounds,
            count,
            seconds,
            speed,
            slowest,
            fastest,
            other_verdicts,
            other_distances,
            bytes: None,
        });
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    pub(crate) fn push_memory(
        &mut self,
        scene: &'static str,
        contender: &'static str,
        triangles: usize,
        bytes: Bytes,
        meter: Meter,
    ) {
        let Bytes { held, peak } = bytes;
        self.memory.push(MemoryRow { scene: scene.into(), contender: contender.into(), triangles, held, peak, meter });
    }

    /// Prints a skipped measurement, and records it in the report.
    pub(crate) fn skip(&mut self, what: String) {
        eprintln!("skipped: {what}");
        self.skipped.push(what);
    }

    /// Adds a note unless it is already there.
    pub(crate) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
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
            self.updates(&mut text, threads);
        }
        self.motion(&mut text);
        for &threads in &threads {
            self.loads(&mut text, threads);
        }
        self.ground(&mut text);
        for &threads in &threads {
            self.volumes(&mut text, threads);
        }
        self.notes(&mut text);
        self.bytes(&mut text);
        self.differences(&mut text);
        if !self.skipped.is_empty() {
            let _ = write!(text, "\n## Skipped\n\n{}", bullets(&self.skipped));
        }
        text
    }

    /// Returns the summary of a contender's rays of one set, or of all; `None` if none were measured.
    pub(crate) fn summary(&self, threads: usize, contender: &str, set: Option<RaySet>) -> Option<Summary<'_>> {
        let is_meant = |row: &&Row| row.contender == contender && (set.is_none() || row.set == set);
        let rows: Vec<&Row> = self.part(Part::Rays, threads).filter(is_meant).collect();
        let speeds: Vec<f64> = rows.iter().map(|row| row.speed).collect();
        Some(Summary {
            mean: geometric_mean(&speeds)?,
            worst: rows.iter().min_by(|a, b| a.speed.total_cmp(&b.speed))?,
            cells: rows.len(),
        })
    }

    pub(crate) fn part(&self, part: Part, threads: usize) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.part == part && row.threads == threads)
    }

    fn rays(&self, text: &mut String, threads: usize) {
        let rows: Vec<&Row> = self.part(Part::Rays, threads).collect();
        let mut scenes: Vec<&str> = rows.iter().map(|row| row.scene.as_str()).collect();
        scenes.dedup();
        for scene in &scenes {
            let mut table = Table::default();
            for row in rows.iter().filter(|row| row.scene == *scene) {
                let set = row.set_name();
                if row.contender == self.reference {
                    let millions = row.count as f64 / row.seconds / 1e6;
                    table.set(&format!("{} (Mrays/s)", row.contender), set, format!("{millions:.2}"));
                } else {
                    table.set(&row.contender, set, ratio(row.speed));
                }
            }
            let _ = write!(text, "\n## Rays, {}, {scene}: speed\n\n{}", counted(threads), table.markdown());
        }
        let mut table = Table::default();
        for row in rows.iter().filter(|row| row.contender != self.reference) {
            if let Some(summary) = self.summary(threads, &row.contender, row.set) {
                table.set(&row.contender, row.set_name(), ratio(summary.mean));
            }
            if let Some(Summary { mean, worst, .. }) = self.summary(threads, &row.contender, None) {
                table.set(&row.contender, "all", ratio(mean));
                let cell = format!("{} ({}, {})", ratio(worst.speed), worst.scene, worst.set_name());
                table.set(&row.contender, "worst", cell);
            }
        }
        if !table.is_empty() {
            let title = format!("Rays, {}: geometric mean of the speed over the scenes", counted(threads));
            let _ = write!(text, "\n## {title}\n\n{}", table.ordered_last(&["all", "worst"]).markdown());
        }
    }

    fn timed(&self, text: &mut String, part: Part, threads: usize, title: &str, show: impl Fn(&Row) -> String) {
        let mut table = Table::default();
        for row in self.part(part, threads) {
            table.set(&row.contender, &row.scene, show(row));
        }
        if !table.is_empty() {
            let _ = write!(text, "\n## {title}, {}\n\n{}", counted(threads), table.markdown());
        }
    }

    fn bytes(&self, text: &mut String) {
        let mut table = Table::default();
        for row in &self.memory {
            let each = |bytes: usize| bytes as f64 / row.triangles as f64;
            table.set(&row.contender, &row.scene, format!("{:.0}, {:.0}", each(row.held), each(row.peak)));
            table.set(&row.contender, "counted by", row.meter.name().into());
        }
        if !table.is_empty() {
            let title = "Bytes a triangle without the user's vertices and indices: held, peak while building";
            let _ = write!(text, "\n## {title}\n\n{}", table.ordered_last(&["counted by"]).markdown());
        }
    }

    fn differences(&self, text: &mut String) {
        let mut lines = Vec::new();
        for row in self.rows.iter().filter(|row| row.other_verdicts + row.other_distances > 0) {
            let (scene, set) = (&row.scene, row.set_name());
            let case = row.case.as_ref().map_or(String::new(), |case| format!(", {case}"));
            let beside = row.beside.as_ref().map_or(String::new(), |beside| format!(" (from {beside})"));
            lines.push(format!(
                "{}, {scene}{case}, {set}, {}: {} verdicts, {} distances of {}{beside}",
                row.contender,
                counted(row.threads),
                row.other_verdicts,
                row.other_distances,
                row.count
            ));
        }
        let _ = write!(text, "\n## Answers that differ from {}, or from what is named\n\n", self.reference);
        text.push_str(&if lines.is_empty() { "None.\n".into() } else { bullets(&lines) });
    }
}

/// Formats a ratio with two decimals, and with more if it is small.
pub(crate) fn ratio(ratio: f64) -> String {
    if ratio < 0.095 { format!("{ratio:.4}") } else { format!("{ratio:.2}") }
}

pub(crate) fn counted(threads: usize) -> String {
    format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
}

fn bullets(lines: &[String]) -> String {
    lines.iter().map(|line| format!("- {line}\n")).collect()
}

/// Returns the processor's name from Linux's /proc, otherwise its architecture.
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
    fn results_of_several_runs_are_put_together() {
        let folder = tempfile::tempdir().unwrap();
        let write = |reference: &str, scene: &'static str| {
            let mut report = Report { reference: reference.into(), ..Report::default() };
            let cell = Cell::new(Part::Rays, scene, 1, 100).of(RaySet::Ao);
            report.push(
                cell,
                "own",
                7,
                Timing { seconds: 0.5, speed: 2.0, spread: [1.0, 4.0] },
                Differences::default(),
            );
            report.skip(format!("something of {scene}"));
            let file = folder.path().join(format!("{scene}.json"));
            std::fs::write(&file, serde_json::to_string(&report).unwrap()).unwrap();
            (file, report)
        };
        let ((a, own), (b, _), (c, _)) = (write("x", "a"), write("x", "b"), write("y", "c"));
        let read = |files: &[&PathBuf]| Report::read_all(&files.iter().copied().cloned().collect::<Vec<_>>());
        assert_eq!(read(&[&a]).unwrap().text(), own.text());
        let both = read(&[&a, &b]).unwrap();
        let scenes: Vec<&str> = both.rows.iter().map(|row| row.scene.as_str()).collect();
        assert_eq!((scenes, both.skipped.len()), (vec!["a", "b"], 2));
        assert!(read(&[&a, &c]).is_err_and(|error| error.to_string().contains("different contenders: x and y")));
        assert!(read(&[&folder.path().join("nothing.json")]).is_err() && read(&[]).is_err());
    }
}

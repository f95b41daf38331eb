//! Tables of what moves, is saved, or is ground.

use super::table::Table;
use super::{Report, Row, bullets, counted, ratio};
use crate::measure::geometric_mean;
use crate::run::Part;
use std::fmt::Write;

impl Report {
    /// A column a case, so that what moved is beside what it took.
    pub(super) fn updates(&self, text: &mut String, threads: usize) {
        let mut table = Table::default();
        for row in self.part(Part::Update, threads) {
            let case = format!("{}, {}: {}", row.scene, row.case_name(), row.count);
            table.set(&row.contender, &case, format!("{:.3} ({})", row.seconds * 1e3, ratio(1.0 / row.speed)));
        }
        if !table.is_empty() {
            let title = "Moving instances and being ready, milliseconds a frame (multiple of the reference)";
            let _ = write!(text, "\n## {title}, {}\n\n{}", counted(threads), table.markdown());
        }
    }

    pub(super) fn ready(&self, text: &mut String) {
        if !self.notes.is_empty() {
            let _ = write!(text, "\n## What being ready takes\n\n{}", bullets(&self.notes));
        }
    }

    pub(super) fn motion(&self, text: &mut String) {
        let rows: Vec<&Row> = self.part(Part::Motion, 1).collect();
        let mut cases: Vec<(&str, Option<&str>)> =
            rows.iter().map(|row| (row.case_name(), row.beside.as_deref())).collect();
        // First what is lost by motion.
        cases.sort_by_key(|&(case, beside)| (case, beside.is_none()));
        cases.dedup();
        for (case, beside) in cases {
            let rows = rows.iter().filter(|row| (row.case_name(), row.beside.as_deref()) == (case, beside));
            let table = by_set(rows.copied());
            let beside = beside.unwrap_or(&self.reference);
            let _ = write!(text, "\n## Rays after motion, {case}: speed beside {beside}\n\n{}", table.markdown());
        }
    }

    pub(super) fn loads(&self, text: &mut String, threads: usize) {
        let mut table = Table::default();
        for row in self.part(Part::Load, threads) {
            let bytes = row.bytes.map_or(String::new(), |bytes| format!(", {:.0} B", bytes as f64 / row.count as f64));
            let cell = format!("{:.2} ({}){bytes}", row.seconds * 1e3, ratio(1.0 / row.speed));
            table.set(&row.contender, &row.scene, cell);
        }
        if !table.is_empty() {
            let title = "Reading a saved mesh, milliseconds (multiple of building Balanced), bytes a triangle";
            let _ = write!(text, "\n## {title}, {}\n\n{}", counted(threads), table.markdown());
        }
    }

    pub(super) fn ground(&self, text: &mut String) {
        let rows: Vec<&Row> = self.part(Part::HeightField, 1).collect();
        let mut scenes: Vec<&str> = rows.iter().map(|row| row.scene.as_str()).collect();
        scenes.dedup();
        for scene in scenes {
            let rows = || rows.iter().copied().filter(|row| row.scene == scene);
            let mut table = by_set(rows().filter(|row| row.set.is_some()));
            for row in rows().filter(|row| row.case.as_deref() == Some("build")) {
                table.set(
                    &row.contender,
                    "build, ms",
                    format!("{:.1} ({})", row.seconds * 1e3, ratio(1.0 / row.speed)),
                );
                let bytes = row.bytes.map_or("-".into(), |bytes| format!("{:.1}", bytes as f64 / row.count as f64));
                table.set(&row.contender, "bytes a cell", bytes);
            }
            for row in rows().filter(|row| row.case.as_deref() == Some("crater")) {
                table.set(&row.contender, "a crater, us", format!("{:.1}", row.seconds * 1e6));
            }
            let _ = write!(text, "\n## Ground, {scene}: speed of rays beside the mesh\n\n{}", table.markdown());
        }
    }
}

/// The speeds of each ray set, and their geometric mean.
fn by_set<'a>(rows: impl Iterator<Item = &'a Row>) -> Table {
    let rows: Vec<&Row> = rows.collect();
    let mut table = Table::default();
    for row in &rows {
        table.set(&row.contender, row.set_name(), ratio(row.speed));
    }
    for row in &rows {
        let speeds = rows.iter().filter(|other| other.contender == row.contender).map(|other| other.speed);
        if let Some(mean) = geometric_mean(&speeds.collect::<Vec<_>>()) {
            table.set(&row.contender, "mean", ratio(mean));
        }
    }
    table
}

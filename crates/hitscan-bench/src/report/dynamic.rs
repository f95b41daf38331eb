//! Tables of dynamic scenes, saved meshes and height fields.

use super::table::Table;
use super::{Report, Row, bullets, counted, ratio};
use crate::measure::geometric_mean;
use crate::part::Part;
use std::fmt::Write;

impl Report {
    /// Adds a table of updates. Each kind of motion has a column.
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

    /// Adds tables of sweeps, closest points and pairs, each relative to the first row of its table.
    pub(super) fn volumes(&self, text: &mut String, threads: usize) {
        let mut sweeps = Table::default();
        for row in self.part(Part::Sweep, threads) {
            let each = row.seconds / row.count as f64;
            let case = format!("{}, {}", row.scene, row.case_name());
            sweeps.set(&case, &row.contender, format!("{:.2} ({})", each * 1e6, ratio(row.speed)));
        }
        let mut closest = Table::default();
        for row in self.part(Part::Closest, threads) {
            let each = row.seconds / row.count as f64;
            let case = format!("{}, {}", row.scene, row.case_name());
            closest.set(&case, &row.contender, format!("{:.2} ({})", each * 1e6, ratio(row.speed)));
        }
        let mut pairs = Table::default();
        for row in self.part(Part::Pairs, threads) {
            let cell = format!("{:.3} ({})", row.seconds * 1e3, ratio(1.0 / row.speed));
            pairs.set(&row.contender, row.case_name(), cell);
        }
        for (table, title) in [
            (sweeps, "Sweeps, microseconds (speed)"),
            (closest, "Closest points, microseconds (speed)"),
            (pairs, "Pairs, milliseconds (multiple of the first one)"),
        ] {
            if !table.is_empty() {
                let _ = write!(text, "\n## {title}, {}\n\n{}", counted(threads), table.markdown());
            }
        }
    }

    pub(super) fn notes(&self, text: &mut String) {
        if !self.notes.is_empty() {
            let _ = write!(text, "\n## What was done\n\n{}", bullets(&self.notes));
        }
    }

    pub(super) fn motion(&self, text: &mut String) {
        let rows: Vec<&Row> = self.part(Part::Motion, 1).collect();
        let mut tables: Vec<(&str, Option<&str>)> = Vec::new();
        for table in rows.iter().map(|row| (row.case_name(), row.beside.as_deref())) {
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        for (case, beside) in tables {
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

/// Returns the speeds of each ray set, and their geometric mean.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Differences, Timing};
    use crate::rays::RaySet;
    use crate::report::Cell;

    fn timing(seconds: f64, speed: f64) -> Timing {
        Timing { seconds, speed, spread: [speed; 2] }
    }

    #[test]
    fn motion_is_beside_the_reference_and_beside_fresh_builds() {
        let mut report = Report { reference: "theirs".into(), ..Report::default() };
        for (set, speeds) in [(RaySet::Ao, [1.0, 0.5]), (RaySet::Random, [4.0, 2.0])] {
            let cell = Cell::new(Part::Motion, "field", 1, 100).of(set).case("all moving");
            report.push(cell, "own", 7, timing(0.1, speeds[0]), Differences::default());
            let other = Differences { verdicts: 3, distances: 0 };
            report.push(cell.beside("a fresh build"), "own", 7, timing(0.1, speeds[1]), other);
        }
        let text = report.text();
        let tables = [("theirs", "| own | 1.00 | 4.00 | 2.00 |"), ("a fresh build", "| own | 0.50 | 2.00 | 1.00 |")];
        for (beside, line) in tables {
            let (_, table) =
                text.split_once(&format!("## Rays after motion, all moving: speed beside {beside}\n")).unwrap();
            let table = table.split("##").next().unwrap();
            assert!(table.contains("|  | ao | random | mean |") && table.contains(line), "{text}");
        }
        assert!(
            text.contains("own, field, all moving, ao, 1 thread: 3 verdicts, 0 distances of 100 (from a fresh build)"),
            "{text}"
        );
    }

    #[test]
    fn times_are_multiples_and_bytes_are_of_a_triangle_or_a_cell() {
        let mut report = Report::default();
        let cell = Cell::new(Part::Load, "hall", 1, 100).beside("building");
        report.push(cell, "building", 7, timing(0.050, 1.0), Differences::default());
        report.push(cell, "reading", 7, timing(0.005, 10.0), Differences::default()).bytes = Some(2_500);
        let cell = Cell::new(Part::HeightField, "hills", 1, 50).case("build");
        report.push(cell, "field", 7, timing(0.001, 20.0), Differences::default()).bytes = Some(650);
        let moved = Cell::new(Part::Update, "field", 1, 10).case("all aside");
        report.push(moved, "own", 7, timing(0.002, 4.0), Differences::default());
        let text = report.text();
        for line in [
            "| building | 50.00 (1.00) |",
            "| reading | 5.00 (0.10), 25 B |",
            "| field | 1.0 (0.0500) | 13.0 |",
            "| own | 2.000 (0.25) |",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }
}

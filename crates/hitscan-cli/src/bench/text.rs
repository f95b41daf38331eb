//! The figures for people.

use super::casts::Cast;
use super::figures::Figures;
use super::rounds::Timing;
use crate::output::{one_line, write_table};
use std::io::{self, Write};

/// The number of units in a second.
const MILLISECONDS: f64 = 1e3;
const NANOSECONDS: f64 = 1e9;

pub(super) fn write(out: &mut dyn Write, figures: &Figures<'_>) -> io::Result<()> {
    let Figures { model, simd, entities, meshes, triangles, .. } = figures;
    let lines = [
        ("model", one_line(model)),
        ("holds", format!("{triangles} triangles in {meshes} meshes, {entities} entities")),
        ("instructions", simd.clone()),
    ];
    for (title, value) in lines {
        writeln!(out, "{title:12}  {value}")?;
    }
    writeln!(out)?;
    write_table(out, ["BUILD", "THREADS", "MS", "SPREAD", "BYTES", "BYTES A TRIANGLE"], &builds(figures))?;
    writeln!(out)?;
    write_table(out, ["RAYS", "ASKS", "HITTING", "THREADS", "MILLIONS A SECOND", "NS A RAY", "SPREAD"], &rays(figures))
}

fn builds(figures: &Figures<'_>) -> Vec<[String; 6]> {
    let trees = figures.builds.iter().map(|build| {
        let [median, spread] = shown(&build.timing, MILLISECONDS);
        let each = format!("{:.1}", build.bytes_per_triangle);
        [build.quality.into(), build.threads.to_string(), median, spread, build.bytes.to_string(), each]
    });
    let [median, spread] = shown(&figures.scene.timing, MILLISECONDS);
    let scene = ["scene".into(), "-".into(), median, spread, figures.scene.bytes.to_string(), "-".into()];
    trees.chain([scene]).collect()
}

fn rays(figures: &Figures<'_>) -> Vec<[String; 7]> {
    let sets = figures.rays.iter().map(|cast| {
        let Cast { set, asks, threads, rays, hits, timing, .. } = cast;
        let [median, spread] = shown(timing, NANOSECONDS / *rays as f64);
        let hitting = format!("{:.0} %", 100.0 * *hits as f64 / *rays as f64);
        let millions = format!("{:.2}", cast.rays_per_second / 1e6);
        [(*set).into(), (*asks).into(), hitting, threads.to_string(), millions, median, spread]
    });
    let [median, spread] = shown(&figures.cold_pick, NANOSECONDS);
    let pick = ["cold pick", "closest", "-", "1", "-"].map(str::to_owned);
    let [name, asks, hitting, threads, millions] = pick;
    sets.chain([[name, asks, hitting, threads, millions, median, spread]]).collect()
}

/// Returns the median, the fastest and the slowest time, and the number of rounds if it is small. A second has `unit`
/// units of the times.
fn shown(timing: &Timing, unit: f64) -> [String; 2] {
    let Timing { seconds, fastest, slowest, rounds } = *timing;
    let few = match rounds {
        1 => ", once".to_owned(),
        ..7 => format!(", {rounds} rounds"),
        _ => String::new(),
    };
    let [seconds, fastest, slowest] = [seconds, fastest, slowest].map(|seconds| three_digits(seconds * unit));
    [seconds, format!("{fastest} to {slowest}{few}")]
}

/// Formats a number with at least three digits, and with all digits before the decimal point.
fn three_digits(number: f64) -> String {
    let places = match number {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    format!("{number:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let numbers = [0.123, 1.239, 12.39, 123.9, 12_345.6].map(three_digits);
        assert_eq!(numbers, ["0.12", "1.24", "12.4", "124", "12346"]);
    }
}

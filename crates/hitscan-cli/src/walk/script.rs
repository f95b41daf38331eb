//! The script of a walk: the wanted motion of each step.

use crate::csv_reader::{CsvReader, shown, unquoted};
use anyhow::{Context, Result, anyhow, ensure};
use hitscan::glam::DVec3;
use std::fs::File;
use std::io;
use std::path::Path;

/// The header, with the requirement for the values of each column.
const COLUMNS: [(&str, &str); 6] = [
    ("steps", "a whole number from 1 to 4294967295"),
    ("dt", "a time above 0, in seconds"),
    ("vx", SPEED),
    ("vy", SPEED),
    ("vz", SPEED),
    ("jump", "a finite speed from 0, where 0 is no jump"),
];
const SPEED: &str = "a finite speed";

/// The limit of velocities. The library makes no motion beyond it.
const LIMIT: f64 = 1e70;

/// A number of equal steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) steps: u32,
    /// The duration of each step, in seconds.
    pub(super) dt: f64,
    /// The wanted velocity.
    pub(super) velocity: DVec3,
    /// The upward speed with which the first step begins if the character is on the ground.
    pub(super) jump: f64,
}

/// Reads a script: `-` is standard input.
pub(super) fn read(path: &Path) -> Result<Vec<Row>> {
    if path == Path::new("-") {
        return rows(CsvReader::new("standard input".into(), Box::new(io::stdin())));
    }
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
    rows(CsvReader::new(name, Box::new(file)))
}

fn rows(mut lines: CsvReader) -> Result<Vec<Row>> {
    let header = COLUMNS.map(|(title, _)| title);
    let titles = lines.titles()?;
    ensure!(titles == header, "{}: line 1 must be the header {}", lines.name(), header.join(","));
    let mut rows = Vec::new();
    while lines.advance()? {
        rows.push(row(&lines)?);
    }
    Ok(rows)
}

fn row(lines: &CsvReader) -> Result<Row> {
    let cells = lines.cells(COLUMNS.len())?;
    let steps = cell(lines, &cells, 0, |text| text.parse().ok().filter(|&steps: &u32| steps > 0))?;
    let number = |column, is_usable: fn(f64) -> bool| {
        cell(lines, &cells, column, |text| text.parse().ok().filter(|&number: &f64| is_usable(number)))
    };
    let dt = number(1, |dt| dt > 0.0 && dt < LIMIT)?;
    let speed = |column| number(column, |speed| speed.abs() < LIMIT);
    let velocity = DVec3::new(speed(2)?, speed(3)?, speed(4)?);
    let jump = number(5, |jump| (0.0..LIMIT).contains(&jump))?;
    Ok(Row { steps, dt, velocity, jump })
}

/// Parses the cell of a column.
fn cell<T>(lines: &CsvReader, cells: &[&[u8]], column: usize, parse: impl Fn(&str) -> Option<T>) -> Result<T> {
    let (cell, (title, wanted)) = (cells[column], COLUMNS[column]);
    let value = std::str::from_utf8(cell).ok().and_then(|text| parse(unquoted(text)));
    value.ok_or_else(|| anyhow!("{}, column {title}: {} must be {wanted}", lines.place(), shown(cell)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Result<Vec<Row>> {
        rows(CsvReader::new("walk".into(), Box::new(text.as_bytes())))
    }

    #[test]
    fn rows_of_every_layout() {
        let row = Row { steps: 60, dt: 0.25, velocity: DVec3::new(1.0, 0.0, -2.5), jump: 4.0 };
        let good = [
            "steps,dt,vx,vy,vz,jump\n60,0.25,1,0,-2.5,4\n",
            "\u{feff}steps, dt, vx, vy, vz, jump\r\n\r\n 60 ,\"0.25\",+1,0,-2.5,4e0",
        ];
        for text in good {
            assert_eq!(read(text).unwrap(), [row], "{text:?}");
        }
        assert_eq!(read("steps,dt,vx,vy,vz,jump\n").unwrap(), []);
    }

    #[test]
    fn a_wrong_row_is_known_by_its_line_and_column() {
        let header = "line 1 must be the header steps,dt,vx,vy,vz,jump";
        let wrong = [
            ("", header),
            ("60,0.25,1,0,0,0\n", header),
            ("steps,dt,vx,vy,vz\n", header),
            ("steps,dt,vx,vy,vz,jump\n1,1,0,0,0\n", "line 2: 5 values where the header has 6"),
            (
                "steps,dt,vx,vy,vz,jump\n0,1,0,0,0,0\n",
                "line 2, column steps: \"0\" must be a whole number from 1 to 4294967295",
            ),
            (
                "steps,dt,vx,vy,vz,jump\n1,1,0,0,0,0\n\n1.5,1,0,0,0,0\n",
                "line 4, column steps: \"1.5\" must be a whole number from 1 to 4294967295",
            ),
            ("steps,dt,vx,vy,vz,jump\n1,0,0,0,0,0\n", "line 2, column dt: \"0\" must be a time above 0, in seconds"),
            (
                "steps,dt,vx,vy,vz,jump\n1,nan,0,0,0,0\n",
                "line 2, column dt: \"nan\" must be a time above 0, in seconds",
            ),
            ("steps,dt,vx,vy,vz,jump\n1,1,x,0,0,0\n", "line 2, column vx: \"x\" must be a finite speed"),
            ("steps,dt,vx,vy,vz,jump\n1,1,0,,0,0\n", "line 2, column vy: \"\" must be a finite speed"),
            ("steps,dt,vx,vy,vz,jump\n1,1,0,0,inf,0\n", "line 2, column vz: \"inf\" must be a finite speed"),
            (
                "steps,dt,vx,vy,vz,jump\n1,1,0,0,0,-1\n",
                "line 2, column jump: \"-1\" must be a finite speed from 0, where 0 is no jump",
            ),
        ];
        for (text, expected) in wrong {
            assert_eq!(format!("{:#}", read(text).unwrap_err()), format!("walk: {expected}"), "{text:?}");
        }
    }
}

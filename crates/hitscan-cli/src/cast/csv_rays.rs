//! Rays from CSV.

use super::rays::Batch;
use crate::precision::Precision;
use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, BufReader, Read};

/// The header: all of these, or the first six.
const TITLES: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];

/// The longest line; data that is not a table of numbers would fill the memory otherwise.
const MAX_LINE: usize = 1 << 16;

/// The rows of a table of numbers. None of them holds a line end, so a line is a row, quotes or not.
pub(super) struct CsvRays {
    name: String,
    bytes: BufReader<Box<dyn Read + Send>>,
    length: Option<u64>,
    columns: usize,
    precision: Precision,
    line: Vec<u8>,
    /// The number of lines and bytes that were read.
    lines: u64,
    done: u64,
}

impl CsvRays {
    /// Reads the bytes of a source with that name, of which there are `length`.
    pub(super) fn new(
        name: String,
        bytes: Box<dyn Read + Send>,
        length: Option<u64>,
        precision: Precision,
    ) -> Result<Self> {
        let bytes = BufReader::with_capacity(MAX_LINE, bytes);
        let mut rays = Self { name, bytes, length, columns: 0, precision, line: Vec::new(), lines: 0, done: 0 };
        rays.columns = rays.header()?;
        Ok(rays)
    }

    fn header(&mut self) -> Result<usize> {
        let is_there = self.advance()?;
        let line = String::from_utf8_lossy(&self.line);
        let titles: Vec<&str> = line.trim_start_matches('\u{feff}').split(',').map(unquoted).collect();
        if !is_there || (titles != TITLES && titles != TITLES[..6]) {
            bail!("{}: line 1 must be the header {}, or {}", self.name, TITLES[..6].join(","), TITLES.join(","));
        }
        Ok(titles.len())
    }

    /// Reads up to the end of the next line that is not empty, and returns whether there was one.
    fn advance(&mut self) -> Result<bool> {
        loop {
            self.line.clear();
            let mut bytes = self.bytes.by_ref().take(MAX_LINE as u64 + 1);
            let count = bytes.read_until(b'\n', &mut self.line);
            let count = count.with_context(|| format!("{}: cannot be read", self.name))?;
            self.lines += 1;
            self.done += count as u64;
            ensure!(count <= MAX_LINE, "{}: line {} is longer than {MAX_LINE} bytes", self.name, self.lines);
            if count == 0 || !self.line.trim_ascii().is_empty() {
                return Ok(count > 0);
            }
        }
    }

    pub(super) fn next(&mut self, count: usize) -> Result<Batch> {
        let mut batch = Batch::new(self.precision);
        while batch.len() < count && self.advance()? {
            self.row(&mut batch)?;
        }
        Ok(batch)
    }

    fn row(&self, batch: &mut Batch) -> Result<()> {
        let at = || format!("{}: line {}", self.name, self.lines);
        let cells = || self.line.split(|&byte| byte == b',');
        let found = cells().count();
        ensure!(found == self.columns, "{}: {found} values where the header has {}", at(), self.columns);
        let mut row = [0.0; TITLES.len()];
        for ((cell, title), value) in cells().zip(TITLES).zip(&mut row) {
            *value = number(cell, self.precision).with_context(|| {
                let cell = String::from_utf8_lossy(cell.trim_ascii());
                format!("{}: {title} is {cell:?}, which is no number", at())
            })?;
        }
        batch.add(&row[..self.columns]).with_context(at)
    }

    pub(super) fn bytes(&self) -> (u64, Option<u64>) {
        (self.done, self.length)
    }
}

/// Parses the number in a cell, rounded once.
fn number(cell: &[u8], precision: Precision) -> Option<f64> {
    let text = unquoted(std::str::from_utf8(cell).ok()?);
    match precision {
        Precision::Single => text.parse::<f32>().ok().map(f64::from),
        Precision::Double => text.parse().ok(),
    }
}

fn unquoted(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).unwrap_or(cell).trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::Ray;

    fn read(text: &'static str) -> Result<Vec<Ray>> {
        let mut rays = CsvRays::new("rays".into(), Box::new(text.as_bytes()), None, Precision::Single)?;
        Ok(rays.next(100)?.rays)
    }

    #[test]
    fn rows_of_every_layout() {
        let ray = Ray::with_direction([1.0, -2.5, 3e2], [0.0, 0.0, -1.0]);
        let good = [
            "ox,oy,oz,dx,dy,dz\n1,-2.5,3e2,0,0,-1\n",
            "ox,oy,oz,dx,dy,dz\r\n1,-2.5,3e2,0,0,-1",
            "\u{feff}ox, oy, oz, dx, dy, dz\n\n 1, -2.5, +300 ,0,-0,-1.0\n\n",
            "\"ox\",\"oy\",\"oz\",\"dx\",\"dy\",\"dz\"\n\"1\",\"-2.5\",3e2,0,0,-1\n",
        ];
        for text in good {
            assert_eq!(read(text).unwrap(), [ray], "{text:?}");
        }
        let ranged = read("ox,oy,oz,dx,dy,dz,t_min,t_max\n1,-2.5,3e2,0,0,-1,0.5,inf\n").unwrap();
        assert_eq!(ranged, [ray.with_range(0.5, f32::INFINITY)]);
        assert_eq!(read("ox,oy,oz,dx,dy,dz\n").unwrap(), []);
    }

    #[test]
    fn a_wrong_row_is_known_by_its_line() {
        let header = "line 1 must be the header ox,oy,oz,dx,dy,dz, or ox,oy,oz,dx,dy,dz,t_min,t_max";
        let wrong = [
            ("", header),
            ("ox,oy,oz,dx,dy\n", header),
            ("1,2,3,4,5,6\n", header),
            ("ox,oy,oz,dx,dy,dz,t_min\n", header),
            ("ox,oy,oz,dx,dy,dz\n\n1,2,3,4,5,6\n1,2,3\n", "line 4: 3 values where the header has 6"),
            ("ox,oy,oz,dx,dy,dz\r\n1,2,3,4,5,6,7\r\n", "line 2: 7 values where the header has 6"),
            ("ox,oy,oz,dx,dy,dz\r\n\r\n1,2,3\r\n", "line 3: 3 values where the header has 6"),
            ("ox,oy,oz,dx,dy,dz\n1,2,x,4,5,6\n", "line 2: oz is \"x\", which is no number"),
            ("ox,oy,oz,dx,dy,dz\n1,2,,4,5,6\n", "line 2: oz is \"\", which is no number"),
            ("ox,oy,oz,dx,dy,dz\n\"1,2,3,4,5,6\n1,2,3,4,5,6\n", "line 2: ox is \"\\\"1\", which is no number"),
        ];
        for (text, expected) in wrong {
            let error = format!("{:#}", read(text).unwrap_err());
            assert_eq!(error, format!("rays: {expected}"), "{text:?}");
        }
        let endless =
            CsvRays::new("rays".into(), Box::new(std::io::repeat(b'1')), None, Precision::Single).err().unwrap();
        assert_eq!(format!("{endless:#}"), "rays: line 1 is longer than 65536 bytes");
    }
}

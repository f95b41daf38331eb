//! Rays from CSV.

use super::batch::Batch;
use crate::csv_reader::{CsvReader, shown, unquoted};
use crate::precision::Precision;
use anyhow::{Context, Result, bail};
use std::io::Read;

/// The titles of the header: all of these, or the first six.
const TITLES: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];

/// The rows of a table of rays.
pub(super) struct CsvRays {
    lines: CsvReader,
    length: Option<u64>,
    columns: usize,
    precision: Precision,
}

impl CsvRays {
    /// Reads a table from the bytes of a source with this name. `length` is the number of bytes, if it is known.
    pub(super) fn new(
        name: String,
        bytes: Box<dyn Read + Send>,
        length: Option<u64>,
        precision: Precision,
    ) -> Result<Self> {
        let mut lines = CsvReader::new(name, bytes);
        let titles = lines.titles()?;
        if titles != TITLES && titles != TITLES[..6] {
            bail!("{}: line 1 must be the header {}, or {}", lines.name(), TITLES[..6].join(","), TITLES.join(","));
        }
        Ok(Self { lines, length, columns: titles.len(), precision })
    }

    pub(super) fn next(&mut self, count: usize) -> Result<Batch> {
        let mut batch = Batch::new(self.precision);
        while batch.len() < count && self.lines.advance()? {
            self.row(&mut batch)?;
        }
        Ok(batch)
    }

    fn row(&self, batch: &mut Batch) -> Result<()> {
        let at = || self.lines.place();
        let mut row = [0.0; TITLES.len()];
        for ((cell, title), value) in self.lines.cells(self.columns)?.into_iter().zip(TITLES).zip(&mut row) {
            *value = number(cell, self.precision)
                .with_context(|| format!("{}: {title} is {}, which is no number", at(), shown(cell)))?;
        }
        batch.add(&row[..self.columns]).with_context(at)
    }

    pub(super) fn bytes(&self) -> (u64, Option<u64>) {
        (self.lines.done(), self.length)
    }
}

/// Parses the number in a cell, and rounds it once to the precision.
fn number(cell: &[u8], precision: Precision) -> Option<f64> {
    let text = unquoted(std::str::from_utf8(cell).ok()?);
    match precision {
        Precision::Single => text.parse::<f32>().ok().map(f64::from),
        Precision::Double => text.parse().ok(),
    }
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

//! Rays from CSV.

use super::rays::ray;
use anyhow::{Context, Result, anyhow, bail, ensure};
use csv::{ByteRecord, Reader, ReaderBuilder, Trim};
use hitscan::Ray;
use std::io::{self, Read};

/// The header: all of these, or the first six.
const TITLES: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];

/// The longest line; what is no table of numbers would fill the memory otherwise.
const MAX_LINE: usize = 1 << 16;

pub(super) struct CsvRays {
    name: String,
    reader: Reader<ShortLines<Box<dyn Read + Send>>>,
    length: Option<u64>,
    columns: usize,
    record: ByteRecord,
}

impl CsvRays {
    /// From the bytes of what goes by that name, of which there are `length`.
    pub(super) fn new(name: String, bytes: Box<dyn Read + Send>, length: Option<u64>) -> Result<Self> {
        // Numbers hold no line ends, so a quote never joins lines: a line is a row, and its number is right.
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .quoting(false)
            .trim(Trim::All)
            .from_reader(ShortLines { bytes, line: 1, used: 0 });
        let mut rays = Self { name, reader, length, columns: 0, record: ByteRecord::new() };
        rays.columns = rays.header()?;
        Ok(rays)
    }

    fn header(&mut self) -> Result<usize> {
        let is_there = self.advance()?;
        let titles: Vec<String> = self.record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
        let titles: Vec<&str> =
            titles.iter().map(|title| unquoted(title.trim_start_matches('\u{feff}')).trim()).collect();
        if !is_there || (titles != TITLES && titles != TITLES[..6]) {
            bail!("{}: line 1 must be the header {}, or {}", self.name, TITLES[..6].join(","), TITLES.join(","));
        }
        Ok(titles.len())
    }

    /// Reads the next row; whether there was one.
    fn advance(&mut self) -> Result<bool> {
        self.reader.read_byte_record(&mut self.record).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => anyhow!(error).context(format!("{}: cannot be read", self.name)),
            other => anyhow!("{}: cannot be read: {other:?}", self.name),
        })
    }

    pub(super) fn next(&mut self, count: usize) -> Result<Vec<Ray>> {
        let mut rays = Vec::with_capacity(count);
        while rays.len() < count && self.advance()? {
            rays.push(self.row()?);
        }
        Ok(rays)
    }

    fn row(&self) -> Result<Ray> {
        let at = || {
            let line = self.record.position().map_or(0, |position| position.line());
            format!("{}: line {line}", self.name)
        };
        let found = self.record.len();
        ensure!(found == self.columns, "{}: {found} values where the header has {}", at(), self.columns);
        let mut row = [0.0; TITLES.len()];
        for ((cell, title), value) in self.record.iter().zip(TITLES).zip(&mut row) {
            *value = number(cell).with_context(|| {
                format!("{}: {title} is {:?}, which is no number", at(), String::from_utf8_lossy(cell))
            })?;
        }
        ray(&row[..self.columns]).with_context(at)
    }

    pub(super) fn bytes(&self) -> (u64, Option<u64>) {
        (self.reader.position().byte(), self.length)
    }
}

fn number(cell: &[u8]) -> Option<f32> {
    unquoted(std::str::from_utf8(cell).ok()?).trim().parse().ok()
}

fn unquoted(cell: &str) -> &str {
    cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).unwrap_or(cell)
}

/// Bytes whose lines are all short enough to be held.
struct ShortLines<R> {
    bytes: R,
    line: u64,
    /// How many bytes of the line were read.
    used: usize,
}

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        for line in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            self.used += line.len();
            if self.used > MAX_LINE {
                let message = format!("line {} is longer than {MAX_LINE} bytes", self.line);
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            if line.ends_with(b"\n") {
                self.line += 1;
                self.used = 0;
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Result<Vec<Ray>> {
        CsvRays::new("rays".into(), Box::new(text.as_bytes()), None)?.next(100)
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
            ("ox,oy,oz,dx,dy,dz\n1,2,x,4,5,6\n", "line 2: oz is \"x\", which is no number"),
            ("ox,oy,oz,dx,dy,dz\n1,2,,4,5,6\n", "line 2: oz is \"\", which is no number"),
            ("ox,oy,oz,dx,dy,dz\n\"1,2,3,4,5,6\n1,2,3,4,5,6\n", "line 2: ox is \"\\\"1\", which is no number"),
        ];
        for (text, expected) in wrong {
            let error = format!("{:#}", read(text).unwrap_err());
            assert_eq!(error, format!("rays: {expected}"), "{text:?}");
        }
        let endless = CsvRays::new("rays".into(), Box::new(io::repeat(b'1')), None).err().unwrap();
        assert_eq!(format!("{endless:#}"), "rays: cannot be read: line 1 is longer than 65536 bytes");
    }
}

//! Lines of CSV. No cell of a table of numbers holds a line end, so every line is a row, even with quotes.

use anyhow::{Context, Result, ensure};
use std::io::{BufRead, BufReader, Read};

/// The longest line; data that is not a table of numbers would fill the memory otherwise.
const MAX_LINE: usize = 1 << 16;

/// The mark that some programs write before the first line of a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The rows of a table, read one at a time.
pub(crate) struct CsvReader {
    name: String,
    bytes: BufReader<Box<dyn Read + Send>>,
    line: Vec<u8>,
    /// The number of lines and bytes that were read.
    lines: u64,
    done: u64,
}

impl CsvReader {
    /// Reads a table from the bytes of a source with this name.
    pub(crate) fn new(name: String, bytes: Box<dyn Read + Send>) -> Self {
        Self { name, bytes: BufReader::with_capacity(MAX_LINE, bytes), line: Vec::new(), lines: 0, done: 0 }
    }

    /// Reads the first row, and returns its cells as titles. Returns no titles if there is no row.
    pub(crate) fn titles(&mut self) -> Result<Vec<String>> {
        if !self.advance()? {
            return Ok(Vec::new());
        }
        let line = String::from_utf8_lossy(&self.line);
        Ok(line.split(',').map(|title| unquoted(title).to_owned()).collect())
    }

    /// Reads up to the end of the next line that is not empty, and returns whether there was one.
    pub(crate) fn advance(&mut self) -> Result<bool> {
        loop {
            self.line.clear();
            let mut bytes = self.bytes.by_ref().take(MAX_LINE as u64 + 1);
            let count = bytes.read_until(b'\n', &mut self.line);
            let count = count.with_context(|| format!("{}: cannot be read", self.name))?;
            self.lines += 1;
            self.done += count as u64;
            ensure!(count <= MAX_LINE, "{}: line {} is longer than {MAX_LINE} bytes", self.name, self.lines);
            ensure!(
                self.lines > 1 || !hitscan_io::is_lfs_pointer(&self.line),
                "{}: is a Git LFS pointer instead of the table: run `git lfs pull`",
                self.name
            );
            if self.lines == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
                self.line.drain(..BYTE_ORDER_MARK.len());
            }
            if count == 0 || !self.line.trim_ascii().is_empty() {
                return Ok(count > 0);
            }
        }
    }

    /// Returns the cells of the row. Fails if their number differs from the number of columns.
    pub(crate) fn cells(&self, columns: usize) -> Result<Vec<&[u8]>> {
        let cells = self.row();
        ensure!(cells.len() == columns, "{}: {} values where the header has {columns}", self.place(), cells.len());
        Ok(cells)
    }

    /// Returns the line of the row as it was read.
    pub(crate) fn line(&self) -> &[u8] {
        &self.line
    }

    pub(crate) fn row(&self) -> Vec<&[u8]> {
        self.line.split(|&byte| byte == b',').collect()
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the source and the number of the line, for messages.
    pub(crate) fn place(&self) -> String {
        format!("{}: line {}", self.name, self.lines)
    }

    /// Returns the number of bytes that were read.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }
}

/// Returns a cell without the spaces and quotes around it.
pub(crate) fn unquoted(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).unwrap_or(cell).trim()
}

/// Returns a cell in the form for messages.
pub(crate) fn shown(cell: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(cell.trim_ascii()))
}

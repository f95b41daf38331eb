//! The rows of a walk, as CSV (RFC 4180).

use super::walker::Walker;
use crate::file::NewFile;
use anyhow::{Context, Result, ensure};
use csv::{Terminator, Writer, WriterBuilder};
use hitscan::Moved;
use hitscan_io::{EntityId, Model};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

const TITLES: [&str; 10] = ["step", "time", "x", "y", "z", "vx", "vy", "vz", "grounded", "entity"];

/// The number of rows that are written at a time.
const CHUNK: usize = 1 << 10;

/// The destination of rows.
enum Out {
    Stdout(io::Stdout),
    /// Nobody reads the rows any more (`| head`).
    Closed,
    File(NewFile),
}

pub(super) struct Rows {
    out: Out,
    pending: Writer<Vec<u8>>,
    count: usize,
}

impl Rows {
    /// Begins the output. Fails at once if the rows cannot be written to this path. Without a path they go to standard
    /// output.
    pub(super) fn create(out: Option<&Path>, inputs: &[&Path]) -> Result<Self> {
        let out = match out {
            None => Out::Stdout(io::stdout()),
            Some(path) => {
                let extension = path.extension().and_then(|extension| extension.to_str());
                ensure!(
                    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("csv")),
                    "-o {}: paths are written to .csv files, or as CSV to standard output",
                    path.display()
                );
                Out::File(NewFile::create(path, inputs)?)
            }
        };
        let mut rows = Self { out, pending: pending(), count: 0 };
        let titles = rows.pending.write_record(TITLES);
        titles.unwrap_or_else(|error| unreachable!("a vector takes a row: {error}"));
        Ok(rows)
    }

    /// Fails if the output would replace one of the files that the command has read.
    pub(super) fn keep_apart(&self, read: &BTreeSet<PathBuf>) -> Result<()> {
        if let Out::File(file) = &self.out { file.keep_apart(read) } else { Ok(()) }
    }

    /// Returns whether somebody reads the rows.
    pub(super) fn are_read(&self) -> bool {
        !matches!(self.out, Out::Closed)
    }

    /// Adds the row of a step.
    pub(super) fn add(
        &mut self,
        step: u64,
        time: f64,
        walker: &Walker<'_>,
        moved: &Moved<EntityId>,
        model: &Model,
    ) -> Result<()> {
        let entity = moved.ground.as_ref().and_then(|ground| model.entity(ground.id));
        let mut float = zmij::Buffer::new();
        let mut write = || {
            let out = &mut self.pending;
            out.write_field(step.to_string())?;
            let numbers = [time].into_iter().chain(walker.feet().to_array()).chain(moved.velocity.to_array());
            for number in numbers {
                out.write_field(float.format(number))?;
            }
            out.write_field(if moved.ground.is_some() { "1" } else { "0" })?;
            out.write_field(entity.map_or("", |entity| &entity.name))?;
            out.write_record(None::<&[u8]>)
        };
        write().unwrap_or_else(|error: csv::Error| unreachable!("a vector takes rows of one length: {error}"));
        self.count += 1;
        if self.count.is_multiple_of(CHUNK) { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let pending = std::mem::replace(&mut self.pending, pending()).into_inner();
        let bytes = pending.unwrap_or_else(|error| unreachable!("a vector takes everything: {error}"));
        match &mut self.out {
            Out::Closed => {}
            Out::File(file) => file.file().write_all(&bytes).with_context(|| file.cannot_write())?,
            Out::Stdout(out) => match out.write_all(&bytes).and_then(|()| out.flush()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => self.out = Out::Closed,
                result => result.context("cannot write to standard output")?,
            },
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()?;
        match self.out {
            Out::File(file) => file.keep(),
            Out::Stdout(_) | Out::Closed => Ok(()),
        }
    }
}

fn pending() -> Writer<Vec<u8>> {
    WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new())
}

//! The destination of rows: CSV on standard output or in a file, or the arrays of an .npz.

use super::answers::Question;
use super::csv_writer;
use super::npz::Npz;
use crate::file::NewFile;
use crate::model::Loaded;
use anyhow::{Context, Result, bail};
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Csv,
    Npz,
}

impl Kind {
    /// Returns the format that the name of OUT says.
    pub(super) fn of(out: Option<&Path>) -> Result<Self> {
        let Some(out) = out else { return Ok(Self::Csv) };
        match out.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("npz") => Ok(Self::Npz),
            _ => bail!("-o {}: hits are written to .csv and .npz files, or as CSV to standard output", out.display()),
        }
    }
}

/// Rows as bytes, column by column; CSV is one column.
#[derive(Default)]
pub(super) struct Encoded {
    pub(super) rows: usize,
    pub(super) columns: Vec<Vec<u8>>,
}

impl Encoded {
    /// Joins pieces one after the other.
    pub(super) fn joined(pieces: Vec<Self>) -> Self {
        let mut joined = Self::default();
        for piece in pieces {
            joined.rows += piece.rows;
            joined.columns.resize_with(piece.columns.len(), Vec::new);
            for (column, more) in joined.columns.iter_mut().zip(piece.columns) {
                column.extend(more);
            }
        }
        joined
    }
}

pub(super) enum OutputSink {
    Stdout(io::Stdout),
    Csv(NewFile),
    Npz(Npz),
}

impl OutputSink {
    pub(super) fn create(out: Option<NewFile>, kind: Kind, question: Question, loaded: &Loaded) -> Result<Self> {
        let mut sink = match (out, kind) {
            (Some(out), Kind::Npz) => return Ok(Self::Npz(Npz::create(out, question, loaded)?)),
            (Some(out), Kind::Csv) => Self::Csv(out),
            (None, _) => Self::Stdout(io::stdout()),
        };
        // If nobody reads it, writing the first rows will show that.
        let _ = sink.write(&Encoded { rows: 0, columns: vec![csv_writer::header(question)] })?;
        Ok(sink)
    }

    /// Adds rows; breaks if nobody reads them any more (`| head`).
    pub(super) fn write(&mut self, encoded: &Encoded) -> Result<ControlFlow<()>> {
        let bytes = encoded.columns.first().map_or(&[][..], |column| column);
        match self {
            Self::Stdout(out) => match out.write_all(bytes).and_then(|()| out.flush()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(ControlFlow::Break(())),
                result => result.context("cannot write to standard output")?,
            },
            Self::Csv(file) => file.file().write_all(bytes).with_context(|| file.cannot_write())?,
            Self::Npz(npz) => npz.write(encoded)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    pub(super) fn finish(self, loaded: &Loaded) -> Result<()> {
        match self {
            Self::Stdout(_) => Ok(()),
            Self::Csv(file) => file.keep(),
            Self::Npz(npz) => npz.finish(loaded),
        }
    }
}

//! The destination of rows: CSV on standard output or in a file, or the arrays of an .npz.

use super::csv_writer;
use super::encoding::{Encoded, Kind};
use super::npz::Npz;
use super::row::Question;
use crate::file::NewFile;
use crate::model::Loaded;
use anyhow::{Context, Result};
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;

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
        // A closed pipe is noticed when the first rows are written.
        let _ = sink.write(&Encoded { rows: 0, columns: vec![csv_writer::header(question)] })?;
        Ok(sink)
    }

    /// Adds rows, and returns `Break` if nobody reads them any more (`| head`).
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

//! The formats of rows, and rows as bytes.

use anyhow::{Result, bail};
use std::path::Path;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Csv,
    Npz,
}

impl Kind {
    /// Returns the format for the extension of OUT.
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
    /// Joins pieces in order.
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

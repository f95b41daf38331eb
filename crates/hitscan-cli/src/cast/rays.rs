//! The sources of rays.

use super::batch::Batch;
use super::csv_rays::CsvRays;
use super::npy_rays::NpyRays;
use crate::precision::Precision;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io;
use std::path::Path;

/// Rays, read a few at a time.
pub(super) enum Rays {
    Csv(CsvRays),
    Npy(NpyRays),
}

impl Rays {
    /// Opens a source: `-` is CSV on standard input, and the extension of a file's name determines its format.
    pub(super) fn open(path: &Path, precision: Precision) -> Result<Self> {
        if path == Path::new("-") {
            return CsvRays::new("standard input".into(), Box::new(io::stdin()), None, precision).map(Self::Csv);
        }
        let shown = path.display().to_string();
        let open = || File::open(path).with_context(|| format!("{shown}: cannot be read"));
        match path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => {
                let file = open()?;
                let length = file.metadata().ok().map(|metadata| metadata.len()).filter(|&length| length > 0);
                CsvRays::new(shown, Box::new(file), length, precision).map(Self::Csv)
            }
            Some("npy") => NpyRays::new(&shown, open()?, precision).map(Self::Npy),
            _ => bail!("{shown}: rays are read from .csv and .npy files, and from - (CSV on standard input)"),
        }
    }

    /// Reads the next rays, at most `count`. At the end there are none.
    pub(super) fn next(&mut self, count: usize) -> Result<Batch> {
        match self {
            Self::Csv(rays) => rays.next(count),
            Self::Npy(rays) => rays.next(count),
        }
    }

    /// Returns the number of bytes that were read, and the total number, which is unknown for a pipe.
    pub(super) fn bytes(&self) -> (u64, Option<u64>) {
        match self {
            Self::Csv(rays) => rays.bytes(),
            Self::Npy(rays) => rays.bytes(),
        }
    }
}

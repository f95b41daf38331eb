//! Where rays come from.

use super::csv_rays::CsvRays;
use super::npy_rays::NpyRays;
use anyhow::{Context, Result, bail};
use hitscan::Ray;
use std::fs::File;
use std::io;
use std::path::Path;

/// Rays, read a few at a time.
pub(super) enum Rays {
    Csv(CsvRays),
    Npy(NpyRays),
}

impl Rays {
    /// `-` is CSV on standard input; the name of a file says of which kind it is.
    pub(super) fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return CsvRays::new("standard input".into(), Box::new(io::stdin()), None).map(Self::Csv);
        }
        let shown = path.display().to_string();
        let open = || File::open(path).with_context(|| format!("{shown}: cannot be read"));
        match path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => {
                let file = open()?;
                let length = file.metadata().ok().map(|metadata| metadata.len()).filter(|&length| length > 0);
                CsvRays::new(shown, Box::new(file), length).map(Self::Csv)
            }
            Some("npy") => NpyRays::new(&shown, open()?).map(Self::Npy),
            _ => bail!("{shown}: rays are read from .csv and .npy files, and from - (CSV on standard input)"),
        }
    }

    /// The next rays, at most `count`; none at the end.
    pub(super) fn next(&mut self, count: usize) -> Result<Vec<Ray>> {
        match self {
            Self::Csv(rays) => rays.next(count),
            Self::Npy(rays) => rays.next(count),
        }
    }

    /// How many bytes of how many were read; of a pipe it is not known how many there are.
    pub(super) fn bytes(&self) -> (u64, Option<u64>) {
        match self {
            Self::Csv(rays) => rays.bytes(),
            Self::Npy(rays) => rays.bytes(),
        }
    }
}

/// A ray of a row of 6 or 8 numbers: origin, direction, and the range if it is given.
pub(super) fn ray(row: &[f32]) -> Option<Ray> {
    match *row {
        [ox, oy, oz, dx, dy, dz] => Some(Ray::with_direction([ox, oy, oz], [dx, dy, dz])),
        [ox, oy, oz, dx, dy, dz, t_min, t_max] => {
            Some(Ray::with_direction([ox, oy, oz], [dx, dy, dz]).with_range(t_min, t_max))
        }
        _ => None,
    }
}

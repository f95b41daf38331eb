//! The sources of rays.

use super::csv_rays::CsvRays;
use super::npy_rays::NpyRays;
use crate::precision::Precision;
use anyhow::{Context, Result, bail};
use hitscan::Ray;
use hitscan::glam::DVec3;
use std::fs::File;
use std::io;
use std::path::Path;

/// Rays, read a few at a time.
pub(super) enum Rays {
    Csv(CsvRays),
    Npy(NpyRays),
}

impl Rays {
    /// Opens a source: `-` is CSV on standard input; the name of a file says of which kind it is.
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

    /// Reads the next rays, at most `count`; none at the end.
    pub(super) fn next(&mut self, count: usize) -> Result<Batch> {
        match self {
            Self::Csv(rays) => rays.next(count),
            Self::Npy(rays) => rays.next(count),
        }
    }

    /// Returns how many bytes were read, and of how many; for a pipe the total is unknown.
    pub(super) fn bytes(&self) -> (u64, Option<u64>) {
        match self {
            Self::Csv(rays) => rays.bytes(),
            Self::Npy(rays) => rays.bytes(),
        }
    }
}

/// Some rays, one after the other.
pub(super) struct Batch {
    pub(super) rays: Vec<Ray>,
    /// The starts of rays that are relative to them, as many as there are rays; `None` for rays in f32.
    pub(super) starts: Option<Vec<DVec3>>,
}

impl Batch {
    pub(super) fn new(precision: Precision) -> Self {
        let starts = match precision {
            Precision::Single => None,
            Precision::Double => Some(Vec::new()),
        };
        Self { rays: Vec::new(), starts }
    }

    pub(super) fn len(&self) -> usize {
        self.rays.len()
    }

    /// Adds the ray of a row of 6 or 8 numbers: origin, direction, and the range if it is given; `None` for another row.
    pub(super) fn add(&mut self, row: &[f64]) -> Option<()> {
        let &[x, y, z, dx, dy, dz, ref range @ ..] = row else { return None };
        let start = DVec3::new(x, y, z);
        let origin = match &mut self.starts {
            // A start that is not finite stays as it is, and hits nothing.
            Some(starts) if start.is_finite() => {
                starts.push(start);
                DVec3::ZERO
            }
            Some(starts) => {
                starts.push(DVec3::ZERO);
                start
            }
            None => start,
        };
        let ray = Ray::with_direction(origin.as_vec3(), DVec3::new(dx, dy, dz).as_vec3());
        self.rays.push(match *range {
            [] => ray,
            [t_min, t_max] => ray.with_range(t_min as f32, t_max as f32),
            _ => return None,
        });
        Some(())
    }
}

//! Consecutive rays of a source.

use crate::precision::Precision;
use hitscan::Ray;
use hitscan::glam::DVec3;

/// Consecutive rays of a source.
pub(super) struct Batch {
    pub(super) rays: Vec<Ray>,
    /// The start of each ray, to which the ray is relative; `None` for rays in f32.
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

    /// Adds the ray of a row of 6 or 8 numbers: origin, direction, and perhaps the range. Returns `None` for a row of
    /// another length.
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

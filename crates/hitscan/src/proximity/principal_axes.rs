//! The principal axes of ellipses and ellipsoids, by one-sided Jacobi rotations (M. Hestenes, "Inversion of Matrices by Biorthogonalization and Related
//! Results", 1958).

use crate::math::float::{largest, length, power_of_two, sqrt, unit};
use crate::math::perpendicular::beside;
use glam::DVec3;

/// The maximum number of sweeps. Each one squares the deviation of the columns from orthogonality, so five or six are
/// usual.
const MOST_SWEEPS: usize = 16;

/// Orthogonal columns, and their coefficients as sums of the given columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orthogonal<const N: usize> {
    pub(super) columns: [DVec3; N],
    /// Each column is the sum of the given columns times the numbers in its row.
    pub(super) parts: [[f64; N]; N],
}

impl<const N: usize> Orthogonal<N> {
    /// Rotates columns in pairs until they are orthogonal, and sorts them by length, the longest first.
    pub(super) fn rotated(columns: [DVec3; N]) -> Self {
        let size = power_of_two(columns.iter().fold(0.0, |size: f64, &column| size.max(largest(column))));
        let parts = core::array::from_fn(|row| core::array::from_fn(|column| f64::from(u8::from(row == column))));
        let mut found = Self { columns: columns.map(|column| column / size), parts };
        for _ in 0..MOST_SWEEPS {
            if !found.sweep() {
                break;
            }
        }
        found.sort();
        found.columns = found.columns.map(|column| column * size);
        found
    }

    /// Rotates each pair, and returns whether any was changed.
    fn sweep(&mut self) -> bool {
        let mut is_changed = false;
        for first in 0..N {
            for second in first + 1..N {
                is_changed |= self.rotate(first, second);
            }
        }
        is_changed
    }

    fn rotate(&mut self, first: usize, second: usize) -> bool {
        let (a, b) = (self.columns[first], self.columns[second]);
        let (aa, bb, ab) = (a.length_squared(), b.length_squared(), a.dot(b));
        if ab * ab <= f64::EPSILON * f64::EPSILON * aa * bb {
            return false;
        }
        let slope = (bb - aa) / (2.0 * ab);
        let tangent = 1.0f64.copysign(slope) / (slope.abs() + sqrt(1.0 + slope * slope));
        let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
        let sine = cosine * tangent;
        (self.columns[first], self.columns[second]) = (a * cosine - b * sine, a * sine + b * cosine);
        let (p, q) = (self.parts[first], self.parts[second]);
        self.parts[first] = core::array::from_fn(|i| p[i] * cosine - q[i] * sine);
        self.parts[second] = core::array::from_fn(|i| p[i] * sine + q[i] * cosine);
        true
    }

    fn sort(&mut self) {
        for last in (1..N).rev() {
            for i in 0..last {
                if self.columns[i].length_squared() < self.columns[i + 1].length_squared() {
                    self.columns.swap(i, i + 1);
                    self.parts.swap(i, i + 1);
                }
            }
        }
    }

    pub(super) fn lengths(&self) -> [f64; N] {
        self.columns.map(length)
    }
}

/// Returns an orthonormal frame along three orthogonal columns, the last of which may be zero.
pub(super) fn frame_along(columns: [DVec3; 3]) -> [DVec3; 3] {
    let first = unit(columns[0]).unwrap_or(DVec3::X);
    let second = beside(first, columns[1]).unwrap_or_else(|| first.any_orthonormal_vector());
    [first, second, first.cross(second)]
}

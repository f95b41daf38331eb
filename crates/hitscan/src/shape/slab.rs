//! The slab test, for boxes of any dimension.

use super::{Crossing, Span};
use crate::math::exact_predicates::{self, Term};
use crate::math::float::UNIT_ROUNDOFF;
use core::cmp::Ordering;
use glam::DVec3;

/// A box and a ray's line in one component: the interval between two parallel planes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slab {
    /// The lower plane, not above `high`.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The ray's origin; finite, as is the direction.
    pub(crate) origin: f64,
    pub(crate) direction: f64,
}

/// Returns the span of a line between all pairs of planes, with [`face`] codes as features. Returns `None` if it is empty, or if the direction is zero.
///
/// The method is from T. L. Kay, J. T. Kajiya, "Ray Tracing Complex Scenes", 1986. It divides, which unlike multiplying
/// by the reciprocal is monotone. If entry and exit cannot be distinguished after rounding, they are compared exactly.
pub(crate) fn span<const N: usize>(slabs: [Slab; N]) -> Option<Span> {
    let mut enter: Option<FaceCrossing> = None;
    let mut exit: Option<FaceCrossing> = None;
    for (axis, Slab { low, high, origin, direction }) in slabs.into_iter().enumerate() {
        if direction == 0.0 {
            if !(low <= origin && origin <= high) {
                return None;
            }
            continue;
        }
        let (near, far) = if direction > 0.0 { (low, high) } else { (high, low) };
        let entry = FaceCrossing::new(near, origin, direction, axis);
        let leave = FaceCrossing::new(far, origin, direction, axis);
        // The comparison is strict: on an edge the first axis keeps its face.
        if enter.is_none_or(|e| entry.compare(&e) == Ordering::Greater) {
            enter = Some(entry);
        }
        if exit.is_none_or(|e| leave.compare(&e) == Ordering::Less) {
            exit = Some(leave);
        }
    }
    let (enter, exit) = (enter?, exit?);
    let order = enter.compare(&exit);
    if order == Ordering::Greater {
        return None;
    }
    let enter_t = enter.reported();
    // Each t is rounded by itself. This may swap two values of t that are closer to each other than their rounding.
    let exit_t = if order == Ordering::Equal { enter_t } else { exit.reported().max(enter_t) };
    Some(Span {
        enter: Crossing { t: enter_t, feature: face(enter.axis, enter.direction > 0.0) },
        exit: Crossing { t: exit_t, feature: face(exit.axis, exit.direction < 0.0) },
    })
}

/// A crossing of the ray's line with one face's plane, t = (plane - origin) / direction in one component.
#[derive(Clone, Copy)]
struct FaceCrossing {
    plane: f64,
    origin: f64,
    direction: f64,
    t: f64,
    axis: usize,
}

impl FaceCrossing {
    fn new(plane: f64, origin: f64, direction: f64, axis: usize) -> Self {
        Self { plane, origin, direction, t: (plane - origin) / direction, axis }
    }

    /// Returns t in f64. Rounding it to f32 gives the exact quotient rounded once.
    fn reported(&self) -> f64 {
        // The quotient t has two roundings, and the sums below add a third.
        let error = 4.0 * UNIT_ROUNDOFF * self.t.abs();
        if (self.t - error) as f32 == (self.t + error) as f32 {
            return self.t;
        }
        let along = |sign, x| Term(sign, DVec3::X * x, DVec3::Y, DVec3::Z);
        let numerator = [along(1.0, self.plane), along(-1.0, self.origin)];
        exact_predicates::quotient(&numerator, &[along(1.0, self.direction)]).map_or(self.t, f64::from)
    }

    /// Returns the true order of the two quotients. If the f64 values differ by more than their rounding errors (two roundings for each), they decide;
    /// otherwise exact cross-multiplication decides.
    fn compare(&self, other: &Self) -> Ordering {
        let error = 4.0 * UNIT_ROUNDOFF * (self.t.abs() + other.t.abs());
        let difference = self.t - other.t;
        if difference.abs() > error {
            return difference.total_cmp(&0.0);
        }
        if !(self.plane.is_finite() && other.plane.is_finite()) {
            return self.t.total_cmp(&other.t);
        }
        let order = exact_predicates::sign_of_products(&[
            [self.plane, other.direction, 1.0, 1.0],
            [-self.origin, other.direction, 1.0, 1.0],
            [-other.plane, self.direction, 1.0, 1.0],
            [other.origin, self.direction, 1.0, 1.0],
        ]);
        if (self.direction < 0.0) == (other.direction < 0.0) { order } else { order.reverse() }
    }
}

/// A face's code: twice the axis, plus one for the face of the larger coordinate.
fn face(axis: usize, low: bool) -> usize {
    2 * axis + usize::from(!low)
}

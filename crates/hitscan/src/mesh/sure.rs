//! The t of a triangle that is hit for sure.

use super::packet::LEAST_REACH;
use crate::float::{UNIT_ROUNDOFF, larger};
use crate::hit::Side;
use crate::shape::{RELATIVE_ERROR, Verdict};
use crate::vector::Vector;

/// More than a difference's and a product's rounding.
const ABOVE_ROUNDINGS: f64 = 1.0 + 4.0 * UNIT_ROUNDOFF;

/// At least the largest coordinate of two edges.
#[inline(always)]
pub(crate) fn reach<V: Vector>([a, b, c]: [V; 3]) -> f64 {
    larger(larger((b - a).largest(), (c - a).largest()) * ABOVE_ROUNDINGS, LEAST_REACH.into())
}

/// The rounded t of a triangle that is hit for sure, and its side, in f64, given the t in one distance. Line and triangle are in a frame's coordinates, in which
/// the triangle is exact, and `reach` is at least the largest coordinate of its edges. `None` if that does not say how t is rounded.
///
/// In the lanes of a vector; of a packet's four triangles at once it took twice the instructions.
#[inline(always)]
pub(crate) fn sure_verdict<V: Vector>(
    t_per_distance: f64,
    [origin, direction]: [V; 2],
    [a, b, c]: [V; 3],
    reach: f64,
) -> Option<Verdict> {
    // Only det and t are needed, and so the normal alone.
    let normal = (b - a).cross(c - a);
    let s = origin - a;
    let det = (direction * t_per_distance).dot(normal);
    // As of `Determinants`: det of front sides is negative here, and the terms are the same, in as many roundings.
    let square = reach * reach;
    let (det_size, t_size) = (6.0 * square, 2.0 * (square * s.sum_of_sizes()));
    let inverse = -1.0 / det;
    let t = s.dot(normal) * t_per_distance * inverse;
    // |n/d - N/D| <= (err n + |n/d| err d) / (|d| - err d), where err d is below a hundredth of d, or the triangle were not hit for
    // sure; and a little for the roundings here.
    let part = 1.02 * RELATIVE_ERROR;
    let of_det = det_size * part * inverse.abs() + 4.0 * UNIT_ROUNDOFF;
    let of_t = t_size * part * t_per_distance * inverse.abs();
    let error = t.abs() * of_det + of_t;
    let (low, high) = ((t - error) as f32, (t + error) as f32);
    let side = if det < 0.0 { Side::Front } else { Side::Back };
    // Adding +0 turns -0 into +0.
    (low == high && low.is_finite()).then_some(Verdict { t: low + 0.0, side })
}

//! The t of a triangle that is certainly hit.

use super::triangle8::LEAST_REACH;
use crate::geom::hit::Side;
use crate::math::dvec3_lanes::DVec3Lanes;
use crate::math::float::{UNIT_ROUNDOFF, larger};
use crate::shape::{RELATIVE_ERROR, Verdict};

/// This is more than the rounding of a difference and a product.
const ABOVE_EDGE_ROUNDINGS: f64 = 1.0 + 4.0 * UNIT_ROUNDOFF;

/// The error of a distance L in f64, relative to S (2 L + R) / |det|, where R and S are the triangle's sizes (docs/robustness.md).
const DETERMINANTS_ERROR: f64 = 6.0 * 1.01 * RELATIVE_ERROR;

/// The same error relative to the width of the span in f32. It is below 0.8 2^-29 (docs/robustness.md). The
/// remaining part of this factor covers the roundings of t and of the ends.
const SPAN_PART: f64 = 1.0 / (1u64 << 28) as f64;

/// Returns two upper bounds. One is for the largest coordinate of two edges, and the other for the product of the
/// largest coordinate of each edge.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn sizes<V: DVec3Lanes>([a, b, c]: [V; 3]) -> [f64; 2] {
    let [e1, e2] =
        [(b - a).largest(), (c - a).largest()].map(|edge| larger(edge * ABOVE_EDGE_ROUNDINGS, LEAST_REACH.into()));
    [larger(e1, e2), e1 * e2 * ABOVE_EDGE_ROUNDINGS]
}

/// The values that bound the error of a t.
#[derive(Clone, Copy)]
pub(crate) enum ErrorInput {
    /// A bound that is known long before the t: see [`within`](Self::within).
    Within(f64),
    /// Upper bounds of two numbers. One is the largest coordinate of two of the triangle's edges. The other is the
    /// product of the largest coordinates of each edge.
    Sizes([f64; 2]),
}

impl ErrorInput {
    /// Makes a bound from the span of distances in which f32 has found the triangle. The distances of the ray must be measured from its own t = 0.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn within([low, high]: [f32; 2], t_per_distance: f64) -> Self {
        Self::Within(f64::from(high - low) * (SPAN_PART * t_per_distance))
    }

    /// Returns an upper bound of the error of a computed t.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn error(self, det: f64, t: f64, t_per_distance: f64) -> f64 {
        match self {
            Self::Within(error) => error,
            Self::Sizes([reach, product]) => {
                let part = DETERMINANTS_ERROR * product / det.abs();
                part * (2.0 * t.abs() + reach * t_per_distance) + 4.0 * UNIT_ROUNDOFF * t.abs()
            }
        }
    }
}

/// Returns the rounded t of a triangle that is certainly hit, and its side, in f64. The increase of t over a distance
/// of 1 is given. If the bound is already known, this increase may be replaced by 1, as long as nothing overflows. Line
/// and triangle are in a frame's coordinates, in which the triangle is exact. Returns `None` if the error bound leaves
/// the rounded t open.
///
/// Scalar code has a shorter latency than lanes of a vector, which take fewer instructions. For a block of four triangles at once it took twice as many
/// instructions.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn sure_verdict<V: DVec3Lanes>(
    t_per_distance: f64,
    [origin, direction]: [V; 2],
    [a, b, c]: [V; 3],
    known: ErrorInput,
) -> Option<Verdict> {
    // Only det and t are needed, and so only the normal.
    let normal = (b - a).cross(c - a);
    // This is as in `Determinants`, but here det is negative for front sides. The terms are the same, with as many roundings. Values that do not depend on the
    // normal are computed without waiting for it.
    let det = (direction * t_per_distance).dot(normal);
    let t = ((a - origin) * t_per_distance).dot(normal) / det;
    let error = known.error(det, t, t_per_distance);
    let (low, high) = ((t - error) as f32, (t + error) as f32);
    // The comparison is false for infinite values and NaN.
    if !(low == high && low.abs() <= f32::MAX) {
        return None;
    }
    // Adding +0 turns -0 into +0.
    Some(Verdict { t: low + 0.0, side: if det < 0.0 { Side::Front } else { Side::Back } })
}

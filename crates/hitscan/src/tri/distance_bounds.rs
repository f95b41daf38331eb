//! Bounds on the distances of a point to triangles, eight at once, in f32.

use super::closest_point_simd::to_nearest;
use crate::bvh::LEAF_SIZE;
use crate::geom::eight_rays::by_lane;
use crate::math::float::UNIT_ROUNDOFF_F32;
use crate::simd::{Axes, FloatLanes, Simd, SimdBase, SimdFloat, SimdMask, difference, dot, f32x8};

/// Bounds on the distances to the triangles of a leaf that may be within the search radius.
pub(crate) struct DistanceBounds {
    /// The triangles that may be within the distance, a bit each.
    pub(crate) which: u64,
    /// Lower bounds; NaN if there is none.
    pub(crate) low: [f32; LEAF_SIZE],
    /// Upper bounds; NaN if there is none.
    pub(crate) high: [f32; LEAF_SIZE],
}

/// Twice the bound on the error of either bound. The error is relative to the distance plus the longer edge from the first corner: see
/// docs/robustness/closest-points.md.
const ERROR: f32 = 24.0 * UNIT_ROUNDOFF_F32;
/// Distances below this number are replaced by it, because their squares underflow.
const LEAST_DISTANCE: f32 = 1e-18;

impl DistanceBounds {
    /// Returns bounds on the distances of a point to triangles that may be within `reach`, given the triangles' corners.
    ///
    /// The upper bound is the distance to an approximately nearest place of the triangle. The lower bound is along the direction to this place. All of the
    /// triangle is behind the perpendicular plane through the corner that is nearest in this direction. This holds however inexact the place is.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new<S: Simd>(simd: S, point: &Axes<f32x8<S>>, [a, b, c]: [&Axes<f32x8<S>>; 3], reach: f32) -> Self {
        let (e1, e2) = (difference(b, a), difference(c, a));
        let a = difference(a, point);
        let place = to_nearest(simd, &a, [&e1, &e2]);
        let zero = f32x8::splat(simd, 0.0);
        let (rounded, least) = (dot(&place, &place).sqrt(), f32x8::splat(simd, LEAST_DISTANCE));
        let distance = rounded.larger(least);
        let longer = dot(&e1, &e1).larger(dot(&e2, &e2)).sqrt();
        let error = (distance + (longer + longer)) * f32x8::splat(simd, ERROR);
        let beyond = dot(&place, &e1).smaller(dot(&place, &e2)).smaller(zero) + dot(&place, &a);
        let low = beyond / distance - error;
        // The larger of NaN and a number may be the number.
        let high = rounded + (error + least);
        let which = !low.simd_gt(f32x8::splat(simd, reach)).to_bitmask();
        Self { which, low: by_lane(low), high: by_lane(high) }
    }
}

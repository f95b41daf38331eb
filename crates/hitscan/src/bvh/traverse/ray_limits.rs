//! The limits of rays in a tree's coordinates, and the bounds on their errors.

use crate::math::float::UNIT_ROUNDOFF_F32;
use crate::simd::{FloatLanes, Simd, SimdBase, SimdFloat, f32x4};

/// The limits of rays in the frame's own space that are scaled in f32.
#[derive(Clone, Copy, Debug)]
pub(in crate::bvh) struct OrdinaryLimits {
    /// The frame's scale for coordinates, and 1 for the last lane, which is not a coordinate.
    pub(in crate::bvh) scale: [f32; 4],
    /// Bounds on the size of the direction, by axis, and on the largest t.
    pub(in crate::bvh) least: [f32; 4],
    pub(in crate::bvh) most: [f32; 4],
}

impl OrdinaryLimits {
    /// Limits that exclude every ray.
    pub(in crate::bvh) const NONE: Self = Self { scale: [0.0; 4], least: [f32::INFINITY; 4], most: [0.0; 4] };

    /// Returns the limits for a space in which a length of 1 has this length in the frame, a power of two.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) const fn new(scale: f64) -> Self {
        const LEAST: f32 = f32::from_bits(*ORDINARY_SIZES.start());
        const MOST: f32 = f32::from_bits(*ORDINARY_SIZES.end());
        // The distance per unit of t is the scale multiplied by a power of two above the size of the direction. That
        // power is at most twice the size.
        let (least, most) = (0.5 / (ORDINARY_STEPS as f64 * scale), ORDINARY_STEPS as f64 / scale);
        let (least, most) = ((least as f32).max(LEAST), (most as f32).next_down().min(MOST));
        let scale = scale as f32;
        // If the scale is beyond f32, no ray is scaled in f32.
        let most = if scale > 0.0 && scale.is_finite() { most } else { 0.0 };
        Self {
            scale: [scale, scale, scale, 1.0],
            least: [least, least, least, 0.0],
            most: [most, most, most, f32::INFINITY],
        }
    }
}

/// A ray that starts farther away than this has its start moved to where it may first touch the bounds. The reason is that every f32 error bound grows with the
/// distance.
pub(in crate::bvh) const FARTHEST_ORIGIN: f64 = 4.0;

/// The box test uses this as the inverse of a direction's component whose true inverse is larger. The largest component
/// is at least a half. Distances within the frame are so small that the difference is within the allowance of the box
/// test.
pub(in crate::bvh) const LARGEST_INVERSE: f32 = (1u64 << 60) as f32;

/// The amount that is added to every bound on the error of a position, to cover underflow.
pub(in crate::bvh) const LEAST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

/// A larger slack is replaced by this. It must not be infinite. The infinite planes of empty places in nodes would become NaN, and be treated as hit.
pub(in crate::bvh) const MOST_SLACK: f32 = f32::MAX / 2.0;

/// A position with an error of at least this is meaningless. All larger errors are replaced by this.
pub(in crate::bvh) const MOST_ERROR: f64 = 1e6;

/// A factor above 1 by more than the roundings of the enlargement of boxes (docs/robustness.md).
pub(in crate::bvh) const HALF_ROUNDING: f32 = 1.0 + 8.0 * UNIT_ROUNDOFF_F32;

/// An upper bound of the distance of anything in the frame, or in enlarged boxes, from an origin that is not moved.
/// The unit is the distance along the ray.
pub(in crate::bvh) const FARTHEST: f32 = 2.5 * (FARTHEST_ORIGIN as f32 + 1.0);

/// The bits of the sizes of directions that are scaled in f32: 1e-30 to 1e30, with a small margin.
pub(in crate::bvh) const ORDINARY_SIZES: core::ops::RangeInclusive<u32> = 27 << 23..=227 << 23;

/// Rays are scaled in f32 if their distance per unit of t is from the inverse of this number to this number.
pub(in crate::bvh) const ORDINARY_STEPS: f32 = (1u128 << 100) as f32;

/// A distance has the error of a position multiplied by 2, if the direction's largest component is a half; this is more.
pub(in crate::bvh) const DISTANCE_ERROR: f32 = 4.0;

/// An upper bound of the relative error of a box test's distances, including the error of the offset in them.
pub(in crate::bvh) const BOX_ERROR: f32 = 4.0 * UNIT_ROUNDOFF_F32;

/// A factor that widens a distance by more than two roundings to f32.
pub(in crate::bvh) const ABOVE_TWO_ROUNDINGS: f64 = 1.0 + 2.0 * f32::EPSILON as f64;

/// Returns the inverse with the direction's sign and this size.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn bounded_inverse<S: Simd>(size: f32x4<S>, direction: f32x4<S>) -> f32x4<S> {
    size.smaller(f32x4::splat(size.simd, LARGEST_INVERSE)).copysign(direction)
}

/// Returns the enlargement of boxes for an origin of this size with this error. It covers the roundings of the origin,
/// of the offset and of the offset's slack. It also covers the rounding of a product with a coordinate of at most 1, if
/// multiplication and addition are not fused.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn position_slack(size: f32, error: f32) -> f32 {
    4.0 * UNIT_ROUNDOFF_F32 * (size + 1.0) + 2.0 * error
}

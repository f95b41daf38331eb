//! The parts of the bounds on the errors of triangle tests in f32 that do not depend on a triangle's size.
//! The bounds are derived in docs/robustness/kernel.md.

use crate::bvh::{BvhRay, RayPacket};
use crate::math::float::UNIT_ROUNDOFF_F32;
use crate::simd::{Simd, SimdFloat};

/// Returns `away * away_part + position_part`: the contributions of a corner's distance and of the ray's position to an
/// error bound.
// This is not a closure over vectors. Without AVX the compiler did not inline such a closure, nor its steps.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn bound<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    away: V,
    away_part: f32,
    position_part: f32,
) -> V {
    away.mul_add(V::splat(simd, away_part), V::splat(simd, position_part))
}

/// The factors in two error bounds: 128 u S + R (48 u L + e) for edges, and S (192 u R + 216 u L + f) for t. Here u is
/// 2^-24, and R and S are the `sizes` of the triangle. The magnitudes of the components of the vector from the ray's
/// origin to a corner have the sum L. The `edge` and `t` of [`ErrorBounds`] are e and f.
pub(super) const EDGE_ERROR: [f32; 2] = [128.0 * UNIT_ROUNDOFF_F32, 48.0 * UNIT_ROUNDOFF_F32];
pub(super) const T_ERROR: [f32; 2] = [192.0 * UNIT_ROUNDOFF_F32, 216.0 * UNIT_ROUNDOFF_F32];

/// The parts of the bounds on errors in f32 that are the same for all triangles: see docs/robustness.md.
#[derive(Clone, Copy)]
pub(crate) struct ErrorBounds {
    pub(super) edge: f32,
    pub(super) t: f32,
    /// The error that the rounding of reported ts allows, in addition to the error of distances.
    pub(super) reported: f32,
}

impl ErrorBounds {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(ray: &BvhRay) -> Self {
        Self::with(ray.origin_error, ray.reported)
    }

    /// Returns bounds that hold for every ray of a packet.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn of_packet<S: Simd>(rays: &RayPacket<S>) -> Self {
        Self::with(rays.origin_error, rays.reported)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn with(origin_error: f32, reported: f32) -> Self {
        Self { edge: 16.0 * origin_error, t: 8.0 * origin_error, reported: 24.0 * UNIT_ROUNDOFF_F32 * reported }
    }
}

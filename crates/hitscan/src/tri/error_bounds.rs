//! The bounds on the errors of eight triangle tests in f32, without the sizes of the triangles: docs/robustness/kernel.md derives them.

use crate::bvh::{BvhRay, RayPacket};
use crate::math::float::UNIT_ROUNDOFF_F32;
use crate::simd::{Simd, SimdFloat};

/// Returns the sum of the contributions of distance and position to a bound on an error.
// It is not a closure over vectors, because without AVX such a closure was called, and so was each of its steps.
#[inline(always)]
pub(super) fn bound<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    away: V,
    away_part: f32,
    position_part: f32,
) -> V {
    away.mul_add(V::splat(simd, away_part), V::splat(simd, position_part))
}

/// The factors, in the error bounds of edges and of t, of R, the largest coordinate of a triangle's edges, and of the
/// distance from the origin to a corner.
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
    #[inline(always)]
    pub(crate) fn new(ray: &BvhRay) -> Self {
        Self::with(ray.origin_error, ray.reported)
    }

    /// Returns the errors of each ray of a packet.
    #[inline(always)]
    pub(crate) fn of_packet<S: Simd>(rays: &RayPacket<S>) -> Self {
        Self::with(rays.origin_error, rays.reported)
    }

    #[inline(always)]
    fn with(origin_error: f32, reported: f32) -> Self {
        Self { edge: 16.0 * origin_error, t: 8.0 * origin_error, reported: 24.0 * UNIT_ROUNDOFF_F32 * reported }
    }
}

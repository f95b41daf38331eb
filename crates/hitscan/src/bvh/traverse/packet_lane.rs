//! Rays that leave a packet and are traversed alone.

use super::bvh_ray::{BvhRay, BvhRayParts, OrdinaryScale, RayScale};
use super::packet_traversal::RayPacket;
use super::ray_limits::FARTHEST;
use crate::geom::eight_rays::LANES;
use crate::simd::{Axes, Simd, SimdBase, f32x4, f32x8};

impl<S: Simd> RayPacket<S> {
    /// Returns the ray of a usable lane with this range, for the same boxes as the packet. It has the error bounds of
    /// the packet.
    ///
    /// The t of its origin is rounded to f32. So no t may be computed from a distance unless the t of the origin is 0.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn lone_ray(&self, lane: usize, [t_min, t_max]: [f32; 2]) -> BvhRay {
        let (simd, lane) = (self.simd, lane % LANES);
        let (steps, start) = (self.steps[lane], self.start[lane]);
        let parts = BvhRayParts {
            t_min,
            t_max,
            start: start.into(),
            steps: RayScale { exact: steps.into(), ordinary: Some(OrdinaryScale { steps, start }) },
            first_for_sure: self.first_for_sure[lane],
            position_error: self.origin_error,
            reported: self.reported,
            limit_error: self.limit_error[lane],
            box_error: self.box_error,
            farthest: FARTHEST,
        };
        let line = [
            of_lane(simd, &self.origin, lane),
            of_lane(simd, &self.direction, lane),
            of_lane(simd, &self.inverse, lane),
        ];
        parts.framed(simd, line, [of_lane(simd, &self.near_offset, lane), of_lane(simd, &self.far_offset, lane)])
    }
}

/// Returns a vector of one lane.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn of_lane<S: Simd>(simd: S, [x, y, z]: &Axes<f32x8<S>>, lane: usize) -> f32x4<S> {
    f32x4::from_slice(simd, &[x[lane], y[lane], z[lane], 0.0])
}

//! Packets of rays that were framed one by one: those of a scene, and those that an instance sees.

use super::bvh_ray::BvhRay;
use super::normalized_space::BOX_ERROR;
use super::packet_traversal::{FEWEST, LANES, RayPacket, STRONG, STRONGEST, by_component, falling, far_along};
use crate::math::float::larger;
use crate::simd::{Simd, SimdBase, f32x4, f32x8};
use core::array;

/// Rays that were framed one by one, by lane; `None` for one that goes alone.
pub(crate) type FramedRays = [Option<BvhRay>; LANES];

impl<S: Simd> RayPacket<S> {
    /// Makes a packet of rays in one frame that are [near](super::NormalizedSpace::near_ray), with their own distances. `None` if too few are.
    #[inline(always)]
    pub(crate) fn of_framed(simd: S, rays: &FramedRays) -> Option<Self> {
        simd.shared(
            #[inline(always)]
            || {
                let mut usable = 0;
                let mut first = None;
                for (lane, ray) in rays.iter().enumerate() {
                    if let Some(ray) = ray {
                        usable |= 1u64 << lane;
                        first = first.or(Some(ray));
                    }
                }
                let first = first?;
                if usable.count_ones() < FEWEST {
                    return None;
                }
                // The values of lanes without a ray must be numbers.
                let rays: [&BvhRay; LANES] = array::from_fn(
                    #[inline(always)]
                    |lane| rays[lane].as_ref().unwrap_or(first),
                );
                let (mut origin_error, mut box_error, mut reported) = (0.0, BOX_ERROR, 0.0);
                let (mut steps, mut start, mut limit_error) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
                let (mut first_for_sure, mut limit, mut limit_for_sure) = ([0.0; LANES], [-1.0; LANES], [-1.0; LANES]);
                for (lane, ray) in rays.iter().enumerate() {
                    origin_error = larger(ray.origin_error, origin_error);
                    box_error = larger(ray.box_error, box_error);
                    reported = larger(ray.reported, reported);
                    let ordinary = ray.steps.ordinary?;
                    (steps[lane], start[lane], limit_error[lane]) = (ordinary.steps, ordinary.start, ray.limit_error);
                    first_for_sure[lane] = ray.first_for_sure;
                    if usable >> lane & 1 == 1 {
                        limit[lane] = larger(ray.limit(ray.t_max), -1.0);
                        limit_for_sure[lane] = ray.limit_for_sure(ray.t_max);
                    }
                }
                macro_rules! by_axis {
                    ($field:ident) => {{
                        let [a, b, c, d, e, f, g, h] = rays;
                        let [x, y, z, _] = by_component([
                            f32x4::from_slice(simd, &a.$field),
                            f32x4::from_slice(simd, &b.$field),
                            f32x4::from_slice(simd, &c.$field),
                            f32x4::from_slice(simd, &d.$field),
                            f32x4::from_slice(simd, &e.$field),
                            f32x4::from_slice(simd, &f.$field),
                            f32x4::from_slice(simd, &g.$field),
                            f32x4::from_slice(simd, &h.$field),
                        ]);
                        [x, y, z]
                    }};
                }
                let (direction, inverse) = (by_axis!(direction), by_axis!(inverse));
                Some(Self {
                    simd,
                    origin: by_axis!(origin),
                    direction,
                    inverse,
                    near_offset: by_axis!(near_offset),
                    far_offset: by_axis!(far_offset),
                    steps,
                    start,
                    limit_error,
                    origin_error,
                    box_error,
                    reported,
                    first_for_sure: f32x8::from_slice(simd, &first_for_sure),
                    limit: f32x8::from_slice(simd, &limit),
                    limit_for_sure: f32x8::from_slice(simd, &limit_for_sure),
                    usable,
                    falling: falling(&inverse),
                    strong: far_along(&direction, STRONG),
                    strongest: far_along(&direction, STRONGEST),
                })
            },
        )
    }
}

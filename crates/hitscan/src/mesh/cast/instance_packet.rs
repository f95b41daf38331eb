//! Searches of several rays of a scene together through a mesh, in the space of an instance.
//!
//! The rays are converted to the frame together. Each ray has the same numbers as if it were alone, except that its
//! error bounds are the largest of all rays. The hits are decided in f64 with the exact ray.

use super::packet_any::PacketAny;
use super::packet_closest::PacketClosest;
use super::packet_search::{PacketRays, PacketSearch};
use crate::bvh::{LaneRanges, NormalizedSpace, RayPacket, take_lowest};
use crate::geom::affine::ColumnAffine;
use crate::geom::culling::Cull;
use crate::geom::eight_rays::{EightRays, FEWEST, LANES};
use crate::geom::ray::RayInput;
use crate::geom::transform::InstanceRay;
use crate::mesh::{Mesh, MeshData};
use crate::simd::Simd;
use crate::tri::{FoundTriangle, LeafSearch};

/// Rays of a scene as an instance sees them, by lane.
#[derive(Clone, Copy)]
pub(crate) struct InstancePacket<'a> {
    pub(crate) rays: &'a EightRays,
    pub(crate) to_local: &'a ColumnAffine,
    /// Ts before which there are no hits, if they are above 0.
    pub(crate) from: &'a [f64; LANES],
    pub(crate) t_max: &'a [f32; LANES],
}

impl<'a> InstancePacket<'a> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn ray_at(&self, lane: usize) -> InstanceRay<'a> {
        let lane = lane % LANES;
        InstanceRay { ray: &self.rays.rows[lane], to_local: self.to_local, t_max: self.t_max[lane] }
    }

    /// Returns whether the first of these rays starts near a frame, and so most likely the others too.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn start_near(&self, frame: &NormalizedSpace, lanes: u64) -> bool {
        frame.is_near(self.ray_at(lanes.trailing_zeros() as usize).local().origin)
    }

    /// Converts these rays to the frame together, as far as they are near. Returns `None` if too few are near.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn packet<S: Simd>(&self, simd: S, frame: &NormalizedSpace, lanes: u64) -> Option<RayPacket<S>> {
        if lanes.count_ones() < FEWEST {
            return None;
        }
        let ranges = LaneRanges { lanes, from: Some(self.from), t_max: self.t_max };
        frame.packet_of_images(simd, self.rays, self.to_local, ranges)
    }
}

impl PacketRays for InstancePacket<'_> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn ray(&self, lane: usize) -> impl RayInput {
        self.ray_at(lane)
    }
}

impl Mesh {
    /// Finds the closest hit of each of these rays.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn closest_together<S: Simd>(
        &self,
        simd: S,
        rays: &InstancePacket<'_>,
        lanes: u64,
        cull: Cull,
        found: &mut [Option<FoundTriangle>; LANES],
    ) {
        let shared = &*self.shared;
        let mut alone = lanes;
        if let Some(ray_packet) = &rays.packet(simd, &shared.frame, lanes) {
            let mut closest = PacketClosest::new(PacketSearch::new(shared, simd, rays, ray_packet, cull));
            let mut together = shared.together(simd, ray_packet, ray_packet.usable, &mut closest);
            alone &= !together;
            while let Some(lane) = take_lowest(&mut together) {
                found[lane] = closest.found(lane);
            }
        }
        while let Some(lane) = take_lowest(&mut alone) {
            found[lane] = shared.closest(simd, rays.ray_at(lane), rays.from[lane], cull);
        }
    }

    /// Finds which of these rays hit anything.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn any_together<S: Simd>(&self, simd: S, rays: &InstancePacket<'_>, lanes: u64, cull: Cull) -> u64 {
        let (together, mut blocked) = self.shared.any_of_instance(simd, rays, lanes, cull);
        let mut alone = lanes & !together;
        while let Some(lane) = take_lowest(&mut alone) {
            blocked |= u64::from(self.shared.has_any(simd, rays.ray_at(lane), rays.from[lane], cull)) << lane;
        }
        blocked
    }

    /// Returns the lanes of the rays that can be traversed together from their origins. Among these, it also returns
    /// the lanes of the rays that hit anything.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn blocked_together<S: Simd>(
        &self,
        simd: S,
        rays: &InstancePacket<'_>,
        lanes: u64,
        cull: Cull,
    ) -> (u64, u64) {
        if rays.start_near(&self.shared.frame, lanes) {
            self.shared.any_of_instance(simd, rays, lanes, cull)
        } else {
            (0, 0)
        }
    }
}

impl MeshData {
    /// Returns the lanes that were traversed together, and the lanes that hit anything.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn any_of_instance<S: Simd>(&self, simd: S, rays: &InstancePacket<'_>, lanes: u64, cull: Cull) -> (u64, u64) {
        let Some(ray_packet) = &rays.packet(simd, &self.frame, lanes) else { return (0, 0) };
        let mut any = PacketAny::new(PacketSearch::new(self, simd, rays, ray_packet, cull));
        let together = self.together(simd, ray_packet, ray_packet.usable, &mut any);
        (together, any.blocked & together)
    }
}

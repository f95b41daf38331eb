//! The rays of a packet, and the data that every question about them needs.

use crate::bvh::{BvhRay, RayPacket};
use crate::geom::culling::Cull;
use crate::geom::eight_rays::LANES;
use crate::geom::ray::{Ray, RayInput};
use crate::mesh::MeshData;
use crate::shape::Verdict;
use crate::simd::{Simd, f32x8};
use crate::tri::error_bounds::ErrorBounds;
use crate::tri::triangle8::{TestedTriangles, Triangle8, TriangleEdges8};
use crate::tri::{Leaves, TrianglePlace, Verdicts};

/// The rays of a packet as they were given.
pub(in crate::mesh) trait PacketRays {
    fn ray(&self, lane: usize) -> impl RayInput;
}

impl PacketRays for [Ray; LANES] {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn ray(&self, lane: usize) -> impl RayInput {
        &self[lane % LANES]
    }
}

/// The data that searches for the closest hit and for any hit share.
pub(in crate::mesh) struct PacketSearch<'a, S: Simd, R> {
    pub(in crate::mesh) shared: &'a MeshData,
    pub(in crate::mesh) simd: S,
    pub(in crate::mesh) rays: &'a R,
    pub(in crate::mesh) ray_packet: &'a RayPacket<S>,
    pub(in crate::mesh) cull: Cull,
    pub(in crate::mesh) errors: ErrorBounds,
}

impl<'a, S: Simd, R: PacketRays> PacketSearch<'a, S, R> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn new(
        shared: &'a MeshData,
        simd: S,
        rays: &'a R,
        ray_packet: &'a RayPacket<S>,
        cull: Cull,
    ) -> Self {
        let errors = ErrorBounds::of_packet(ray_packet);
        Self { shared, simd, rays, ray_packet, cull, errors }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn test(
        &self,
        block: &Triangle8,
        edges: &TriangleEdges8,
        lane: usize,
        limits: f32x8<S>,
    ) -> TestedTriangles<S> {
        let RayPacket { origin, direction, .. } = self.ray_packet;
        block.test_together(self.simd, (origin, direction), edges, lane, &self.errors, limits)
    }

    /// Returns the rays that certainly hit the tested triangle, and within their range, a bit each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn counts(&self, tested: &TestedTriangles<S>) -> u64 {
        tested.counts_between(self.ray_packet.first_for_sure, self.ray_packet.limit_for_sure)
    }

    /// Returns the data that decides the hits of a ray.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn verdicts(&self, lane: usize) -> Verdicts<'a, MeshData, S, impl RayInput> {
        Verdicts { leaves: self.shared, given: self.rays.ray(lane), simd: self.simd }
    }

    /// Returns the verdict of a triangle that is certainly hit.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn sure_verdict(&self, lane: usize, place: TrianglePlace) -> Option<Verdict> {
        let t_per_distance = self.ray_packet.t_per_distance(lane);
        self.shared.sure_verdict(self.simd, self.rays.ray(lane), t_per_distance, place)
    }

    /// Returns a ray that is traversed alone.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn lone_ray(&self, lane: usize) -> BvhRay {
        self.ray_packet.lone_ray(lane, self.rays.ray(lane).range())
    }
}

//! Searches of several rays together through a mesh's tree and blocks.
//!
//! Triangles that several rays meet are tested with all of them at once, with the bounds of a single ray.

use super::MeshData;
use super::interleaved_cast::InterleavedRays;
use super::packet_any::PacketAny;
use super::packet_closest::PacketClosest;
use crate::bvh::{BvhRay, LeafRow, PacketVisitor, RayPacket, take_lowest};
use crate::geom::culling::Cull;
use crate::geom::eight_rays::{FEWEST, LANES};
use crate::geom::ray::{Ray, RayInput};
use crate::shape::Verdict;
use crate::simd::{Simd, f32x8};
use crate::tri::error_bounds::ErrorBounds;
use crate::tri::triangle8::{TestedTriangles, Triangle8, TriangleEdges8};
use crate::tri::{MeshHit, TrianglePlace};

/// Buffers that ray packets use one after the other.
pub(super) struct Scratch<S: Simd> {
    /// The state of rays that are cast interleaved, once there are some.
    interleaved: Option<InterleavedRays<S>>,
    /// A leaf that blocked several rays of the last packet. It is likely to block the next ones too: neighbours in a picture mostly are in the same shadow.
    occluder: Option<u32>,
}

impl<S: Simd> Scratch<S> {
    pub(super) fn new() -> Self {
        Self { interleaved: None, occluder: None }
    }
}

impl MeshData {
    /// Finds the closest hit of each ray.
    #[inline(always)]
    pub(super) fn closest_of_packet<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray; LANES],
        cull: Cull,
        scratch: &mut Scratch<S>,
        hits: &mut [Option<MeshHit>; LANES],
    ) {
        let mut alone = ALL & !self.closest_of_alike(simd, rays, cull, hits);
        if self.is_for_turns((rays, alone)) {
            let interleaved = scratch.interleaved.get_or_insert_with(|| InterleavedRays::new(simd));
            return self.closest_interleaved(simd, (rays, alone), cull, interleaved, hits);
        }
        while let Some(lane) = take_lowest(&mut alone) {
            hits[lane] = self.closest_hit(simd, &rays[lane], cull);
        }
    }

    /// Finds the closest hits of those rays that go the same way. Returns their lanes.
    // It is not inlined, as rays that are cast alone took longer beside so much other code.
    #[inline(never)]
    fn closest_of_alike<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray; LANES],
        cull: Cull,
        hits: &mut [Option<MeshHit>; LANES],
    ) -> u64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let Some(ray_packet) = &self.frame.ray_packet(simd, rays) else { return 0 };
                let mut closest = PacketClosest::new(PacketSearch::new(self, simd, rays, ray_packet, cull));
                let together = self.together(simd, ray_packet, ray_packet.usable, &mut closest);
                closest.report(together, hits);
                together
            },
        )
    }

    /// Finds out whether each ray hits anything.
    #[inline(always)]
    pub(super) fn any_of_packet<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray; LANES],
        cull: Cull,
        scratch: &mut Scratch<S>,
        blocked: &mut [bool; LANES],
    ) {
        let mut alone = ALL & !self.any_of_alike(simd, rays, cull, scratch, blocked);
        if self.is_for_turns((rays, alone)) {
            let interleaved = scratch.interleaved.get_or_insert_with(|| InterleavedRays::new(simd));
            let blocked_interleaved = self.any_interleaved(simd, (rays, alone), cull, interleaved);
            while let Some(lane) = take_lowest(&mut alone) {
                blocked[lane] = blocked_interleaved >> lane & 1 == 1;
            }
        }
        while let Some(lane) = take_lowest(&mut alone) {
            blocked[lane] = self.has_any_hit(simd, &rays[lane], cull);
        }
    }

    /// Does the same for any hit as [`closest_of_alike`](Self::closest_of_alike).
    #[inline(never)]
    fn any_of_alike<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray; LANES],
        cull: Cull,
        scratch: &mut Scratch<S>,
        blocked: &mut [bool; LANES],
    ) -> u64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let Some(ray_packet) = &self.frame.ray_packet(simd, rays) else { return 0 };
                let mut any = PacketAny::new(PacketSearch::new(self, simd, rays, ray_packet, cull));
                if let Some(leaf) = scratch.occluder {
                    any.visit_leaf(leaf, ray_packet.usable);
                }
                let before = any.blocked;
                let together = self.together(simd, ray_packet, ray_packet.usable & !before, &mut any);
                scratch.occluder = any.occluder;
                for (lane, blocked) in blocked.iter_mut().enumerate() {
                    *blocked = any.blocked >> lane & 1 == 1;
                }
                before | together
            },
        )
    }

    /// Takes those of these rays through the tree together for which it is worth it. Returns which.
    #[inline(always)]
    pub(super) fn together<S: Simd>(
        &self,
        simd: S,
        ray_packet: &RayPacket<S>,
        lanes: u64,
        visitor: &mut impl PacketVisitor<S>,
    ) -> u64 {
        let (mut left, mut done) = (lanes, 0);
        while left.count_ones() >= FEWEST {
            let alike = ray_packet.alike(left);
            left &= !alike;
            if alike.count_ones() >= FEWEST {
                self.tree.traverse_together(simd, ray_packet, &ray_packet.beam(alike), visitor);
                done |= alike;
            }
        }
        done
    }
}

/// The bits of all lanes.
const ALL: u64 = (1 << LANES) - 1;

/// The rays of a packet as they were given.
pub(super) trait PacketRays {
    fn ray(&self, lane: usize) -> impl RayInput;
}

impl PacketRays for [Ray; LANES] {
    #[inline(always)]
    fn ray(&self, lane: usize) -> impl RayInput {
        &self[lane % LANES]
    }
}

/// The data that both questions share.
pub(super) struct PacketSearch<'a, S: Simd, R> {
    pub(super) shared: &'a MeshData,
    pub(super) simd: S,
    pub(super) rays: &'a R,
    pub(super) ray_packet: &'a RayPacket<S>,
    pub(super) cull: Cull,
    pub(super) errors: ErrorBounds,
}

impl<'a, S: Simd, R: PacketRays> PacketSearch<'a, S, R> {
    #[inline(always)]
    pub(super) fn new(shared: &'a MeshData, simd: S, rays: &'a R, ray_packet: &'a RayPacket<S>, cull: Cull) -> Self {
        let errors = ErrorBounds::of_packet(ray_packet);
        Self { shared, simd, rays, ray_packet, cull, errors }
    }

    #[inline(always)]
    pub(super) fn leaves(&self) -> LeafRow {
        self.shared.blocks.row()
    }

    #[inline(always)]
    pub(super) fn test(
        &self,
        block: &Triangle8,
        edges: &TriangleEdges8,
        lane: usize,
        limits: f32x8<S>,
    ) -> TestedTriangles<S, f32x8<S>> {
        let RayPacket { origin, direction, .. } = self.ray_packet;
        block.test_together(self.simd, (origin, direction), edges, lane, &self.errors, limits)
    }

    /// Returns those that are certainly hit and within the range that the rays have, a bit each.
    #[inline(always)]
    pub(super) fn counts(&self, tested: &TestedTriangles<S, f32x8<S>>) -> u64 {
        tested.counts_between(self.ray_packet.first_for_sure, self.ray_packet.limit_for_sure)
    }

    /// Returns where a ray meets a triangle that it may meet, decided exactly, with the range and the side.
    #[cold]
    pub(super) fn exactly(&self, lane: usize, place: TrianglePlace) -> Option<Verdict> {
        let verdict = self.shared.verdict(self.rays.ray(lane), place);
        verdict.filter(|verdict| self.cull.keeps(verdict.side))
    }

    /// Returns the verdict of a triangle that is certainly hit.
    #[inline(always)]
    pub(super) fn sure_verdict(&self, lane: usize, place: TrianglePlace) -> Option<Verdict> {
        let t_per_distance = self.ray_packet.t_per_distance(lane);
        self.shared.sure_verdict(self.simd, self.rays.ray(lane), t_per_distance, place)
    }

    /// Does the same as [`sure_verdict`](Self::sure_verdict), not inlined.
    #[inline(never)]
    pub(super) fn sure_verdict_called(&self, lane: usize, place: TrianglePlace) -> Option<Verdict> {
        self.simd.vectorize(
            #[inline(always)]
            || self.sure_verdict(lane, place),
        )
    }

    /// Returns a ray that goes on alone.
    #[inline(always)]
    pub(super) fn lone_ray(&self, lane: usize) -> BvhRay {
        self.ray_packet.lone_ray(lane, self.rays.ray(lane).range())
    }
}

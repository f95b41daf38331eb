//! Searches of several rays together through a mesh's tree and blocks.
//!
//! Triangles that several rays may hit are tested with all of them at once, with the same bounds as for a single ray.

use super::interleaved_cast::InterleavedRays;
use super::packet_any::PacketAny;
use super::packet_closest::PacketClosest;
use super::packet_search::PacketSearch;
use crate::bvh::{PacketVisitor, RayPacket, take_lowest};
use crate::geom::culling::Cull;
use crate::geom::eight_rays::{FEWEST, LANES};
use crate::geom::ray::Ray;
use crate::mesh::MeshData;
use crate::simd::Simd;
use crate::tri::{LeafSearch, MeshHit};

/// Buffers that ray packets use one after the other.
pub(in crate::mesh) struct Scratch<S: Simd> {
    /// The state of rays that are cast interleaved, once there are some.
    interleaved: Option<InterleavedRays<S>>,
    /// A leaf that blocked several rays of the last packet. It is likely to block the rays of the next packet too.
    /// The reason is that neighbouring pixels are mostly in the same shadow.
    occluder: Option<u32>,
}

impl<S: Simd> Scratch<S> {
    pub(in crate::mesh) fn new() -> Self {
        Self { interleaved: None, occluder: None }
    }
}

impl MeshData {
    /// Finds the closest hit of each ray.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn closest_of_packet<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray; LANES],
        cull: Cull,
        scratch: &mut Scratch<S>,
        hits: &mut [Option<MeshHit>; LANES],
    ) {
        let mut alone = ALL & !self.closest_of_alike(simd, rays, cull, hits);
        if self.is_for_turns((rays, alone)) {
            return self.closest_interleaved(simd, (rays, alone), cull, &mut scratch.interleaved, hits);
        }
        while let Some(lane) = take_lowest(&mut alone) {
            hits[lane] = self.closest_hit(simd, &rays[lane], cull);
        }
    }

    /// Finds the closest hits of the rays that can traverse the tree together. Returns their lanes.
    // It is not inlined, because the additional code makes rays that are cast alone slower.
    #[inline(never)]
    fn closest_of_alike<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray; LANES],
        cull: Cull,
        hits: &mut [Option<MeshHit>; LANES],
    ) -> u64 {
        simd.vectorize(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let Some(ray_packet) = &self.frame.ray_packet(simd, rays) else { return 0 };
                let mut closest = PacketClosest::new(PacketSearch::new(self, simd, rays, ray_packet, cull));
                let together = self.together(simd, ray_packet, ray_packet.usable, &mut closest);
                closest.report(together, hits);
                together
            },
        )
    }

    /// Finds whether each ray hits anything.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn any_of_packet<S: Simd>(
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
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
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

    /// Traverses the tree with the groups of these rays that are worth a packet. Returns the lanes of these groups.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn together<S: Simd>(
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
                self.tree.traverse_together(simd, ray_packet, &ray_packet.beam(alike), self.blocks.row(), visitor);
                done |= alike;
            }
        }
        done
    }
}

/// The bits of all lanes.
const ALL: u64 = (1 << LANES) - 1;

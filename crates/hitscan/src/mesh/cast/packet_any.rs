//! Any hits of rays that traverse a mesh together.

use super::packet_search::{PacketRays, PacketSearch};
use crate::bvh::{Beam, Order, PacketVisitor, Subtree, take_lowest};
use crate::geom::eight_rays::FEWEST;
use crate::simd::{Select, Simd, SimdBase, SimdMask, f32x8, mask32x8};
use crate::tri::triangle8::NONE;
use crate::tri::{TrianglePlace, TriangleSearch};

pub(in crate::mesh) struct PacketAny<'a, S: Simd, R> {
    search: PacketSearch<'a, S, R>,
    limits: f32x8<S>,
    pub(in crate::mesh) blocked: u64,
    /// The last leaf that blocked several rays.
    pub(in crate::mesh) occluder: Option<u32>,
}

impl<'a, S: Simd, R: PacketRays> PacketAny<'a, S, R> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn new(search: PacketSearch<'a, S, R>) -> Self {
        let limits = search.ray_packet.limit;
        Self { search, limits, blocked: 0, occluder: None }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn block(&mut self, lanes: u64) {
        let simd = self.search.simd;
        self.blocked |= lanes;
        self.limits = mask32x8::from_bitmask(simd, lanes).select(f32x8::splat(simd, -1.0), self.limits);
    }

    /// Tests the triangles of a leaf with these rays.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn visit_leaf(&mut self, leaf: u32, mut lanes: u64) {
        let before = lanes.count_ones();
        let shared = self.search.shared;
        let made;
        let block = match shared.blocks.whole(leaf as usize) {
            Some(block) => block,
            None => {
                made = shared.made(leaf as usize);
                &made
            }
        };
        let edges = block.edges(self.search.simd);
        for (i, &triangle) in block.triangles.iter().enumerate() {
            if triangle == NONE {
                break;
            }
            let tested = self.search.test(block, &edges, i, self.limits);
            let possible = tested.possible & lanes;
            if possible == 0 {
                continue;
            }
            let counts = self.search.counts(&tested);
            let mut hit = possible & counts & tested.kept(self.search.simd, self.search.cull);
            let doubtful = possible & !counts;
            if doubtful != 0 {
                hit |= self.decide(doubtful, TrianglePlace::new(leaf, i));
            }
            if hit != 0 {
                self.block(hit);
                lanes &= !hit;
                if before - lanes.count_ones() >= FEWEST {
                    self.occluder = Some(leaf);
                }
                if lanes == 0 {
                    return;
                }
            }
        }
    }

    /// Returns which of the rays hit a triangle, decided exactly.
    #[cold]
    fn decide(&self, mut lanes: u64, place: TrianglePlace) -> u64 {
        let mut hit = 0;
        while let Some(lane) = take_lowest(&mut lanes) {
            hit |= u64::from(self.search.verdicts(lane).exactly(place, self.search.cull).is_some()) << lane;
        }
        hit
    }
}

impl<S: Simd, R: PacketRays> PacketVisitor<S> for PacketAny<'_, S, R> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        Order::Blind
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn limits(&self) -> f32x8<S> {
        self.limits
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, lanes: u64, _: &Beam<S>, _: f32) {
        self.visit_leaf(leaf, lanes);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit_alone(&mut self, below: Subtree, lane: usize) {
        let PacketSearch { shared, simd, cull, rays, .. } = &self.search;
        let framed = self.search.lone_ray(lane);
        if TriangleSearch::new(*shared, *simd, rays.ray(lane), &framed).has_any_below(below, *cull) {
            self.block(1 << lane);
        }
    }
}

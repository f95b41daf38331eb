//! Several rays that traverse the tree of a scene together.

use super::{DynamicBvh, ItemLeaves, ItemVisitor};
use crate::bvh::normalized_space::NormalizedSpace;
use crate::bvh::traverse::near_packet::LaneRanges;
use crate::bvh::traverse::packet_traversal::{Beam, PacketVisitor, RayPacket, traverse_together};
use crate::bvh::traverse::single_ray::traverse_changing;
use crate::bvh::traverse::visitor::{NO_ROW, Order, Subtree};
use crate::geom::eight_rays::{EightRays, FEWEST, LANES};
use crate::simd::{Simd, dispatch, f32x8};
use core::ops::ControlFlow;

/// Handles items that the rays of a packet may touch. Its functions must be `#[inline(always)]`, or they are not compiled for the instruction set in use.
pub(crate) trait PacketItemVisitor {
    fn order(&self) -> Order;

    /// Prefetches an item that is visited soon.
    fn prefetch(&self, item: u32);

    /// May test an object that is likely to end some of these rays, before the tree is traversed. Returns the lanes of
    /// the rays that it ended, a bit each.
    fn visit_first<S: Simd>(&mut self, simd: S, lanes: u64) -> u64;

    /// Visits an item that several rays may touch. `limits` are the largest ts that matter. If `from` is above 0, it has a t for each ray, before which the ray
    /// does not hit the item. The visit decreases `limits`; negative infinity stops a ray.
    fn visit_together<S: Simd>(
        &mut self,
        simd: S,
        item: u32,
        lanes: u64,
        from: &[f64; LANES],
        limits: &mut [f32; LANES],
    );

    /// Visits an item that one ray may touch, as [`ItemVisitor`] does.
    fn visit_alone<S: Simd>(&mut self, simd: S, item: u32, lane: usize, from: f64, limit: f32) -> ControlFlow<(), f32>;
}

impl DynamicBvh {
    /// Returns whether rays are traversed together with the instruction set in use.
    pub(crate) fn takes_packets() -> bool {
        dispatch!(simd => has_packets(simd))
    }

    /// Calls the visitor with every item that each ray may touch up to its limit, for the lanes that can be traversed
    /// together. Returns these lanes, and the lanes that [`visit_first`](PacketItemVisitor::visit_first) ended.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn traverse_together(
        &self,
        rays: &EightRays,
        lanes: u64,
        t_max: &[f32; LANES],
        slack: f64,
        visitor: &mut impl PacketItemVisitor,
    ) -> u64 {
        dispatch!(simd => self.traverse_together_with(simd, rays, (lanes, t_max), slack, visitor))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn traverse_together_with<S: Simd>(
        &self,
        simd: S,
        rays: &EightRays,
        (lanes, t_max): (u64, &[f32; LANES]),
        slack: f64,
        visitor: &mut impl PacketItemVisitor,
    ) -> u64 {
        if !S::HAS_SCENE_PACKETS {
            return 0;
        }
        let frame = NormalizedSpace::of_reach(self.unit());
        let slack = self.slack_of_near(slack);
        if lanes.count_ones() < FEWEST {
            return 0;
        }
        let ended = visitor.visit_first(simd, lanes);
        let lanes = lanes & !ended;
        let ranges = LaneRanges { lanes, from: None, t_max };
        // The packet is not moved, because it is large.
        let mut ray_packet = frame.packet_relative_to(simd, rays, self.origin, ranges, slack);
        let Some(ray_packet) = &mut ray_packet else { return ended };
        let alike = ray_packet.alike(ray_packet.usable);
        if alike.count_ones() < FEWEST {
            return ended;
        }
        let scale = frame.scale as f32;
        let beam = ray_packet.beam(alike).for_boxes_scaled_by(scale);
        ray_packet.scale_boxes(scale);
        let ray_packet = &*ray_packet;
        let mut items = PacketItems {
            simd,
            tree: self,
            rays,
            ray_packet,
            ts: DistancesToTs::new(ray_packet),
            t_max: *t_max,
            limits: ray_packet.limit,
            visitor,
        };
        traverse_together(&self.nodes, simd, (ray_packet, &beam), Some(NO_ROW), &mut items);
        ended | alike
    }
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn has_packets<S: Simd>(_: S) -> bool {
    S::HAS_SCENE_PACKETS
}

/// Factors and summands that convert distances to values of t. A distance is where a ray of the packet enters a box,
/// and the ray hits nothing in the box before the t.
struct DistancesToTs {
    factors: [f64; LANES],
    summands: [f64; LANES],
}

impl DistancesToTs {
    /// Takes rays that start at t = 0.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn new<S: Simd>(ray_packet: &RayPacket<S>) -> Self {
        let [relative, absolute] = ray_packet.distance_errors();
        let mut ts = Self { factors: [0.0; LANES], summands: [0.0; LANES] };
        for lane in 0..LANES {
            let pace = ray_packet.t_per_distance(lane);
            (ts.factors[lane], ts.summands[lane]) = ((1.0 - relative) * pace, -absolute * pace);
        }
        ts
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn ts_before(&self, distances: &[f32; LANES]) -> [f64; LANES] {
        let mut ts = [0.0; LANES];
        for lane in 0..LANES {
            ts[lane] = f64::from(distances[lane]) * self.factors[lane] + self.summands[lane];
        }
        ts
    }
}

struct PacketItems<'a, S: Simd, V> {
    simd: S,
    tree: &'a DynamicBvh,
    rays: &'a EightRays,
    ray_packet: &'a RayPacket<S>,
    ts: DistancesToTs,
    /// The largest t that matters to each ray of the beam, and its distance.
    t_max: [f32; LANES],
    limits: f32x8<S>,
    visitor: &'a mut V,
}

impl<S: Simd, V: PacketItemVisitor> PacketVisitor<S> for PacketItems<'_, S, V> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        self.visitor.order()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn limits(&self) -> f32x8<S> {
        self.limits
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, item: u32, lanes: u64, beam: &Beam<S>, distance: f32) {
        let from = self.ts.ts_before(&beam.distances(distance));
        self.visitor.visit_together(self.simd, item, lanes, &from, &mut self.t_max);
        self.limits = self.ray_packet.limits_at(&self.t_max);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(&self, item: u32) {
        self.visitor.prefetch(item);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit_alone(&mut self, below: Subtree, lane: usize) {
        let (t_max, limit) = (self.t_max[lane], self.limits[lane]);
        let ray = self.ray_packet.lone_ray(lane, [self.rays.t_min[lane], t_max]);
        let mut visitor = OneOfPacket { lane, visitor: &mut *self.visitor };
        let mut items = ItemLeaves { simd: self.simd, ray: &ray, t_max, visitor: &mut visitor };
        let walk = traverse_changing(&self.tree.nodes, self.simd, (&ray, below), limit, &mut items);
        self.t_max[lane] = if walk.is_break() { f32::NEG_INFINITY } else { items.t_max };
        self.limits = self.ray_packet.limits_at(&self.t_max);
    }
}

/// The items of one ray that is traversed alone.
struct OneOfPacket<'a, V> {
    lane: usize,
    visitor: &'a mut V,
}

impl<V: PacketItemVisitor> ItemVisitor for OneOfPacket<'_, V> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        self.visitor.order()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(&self, item: u32) {
        self.visitor.prefetch(item);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit<S: Simd>(&mut self, simd: S, item: u32, from: f64, limit: f32) -> ControlFlow<(), f32> {
        self.visitor.visit_alone(simd, item, self.lane, from, limit)
    }
}

//! Several rays that go through the tree of a scene together.

use super::{DynamicBvh, ItemLeaves, ItemVisitor, RelativeRay};
use crate::bvh::bvh_ray::BvhRay;
use crate::bvh::framed_packet::FramedRays;
use crate::bvh::normalized_space::NormalizedSpace;
use crate::bvh::packet_traversal::{
    Beam, FEWEST, LANES, PacketVisitor, RayPacket, by_lane, take_lowest, traverse_together,
};
use crate::bvh::traverse::traverse_changing;
use crate::bvh::visitor::{LeafRow, Order, Subtree};
use crate::geom::ray::LocalRay;
use crate::math::float::larger;
use crate::simd::{Simd, SimdBase, dispatch, f32x8};
use core::ops::ControlFlow;

/// Handles items that the rays of a packet may touch. Its functions must be `#[inline(always)]`, or they are not compiled for the instruction set in use.
pub(crate) trait PacketItemVisitor {
    fn order(&self) -> Order;

    /// Prefetches an item that is visited soon.
    fn prefetch(&self, item: u32);

    /// Visits an item that several rays may touch, given ts before which they do not hit it if those are above 0, and the largest ts that matter. Lowers
    /// these; negative infinity stops a ray.
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
    /// Returns whether rays go together with the instruction set in use.
    pub(crate) fn takes_packets() -> bool {
        dispatch!(simd => has_packets(simd))
    }

    /// Shows every item that each ray may touch up to its limit, for those of the lanes that can go together. Returns which.
    #[inline(always)]
    pub(crate) fn traverse_together(
        &self,
        rays: &[LocalRay; LANES],
        lanes: u64,
        t_max: &[f32; LANES],
        slack: f64,
        visitor: &mut impl PacketItemVisitor,
    ) -> u64 {
        dispatch!(simd => self.traverse_together_with(simd, (rays, lanes), t_max, slack, visitor))
    }

    #[inline(always)]
    fn traverse_together_with<S: Simd>(
        &self,
        simd: S,
        (rays, mut lanes): (&[LocalRay; LANES], u64),
        t_max: &[f32; LANES],
        slack: f64,
        visitor: &mut impl PacketItemVisitor,
    ) -> u64 {
        if !S::HAS_SCENE_PACKETS {
            return 0;
        }
        let frame = NormalizedSpace::of_reach(self.unit());
        let slack = self.slack_of_near(slack);
        let mut framed: FramedRays = [const { None }; LANES];
        while let Some(lane) = take_lowest(&mut lanes) {
            let relative = RelativeRay { ray: &rays[lane], origin: &self.origin, t_max: t_max[lane] };
            framed[lane] = frame.near_ray(simd, relative, None, slack);
        }
        let Some(ray_packet) = RayPacket::of_framed(simd, &framed) else { return 0 };
        let alike = ray_packet.alike(ray_packet.usable);
        if alike.count_ones() < FEWEST {
            return 0;
        }
        let scale = frame.scale as f32;
        let beam = ray_packet.beam(alike).for_boxes_scaled_by(scale);
        let limits = by_lane(ray_packet.limit);
        let ray_packet = ray_packet.for_boxes_scaled_by(scale);
        let mut items = PacketItems { simd, tree: self, framed: &framed, scale, t_max: *t_max, limits, visitor };
        traverse_together(&self.nodes, simd, (&ray_packet, &beam), true, &mut items);
        alike
    }
}

#[inline(always)]
fn has_packets<S: Simd>(_: S) -> bool {
    S::HAS_SCENE_PACKETS
}

struct PacketItems<'a, S, V> {
    simd: S,
    tree: &'a DynamicBvh,
    framed: &'a FramedRays,
    /// The scale of boxes.
    scale: f32,
    /// The largest t that matters to each ray, and its distance.
    t_max: [f32; LANES],
    limits: [f32; LANES],
    visitor: &'a mut V,
}

impl<S: Simd, V: PacketItemVisitor> PacketItems<'_, S, V> {
    #[inline(always)]
    fn limit(&mut self, lane: usize, ray: &BvhRay, t_max: f32) {
        self.t_max[lane] = t_max;
        self.limits[lane] = larger(ray.limit(t_max), -1.0);
    }
}

impl<S: Simd, V: PacketItemVisitor> PacketVisitor<S> for PacketItems<'_, S, V> {
    #[inline(always)]
    fn order(&self) -> Order {
        self.visitor.order()
    }

    #[inline(always)]
    fn leaves(&self) -> LeafRow {
        (core::ptr::null(), 0)
    }

    #[inline(always)]
    fn limits(&self) -> f32x8<S> {
        f32x8::from_slice(self.simd, &self.limits)
    }

    #[inline(always)]
    fn visit(&mut self, item: u32, lanes: u64, beam: &Beam<S>, distance: f32) {
        let distances = beam.distances(distance);
        let mut from = [0.0; LANES];
        let mut left = lanes;
        while let Some(lane) = take_lowest(&mut left) {
            from[lane] = self.framed[lane].as_ref().map_or(0.0, |ray| ray.t_before(distances[lane]));
        }
        let mut t_max = self.t_max;
        self.visitor.visit_together(self.simd, item, lanes, &from, &mut t_max);
        let mut left = lanes;
        while let Some(lane) = take_lowest(&mut left) {
            if let Some(ray) = &self.framed[lane]
                && t_max[lane] != self.t_max[lane]
            {
                self.limit(lane, ray, t_max[lane]);
            }
        }
    }

    #[inline(always)]
    fn prefetch(&self, item: u32) {
        self.visitor.prefetch(item);
    }

    #[inline(always)]
    fn visit_alone(&mut self, below: Subtree, lane: usize) {
        let Some(framed) = &self.framed[lane] else { return };
        let ray = framed.for_boxes_scaled_by(self.scale);
        let (t_max, limit) = (self.t_max[lane], self.limits[lane]);
        let mut visitor = OneOfPacket { lane, visitor: &mut *self.visitor };
        let mut items = ItemLeaves { simd: self.simd, ray: &ray, t_max, visitor: &mut visitor };
        let walk = traverse_changing(&self.tree.nodes, self.simd, (&ray, below), limit, &mut items);
        let t_max = if walk.is_break() { f32::NEG_INFINITY } else { items.t_max };
        self.limit(lane, framed, t_max);
    }
}

/// The items of one ray that goes on alone.
struct OneOfPacket<'a, V> {
    lane: usize,
    visitor: &'a mut V,
}

impl<V: PacketItemVisitor> ItemVisitor for OneOfPacket<'_, V> {
    #[inline(always)]
    fn order(&self) -> Order {
        self.visitor.order()
    }

    #[inline(always)]
    fn prefetch(&self, item: u32) {
        self.visitor.prefetch(item);
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, simd: S, item: u32, from: f64, limit: f32) -> ControlFlow<(), f32> {
        self.visitor.visit_alone(simd, item, self.lane, from, limit)
    }
}

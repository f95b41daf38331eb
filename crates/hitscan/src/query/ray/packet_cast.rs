//! Coherent rays that traverse a scene together. They traverse the tree of its parts, and the trees of the meshes that
//! they hit.
//!
//! Each ray collects the hits that it would collect alone. So the answers are the same. Parts that are not meshes are
//! tested ray by ray.

use super::cast::RaySearch;
use super::hit_sink::HitSink;
use super::part_hit::FoundPart;
use super::plain_cast::{KnownHit, MeshCollector, PlainQuery};
use crate::bvh::{DynamicBvh, Order, PacketItemVisitor, take_lowest};
use crate::geom::eight_rays::{EightRays, LANES};
use crate::geom::ray::{Ray, RayInterval};
use crate::geom::transform::InstanceRay;
use crate::math::float::smaller;
use crate::mesh::InstancePacket;
use crate::query::collect::{AnyHit, ClosestHit, Question};
use crate::query::view::RayView;
use crate::scene::{Part, PartGeometry, PartTree};
use crate::simd::Simd;
use core::hash::Hash;
use core::ops::ControlFlow;

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Returns whether rays of this view may be cast as packets.
    pub(in crate::query) fn takes_packets(&self) -> bool {
        self.after.is_none() && !self.view.chooses_hits() && DynamicBvh::takes_packets()
    }

    /// Finds the closest hit of each ray, and writes the hits to consecutive places from `place` on. Rays that cannot be traversed together are cast alone.
    /// Must only be called if [packets](Self::takes_packets) may be cast.
    pub(in crate::query) fn closest_of_packet(&self, rays: &[Ray; LANES], place: usize, hits: &mut impl HitSink<K>) {
        let together = match &EightRays::of_world(rays, self.view.origin) {
            Some(packet) => ScenePacket { query: self, rays: packet }.cast_closest(rays, place, hits),
            None => 0,
        };
        let mut alone = ALL & !together;
        while let Some(lane) = take_lowest(&mut alone) {
            self.cast_closest_into(&rays[lane], place + lane, hits);
        }
    }

    /// Finds out for each ray whether it hits anything. Otherwise it works as [`closest_of_packet`](Self::closest_of_packet).
    pub(in crate::query) fn any_of_packet(
        &self,
        occluder: &mut Option<u32>,
        rays: &[Ray; LANES],
        blocked: &mut [bool; LANES],
    ) {
        let together = match &EightRays::of_world(rays, self.view.origin) {
            Some(packet) => ScenePacket { query: self, rays: packet }.cast_any(occluder, blocked),
            None => 0,
        };
        let mut alone = ALL & !together;
        while let Some(lane) = take_lowest(&mut alone) {
            blocked[lane] = self.cast_any(&rays[lane]);
        }
    }
}

/// The bits of all lanes.
const ALL: u64 = (1 << LANES) - 1;

/// The rays of a packet in the world, none of which skips any hit.
struct ScenePacket<'a, K> {
    query: &'a RayView<'a, K>,
    rays: &'a EightRays,
}

impl<'a, K: Clone + Eq + Hash> ScenePacket<'a, K> {
    /// Finds the closest hits of the rays that can be traversed together. Returns the lanes of these rays.
    fn cast_closest(&self, given: &[Ray; LANES], place: usize, hits: &mut impl HitSink<K>) -> u64 {
        let mut closest = [const { ClosestHit(None) }; LANES];
        let together = self.search_together(None, &mut closest);
        let (mut search, mut left) = (self.search_of_lane(0), together);
        while let Some(lane) = take_lowest(&mut left) {
            match closest[lane].0.as_ref() {
                Some((key, found)) => {
                    search.ray = &self.rays.rows[lane];
                    hits.put_hit(place + lane, &search, &given[lane], key, found);
                }
                None => hits.put_miss(place + lane),
            }
        }
        together
    }

    /// Finds out whether there is any hit, for each of the rays that can be traversed together. Returns the lanes of these rays.
    fn cast_any(&self, occluder: &mut Option<u32>, blocked: &mut [bool; LANES]) -> u64 {
        let mut any = [const { AnyHit(false) }; LANES];
        let together = self.search_together(Some(occluder), &mut any);
        let mut left = together;
        while let Some(lane) = take_lowest(&mut left) {
            blocked[lane] = any[lane].0;
        }
        together
    }

    /// Returns the search of the ray in a lane.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn search_of_lane(&self, lane: usize) -> RaySearch<'_, K> {
        RaySearch::past_nothing(self.query, &self.rays.rows[lane % LANES])
    }

    /// Passes the hits of the rays that can be traversed together to the collectors. Returns the lanes of these rays.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn search_together<'b, C: PacketCollector<'b>>(
        &'b self,
        occluder: Option<&mut Option<u32>>,
        collectors: &mut [C; LANES],
    ) -> u64 {
        let (lanes, t_max) = if self.query.view.scene.unbounded().is_empty() {
            (self.rays.usable, self.rays.t_max)
        } else {
            self.meet_unbounded(collectors)
        };
        self.search_of_lane(0).plainly(|parts, plain| {
            let mut meet = |lane, part, known, between, collector: &mut C| {
                self.search_of_lane(lane).visit_known_part(part, known, between, collector)
            };
            let mut query =
                PacketQuery { parts, rays: self.rays, plain, occluder, tested: (0, 0), collectors, meet: &mut meet };
            C::run_together(&mut query, (lanes, &t_max))
        })
    }

    /// Passes to the collectors the hits on the parts that are not in the tree. Returns the lanes of the rays that still
    /// need the tree, and for each lane the largest t that matters.
    #[cold]
    fn meet_unbounded<'b, C: PacketCollector<'b>>(&'b self, collectors: &mut [C; LANES]) -> (u64, [f32; LANES]) {
        let (mut lanes, mut t_max, mut left) = (0, self.rays.t_max, self.rays.usable);
        while let Some(lane) = take_lowest(&mut left) {
            let search = self.search_of_lane(lane);
            if search.search_unbounded(&mut collectors[lane]).is_continue() {
                t_max[lane] = search.ray_and_limit(&collectors[lane]).1;
                lanes |= 1 << lane;
            }
        }
        (lanes, t_max)
    }
}

/// Handles a part as [`PartHandler`](super::plain_cast::PartHandler) does, for the ray of a lane.
type LanePartHandler<'a, 'b, C> =
    dyn FnMut(usize, &'a Part, KnownHit<'a>, RayInterval, &mut C) -> ControlFlow<(), f32> + 'b;

/// Collects the hits of one ray of a packet.
trait PacketCollector<'a>: MeshCollector<'a> {
    /// Traverses the tree with the rays of some lanes, each up to its own t. Returns the lanes of the rays that were traversed together.
    // Each type has an implementation of its own, without keys, which is compiled in this crate. A provided method would be
    // compiled in each crate that uses a scene.
    fn run_together(query: &mut PacketQuery<'a, '_, '_, Self>, limits: (u64, &[f32; LANES])) -> u64
    where
        Self: Sized;
}

impl<'a> PacketCollector<'a> for ClosestHit<FoundPart<'a>> {
    fn run_together(query: &mut PacketQuery<'a, '_, '_, Self>, (lanes, t_max): (u64, &[f32; LANES])) -> u64 {
        query.parts.traverse_together(query.rays, lanes, t_max, query)
    }
}

impl<'a> PacketCollector<'a> for AnyHit {
    fn run_together(query: &mut PacketQuery<'a, '_, '_, Self>, (lanes, t_max): (u64, &[f32; LANES])) -> u64 {
        query.parts.traverse_together(query.rays, lanes, t_max, query)
    }
}

/// Tests meshes during the traversal of the tree.
struct PacketQuery<'a, 'b, 'c, C> {
    parts: &'b PartTree<'a>,
    rays: &'b EightRays,
    plain: &'b PlainQuery<'b>,
    /// The mesh that ended rays of an earlier packet, for questions where one hit ends a ray. It is tested first for
    /// the next packet, because neighbouring pixels are mostly in the same shadow.
    occluder: Option<&'b mut Option<u32>>,
    /// The part that was tested first, and the rays that were tested with it.
    tested: (u32, u64),
    collectors: &'b mut [C; LANES],
    meet: &'b mut LanePartHandler<'a, 'c, C>,
}

impl<'a, C: PacketCollector<'a>> PacketQuery<'a, '_, '_, C> {
    /// True if one hit ends a ray.
    const ENDS_AT_HIT: bool = matches!(C::QUESTION, Question::Any);

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn remember(&mut self, part: u32) {
        if let Some(occluder) = &mut self.occluder {
            **occluder = Some(part);
        }
    }

    /// Keeps the answer of a mesh for a ray, and returns the largest t that matters from now on.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn keep(&mut self, lane: usize, part: &'a Part, answer: C::Answer, between: RayInterval) -> ControlFlow<(), f32> {
        let PartGeometry::Mesh(mesh) = &part.geometry else { return ControlFlow::Continue(between.limit) };
        let collector = &mut self.collectors[lane];
        if self.plain.may_pass_through(mesh) {
            return (self.meet)(lane, part, C::known_hit(mesh, answer), between, collector);
        }
        collector.keep_answer(part, mesh, answer)?;
        ControlFlow::Continue(smaller(collector.limit(), between.limit))
    }
}

impl<'a, C: PacketCollector<'a>> PacketItemVisitor for PacketQuery<'a, '_, '_, C> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        C::ORDER
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(&self, number: u32) {
        self.parts.prefetch(number);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit_first<S: Simd>(&mut self, simd: S, lanes: u64) -> u64 {
        if !Self::ENDS_AT_HIT {
            return 0;
        }
        let Some(number) = self.occluder.as_mut().and_then(|occluder| occluder.take()) else { return 0 };
        let Some(part) = self.parts.part(number).filter(|part| self.plain.meets(part)) else { return 0 };
        let PartGeometry::Mesh(mesh) = &part.geometry else { return 0 };
        if self.plain.may_pass_through(mesh) {
            return 0;
        }
        let (from, t_max) = (&[0.0; LANES], &self.rays.t_max);
        let rays = InstancePacket { rays: self.rays, to_local: &part.to_local, from, t_max };
        let (together, ended) = mesh.blocked_together(simd, &rays, lanes, self.plain.cull);
        self.tested = (number, together);
        if ended != 0 {
            self.remember(number);
        }
        let mut left = ended;
        while let Some(lane) = take_lowest(&mut left) {
            let _ = self.collectors[lane].note();
        }
        ended
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit_together<S: Simd>(
        &mut self,
        simd: S,
        number: u32,
        mut lanes: u64,
        from: &[f64; LANES],
        limits: &mut [f32; LANES],
    ) {
        let Some(part) = self.parts.part(number).filter(|part| self.plain.meets(part)) else { return };
        if Self::ENDS_AT_HIT && number == self.tested.0 {
            lanes &= !self.tested.1;
        }
        let after = |flow: ControlFlow<(), f32>| flow.continue_value().unwrap_or(f32::NEG_INFINITY);
        let PartGeometry::Mesh(mesh) = &part.geometry else {
            while let Some(lane) = take_lowest(&mut lanes) {
                let between = RayInterval { from: from[lane], limit: limits[lane] };
                limits[lane] = after((self.meet)(lane, part, KnownHit::Nothing, between, &mut self.collectors[lane]));
            }
            return;
        };
        let mut answers = [None; LANES];
        let rays = InstancePacket { rays: self.rays, to_local: &part.to_local, from, t_max: limits };
        C::ask_mesh_together(simd, mesh, &rays, lanes, self.plain.cull, &mut answers);
        if answers.iter().any(Option::is_some) {
            if !Self::ENDS_AT_HIT {
                (self.plain.prefetch_report)(part);
            } else if !self.plain.may_pass_through(mesh) {
                self.remember(number);
            }
        }
        while let Some(lane) = take_lowest(&mut lanes) {
            if let Some(answer) = answers[lane] {
                let between = RayInterval { from: from[lane], limit: limits[lane] };
                limits[lane] = after(self.keep(lane, part, answer, between));
            }
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit_alone<S: Simd>(
        &mut self,
        simd: S,
        number: u32,
        lane: usize,
        from: f64,
        limit: f32,
    ) -> ControlFlow<(), f32> {
        let Some(part) = self.parts.part(number).filter(|part| self.plain.meets(part)) else {
            return ControlFlow::Continue(limit);
        };
        let between = RayInterval { from, limit };
        let PartGeometry::Mesh(mesh) = &part.geometry else {
            return (self.meet)(lane, part, KnownHit::Nothing, between, &mut self.collectors[lane]);
        };
        let image = InstanceRay { ray: &self.rays.rows[lane], to_local: &part.to_local, t_max: limit };
        match C::ask_mesh(simd, mesh, image, from, self.plain.cull) {
            Some(answer) => {
                let limit = self.keep(lane, part, answer, between)?;
                (self.plain.prefetch_report)(part);
                ControlFlow::Continue(limit)
            }
            None => ControlFlow::Continue(limit),
        }
    }
}

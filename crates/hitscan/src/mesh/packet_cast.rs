//! Searches of several rays together through a mesh's tree and blocks: closest and any.
//!
//! Triangles that several rays meet are tested with all of them at once, with the bounds of a single ray. The nearest hit so far of each ray is kept and
//! decided as that of a single ray, so that the answers are the same.

use super::MeshData;
use super::interleaved_cast::InterleavedRays;
use super::leaf_intersect::SpanUse;
use crate::bvh::{
    Beam, BvhRay, FEWEST, FramedRays, LANES, LeafRow, NormalizedSpace, Order, PacketVisitor, RayPacket, Subtree,
    by_lane, take_lowest,
};
use crate::geom::culling::Cull;
use crate::geom::hit::Side;
use crate::geom::ray::{Ray, RayInput};
use crate::math::float::smaller;
use crate::shape::Verdict;
use crate::simd::{FloatLanes, Select, Simd, SimdBase, SimdMask, f32x8, mask32x8, u32x8};
use crate::tri::error_bounds::ErrorBounds;
use crate::tri::triangle8::{NONE, SIZE, TestedTriangles, Triangle8, TriangleEdges8};
use crate::tri::{FoundTriangle, MeshHit, NearestHit, TrianglePlace};

/// Buffers that ray packets use one after the other.
pub(super) struct Scratch<S: Simd> {
    /// Some of the rays as they are cast alone.
    framed: FramedRays,
    /// The state of rays that are cast interleaved, once there are some.
    interleaved: Option<InterleavedRays<S>>,
}

impl<S: Simd> Scratch<S> {
    pub(super) fn new() -> Self {
        Self { framed: [const { None }; LANES], interleaved: None }
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
        let mut alone = ALL;
        if let Some(ray_packet) = &self.frame.ray_packet(simd, rays) {
            let mut closest =
                PacketClosest::new(PacketSearch::new(self, simd, rays, ray_packet, cull, (0, &mut scratch.framed)));
            let together = self.together(simd, ray_packet, &mut closest);
            alone &= !together;
            closest.report(together, hits);
        }
        if self.is_for_turns((rays, alone)) {
            let interleaved = scratch.interleaved.get_or_insert_with(|| InterleavedRays::new(simd));
            return self.closest_interleaved(simd, (rays, alone), cull, interleaved, hits);
        }
        while let Some(lane) = take_lowest(&mut alone) {
            hits[lane] = self.closest_hit(simd, &rays[lane], cull);
        }
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
        let mut alone = ALL;
        if let Some(ray_packet) = &self.frame.ray_packet(simd, rays) {
            let mut any =
                PacketAny::new(PacketSearch::new(self, simd, rays, ray_packet, cull, (0, &mut scratch.framed)));
            alone &= !self.together(simd, ray_packet, &mut any);
            for (lane, blocked) in blocked.iter_mut().enumerate() {
                *blocked = any.blocked >> lane & 1 == 1;
            }
        }
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

    /// Takes those rays through the tree together for which it is worth it. Returns which.
    #[inline(always)]
    pub(super) fn together<S: Simd>(
        &self,
        simd: S,
        ray_packet: &RayPacket<S>,
        visitor: &mut impl PacketVisitor<S>,
    ) -> u64 {
        let (mut left, mut done) = (ray_packet.usable, 0);
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

    /// Returns a ray as it is cast alone, with the distances that the packet has.
    fn framed<S: Simd>(&self, simd: S, frame: &NormalizedSpace, lane: usize) -> Option<BvhRay>;
}

impl PacketRays for [Ray; LANES] {
    #[inline(always)]
    fn ray(&self, lane: usize) -> impl RayInput {
        &self[lane % LANES]
    }

    #[inline(always)]
    fn framed<S: Simd>(&self, simd: S, frame: &NormalizedSpace, lane: usize) -> Option<BvhRay> {
        frame.own_ray(simd, &self[lane % LANES])
    }
}

/// The data that both questions share.
pub(super) struct PacketSearch<'a, S: Simd, R> {
    shared: &'a MeshData,
    simd: S,
    rays: &'a R,
    ray_packet: &'a RayPacket<S>,
    cull: Cull,
    /// The lanes for which `framed` has the rays as they are cast alone; in the others it has those of another ray packet.
    prepared: u64,
    framed: &'a mut FramedRays,
    errors: ErrorBounds,
}

impl<'a, S: Simd, R: PacketRays> PacketSearch<'a, S, R> {
    #[inline(always)]
    pub(super) fn new(
        shared: &'a MeshData,
        simd: S,
        rays: &'a R,
        ray_packet: &'a RayPacket<S>,
        cull: Cull,
        (prepared, framed): (u64, &'a mut FramedRays),
    ) -> Self {
        let errors = ErrorBounds::of_packet(ray_packet);
        Self { shared, simd, rays, ray_packet, cull, prepared, framed, errors }
    }

    #[inline(always)]
    fn leaves(&self) -> LeafRow {
        self.shared.blocks.row()
    }

    #[inline(always)]
    fn test(
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
    fn counts(&self, tested: &TestedTriangles<S, f32x8<S>>) -> u64 {
        tested.counts_between(self.ray_packet.first_for_sure, self.ray_packet.limit_for_sure)
    }

    /// Returns where a ray meets a triangle that it may meet, decided exactly, with the range and the side.
    #[cold]
    fn exactly(&self, lane: usize, place: TrianglePlace) -> Option<Verdict> {
        let verdict = self.shared.verdict(self.rays.ray(lane), place);
        verdict.filter(|verdict| self.cull.keeps(verdict.side))
    }

    /// Returns the verdict of a triangle that is certainly hit.
    #[inline(always)]
    fn sure_verdict(&self, lane: usize, place: TrianglePlace) -> Option<Verdict> {
        let t_per_distance = self.ray_packet.t_per_distance(lane);
        self.shared.sure_verdict(self.simd, self.rays.ray(lane), t_per_distance, place)
    }

    /// Does the same as [`sure_verdict`](Self::sure_verdict), not inlined.
    #[inline(never)]
    fn sure_verdict_called(&self, lane: usize, place: TrianglePlace) -> Option<Verdict> {
        self.simd.vectorize(
            #[inline(always)]
            || self.sure_verdict(lane, place),
        )
    }

    /// Frames a ray, so that it can be used.
    #[inline(always)]
    fn frame_ray(&mut self, lane: usize) {
        if self.prepared >> lane & 1 == 0 {
            self.prepared |= 1 << lane;
            self.framed[lane] = self.rays.framed(self.simd, &self.shared.frame, lane);
        }
    }
}

/// The [`NearestHit`] of each ray, by lane.
pub(super) struct PacketClosest<'a, S: Simd, R> {
    search: PacketSearch<'a, S, R>,
    /// The lanes that have one.
    found: u64,
    places: [u32; LANES],
    low: [f32; LANES],
    /// The high ends, also where it no longer matters what is hit.
    high: [f32; LANES],
    /// The lanes whose verdicts are known.
    known: u64,
    verdicts: [Verdict; LANES],
}

impl<'a, S: Simd, R: PacketRays> PacketClosest<'a, S, R> {
    #[inline(always)]
    pub(super) fn new(search: PacketSearch<'a, S, R>) -> Self {
        let high = by_lane(search.ray_packet.limit);
        Self {
            search,
            found: 0,
            places: [0; LANES],
            low: [f32::INFINITY; LANES],
            high,
            known: 0,
            verdicts: [Verdict { t: 0.0, side: Side::Front }; LANES],
        }
    }

    /// Takes a triangle that these rays certainly hit where it is nearer than the hit so far, and leaves it where it is farther. Returns the rays for which
    /// neither is certain.
    #[inline(always)]
    fn offer(&mut self, lanes: u64, place: TrianglePlace, [low, high]: [f32x8<S>; 2]) -> u64 {
        let simd = self.search.simd;
        let (old_low, old_high) = (f32x8::from_slice(simd, &self.low), f32x8::from_slice(simd, &self.high));
        let is_nearer = high.simd_lt(old_low) & mask32x8::from_bitmask(simd, lanes);
        let nearer = is_nearer.to_bitmask();
        self.found |= nearer;
        self.known &= !nearer;
        let places = u32x8::from_slice(simd, &self.places);
        is_nearer.select(u32x8::splat(simd, place.0), places).store_slice(&mut self.places);
        is_nearer.select(low, old_low).store_slice(&mut self.low);
        is_nearer.select(high.smaller(old_high), old_high).store_slice(&mut self.high);
        lanes & !nearer & !old_high.simd_lt(low).to_bitmask()
    }

    #[inline(always)]
    fn best(&self, lane: usize) -> Option<NearestHit> {
        let place = TrianglePlace(self.places[lane % LANES]);
        let is = |lanes: u64| lanes >> lane & 1 == 1;
        is(self.found).then(|| NearestHit {
            place,
            low: self.low[lane % LANES],
            high: self.high[lane % LANES],
            verdict: is(self.known).then_some(self.verdicts[lane % LANES]),
        })
    }

    #[inline(always)]
    fn set_best(&mut self, lane: usize, best: NearestHit) {
        let NearestHit { place, low, high, verdict, .. } = best;
        self.found |= 1 << lane;
        self.known &= !(1 << lane);
        if let Some(verdict) = verdict {
            self.known |= 1 << lane;
            self.verdicts[lane % LANES] = verdict;
        }
        self.places[lane % LANES] = place.0;
        self.low[lane % LANES] = low;
        self.high[lane % LANES] = smaller(high, self.high[lane % LANES]);
    }

    /// Does the same as [`offer`](Self::offer) for one ray.
    #[inline(never)]
    fn offer_one(&mut self, lane: usize, offered: NearestHit) {
        if let Some(best) = self.best(lane) {
            if best.high < offered.low {
                return;
            }
            // The comparison is false for NaN too.
            if !(offered.high < best.low) {
                return self.decide(lane, best, offered);
            }
        }
        self.set_best(lane, offered);
    }

    /// Takes it if its t is before that of the nearest one.
    fn decide(&mut self, lane: usize, best: NearestHit, offered: NearestHit) {
        let [own, other] = [best.place, offered.place].map(|place| self.search.shared.triangle_at(place));
        // It may be in several leaves.
        if own == other {
            return;
        }
        let verdict =
            |nearest: &NearestHit| nearest.verdict.or_else(|| self.search.sure_verdict_called(lane, nearest.place));
        let Some(new) = verdict(&offered) else { return };
        let old = verdict(&best);
        if old.is_some_and(|old| (old.t, own) <= (new.t, other)) {
            if self.known >> lane & 1 == 0 {
                self.set_best(lane, NearestHit { verdict: old, ..best });
            }
            return;
        }
        self.set_best(lane, NearestHit { verdict: Some(new), ..offered });
    }

    /// Offers a triangle that a ray may meet, decided exactly.
    #[cold]
    fn offer_exactly(&mut self, lane: usize, place: TrianglePlace) {
        if let Some(verdict) = self.search.exactly(lane, place) {
            let high = self.search.ray_packet.limit_at(lane, verdict.t);
            self.offer_one(lane, NearestHit { place, low: f32::NEG_INFINITY, high, verdict: Some(verdict) });
        }
    }

    /// Returns the closest hit of a ray.
    #[inline(always)]
    pub(super) fn found(&self, lane: usize) -> Option<FoundTriangle> {
        let NearestHit { place, verdict, .. } = self.best(lane)?;
        let verdict = match verdict {
            Some(verdict) => verdict,
            None => self.search.sure_verdict(lane, place)?,
        };
        Some(FoundTriangle { triangle: self.search.shared.triangle_at(place), verdict, place })
    }
}

impl<S: Simd> PacketClosest<'_, S, [Ray; LANES]> {
    /// Reports the hits of these lanes in full.
    #[inline(always)]
    fn report(&self, mut lanes: u64, hits: &mut [Option<MeshHit>; LANES]) {
        while let Some(lane) = take_lowest(&mut lanes) {
            hits[lane] = self.hit(lane);
        }
    }

    // This does not use closures, which need not be inlined, and are then not compiled for the instruction set.
    #[inline(always)]
    fn hit(&self, lane: usize) -> Option<MeshHit> {
        let PacketSearch { shared, simd, rays, ray_packet, .. } = &self.search;
        shared.hit(*simd, &rays[lane], ray_packet.t_per_distance(lane), self.best(lane)?, SpanUse::Others)
    }
}

impl<S: Simd, R: PacketRays> PacketVisitor<S> for PacketClosest<'_, S, R> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    #[inline(always)]
    fn leaves(&self) -> LeafRow {
        self.search.leaves()
    }

    #[inline(always)]
    fn limits(&self) -> f32x8<S> {
        f32x8::from_slice(self.search.simd, &self.high)
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, lanes: u64, _: &Beam<S>, _: f32) {
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
            let tested = self.search.test(block, &edges, i, self.limits());
            let possible = tested.possible & lanes;
            if possible == 0 {
                continue;
            }
            let place = TrianglePlace::new::<SIZE>(leaf, i);
            let counts = self.search.counts(&tested);
            let mut doubtful = possible & !counts;
            let sure = possible & counts & tested.kept(self.search.simd, self.search.cull);
            if sure != 0 {
                let ends = tested.ends(self.search.simd, &self.search.errors);
                let mut near = self.offer(sure, place, ends);
                if near != 0 {
                    let [low, high] = [by_lane(ends[0]), by_lane(ends[1])];
                    while let Some(lane) = take_lowest(&mut near) {
                        let [low, high] = [low[lane], high[lane]];
                        self.offer_one(lane, NearestHit { place, low, high, verdict: None });
                    }
                }
            }
            while let Some(lane) = take_lowest(&mut doubtful) {
                self.offer_exactly(lane, place);
            }
        }
    }

    #[inline(always)]
    fn visit_alone(&mut self, below: Subtree, lane: usize) {
        self.search.frame_ray(lane);
        let PacketSearch { shared, simd, cull, framed, rays, .. } = &self.search;
        let Some(framed) = &framed[lane] else { return };
        if let Some(nearest) = shared.closest_below(*simd, (rays.ray(lane), framed), below, self.high[lane], *cull) {
            self.offer_one(lane, nearest);
        }
    }
}

pub(super) struct PacketAny<'a, S: Simd, R> {
    search: PacketSearch<'a, S, R>,
    limits: f32x8<S>,
    pub(super) blocked: u64,
}

impl<'a, S: Simd, R: PacketRays> PacketAny<'a, S, R> {
    #[inline(always)]
    pub(super) fn new(search: PacketSearch<'a, S, R>) -> Self {
        let limits = search.ray_packet.limit;
        Self { search, limits, blocked: 0 }
    }

    #[inline(always)]
    fn block(&mut self, lanes: u64) {
        let simd = self.search.simd;
        self.blocked |= lanes;
        self.limits = mask32x8::from_bitmask(simd, lanes).select(f32x8::splat(simd, -1.0), self.limits);
    }

    /// Returns which of the rays hit a triangle, decided exactly.
    #[cold]
    fn decide(&self, mut lanes: u64, place: TrianglePlace) -> u64 {
        let mut hit = 0;
        while let Some(lane) = take_lowest(&mut lanes) {
            hit |= u64::from(self.search.exactly(lane, place).is_some()) << lane;
        }
        hit
    }
}

impl<S: Simd, R: PacketRays> PacketVisitor<S> for PacketAny<'_, S, R> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::Blind
    }

    #[inline(always)]
    fn leaves(&self) -> LeafRow {
        self.search.leaves()
    }

    #[inline(always)]
    fn limits(&self) -> f32x8<S> {
        self.limits
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, mut lanes: u64, _: &Beam<S>, _: f32) {
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
                hit |= self.decide(doubtful, TrianglePlace::new::<SIZE>(leaf, i));
            }
            if hit != 0 {
                self.block(hit);
                lanes &= !hit;
                if lanes == 0 {
                    return;
                }
            }
        }
    }

    #[inline(always)]
    fn visit_alone(&mut self, below: Subtree, lane: usize) {
        self.search.frame_ray(lane);
        let PacketSearch { shared, simd, cull, framed, rays, .. } = &self.search;
        let Some(framed) = &framed[lane] else { return };
        if shared.has_any_below(*simd, (rays.ray(lane), framed), below, *cull) {
            self.block(1 << lane);
        }
    }
}

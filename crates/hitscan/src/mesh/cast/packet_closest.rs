//! The closest hits of rays that traverse a mesh together.
//!
//! The nearest hit of each ray so far is kept and decided in the same way as for a single ray. So the answers are the
//! same.

use super::leaf_intersect::SpanUse;
use super::packet_search::{PacketRays, PacketSearch};
use crate::bvh::{Beam, PacketVisitor, Subtree, take_lowest};
use crate::geom::eight_rays::{LANES, by_lane};
use crate::geom::hit::Side;
use crate::geom::ray::Ray;
use crate::math::float::smaller;
use crate::shape::Verdict;
use crate::simd::{FloatLanes, Select, Simd, SimdBase, SimdMask, f32x8, mask32x8, u32x8};
use crate::tri::triangle8::NONE;
use crate::tri::{Contest, FoundTriangle, Leaves, MeshHit, NearestHit, TrianglePlace, TriangleSearch};

/// The [`NearestHit`] of each ray, by lane.
pub(in crate::mesh) struct PacketClosest<'a, S: Simd, R> {
    search: PacketSearch<'a, S, R>,
    /// The lanes that have a hit.
    found: u64,
    places: [u32; LANES],
    low: [f32; LANES],
    /// The upper ends of the spans, beyond which no hit matters.
    high: [f32; LANES],
    /// The lanes whose verdicts are known.
    known: u64,
    verdicts: [Verdict; LANES],
}

impl<'a, S: Simd, R: PacketRays> PacketClosest<'a, S, R> {
    #[inline(always)]
    pub(in crate::mesh) fn new(search: PacketSearch<'a, S, R>) -> Self {
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

    /// Accepts a triangle that these rays certainly hit if it is certainly nearer than the hit so far, and rejects it
    /// if it is certainly farther. Returns the rays for which neither is certain.
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

    /// Takes the offered hit if its t is smaller than the t of the best one.
    fn decide(&mut self, lane: usize, best: NearestHit, offered: NearestHit) {
        let (t_per_distance, verdicts) = (self.search.ray_packet.t_per_distance(lane), [best.verdict, offered.verdict]);
        let places = [best.place, offered.place];
        match self.search.verdicts(lane).contest(t_per_distance, places, verdicts) {
            Contest::Own(verdict) => self.set_best(lane, NearestHit { verdict, ..best }),
            Contest::Other(verdict) => self.set_best(lane, NearestHit { verdict, ..offered }),
        }
    }

    /// Offers a triangle that a ray may hit, decided exactly.
    #[cold]
    fn offer_exactly(&mut self, lane: usize, place: TrianglePlace) {
        if let Some(verdict) = self.search.verdicts(lane).exactly(place, self.search.cull) {
            let high = self.search.ray_packet.limit_at(lane, verdict.t);
            self.offer_one(lane, NearestHit { place, low: f32::NEG_INFINITY, high, verdict: Some(verdict) });
        }
    }

    /// Returns the closest hit of a ray.
    #[inline(always)]
    pub(in crate::mesh) fn found(&self, lane: usize) -> Option<FoundTriangle> {
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
    pub(in crate::mesh) fn report(&self, mut lanes: u64, hits: &mut [Option<MeshHit>; LANES]) {
        while let Some(lane) = take_lowest(&mut lanes) {
            hits[lane] = self.hit(lane);
        }
    }

    // This uses no closures. They might not be inlined, and would then not be compiled for the instruction set.
    #[inline(always)]
    fn hit(&self, lane: usize) -> Option<MeshHit> {
        let PacketSearch { shared, simd, rays, ray_packet, .. } = &self.search;
        shared.hit(*simd, &rays[lane], ray_packet.t_per_distance(lane), self.best(lane)?, SpanUse::Others)
    }
}

impl<S: Simd, R: PacketRays> PacketVisitor<S> for PacketClosest<'_, S, R> {
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
            let place = TrianglePlace::new(leaf, i);
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
        let PacketSearch { shared, simd, cull, rays, .. } = &self.search;
        let framed = self.search.lone_ray(lane);
        let search = TriangleSearch::new(*shared, *simd, rays.ray(lane), &framed);
        if let Some(nearest) = search.nearest_below(below, self.high[lane], *cull) {
            self.offer_one(lane, nearest);
        }
    }
}

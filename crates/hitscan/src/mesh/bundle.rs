//! Rays through a mesh's tree and packets together: closest and any.
//!
//! What several rays meet is tested with all of them at once, with the bounds of a single one; of the hits that are certain only the nearest is
//! computed in f64, at the end. What is doubtful is decided exactly, as it is for a single ray, so that the answers are the same.

use super::packet::{self, DET_ERROR, Packet, ROUNDOFF, Tested};
use super::{MeshHit, Shared};
use crate::bvh::{Bundle, BundleVisitor, FEWEST, FramedRay, LANES, Order, Stack, Subtree, take_lowest};
use crate::filter::Cull;
use crate::float::smaller;
use crate::ray::{LocalRay, Ray};
use crate::shape::{Verdict, triangle_verdict};
use crate::simd::{Axes, Select, Simd, SimdBase, SimdFloat, SimdMask, difference, f32x8, mask32x8, prefetch, u32x8};

/// No triangle.
pub(super) const NONE: u32 = u32::MAX;
/// Distances that differ by more than twice this part of the farthest one are of different reported ts: rounding to f32 moves each by an eighth
/// of that.
const MARGIN: f32 = 8.0 * ROUNDOFF;

/// What bundles use one after the other.
pub(super) struct Scratch {
    stack: Stack,
    /// Some of the rays as they are cast alone.
    framed: [Option<FramedRay>; LANES],
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self { stack: Stack::new(), framed: [const { None }; LANES] }
    }
}

impl Shared {
    /// The closest hit of each ray, of at most eight.
    #[inline(always)]
    pub(super) fn closest_of_bundle<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray],
        cull: Cull,
        scratch: &mut Scratch,
        hits: &mut [Option<MeshHit>],
    ) {
        let mut alone = all_lanes(rays.len());
        if let Some(bundle) = &self.frame.bundle(simd, rays) {
            let mut closest = Closest::new(Search::new(self, simd, rays, bundle, cull, &mut scratch.framed));
            alone &= !self.together(simd, bundle, &mut scratch.stack, &mut closest);
            self.hits_at(simd, rays, &closest.places.to_array(), hits);
        }
        while let Some(lane) = take_lowest(&mut alone) {
            hits[lane] = self.closest_own(simd, &rays[lane], cull);
        }
    }

    /// Whether each ray, of at most eight, hits anything.
    #[inline(always)]
    pub(super) fn any_of_bundle<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray],
        cull: Cull,
        scratch: &mut Scratch,
        blocked: &mut [bool],
    ) {
        let mut alone = all_lanes(rays.len());
        if let Some(bundle) = &self.frame.bundle(simd, rays) {
            let mut any = Any {
                search: Search::new(self, simd, rays, bundle, cull, &mut scratch.framed),
                limits: bundle.limit,
                blocked: 0,
            };
            alone &= !self.together(simd, bundle, &mut scratch.stack, &mut any);
            for (lane, blocked) in blocked.iter_mut().enumerate() {
                *blocked = any.blocked >> lane & 1 == 1;
            }
        }
        while let Some(lane) = take_lowest(&mut alone) {
            blocked[lane] = self.has_any_own(simd, &rays[lane], cull);
        }
    }

    /// Takes those rays through the tree that are worth it. Answers which.
    #[inline(always)]
    fn together<S: Simd>(
        &self,
        simd: S,
        bundle: &Bundle<S>,
        stack: &mut Stack,
        visitor: &mut impl BundleVisitor<S>,
    ) -> u64 {
        let (mut left, mut done) = (bundle.usable, 0);
        while left.count_ones() >= FEWEST {
            let alike = bundle.alike(left);
            left &= !alike;
            if alike.count_ones() >= FEWEST {
                self.tree.traverse_together(simd, bundle, &bundle.beam(alike), stack, visitor);
                done |= alike;
            }
        }
        done
    }

    /// Whether and where the ray hits a triangle, decided exactly.
    fn verdict_of(&self, ray: &Ray, triangle: u32) -> Option<Verdict> {
        let corners = self.triangles[triangle as usize].map(|index| self.positions[index as usize].as_dvec3());
        triangle_verdict(&LocalRay::new(ray)?, corners)
    }
}

#[inline(always)]
fn all_lanes(count: usize) -> u64 {
    (1 << count.min(LANES)) - 1
}

/// What both questions share.
struct Search<'a, S: Simd> {
    shared: &'a Shared,
    simd: S,
    rays: &'a [Ray],
    bundle: &'a Bundle<S>,
    cull: Cull,
    /// Of these lanes, rays as they are cast alone; of others those of another bundle.
    prepared: u64,
    framed: &'a mut [Option<FramedRay>; LANES],
    edge_error: f32x8<S>,
    t_error: f32x8<S>,
}

/// What f32 says about eight rays and one triangle.
struct Outcome<S: Simd> {
    /// The rays that may hit it, a bit each.
    possible: u64,
    /// Those that do, within their range.
    counts: u64,
    tested: Tested<f32x8<S>>,
    /// Of the largest coordinate of two edges.
    square: f32x8<S>,
}

impl<'a, S: Simd> Search<'a, S> {
    #[inline(always)]
    fn new(
        shared: &'a Shared,
        simd: S,
        rays: &'a [Ray],
        bundle: &'a Bundle<S>,
        cull: Cull,
        framed: &'a mut [Option<FramedRay>; LANES],
    ) -> Self {
        let [x, y, z] = [bundle.origin[0].abs(), bundle.origin[1].abs(), bundle.origin[2].abs()];
        let [edge_error, t_error] = packet::errors(x + y + z, bundle.farthest, Bundle::<S>::ORIGIN_ERROR);
        Self { shared, simd, rays, bundle, cull, prepared: 0, framed, edge_error, t_error }
    }

    #[inline(always)]
    fn announce(&self, leaf: u32) {
        self.shared.packets.get(leaf as usize).into_iter().for_each(prefetch);
    }

    /// As [`Packet::test`], of all rays and one triangle.
    #[inline(always)]
    fn test(&self, packet: &Packet, triangle: usize, limits: f32x8<S>) -> Outcome<S> {
        let all = |x: f32| f32x8::splat(self.simd, x);
        let corner = |corner: usize| -> Axes<f32x8<S>> {
            let [x, y, z] = &packet.corners[corner];
            [all(x[triangle]), all(y[triangle]), all(z[triangle])]
        };
        let (a, b, c) = (corner(0), corner(1), corner(2));
        let s = difference(&self.bundle.origin, &a);
        let tested = Tested::new(self.simd, &s, &self.bundle.direction, &difference(&b, &a), &difference(&c, &a));
        let Tested { det, t, least, .. } = tested;
        let reach = all(packet.reach[triangle]);
        let square = reach * reach;
        let edge_error = reach * reach.mul_add(all(DET_ERROR), self.edge_error);
        let t_error = square * self.t_error;
        let in_range = t.simd_ge(-t_error) & t.simd_le(det.mul_add(limits, t_error));
        let surely_in_range = t.simd_ge(t_error) & t.simd_le(det.mul_sub(self.bundle.limit_for_sure, t_error));
        let counts = least.simd_gt(edge_error) & surely_in_range;
        Outcome {
            possible: (least.simd_ge(-edge_error) & in_range).to_bitmask(),
            counts: counts.to_bitmask(),
            tested,
            square,
        }
    }

    /// Of hits for sure, those on a side that counts.
    #[inline(always)]
    fn kept(&self, outcome: &Outcome<S>) -> u64 {
        let zero = f32x8::splat(self.simd, 0.0);
        match self.cull {
            Cull::None => u64::MAX,
            Cull::Back => outcome.tested.signed_det.simd_gt(zero).to_bitmask(),
            Cull::Front => outcome.tested.signed_det.simd_lt(zero).to_bitmask(),
        }
    }

    /// So that it is there to be used.
    #[inline(always)]
    fn frame_ray(&mut self, lane: usize) {
        if self.prepared >> lane & 1 == 0 {
            self.prepared |= 1 << lane;
            self.framed[lane] = self.shared.frame.own_ray(self.simd, &self.rays[lane]);
        }
    }
}

struct Closest<'a, S: Simd> {
    search: Search<'a, S>,
    /// Of each ray, the nearest triangle so far, its packet and lane, and between which distances it is hit.
    triangles: u32x8<S>,
    places: u32x8<S>,
    low: f32x8<S>,
    /// Also where it matters no longer what is hit.
    high: f32x8<S>,
}

impl<'a, S: Simd> Closest<'a, S> {
    #[inline(always)]
    fn new(search: Search<'a, S>) -> Self {
        let simd = search.simd;
        let none = u32x8::splat(simd, NONE);
        let (low, high) = (f32x8::splat(simd, f32::INFINITY), search.bundle.limit);
        Self { search, triangles: none, places: none, low, high }
    }

    /// Takes a triangle that these rays hit between these distances, where it is nearer than what they had, and leaves it where it is farther.
    /// Answers which do neither.
    #[inline(always)]
    fn offer(&mut self, lanes: u64, triangle: u32, place: u32, low: f32x8<S>, high: f32x8<S>) -> u64 {
        let simd = self.search.simd;
        let is_nearer = high.simd_lt(self.low) & mask32x8::from_bitmask(simd, lanes);
        let doubtful = lanes & !is_nearer.to_bitmask() & !self.high.simd_lt(low).to_bitmask();
        self.triangles = is_nearer.select(u32x8::splat(simd, triangle), self.triangles);
        self.places = is_nearer.select(u32x8::splat(simd, place), self.places);
        self.low = is_nearer.select(low, self.low);
        self.high = is_nearer.select(high.min(self.high), self.high);
        doubtful
    }

    /// [`offer`](Self::offer) for one ray, decided exactly, of a hit that is not known.
    #[cold]
    fn offer_exactly(&mut self, lane: usize, triangle: u32, place: u32) {
        if self.triangles[lane] == triangle {
            return;
        }
        if let Some(verdict) = self.search.shared.verdict_of(&self.search.rays[lane], triangle)
            && self.search.cull.keeps(verdict.side)
        {
            self.offer_known(lane, triangle, place, verdict.t);
        }
    }

    /// [`offer`](Self::offer) for one ray, of a hit that counts.
    fn offer_known(&mut self, lane: usize, triangle: u32, place: u32, t: f32) {
        let Search { shared, rays, bundle, .. } = &self.search;
        let best = self.triangles[lane];
        if best != NONE
            && let Some(verdict) = shared.verdict_of(&rays[lane], best)
            && (verdict.t, best) <= (t, triangle)
        {
            return;
        }
        let (distance, margin) = (t * bundle.steps[lane], MARGIN * bundle.farthest[lane]);
        self.triangles[lane] = triangle;
        self.places[lane] = place;
        self.low[lane] = distance - margin;
        // Not lowered by a hit beyond what mattered, of which there is none.
        self.high[lane] = smaller(distance + margin, self.high[lane]);
    }
}

impl<S: Simd> BundleVisitor<S> for Closest<'_, S> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    #[inline(always)]
    fn announce(&self, leaf: u32) {
        self.search.announce(leaf);
    }

    #[inline(always)]
    fn limits(&self) -> f32x8<S> {
        self.high
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, lanes: u64) {
        let packet = &self.search.shared.packets[leaf as usize];
        for (i, &triangle) in packet.triangles.iter().enumerate() {
            if triangle == NONE {
                break;
            }
            let outcome = self.search.test(packet, i, self.high);
            let possible = outcome.possible & lanes;
            if possible == 0 {
                continue;
            }
            let place = leaf * packet::SIZE as u32 + i as u32;
            let mut doubtful = possible & !outcome.counts;
            let sure = possible & outcome.counts & self.search.kept(&outcome);
            if sure != 0 {
                let Tested { det, t, .. } = outcome.tested;
                let margin = f32x8::splat(self.search.simd, 6.0 * MARGIN) * self.search.bundle.farthest;
                let error = outcome.square * (self.search.t_error + margin);
                doubtful |= self.offer(sure, triangle, place, (t - error) / det, (t + error) / det);
            }
            while let Some(lane) = take_lowest(&mut doubtful) {
                self.offer_exactly(lane, triangle, place);
            }
        }
    }

    #[inline(always)]
    fn visit_alone(&mut self, below: Subtree, lane: usize) {
        self.search.frame_ray(lane);
        let Search { shared, simd, cull, framed, .. } = &self.search;
        let Some(framed) = &framed[lane] else { return };
        if let Some(found) = shared.closest_below(*simd, framed, below, self.high[lane], *cull)
            && found.triangle != self.triangles[lane]
        {
            self.offer_known(lane, found.triangle, found.place, found.verdict.t);
        }
    }
}

struct Any<'a, S: Simd> {
    search: Search<'a, S>,
    limits: f32x8<S>,
    blocked: u64,
}

impl<S: Simd> Any<'_, S> {
    #[inline(always)]
    fn block(&mut self, lanes: u64) {
        let simd = self.search.simd;
        self.blocked |= lanes;
        self.limits = mask32x8::from_bitmask(simd, lanes).select(f32x8::splat(simd, -1.0), self.limits);
    }

    /// Which of the rays hit a triangle, decided exactly.
    #[cold]
    fn decide(&self, mut lanes: u64, triangle: u32) -> u64 {
        let Search { shared, rays, cull, .. } = &self.search;
        let mut hit = 0;
        while let Some(lane) = take_lowest(&mut lanes) {
            let verdict = shared.verdict_of(&rays[lane], triangle);
            hit |= u64::from(verdict.is_some_and(|verdict| cull.keeps(verdict.side))) << lane;
        }
        hit
    }
}

impl<S: Simd> BundleVisitor<S> for Any<'_, S> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::Any
    }

    #[inline(always)]
    fn announce(&self, leaf: u32) {
        self.search.announce(leaf);
    }

    #[inline(always)]
    fn limits(&self) -> f32x8<S> {
        self.limits
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, mut lanes: u64) {
        let packet = &self.search.shared.packets[leaf as usize];
        for (i, &triangle) in packet.triangles.iter().enumerate() {
            if triangle == NONE {
                break;
            }
            let outcome = self.search.test(packet, i, self.limits);
            let possible = outcome.possible & lanes;
            if possible == 0 {
                continue;
            }
            let doubtful = possible & !outcome.counts;
            let mut hit = possible & outcome.counts & self.search.kept(&outcome);
            if doubtful != 0 {
                hit |= self.decide(doubtful, triangle);
            }
            self.block(hit);
            lanes &= !hit;
        }
    }

    #[inline(always)]
    fn visit_alone(&mut self, below: Subtree, lane: usize) {
        self.search.frame_ray(lane);
        let Search { shared, simd, cull, framed, .. } = &self.search;
        let Some(framed) = &framed[lane] else { return };
        if shared.has_any_below(*simd, framed, below, *cull) {
            self.block(1 << lane);
        }
    }
}

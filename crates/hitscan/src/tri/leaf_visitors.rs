//! Searches of a ray through a tree with triangles in its leaves: closest, any, and each. Meshes and height fields use them.

use super::error_bounds::ErrorBounds;
use super::leaves::{Leaves, TrianglePlace};
use super::triangle8::{FramedLine, TestedTriangles};
use crate::bvh::{BvhRay, Order, Subtree, Visitor, take_lowest};
use crate::geom::culling::{Cull, CulledSides};
use crate::geom::eight_rays::by_lane;
use crate::geom::ray::{LocalRay, RayInput};
use crate::math::float::smaller;
use crate::shape::Verdict;
use crate::simd::Simd;
use core::ops::ControlFlow;

/// A triangle that is hit.
#[derive(Clone, Copy)]
pub(crate) struct FoundTriangle {
    pub(crate) triangle: u32,
    pub(crate) verdict: Verdict,
    pub(crate) place: TrianglePlace,
}

/// Says whether a line hits a triangle inside of all edges.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InteriorHit {
    /// It surely does.
    Sure,
    /// The hit may be on an edge or in a corner.
    Possible,
}

/// The callback for hits, in no particular order. It returns the largest t that matters from now on, or stops the search.
pub(crate) type Offer<'a> = dyn FnMut(FoundTriangle, InteriorHit) -> ControlFlow<(), f32> + 'a;

/// The data that the three searches share.
pub(crate) struct TriangleSearch<'a, L, S: Simd, G> {
    leaves: &'a L,
    given: G,
    framed: &'a BvhRay,
    simd: S,
    errors: ErrorBounds,
    limit_for_sure: f32,
}

/// The triangle of two that is hit first, with its verdict if the verdict was needed.
pub(crate) enum Contest {
    Own(Option<Verdict>),
    Other(Option<Verdict>),
}

/// Decides in f64, or exactly, the cases that f32 leaves open.
///
/// It is passed by value to functions that are not inlined. Then the search's address does not escape, and the compiler can keep its fields in registers.
pub(crate) struct Verdicts<'a, L, S, G> {
    pub(crate) leaves: &'a L,
    pub(crate) given: G,
    pub(crate) simd: S,
}

impl<L: Leaves, S: Simd, G: RayInput> Verdicts<'_, L, S, G> {
    /// Decides which of two triangles is hit first, from the known facts about each. If their ts are needed, both are computed here, so that there is one
    /// call.
    #[cold]
    #[inline(never)]
    pub(crate) fn contest(
        self,
        t_per_distance: f64,
        [own, other]: [TrianglePlace; 2],
        [own_verdict, other_verdict]: [Option<Verdict>; 2],
    ) -> Contest {
        self.simd.vectorize(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            move || {
                let Self { leaves, given, simd } = self;
                let triangles = [leaves.triangle_at(own), leaves.triangle_at(other)];
                // The same triangle may be in several leaves.
                if triangles[0] == triangles[1] {
                    return Contest::Own(own_verdict);
                }
                // This is common for surfaces that were modelled twice.
                if leaves.share_axial_plane([own, other]) {
                    let is_first = triangles[0] < triangles[1];
                    return if is_first { Contest::Own(own_verdict) } else { Contest::Other(other_verdict) };
                }
                // This does not use `or_else`, which is not inlined here.
                let verdict = |place, known| match known {
                    Some(verdict) => Some(verdict),
                    None => leaves.sure_verdict(simd, given, t_per_distance, place),
                };
                let Some(challenger) = verdict(other, other_verdict) else { return Contest::Own(own_verdict) };
                let own = verdict(own, own_verdict);
                let is_first = own.is_some_and(|own| (own.t, triangles[0]) <= (challenger.t, triangles[1]));
                if is_first { Contest::Own(own) } else { Contest::Other(Some(challenger)) }
            },
        )
    }

    /// Decides exactly, with the ray's range and the side.
    #[cold]
    #[inline(never)]
    pub(crate) fn exactly(self, place: TrianglePlace, cull: Cull) -> Option<Verdict> {
        self.leaves.verdict(self.given, place).filter(|verdict| cull.keeps(verdict.side))
    }
}

impl<'a, L: Leaves, S: Simd, G: RayInput> TriangleSearch<'a, L, S, G> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(leaves: &'a L, simd: S, given: G, framed: &'a BvhRay) -> Self {
        Self {
            leaves,
            given,
            framed,
            simd,
            errors: ErrorBounds::new(framed),
            limit_for_sure: framed.limit_for_sure(framed.t_max),
        }
    }

    /// Traverses the whole tree. In a crowded tree, the exact ray in the tree's coordinates must be given.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(&self, crowded: Option<&LocalRay>, visitor: &mut impl Visitor) -> ControlFlow<()> {
        let limit = self.framed.limit(self.framed.t_max);
        match crowded {
            Some(exact) => self.leaves.tree().traverse_crowded((exact, self.framed), limit, visitor, |_| ()),
            None => self.run_below(Subtree::ROOT, limit, visitor),
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run_below(&self, below: Subtree, limit: f32, visitor: &mut impl Visitor) -> ControlFlow<()> {
        let ray = (self.framed, below);
        self.leaves.tree().traverse(self.simd, ray, || self.leaves.row(), limit, visitor)
    }

    /// Finds the nearest hit, given the exact ray if the tree is crowded.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn nearest(&self, crowded: Option<&LocalRay>, sides: impl CulledSides) -> Option<NearestHit> {
        let mut closest = ClosestInLeaves { search: self, line: &FramedLine::of(self.framed), sides, best: None };
        let _ = self.run(crowded, &mut closest);
        closest.best
    }

    /// Does the same as [`nearest`](Self::nearest) in a part of the tree, for hits that are not beyond a distance.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn nearest_below(&self, below: Subtree, limit: f32, cull: Cull) -> Option<NearestHit> {
        let mut closest = ClosestInLeaves { search: self, line: &FramedLine::of(self.framed), sides: cull, best: None };
        let _ = self.run_below(below, limit, &mut closest);
        closest.best
    }

    /// Returns whether there is a hit, given the exact ray if the tree is crowded.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn has_any(&self, crowded: Option<&LocalRay>, sides: impl CulledSides) -> bool {
        self.run(crowded, &mut AnyInLeaves { search: self, line: &FramedLine::of(self.framed), sides }).is_break()
    }

    /// Does the same as [`has_any`](Self::has_any) in a part of the tree.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn has_any_below(&self, below: Subtree, cull: Cull) -> bool {
        let limit = self.framed.limit(self.framed.t_max);
        let mut any = AnyInLeaves { search: self, line: &FramedLine::of(self.framed), sides: cull };
        self.run_below(below, limit, &mut any).is_break()
    }

    /// Offers every hit, given the exact ray if the tree is crowded.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn each(&self, crowded: Option<&LocalRay>, skipped: &[u32], offer: &mut Offer<'_>) -> ControlFlow<()> {
        let line = &FramedLine::of(self.framed);
        self.run(crowded, &mut EachInLeaves { search: self, line, skipped, t_max: self.framed.t_max, offer })
    }

    /// Does the work of [`nearest`](Self::nearest) at a leaf.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn visit_nearest(
        &self,
        cull: Cull,
        best: &mut Option<NearestHit>,
        leaf: u32,
        limit: f32,
    ) -> ControlFlow<(), f32> {
        let mut closest =
            ClosestInLeaves { search: self, line: &FramedLine::of(self.framed), sides: cull, best: *best };
        let limit = closest.visit(leaf, 0.0, limit);
        *best = closest.best;
        limit
    }

    /// Does the work of [`has_any`](Self::has_any) at a leaf.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn visit_any(&self, cull: Cull, leaf: u32, limit: f32) -> ControlFlow<(), f32> {
        AnyInLeaves { search: self, line: &FramedLine::of(self.framed), sides: cull }.visit(leaf, 0.0, limit)
    }

    /// Returns the hit with its t.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn found(&self, nearest: NearestHit) -> Option<FoundTriangle> {
        let NearestHit { place, verdict, .. } = nearest;
        let verdict = match verdict {
            Some(verdict) => verdict,
            None => self.sure_verdict(place)?,
        };
        Some(FoundTriangle { triangle: self.leaves.triangle_at(place), verdict, place })
    }

    /// Returns the verdict of a triangle that is certainly hit.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sure_verdict(&self, place: TrianglePlace) -> Option<Verdict> {
        self.leaves.sure_verdict(self.simd, self.given, self.framed.t_per_distance(), place)
    }

    /// Returns a copy of the data that decides.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn verdicts(&self) -> Verdicts<'a, L, S, G> {
        Verdicts { leaves: self.leaves, given: self.given, simd: self.simd }
    }

    /// Returns the result in f32 for the triangles of a leaf.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn test(&self, line: &FramedLine, leaf: u32, limit: f32) -> TestedTriangles<S> {
        self.leaves.test(self.simd, leaf, line, &self.errors, limit)
    }
}

/// The nearest hit so far.
#[derive(Clone, Copy)]
pub(crate) struct NearestHit {
    pub(crate) place: TrianglePlace,
    /// The interval of distances that contains the hit. If the intervals of two hits do not overlap, their reported ts differ.
    pub(crate) low: f32,
    pub(crate) high: f32,
    /// The verdict, if it was needed.
    pub(crate) verdict: Option<Verdict>,
}

struct ClosestInLeaves<'a, L, S: Simd, G, C> {
    search: &'a TriangleSearch<'a, L, S, G>,
    line: &'a FramedLine,
    sides: C,
    best: Option<NearestHit>,
}

impl<L: Leaves, S: Simd, G: RayInput, C> ClosestInLeaves<'_, L, S, G, C> {
    /// Takes a triangle that is certainly hit if it is nearer than the nearest hit so far. Returns the new limit.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn offer(&mut self, place: TrianglePlace, [low, high]: [f32; 2], limit: f32) -> f32 {
        let offered = NearestHit { place, low, high, verdict: None };
        if let Some(best) = &self.best {
            if best.high < low {
                return limit;
            }
            // The comparison is false for NaN too.
            if !(high < best.low) {
                return self.decide(offered, limit);
            }
        }
        self.best = Some(offered);
        smaller(high, limit)
    }

    /// Takes the offered hit if its reported t is before the t of the nearest hit. Returns the new limit.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn decide(&mut self, offered: NearestHit, limit: f32) -> f32 {
        let Some(best) = &mut self.best else {
            self.best = Some(offered);
            return smaller(offered.high, limit);
        };
        let TriangleSearch { framed, .. } = self.search;
        // Only places and verdicts are passed to the called function. A struct would be stored in pieces and loaded as a whole, so store forwarding would fail.
        let contest = self.search.verdicts().contest(
            framed.t_per_distance(),
            [best.place, offered.place],
            [best.verdict, offered.verdict],
        );
        match contest {
            Contest::Own(verdict) => {
                best.verdict = verdict;
                limit
            }
            Contest::Other(verdict) => {
                *best = NearestHit { verdict, ..offered };
                let end = match verdict {
                    Some(verdict) => framed.limit(verdict.t),
                    None => offered.high,
                };
                smaller(end, limit)
            }
        }
    }
}

impl<L: Leaves, S: Simd, G: RayInput, C: CulledSides> Visitor for ClosestInLeaves<'_, L, S, G, C> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, _: f32, mut limit: f32) -> ControlFlow<(), f32> {
        let search = self.search;
        let tested = search.test(self.line, leaf, limit);
        if tested.possible == 0 {
            return ControlFlow::Continue(limit);
        }
        let counts = tested.counts(search.simd, search.framed, search.limit_for_sure);
        let mut doubtful = tested.possible & !counts;
        let mut sure = tested.possible & counts & tested.kept(search.simd, self.sides.cull());
        if sure != 0 {
            let [low, high] = tested.ends(search.simd, &search.errors);
            let (low, high) = (by_lane(low), by_lane(high));
            while let Some(lane) = take_lowest(&mut sure) {
                let place = TrianglePlace::new(leaf, lane);
                limit = self.offer(place, [low[lane], high[lane]], limit);
            }
        }
        while let Some(lane) = take_lowest(&mut doubtful) {
            let place = TrianglePlace::new(leaf, lane);
            if let Some(verdict) = search.verdicts().exactly(place, self.sides.cull()) {
                let high = search.framed.limit(verdict.t);
                limit = self.decide(NearestHit { place, low: f32::NEG_INFINITY, high, verdict: Some(verdict) }, limit);
            }
        }
        ControlFlow::Continue(limit)
    }
}

struct AnyInLeaves<'a, L, S: Simd, G, C> {
    search: &'a TriangleSearch<'a, L, S, G>,
    line: &'a FramedLine,
    sides: C,
}

impl<L: Leaves, S: Simd, G: RayInput, C: CulledSides> Visitor for AnyInLeaves<'_, L, S, G, C> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        Order::Blind
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        let search = self.search;
        let tested = search.test(self.line, leaf, limit);
        if tested.possible == 0 {
            return ControlFlow::Continue(limit);
        }
        let counts = tested.counts(search.simd, search.framed, search.limit_for_sure);
        if tested.possible & counts & tested.kept(search.simd, self.sides.cull()) != 0 {
            return ControlFlow::Break(());
        }
        let mut doubtful = tested.possible & !counts;
        while let Some(lane) = take_lowest(&mut doubtful) {
            if search.verdicts().exactly(TrianglePlace::new(leaf, lane), self.sides.cull()).is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(limit)
    }
}

struct EachInLeaves<'a, 'b, 'c, L, S: Simd, G> {
    search: &'a TriangleSearch<'a, L, S, G>,
    line: &'a FramedLine,
    /// The triangles that are not offered. A ray that leaves such a triangle hits it at a t near 0, whose rounding takes long.
    skipped: &'a [u32],
    /// The largest t that still matters.
    t_max: f32,
    offer: &'b mut Offer<'c>,
}

impl<L: Leaves, S: Simd, G: RayInput> EachInLeaves<'_, '_, '_, L, S, G> {
    /// Returns whether neither the triangle nor its duplicates are offered.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn skips(&self, place: TrianglePlace) -> bool {
        if self.skipped.is_empty() {
            return false;
        }
        let leaves = &self.search.leaves;
        let triangle = leaves.triangle_at(place);
        self.skipped.contains(&triangle) && leaves.repeats(triangle).all(|other| self.skipped.contains(&other))
    }
}

impl<L: Leaves, S: Simd, G: RayInput> Visitor for EachInLeaves<'_, '_, '_, L, S, G> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, _: f32, mut limit: f32) -> ControlFlow<(), f32> {
        let search = self.search;
        let tested = search.test(self.line, leaf, limit);
        let (mut possible, certain) = (tested.possible, tested.certain());
        while let Some(lane) = take_lowest(&mut possible) {
            let place = TrianglePlace::new(leaf, lane);
            if self.skips(place) {
                continue;
            }
            let (verdict, interior) = if certain >> lane & 1 == 1 {
                (search.sure_verdict(place), InteriorHit::Sure)
            } else {
                (search.leaves.verdict(search.given, place), InteriorHit::Possible)
            };
            let in_range = |verdict: &Verdict| search.framed.t_min <= verdict.t && verdict.t <= self.t_max;
            if let Some(verdict) = verdict.filter(in_range) {
                let found = FoundTriangle { triangle: search.leaves.triangle_at(place), verdict, place };
                self.t_max = (self.offer)(found, interior)?.min(self.t_max);
                for triangle in search.leaves.repeats(found.triangle) {
                    self.t_max = (self.offer)(FoundTriangle { triangle, ..found }, interior)?.min(self.t_max);
                }
                limit = search.framed.limit(self.t_max);
            }
        }
        ControlFlow::Continue(limit)
    }
}

//! A ray through a mesh's tree and packets: closest, any, and each.

use super::{Mesh, MeshHit, Shared, packet};
use crate::bvh::{FramedRay, Order, Slack, Subtree, Visitor};
use crate::filter::Cull;
use crate::float::{inverse_power_of_two, smaller};
use crate::mesh::packet::{Errors, Packet, Tested};
use crate::ray::{LocalRay, Ray};
use crate::shape::{Verdict, triangle_verdict};
use crate::simd::{Simd, dispatch};
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};

/// A triangle that is hit.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) triangle: u32,
    pub(crate) verdict: Verdict,
    pub(super) place: Place,
}

/// A packet's number and a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place(pub(super) u32);

impl Place {
    #[inline(always)]
    pub(super) fn new(packet: u32, lane: usize) -> Self {
        Self(packet * packet::SIZE as u32 + lane as u32)
    }

    #[inline(always)]
    fn lane(self) -> usize {
        self.0 as usize % packet::SIZE
    }
}

/// What is asked about every hit, in no particular order: the largest t that matters from now on, or the end.
type Offer<'a> = dyn FnMut(Found) -> ControlFlow<(), f32> + 'a;

impl Mesh {
    /// The hit of the least t in the ray's range, of the lowest triangle where several have it.
    ///
    /// Here and below the ray is taken to the mesh's space first, and above 0, `from` is a t before which it is known to hit nothing.
    pub(crate) fn closest(&self, ray: &LocalRay, to_local: &DAffine3, from: f64, cull: Cull) -> Option<Found> {
        let shared = &*self.shared;
        dispatch!(simd => shared.closest(simd, &ray.transformed(to_local), from, cull))
    }

    /// Whether there is a hit in the ray's range.
    pub(crate) fn has_any(&self, ray: &LocalRay, to_local: &DAffine3, from: f64, cull: Cull) -> bool {
        let shared = &*self.shared;
        dispatch!(simd => shared.has_any(simd, &ray.transformed(to_local), from, cull))
    }

    /// [`closest`](Self::closest) in full, for a ray of the mesh's own space.
    pub(super) fn closest_own(&self, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let shared = &*self.shared;
        dispatch!(simd => shared.closest_own(simd, ray, cull))
    }

    /// Whether there is a hit in the ray's range.
    pub(super) fn has_any_own(&self, ray: &Ray, cull: Cull) -> bool {
        let shared = &*self.shared;
        dispatch!(simd => shared.has_any_own(simd, ray, cull))
    }

    /// Offers every hit in the range of a ray of the mesh's own space that may still matter, some more than once: a triangle may be in
    /// several leaves.
    pub(crate) fn each<'a>(&'a self, ray: &LocalRay, from: f64, offer: &'a mut Offer<'a>) -> ControlFlow<()> {
        let shared = &*self.shared;
        dispatch!(simd => shared.each(simd, ray, from, offer))
    }
}

impl Shared {
    /// The corners of a triangle that was found, in the mesh's coordinates.
    pub(super) fn found_corners(&self, found: Found) -> [DVec3; 3] {
        let unit = inverse_power_of_two(self.frame.scale);
        self.framed_corners(found.place).map(|corner| corner * unit)
    }

    /// Where a triangle was tested: it is still warm in memory.
    #[inline(always)]
    fn packet(&self, place: Place) -> &Packet {
        &self.packets[place.0 as usize / packet::SIZE]
    }

    #[inline(always)]
    pub(super) fn triangle_at(&self, place: Place) -> u32 {
        self.packet(place).triangles[place.lane()]
    }

    #[inline(always)]
    pub(super) fn closest_own<S: Simd>(&self, simd: S, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let framed = self.frame.own_ray(simd, ray)?;
        let search = Search::new(self, simd, ray, &framed);
        Some(self.hit(ray, search.found(search.nearest(cull)?)?))
    }

    /// In full.
    #[inline(always)]
    pub(super) fn hit(&self, ray: &Ray, found: Found) -> MeshHit {
        if !self.packets_are_exact {
            return self.report(ray, found);
        }
        let Found { triangle, verdict, place } = found;
        let corners = self.packet(place).corners(place.lane());
        MeshHit::new(triangle, verdict, *ray, corners, inverse_power_of_two(self.frame.scale))
    }

    /// The closest hit in a part of the tree of those that are not beyond a distance.
    #[inline(always)]
    pub(super) fn closest_below<S: Simd>(
        &self,
        simd: S,
        (ray, framed): (&Ray, &FramedRay),
        below: Subtree,
        limit: f32,
        cull: Cull,
    ) -> Option<Nearest> {
        let search = Search::new(self, simd, ray, framed);
        let mut closest = Closest { search: &search, cull, best: None };
        let _ = self.tree.traverse_below(simd, framed, below, limit, &mut closest);
        closest.best
    }

    /// Whether there is a hit in the ray's range in a part of the tree.
    #[inline(always)]
    pub(super) fn has_any_below<S: Simd>(
        &self,
        simd: S,
        (ray, framed): (&Ray, &FramedRay),
        below: Subtree,
        cull: Cull,
    ) -> bool {
        let search = Search::new(self, simd, ray, framed);
        let limit = framed.limit(framed.t_max);
        self.tree.traverse_below(simd, framed, below, limit, &mut Any { search: &search, cull }).is_break()
    }

    #[inline(always)]
    pub(super) fn has_any_own<S: Simd>(&self, simd: S, ray: &Ray, cull: Cull) -> bool {
        // Not by a closure, which need not be inlined, and is then not compiled for the instruction set.
        let Some(framed) = self.frame.own_ray(simd, ray) else { return false };
        Search::new(self, simd, ray, &framed).has_any(cull)
    }

    #[inline(always)]
    fn closest<S: Simd>(&self, simd: S, ray: &LocalRay, from: f64, cull: Cull) -> Option<Found> {
        let framed = self.frame.ray(simd, ray, from, Slack::NONE)?;
        let search = Search::new(self, simd, ray, &framed);
        search.found(search.nearest(cull)?)
    }

    #[inline(always)]
    fn has_any<S: Simd>(&self, simd: S, ray: &LocalRay, from: f64, cull: Cull) -> bool {
        let Some(framed) = self.frame.ray(simd, ray, from, Slack::NONE) else { return false };
        Search::new(self, simd, ray, &framed).has_any(cull)
    }

    #[inline(always)]
    fn each<S: Simd>(&self, simd: S, ray: &LocalRay, from: f64, offer: &mut Offer<'_>) -> ControlFlow<()> {
        match self.frame.ray(simd, ray, from, Slack::NONE) {
            Some(framed) => Search::new(self, simd, ray, &framed).each(offer),
            None => ControlFlow::Continue(()),
        }
    }

    /// The t and the side of a triangle that is hit for sure, given the t in one distance.
    #[inline(always)]
    pub(super) fn sure_verdict<S: Simd>(
        &self,
        simd: S,
        ray: impl Given,
        t_per_distance: f64,
        place: Place,
    ) -> Option<Verdict> {
        let quick = if self.packets_are_exact {
            let exact = self.frame.exact(&ray.local());
            self.packet(place).sure_verdict(simd, t_per_distance, &exact, place.lane())
        } else {
            None
        };
        quick.or_else(|| self.verdict(ray, place))
    }

    /// Decided exactly.
    #[cold]
    pub(super) fn verdict(&self, ray: impl Given, place: Place) -> Option<Verdict> {
        triangle_verdict(&self.frame.exact(&ray.local()), self.framed_corners(place))
    }

    /// The exact corners, in the frame's coordinates.
    #[inline(always)]
    fn framed_corners(&self, place: Place) -> [DVec3; 3] {
        let packet = self.packet(place);
        if self.packets_are_exact {
            in_f64(packet.corners(place.lane()))
        } else {
            self.gathered_corners(packet.triangles[place.lane()])
        }
    }

    #[cold]
    fn gathered_corners(&self, triangle: u32) -> [DVec3; 3] {
        let triangle = self.triangles[triangle as usize];
        triangle.map(|index| self.positions[index as usize].as_dvec3() * self.frame.scale)
    }
}

#[inline(always)]
fn in_f64([a, b, c]: [Vec3; 3]) -> [DVec3; 3] {
    [a.as_dvec3(), b.as_dvec3(), c.as_dvec3()]
}

/// A ray as it was given: what only the last, exact steps need is computed there.
pub(super) trait Given: Copy {
    fn local(self) -> LocalRay;
}

impl Given for &Ray {
    #[inline(always)]
    fn local(self) -> LocalRay {
        Ray::local(self)
    }
}

impl Given for &LocalRay {
    #[inline(always)]
    fn local(self) -> LocalRay {
        *self
    }
}

/// What the three questions share.
#[derive(Clone, Copy)]
struct Search<'a, S: Simd, G> {
    shared: &'a Shared,
    given: G,
    framed: &'a FramedRay,
    simd: S,
    errors: Errors,
    limit_for_sure: f32,
}

impl<'a, S: Simd, G: Given> Search<'a, S, G> {
    #[inline(always)]
    fn new(shared: &'a Shared, simd: S, given: G, framed: &'a FramedRay) -> Self {
        Self {
            shared,
            given,
            framed,
            simd,
            errors: Errors::new(framed),
            limit_for_sure: framed.limit_for_sure(framed.t_max),
        }
    }

    #[inline(always)]
    fn run(&self, visitor: &mut impl Visitor) -> ControlFlow<()> {
        self.shared.tree.traverse(self.simd, self.framed, self.framed.limit(self.framed.t_max), visitor)
    }

    #[inline(always)]
    fn nearest(&self, cull: Cull) -> Option<Nearest> {
        let mut closest = Closest { search: self, cull, best: None };
        let _ = self.run(&mut closest);
        closest.best
    }

    #[inline(always)]
    fn has_any(&self, cull: Cull) -> bool {
        self.run(&mut Any { search: self, cull }).is_break()
    }

    #[inline(always)]
    fn each(&self, offer: &mut Offer<'_>) -> ControlFlow<()> {
        self.run(&mut Each { search: self, t_max: self.framed.t_max, offer })
    }

    /// With its t.
    #[inline(always)]
    fn found(&self, nearest: Nearest) -> Option<Found> {
        let Nearest { triangle, place, verdict, .. } = nearest;
        let verdict = match verdict {
            Some(verdict) => verdict,
            None => self.sure_verdict(place)?,
        };
        Some(Found { triangle, verdict, place })
    }

    /// Of a triangle that is hit for sure.
    #[inline(always)]
    fn sure_verdict(&self, place: Place) -> Option<Verdict> {
        self.shared.sure_verdict(self.simd, self.given, self.framed.t_per_distance(), place)
    }

    /// [`sure_verdict`](Self::sure_verdict), not inlined.
    #[inline(never)]
    fn sure_verdict_called(&self, place: Place) -> Option<Verdict> {
        self.simd.vectorize(
            #[inline(always)]
            || self.sure_verdict(place),
        )
    }

    /// The packet of a leaf, and what f32 says about its triangles.
    #[inline(always)]
    fn test(&self, leaf: u32, limit: f32) -> (&'a Packet, Tested<S>) {
        let packet = &self.shared.packets[leaf as usize];
        (packet, packet.test(self.simd, self.framed, &self.errors, limit))
    }

    /// Decided exactly, with the ray's range and the side.
    #[cold]
    fn exactly(&self, leaf: u32, lane: usize, cull: Cull) -> Option<Found> {
        let place = Place::new(leaf, lane);
        let triangle = self.shared.packet(place).triangles[lane];
        let verdict = self.shared.verdict(self.given, place)?;
        cull.keeps(verdict.side).then_some(Found { triangle, verdict, place })
    }
}

/// The places of the bits that are set, and then without the lowest of them.
#[inline(always)]
fn take_lowest(bits: &mut u64) -> Option<usize> {
    let place = (*bits != 0).then(|| bits.trailing_zeros() as usize % packet::SIZE);
    *bits &= bits.wrapping_sub(1);
    place
}

/// The nearest hit so far.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    pub(super) triangle: u32,
    pub(super) place: Place,
    /// Between which distances it is. If the spans of two do not overlap, their reported ts differ.
    pub(super) low: f32,
    pub(super) high: f32,
    /// Once it was asked for.
    pub(super) verdict: Option<Verdict>,
}

struct Closest<'a, S: Simd, G> {
    search: &'a Search<'a, S, G>,
    cull: Cull,
    best: Option<Nearest>,
}

impl<S: Simd, G: Given> Closest<'_, S, G> {
    /// Takes one that is hit for sure if it is before what there is. Answers the new limit.
    #[inline(always)]
    fn offer(&mut self, triangle: u32, place: Place, [low, high]: [f32; 2], limit: f32) -> f32 {
        if let Some(best) = &self.best {
            if best.high < low || best.triangle == triangle {
                return limit;
            }
            // Not true of NaN either.
            if !(high < best.low) {
                return self.offer_near(triangle, place, [low, high], limit);
            }
        }
        self.best = Some(Nearest { triangle, place, low, high, verdict: None });
        smaller(high, limit)
    }

    /// [`offer`](Self::offer), where only the reported ts decide. Not of a struct, which would be stored in pieces and read back as a whole.
    #[inline(never)]
    fn offer_near(&mut self, triangle: u32, place: Place, [low, high]: [f32; 2], limit: f32) -> f32 {
        match self.search.sure_verdict_called(place) {
            Some(verdict) => {
                self.decide(Nearest { triangle, place, low, high, verdict: Some(verdict) }, verdict.t, limit)
            }
            None => limit,
        }
    }

    /// Takes it if its t is before that of what there is. Answers the new limit.
    #[inline(never)]
    fn decide(&mut self, offered: Nearest, t: f32, limit: f32) -> f32 {
        if let Some(best) = &mut self.best {
            best.verdict = best.verdict.or_else(|| self.search.sure_verdict_called(best.place));
            if best.verdict.is_some_and(|verdict| (verdict.t, best.triangle) <= (t, offered.triangle)) {
                return limit;
            }
        }
        self.best = Some(offered);
        smaller(self.search.framed.limit(t), limit)
    }
}

impl<S: Simd, G: Given> Visitor for Closest<'_, S, G> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    const LEAF_BYTES: usize = size_of::<Packet>();

    #[inline(always)]
    fn leaves(&self) -> *const u8 {
        self.search.shared.packets.as_ptr().cast()
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, _: f32, mut limit: f32) -> ControlFlow<(), f32> {
        let search = self.search;
        let (packet, tested) = search.test(leaf, limit);
        if tested.possible == 0 {
            return ControlFlow::Continue(limit);
        }
        let counts = tested.counts(search.simd, search.framed, search.limit_for_sure);
        let mut doubtful = tested.possible & !counts;
        let mut sure = tested.possible & counts & tested.kept(search.simd, self.cull);
        if sure != 0 {
            let spans = tested.spans(search.simd, &search.errors);
            while let Some(lane) = take_lowest(&mut sure) {
                let (triangle, place) = (packet.triangles[lane], Place::new(leaf, lane));
                limit = self.offer(triangle, place, [spans.low[lane], spans.high[lane]], limit);
            }
        }
        while let Some(lane) = take_lowest(&mut doubtful) {
            if let Some(Found { triangle, verdict, place }) = self.search.exactly(leaf, lane, self.cull) {
                let high = self.search.framed.limit(verdict.t);
                let nearest = Nearest { triangle, place, low: f32::NEG_INFINITY, high, verdict: Some(verdict) };
                limit = self.decide(nearest, verdict.t, limit);
            }
        }
        ControlFlow::Continue(limit)
    }
}

struct Any<'a, S: Simd, G> {
    search: &'a Search<'a, S, G>,
    cull: Cull,
}

impl<S: Simd, G: Given> Visitor for Any<'_, S, G> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::Blind
    }

    const LEAF_BYTES: usize = size_of::<Packet>();

    #[inline(always)]
    fn leaves(&self) -> *const u8 {
        self.search.shared.packets.as_ptr().cast()
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        let search = self.search;
        let (_, tested) = search.test(leaf, limit);
        if tested.possible == 0 {
            return ControlFlow::Continue(limit);
        }
        let counts = tested.counts(search.simd, search.framed, search.limit_for_sure);
        if tested.possible & counts & tested.kept(search.simd, self.cull) != 0 {
            return ControlFlow::Break(());
        }
        let mut doubtful = tested.possible & !counts;
        while let Some(lane) = take_lowest(&mut doubtful) {
            if self.search.exactly(leaf, lane, self.cull).is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(limit)
    }
}

struct Each<'a, 'b, 'c, S: Simd, G> {
    search: &'a Search<'a, S, G>,
    /// The largest t that still matters.
    t_max: f32,
    offer: &'b mut Offer<'c>,
}

impl<S: Simd, G: Given> Visitor for Each<'_, '_, '_, S, G> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    const LEAF_BYTES: usize = size_of::<Packet>();

    #[inline(always)]
    fn leaves(&self) -> *const u8 {
        self.search.shared.packets.as_ptr().cast()
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, _: f32, mut limit: f32) -> ControlFlow<(), f32> {
        let search = self.search;
        let (packet, tested) = search.test(leaf, limit);
        let (mut possible, certain) = (tested.possible, tested.certain());
        while let Some(lane) = take_lowest(&mut possible) {
            let place = Place::new(leaf, lane);
            let verdict = if certain >> lane & 1 == 1 {
                search.sure_verdict(place)
            } else {
                search.shared.verdict(search.given, place)
            };
            let in_range = |verdict: &Verdict| search.framed.t_min <= verdict.t && verdict.t <= self.t_max;
            if let Some(verdict) = verdict.filter(in_range) {
                let found = Found { triangle: packet.triangles[lane], verdict, place };
                self.t_max = (self.offer)(found)?.min(self.t_max);
                for triangle in search.shared.repeats.of_triangle(found.triangle) {
                    self.t_max = (self.offer)(Found { triangle, ..found })?.min(self.t_max);
                }
                limit = search.framed.limit(self.t_max);
            }
        }
        ControlFlow::Continue(limit)
    }
}

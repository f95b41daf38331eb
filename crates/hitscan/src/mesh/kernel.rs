//! A ray through a mesh's tree and packets: closest, any, and each.

use super::{Mesh, MeshHit, Shared, packet};
use crate::bvh::{FramedRay, Order, Slack, Subtree, Visitor};
use crate::filter::Cull;
use crate::float::inverse_power_of_two;
use crate::mesh::packet::{Lanes, Packet, PacketTest, Verdicts};
use crate::ray::{LocalRay, Ray};
use crate::shape::{Verdict, triangle_verdict};
use crate::simd::{Simd, current, dispatch, prefetch};
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3};

/// A triangle that is hit.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) triangle: u32,
    pub(crate) verdict: Verdict,
    /// Its packet and lane.
    pub(super) place: u32,
}

/// What is asked about every hit, in no particular order: the largest t that matters from now on, or the end.
type Offer<'a> = dyn FnMut(Found) -> ControlFlow<(), f32> + 'a;

impl Mesh {
    /// The hit of the least t in the ray's range, of the lowest triangle where several have it.
    ///
    /// Here and below the ray is taken to the mesh's space first, and above 0, `from` is a t before which it is known to hit nothing.
    pub(crate) fn closest(&self, ray: &LocalRay, to_local: &DAffine3, from: f64, cull: Cull) -> Option<Found> {
        let shared = &*self.shared;
        dispatch!(current(), simd => shared.closest(simd, &ray.transformed(to_local), from, cull))
    }

    /// Whether there is a hit in the ray's range.
    pub(crate) fn has_any(&self, ray: &LocalRay, to_local: &DAffine3, from: f64, cull: Cull) -> bool {
        let shared = &*self.shared;
        dispatch!(current(), simd => shared.has_any(simd, &ray.transformed(to_local), from, cull))
    }

    /// [`closest`](Self::closest) in full, for a ray of the mesh's own space.
    pub(super) fn closest_own(&self, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let shared = &*self.shared;
        dispatch!(current(), simd => shared.closest_own(simd, ray, cull))
    }

    /// Whether there is a hit in the ray's range.
    pub(super) fn has_any_own(&self, ray: &Ray, cull: Cull) -> bool {
        let shared = &*self.shared;
        dispatch!(current(), simd => shared.has_any_own(simd, ray, cull))
    }

    /// Offers every hit in the range of a ray of the mesh's own space that may still matter, some more than once: a triangle may be in
    /// several leaves.
    pub(crate) fn each<'a>(&'a self, ray: &LocalRay, from: f64, offer: &'a mut Offer<'a>) -> ControlFlow<()> {
        let shared = &*self.shared;
        dispatch!(current(), simd => shared.each(simd, ray, from, offer))
    }
}

impl Shared {
    /// The corners of a triangle that was found, in the mesh's coordinates.
    pub(super) fn found_corners(&self, found: Found) -> [DVec3; 3] {
        let (packet, lane) = self.place(found);
        let unit = inverse_power_of_two(self.frame.scale);
        self.framed_corners(packet, lane).map(|corner| corner * unit)
    }

    /// Where a triangle was tested: its place in memory is still warm.
    #[inline(always)]
    fn place(&self, found: Found) -> (&Packet, usize) {
        (&self.packets[found.place as usize / packet::SIZE], found.place as usize % packet::SIZE)
    }

    #[inline(always)]
    pub(super) fn closest_own<S: Simd>(&self, simd: S, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let framed = self.frame.own_ray(simd, ray)?;
        let found = self.closest_framed(simd, &framed, cull)?;
        self.hit(simd, ray, &framed, found)
    }

    #[inline(always)]
    fn hit<S: Simd>(&self, simd: S, ray: &Ray, framed: &FramedRay, found: Found) -> Option<MeshHit> {
        let (packet, lane) = self.place(found);
        if !self.packets_are_exact {
            return Some(self.report(&LocalRay::new(ray)?, found));
        }
        let corners = packet.corners(lane);
        let details = packet.details(simd, framed, lane);
        let unit = inverse_power_of_two(self.frame.scale);
        Some(MeshHit::new(&framed.exact, corners, &details, unit, found))
    }

    /// The hit of the triangle at a place, which is known to be hit.
    #[inline(always)]
    pub(super) fn hit_at<S: Simd>(&self, simd: S, ray: &Ray, place: u32) -> Option<MeshHit> {
        let framed = &self.frame.own_ray(simd, ray)?;
        let (packet, lane) = (&self.packets[place as usize / packet::SIZE], place as usize % packet::SIZE);
        let quick = if self.packets_are_exact { packet.verdicts(simd, framed).get(lane) } else { None };
        let verdict = match quick {
            Some(verdict) => verdict,
            None => triangle_verdict(&framed.exact, self.framed_corners(packet, lane))?,
        };
        self.hit(simd, ray, framed, Found { triangle: packet.triangles[lane], verdict, place })
    }

    /// The closest hit in a part of the tree of those that are not beyond a distance.
    #[inline(always)]
    pub(super) fn closest_below<S: Simd>(
        &self,
        simd: S,
        ray: &FramedRay,
        below: Subtree,
        limit: f32,
        cull: Cull,
    ) -> Option<Found> {
        let mut closest = Closest { search: Search::new(self, simd, ray), cull, best: None };
        let _ = self.tree.traverse_below(simd, ray, below, limit, &mut closest);
        closest.best
    }

    /// Whether there is a hit in the ray's range in a part of the tree.
    #[inline(always)]
    pub(super) fn has_any_below<S: Simd>(&self, simd: S, ray: &FramedRay, below: Subtree, cull: Cull) -> bool {
        let mut any = Any { search: Search::new(self, simd, ray), cull };
        self.tree.traverse_below(simd, ray, below, ray.limit(ray.exact.t_max), &mut any).is_break()
    }

    #[inline(always)]
    pub(super) fn has_any_own<S: Simd>(&self, simd: S, ray: &Ray, cull: Cull) -> bool {
        let Some(ray) = &self.frame.own_ray(simd, ray) else { return false };
        let mut any = Any { search: Search::new(self, simd, ray), cull };
        self.tree.traverse(simd, ray, ray.limit(ray.exact.t_max), &mut any).is_break()
    }

    #[inline(always)]
    fn closest<S: Simd>(&self, simd: S, ray: &LocalRay, from: f64, cull: Cull) -> Option<Found> {
        self.closest_framed(simd, &self.frame.ray(simd, ray, from, Slack::NONE)?, cull)
    }

    #[inline(always)]
    fn closest_framed<S: Simd>(&self, simd: S, ray: &FramedRay, cull: Cull) -> Option<Found> {
        let mut closest = Closest { search: Search::new(self, simd, ray), cull, best: None };
        let _ = self.tree.traverse(simd, ray, ray.limit(ray.exact.t_max), &mut closest);
        closest.best
    }

    #[inline(always)]
    fn has_any<S: Simd>(&self, simd: S, ray: &LocalRay, from: f64, cull: Cull) -> bool {
        let Some(ray) = &self.frame.ray(simd, ray, from, Slack::NONE) else { return false };
        let mut any = Any { search: Search::new(self, simd, ray), cull };
        self.tree.traverse(simd, ray, ray.limit(ray.exact.t_max), &mut any).is_break()
    }

    #[inline(always)]
    fn each<S: Simd>(&self, simd: S, ray: &LocalRay, from: f64, offer: &mut Offer<'_>) -> ControlFlow<()> {
        let Some(ray) = &self.frame.ray(simd, ray, from, Slack::NONE) else { return ControlFlow::Continue(()) };
        let mut each = Each { search: Search::new(self, simd, ray), offer };
        self.tree.traverse(simd, ray, ray.limit(ray.exact.t_max), &mut each)
    }

    /// The exact corners, in the frame's coordinates.
    #[inline(always)]
    fn framed_corners(&self, packet: &Packet, lane: usize) -> [DVec3; 3] {
        if self.packets_are_exact { packet.corners(lane) } else { self.gathered_corners(packet.triangles[lane]) }
    }

    #[cold]
    fn gathered_corners(&self, triangle: u32) -> [DVec3; 3] {
        let triangle = self.triangles[triangle as usize];
        triangle.map(|index| self.positions[index as usize].as_dvec3() * self.frame.scale)
    }
}

/// What the three questions share.
struct Search<'a, S: Simd> {
    shared: &'a Shared,
    framed: &'a FramedRay,
    /// The largest t that still matters.
    t_max: f32,
    simd: S,
    test: PacketTest,
}

impl<'a, S: Simd> Search<'a, S> {
    #[inline(always)]
    fn new(shared: &'a Shared, simd: S, framed: &'a FramedRay) -> Self {
        Self { shared, framed, t_max: framed.exact.t_max, simd, test: PacketTest::new(framed) }
    }

    #[inline(always)]
    fn announce(&self, leaf: u32) {
        self.shared.packets.get(leaf as usize).into_iter().for_each(prefetch);
    }

    /// The packet of a leaf, and which of its triangles may be hit.
    #[inline(always)]
    fn packet(&self, leaf: u32, limit: f32) -> (&'a Packet, Lanes) {
        let packet = &self.shared.packets[leaf as usize];
        (packet, packet.test(self.simd, &self.test, limit))
    }

    /// Whether one of them is, decided exactly. `verdicts` are the packet's once they were asked for.
    #[inline(always)]
    fn decide(&self, leaf: u32, packet: &Packet, lanes: Lanes, verdicts: &mut Option<Verdicts>) -> Option<Found> {
        let lane = lanes.possible.trailing_zeros() as usize % packet::SIZE;
        let quick = if lanes.certain >> lane & 1 == 1 && self.shared.packets_are_exact {
            let verdicts = match *verdicts {
                Some(verdicts) => verdicts,
                None => *verdicts.insert(packet.verdicts(self.simd, self.framed)),
            };
            verdicts.get(lane)
        } else {
            None
        };
        let verdict = match quick {
            Some(verdict) => verdict,
            None => {
                // A copy, so that the framed ray need not be in memory for this rare call.
                let exact = self.framed.exact;
                triangle_verdict(&exact, self.shared.framed_corners(packet, lane))?
            }
        };
        let counts = self.framed.exact.t_min <= verdict.t && verdict.t <= self.t_max;
        let place = leaf * packet::SIZE as u32 + lane as u32;
        counts.then_some(Found { triangle: packet.triangles[lane], verdict, place })
    }
}

struct Closest<'a, S: Simd> {
    search: Search<'a, S>,
    cull: Cull,
    best: Option<Found>,
}

impl<S: Simd> Visitor for Closest<'_, S> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    #[inline(always)]
    fn announce(&self, leaf: u32) {
        self.search.announce(leaf);
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, _: f32, mut limit: f32) -> ControlFlow<(), f32> {
        let (packet, mut lanes) = self.search.packet(leaf, limit);
        let mut verdicts = None;
        while lanes.possible != 0 {
            let found = self.search.decide(leaf, packet, lanes, &mut verdicts);
            lanes.possible &= lanes.possible - 1;
            let Some(found) = found else { continue };
            let t = found.verdict.t;
            let wins = self.best.is_none_or(|best| t < best.verdict.t || found.triangle < best.triangle);
            if wins && self.cull.keeps(found.verdict.side) {
                self.best = Some(found);
                self.search.t_max = t;
                limit = self.search.framed.limit(t);
            }
        }
        ControlFlow::Continue(limit)
    }
}

struct Any<'a, S: Simd> {
    search: Search<'a, S>,
    cull: Cull,
}

impl<S: Simd> Visitor for Any<'_, S> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::Any
    }

    #[inline(always)]
    fn announce(&self, leaf: u32) {
        self.search.announce(leaf);
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        let (packet, mut lanes) = self.search.packet(leaf, limit);
        let mut verdicts = None;
        if self.cull == Cull::None && lanes.possible & lanes.counts != 0 {
            return ControlFlow::Break(());
        }
        while lanes.possible != 0 {
            let found = self.search.decide(leaf, packet, lanes, &mut verdicts);
            lanes.possible &= lanes.possible - 1;
            if found.is_some_and(|found| self.cull.keeps(found.verdict.side)) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(limit)
    }
}

struct Each<'a, 'b, S: Simd> {
    search: Search<'a, S>,
    offer: &'b mut Offer<'b>,
}

impl<S: Simd> Visitor for Each<'_, '_, S> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    #[inline(always)]
    fn announce(&self, leaf: u32) {
        self.search.announce(leaf);
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, _: f32, mut limit: f32) -> ControlFlow<(), f32> {
        let (packet, mut lanes) = self.search.packet(leaf, limit);
        let mut verdicts = None;
        while lanes.possible != 0 {
            let found = self.search.decide(leaf, packet, lanes, &mut verdicts);
            lanes.possible &= lanes.possible - 1;
            if let Some(found) = found {
                let t_max = (self.offer)(found)?.min(self.search.t_max);
                self.search.t_max = t_max;
                limit = self.search.framed.limit(t_max);
            }
        }
        ControlFlow::Continue(limit)
    }
}

//! Casts of a ray against a scene: the closest hit, any hit, and all hits.

use super::hit_sink::HitSink;
use super::part_hit::{FoundPart, PartHit, key};
use super::plain_cast::{KnownHit, MeshCollector, PlainQuery, visit_parts_on_ray};
use super::query_ray::{Past, QueryRay};
use super::self_hit::{LeftPart, SurfaceAhead};
use crate::bvh::Order;
use crate::collections::sort::SharedSort;
use crate::geom::culling::{CutOuts, Inside};
use crate::geom::ray::{LocalRay, Ray, RayInterval};
use crate::geom::transform::InstanceRay;
use crate::math::float::smaller;
use crate::query::collect::{AnyHit, ClosestHit, EveryHit, Question, RayCollector};
use crate::query::filter::CandidateHit;
use crate::query::{Hit, RayView};
use crate::scene::{Part, PartGeometry, PartTree, Scene};
use crate::shape::RayStart;
use crate::tri::{FoundTriangle, TriangleSet};
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Returns the closest hit.
    pub(in crate::query) fn cast_closest(&self, ray: &Ray) -> Option<Hit<K>> {
        let query_ray = QueryRay::new(self, ray)?;
        let search = RaySearch::new(self, &query_ray);
        let mut closest = ClosestHit(None);
        search.search_scene(&mut closest);
        // The hit is borrowed where it was stored. A copy would load it with other widths than it was stored with,
        // so store forwarding would fail.
        let (key, found) = closest.0.as_ref()?;
        search.report(ray, key, found)
    }

    /// Does the same as [`cast_closest`](Self::cast_closest), but writes the answer to a place of a sink.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn cast_closest_into(&self, ray: &Ray, place: usize, hits: &mut impl HitSink<K>) {
        let Some(query_ray) = QueryRay::new(self, ray) else { return hits.put_miss(place) };
        let search = RaySearch::new(self, &query_ray);
        let mut closest = ClosestHit(None);
        search.search_scene(&mut closest);
        match closest.0.as_ref() {
            Some((key, found)) => hits.put_hit(place, &search, ray, key, found),
            None => hits.put_miss(place),
        }
    }

    /// Returns whether there is any hit.
    pub(in crate::query) fn cast_any(&self, ray: &Ray) -> bool {
        let Some(query_ray) = QueryRay::new(self, ray) else { return false };
        RaySearch::new(self, &query_ray).has_any()
    }

    /// Collects every hit in order, into a buffer that is cleared first.
    pub(in crate::query) fn cast_every(&self, ray: &Ray, hits: &mut Vec<Hit<K>>) {
        hits.clear();
        if let Some(query_ray) = QueryRay::new(self, ray) {
            let search = RaySearch::new(self, &query_ray);
            search.search_part_by_part(&mut EveryHit(|key, found| hits.extend(search.report(ray, &key, &found))));
        }
        hits.sort_shared_by(|a, b| a.key.cmp(&b.key));
        // A triangle may be in several leaves of its mesh's tree.
        hits.dedup_by_key(|hit| hit.key);
    }
}

/// Returns the order in which parts are best visited.
fn order<'a, C: RayCollector<FoundPart<'a>>>(_: &C) -> Order {
    match C::QUESTION {
        Question::Closest | Question::Several => Order::NearToFar,
        Question::Any | Question::Every => Order::Any,
    }
}

/// A search of a scene along a ray.
pub(in crate::query) struct RaySearch<'a, K> {
    pub(super) scene: &'a Scene<K>,
    pub(in crate::query) query: &'a RayView<'a, K>,
    pub(in crate::query) ray: &'a LocalRay,
    pub(super) past: &'a Past<'a>,
    parts: PartTree<'a>,
}

impl<'a, K: Clone + Eq + Hash> RaySearch<'a, K> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn new(query: &'a RayView<'a, K>, query_ray: &'a QueryRay<'a>) -> Self {
        let scene = query.view.scene;
        Self { scene, query, ray: &query_ray.ray, past: &query_ray.past, parts: scene.part_tree() }
    }

    /// Makes the search along a ray in the world. The search skips no hits.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn past_nothing(query: &'a RayView<'a, K>, ray: &'a LocalRay) -> Self {
        let scene = query.view.scene;
        Self { scene, query, ray, past: &Past::Nothing, parts: scene.part_tree() }
    }

    /// Passes to the collector every hit that it wants. If the question is plain, the tree is searched by code that is
    /// specialized for plain questions.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn search_scene<C: MeshCollector<'a>>(&self, collector: &mut C) {
        if self.search_unbounded(collector).is_break() {
            return;
        }
        let chosen = |part: &Part| self.query.view.is_chosen(part);
        let prefetch_report = |part: &Part| self.scene.prefetch_report(part);
        // The collector knows whether the search ended early, here and below.
        let _ = match self.plain(&chosen, &prefetch_report) {
            Some(plain) => {
                let ray_and_limit = self.ray_and_limit(collector);
                collector.search_plain_tree(
                    &self.parts,
                    ray_and_limit,
                    &plain,
                    &mut |part, known, between, collector| self.visit_known_part(part, known, between, collector),
                )
            }
            None => self.search_tree(collector),
        };
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn has_any(&self) -> bool {
        let mut any = AnyHit(false);
        self.search_scene(&mut any);
        any.0
    }

    /// Passes to the collector every hit that it wants, without the code for plain questions.
    pub(in crate::query) fn search_part_by_part(&self, collector: &mut impl RayCollector<FoundPart<'a>>) {
        let _ = self.search_unbounded(collector).is_continue() && self.search_tree(collector).is_continue();
    }

    /// Calls `ask` with the plain question of this ray, which all rays of the view share, and returns the result. Returns 0 if the question is not plain.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn plainly(&self, ask: impl FnOnce(&PartTree<'a>, &PlainQuery<'_>) -> u64) -> u64 {
        let chosen = |part: &Part| self.query.view.is_chosen(part);
        let prefetch_report = |part: &Part| self.scene.prefetch_report(part);
        self.plain(&chosen, &prefetch_report).map_or(0, |plain| ask(&self.parts, &plain))
    }

    /// Visits the parts that are not in the tree.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn search_unbounded<C: RayCollector<FoundPart<'a>>>(
        &self,
        collector: &mut C,
    ) -> ControlFlow<()> {
        self.offer_ahead_of_start(collector)?;
        for &part in self.scene.unbounded() {
            self.visit_part_number(part, 0.0, self.ray.t_max.min(collector.limit()), collector)?;
        }
        ControlFlow::Continue(())
    }

    /// Offers surfaces that are ahead of the ray at its start. They are handled separately, because the ray may miss
    /// their boxes in the tree.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn offer_ahead_of_start<C: RayCollector<FoundPart<'a>>>(
        &self,
        collector: &mut C,
    ) -> ControlFlow<()> {
        let Past::Leaving(leaving) = self.past else { return ControlFlow::Continue(()) };
        leaving.parts().try_for_each(|(part, left)| self.offer_ahead(part, &left.ahead, collector))
    }

    fn offer_ahead<C: RayCollector<FoundPart<'a>>>(
        &self,
        part: &'a Part,
        ahead: &'a [SurfaceAhead],
        collector: &mut C,
    ) -> ControlFlow<()> {
        let is_in_range = self.ray.contains(0.0);
        let mut counting = ahead.iter().filter(|_| is_in_range);
        counting.try_for_each(|ahead| self.offer(part, PartHit::Ahead(ahead), collector))
    }

    /// Returns the ray and, separately, its end. A copy of the ray with another end would be loaded with other widths
    /// than it was stored with, so store forwarding would fail.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn ray_and_limit(&self, collector: &impl RayCollector<FoundPart<'a>>) -> (&LocalRay, f32) {
        (self.ray, smaller(collector.limit(), self.ray.t_max))
    }

    fn search_tree<C: RayCollector<FoundPart<'a>>>(&self, collector: &mut C) -> ControlFlow<()> {
        let order = order(collector);
        visit_parts_on_ray(&self.parts, self.ray_and_limit(collector), order, &mut |part, from, limit| {
            self.visit_part_number(part, from, limit, collector)
        })
    }

    /// Returns the plain question if the holes of a mesh alone decide whether the closest hit on the mesh is
    /// accepted. Otherwise, returns `None`.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn plain<'b>(
        &self,
        chosen: &'b dyn Fn(&Part) -> bool,
        prefetch_report: &'b dyn Fn(&Part),
    ) -> Option<PlainQuery<'b>> {
        let RayView { view, cut_outs, .. } = self.query;
        let is_plain = matches!(self.past, Past::Nothing) && !view.chooses_hits();
        let chosen = view.chooses_entities().then_some(chosen);
        let (layers, cull, cut_outs) = (view.layers, view.cull, *cut_outs);
        is_plain.then_some(PlainQuery { layers, chosen, cull, cut_outs, prefetch_report })
    }

    /// Does the same as [`visit_part`](Self::visit_part), given known facts about the part.
    pub(in crate::query) fn visit_known_part<C: RayCollector<FoundPart<'a>>>(
        &self,
        part: &'a Part,
        known: KnownHit<'a>,
        between: RayInterval,
        collector: &mut C,
    ) -> ControlFlow<(), f32> {
        match known {
            KnownHit::Nothing => return self.visit_part(part, between, collector),
            KnownHit::Closest(mesh, found) => self.take_closest(part, mesh, found, between, collector)?,
            KnownHit::Hit(mesh) => self.take_any(part, mesh, between, collector)?,
        }
        ControlFlow::Continue(smaller(collector.limit(), between.limit))
    }

    /// Offers the closest hit on a surface, or each hit if the closest one is in a hole.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn take_closest<T: TriangleSet, C: RayCollector<FoundPart<'a>>>(
        &self,
        part: &'a Part,
        surface: &'a T,
        found: FoundTriangle,
        between: RayInterval,
        collector: &mut C,
    ) -> ControlFlow<()> {
        if self.is_hole(part, surface, found) {
            // There may be another hit behind the hole.
            return self.offer_each(part, surface, between, collector);
        }
        self.offer(part, PartHit::Triangle(surface, found), collector)
    }

    /// Records that there is a hit on a surface, or offers each hit if the surface may have holes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn take_any<T: TriangleSet, C: RayCollector<FoundPart<'a>>>(
        &self,
        part: &'a Part,
        surface: &'a T,
        between: RayInterval,
        collector: &mut C,
    ) -> ControlFlow<()> {
        if self.has_holes(surface) { self.offer_each(part, surface, between, collector) } else { collector.note() }
    }

    /// Calls `show` with every part that the query includes and that the ray may touch in its range. The arguments
    /// are the part's number, a t, and the part. If the t is above 0, no hit on the part is before it.
    pub(in crate::query) fn each_part(&self, mut show: impl FnMut(u32, f64, &'a Part)) {
        let mut show = |number: u32, from: f64| {
            if let Some(part) = self.scene.part(number).filter(|part| self.meets(part)) {
                show(number, from, part);
            }
        };
        self.scene.unbounded().iter().for_each(|&number| show(number, 0.0));
        let _ = visit_parts_on_ray(&self.parts, (self.ray, self.ray.t_max), Order::Any, &mut |number, from, limit| {
            show(number, from);
            ControlFlow::Continue(limit)
        });
    }

    /// Offers a part's hits up to `limit` to the collector, and returns the new limit. If `from` is above 0, there are no hits before it.
    pub(in crate::query) fn visit_part_number<C: RayCollector<FoundPart<'a>>>(
        &self,
        number: u32,
        from: f64,
        limit: f32,
        collector: &mut C,
    ) -> ControlFlow<(), f32> {
        match self.scene.part(number).filter(|part| self.meets(part)) {
            Some(part) => self.visit_part(part, RayInterval { from, limit }, collector),
            None => ControlFlow::Continue(limit),
        }
    }

    /// Does the same as [`visit_part_number`](Self::visit_part_number) for a part that the query includes.
    fn visit_part<C: RayCollector<FoundPart<'a>>>(
        &self,
        part: &'a Part,
        between: RayInterval,
        collector: &mut C,
    ) -> ControlFlow<(), f32> {
        let limit = between.limit;
        if let Some(left) = self.left_part(part) {
            self.offer_ahead(part, &left.ahead, collector)?;
        }
        match &part.geometry {
            PartGeometry::Mesh(mesh) => return self.visit_surface(mesh, part, between, collector),
            PartGeometry::HeightField(field) => return self.visit_surface(field, part, between, collector),
            PartGeometry::Custom(custom) => {
                let local = self.ray.up_to(limit, &part.to_local.affine());
                let (inside, start) = self.start_on(part);
                let mut flow = ControlFlow::Continue(());
                let _ = custom.each(&local, inside, start, &mut |found| {
                    let part_hit = PartHit::Custom(found);
                    flow = self.offer(part, part_hit, collector);
                    // If this hit no longer matters, later hits do not either.
                    if collector.wants(&key(part, &part_hit)) { flow } else { ControlFlow::Break(()) }
                });
                flow?;
            }
            // Points and lines have no area.
            PartGeometry::PointCloud(_) | PartGeometry::Polyline(_) => {}
            PartGeometry::Shape(_) | PartGeometry::ConvexHull(_) => {
                let local = self.ray.up_to(limit, &part.to_local.affine());
                let (inside, start) = self.start_on(part);
                if let Some(test) = part.geometry.test() {
                    for raw in test.hits(&local, inside, start).iter() {
                        self.offer(part, PartHit::Shape(raw), collector)?;
                    }
                }
            }
        }
        ControlFlow::Continue(limit.min(collector.limit()))
    }

    /// Does the same as [`visit_part_number`](Self::visit_part_number) for geometry that is made of triangles.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit_surface<T: TriangleSet, C: RayCollector<FoundPart<'a>>>(
        &self,
        surface: &'a T,
        part: &'a Part,
        between: RayInterval,
        collector: &mut C,
    ) -> ControlFlow<(), f32> {
        let image = InstanceRay { ray: self.ray, to_local: &part.to_local, t_max: between.limit };
        match C::QUESTION {
            Question::Closest if self.takes_any_hit_of(part) => {
                if let Some(found) = surface.closest(image, between.from, self.query.view.cull) {
                    self.take_closest(part, surface, found, between, collector)?;
                }
            }
            Question::Any if self.takes_any_hit_of(part) => {
                if surface.has_any(image, between.from, self.query.view.cull) {
                    self.take_any(part, surface, between, collector)?;
                }
            }
            _ => self.offer_each(part, surface, between, collector)?,
        }
        ControlFlow::Continue(smaller(collector.limit(), between.limit))
    }

    /// Offers every hit on the surface.
    fn offer_each<T: TriangleSet, C: RayCollector<FoundPart<'a>>>(
        &self,
        part: &'a Part,
        surface: &'a T,
        RayInterval { from, limit }: RayInterval,
        collector: &mut C,
    ) -> ControlFlow<()> {
        let local = self.ray.up_to(limit, &part.to_local.affine());
        let left = self.left_part(part);
        let skipped = left.map_or(&[][..], LeftPart::triangles);
        surface.each(&local, from, skipped, &mut |found, _| {
            if !left.is_some_and(|left| left.leaves(found.triangle)) {
                self.offer(part, PartHit::Triangle(surface, found), collector)?;
            }
            ControlFlow::Continue(limit.min(collector.limit()))
        })
    }

    /// Returns whether only layers, exclusions, culling and holes decide which hits on this part are accepted.
    fn takes_any_hit_of(&self, part: &Part) -> bool {
        let is_past_known = match self.past {
            Past::Nothing => true,
            Past::UpTo(_) => false,
            Past::Leaving(leaving) => leaving.left_part(part).is_none(),
        };
        is_past_known && !self.query.view.chooses_hits()
    }

    /// Offers a hit to the collector, if the collector wants it. Hits that are culled, in a hole or refused by the
    /// filter are left out. So are all hits up to the hit that the ray continues from.
    fn offer(
        &self,
        part: &'a Part,
        part_hit: PartHit<'a>,
        collector: &mut impl RayCollector<FoundPart<'a>>,
    ) -> ControlFlow<()> {
        let key = key(part, &part_hit);
        let past = matches!(self.past, Past::UpTo(last) if key.cmp(last).is_le());
        if past || !self.query.view.cull.keeps(part_hit.side()) || !collector.wants(&key) {
            return ControlFlow::Continue(());
        }
        if matches!(part_hit, PartHit::Triangle(surface, found) if self.is_hole(part, surface, found)) {
            return ControlFlow::Continue(());
        }
        if self.passes(part, part_hit) {
            self.scene.prefetch_report(part);
            collector.take(key, (part, part_hit))
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Returns whether the holes of a surface let the ray through.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn has_holes(&self, surface: &(impl TriangleSet + ?Sized)) -> bool {
        surface.has_cut_outs() && self.query.cut_outs == CutOuts::Open
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn is_hole(&self, part: &Part, surface: &(impl TriangleSet + ?Sized), found: FoundTriangle) -> bool {
        self.has_holes(surface) && self.is_hole_at(part, surface, found)
    }

    #[cold]
    fn is_hole_at(&self, part: &Part, surface: &(impl TriangleSet + ?Sized), found: FoundTriangle) -> bool {
        let (_, _, uv) = surface.surface_at(&self.ray.transformed(&part.to_local.affine()), found);
        surface.is_hole(found.triangle, uv.as_vec2())
    }

    /// Returns whether the caller's filter accepts a hit; true without a filter.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn passes(&self, part: &Part, part_hit: PartHit<'_>) -> bool {
        !self.query.view.chooses_hits() || self.passes_filter(part, part_hit)
    }

    fn passes_filter(&self, part: &Part, part_hit: PartHit<'_>) -> bool {
        let hit = CandidateHit {
            t: part_hit.t(),
            side: part_hit.side(),
            triangle: part_hit.triangle(),
            feature: part_hit.feature(),
            uv: part_hit.uv(&self.ray.transformed(&part.to_local.affine())),
        };
        self.query.view.takes_hit(part, hit)
    }

    /// Returns the surfaces of this part that the ray leaves.
    fn left_part(&self, part: &Part) -> Option<&'a LeftPart<'a>> {
        match self.past {
            Past::Leaving(leaving) => leaving.left_part(part),
            Past::Nothing | Past::UpTo(_) => None,
        }
    }

    /// Returns whether the query includes this part.
    pub(in crate::query) fn meets(&self, part: &Part) -> bool {
        self.query.view.meets(part)
    }

    /// Returns the option for a ray that starts inside a part, and the position of the ray's start with respect to the
    /// part.
    fn start_on(&self, part: &Part) -> (Inside, RayStart) {
        match self.left_part(part) {
            Some(left) => (left.inside.unwrap_or(self.query.inside), left.start),
            None => (self.query.inside, RayStart::Anywhere),
        }
    }
}

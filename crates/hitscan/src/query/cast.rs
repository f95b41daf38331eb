//! Ray against scene: closest, any and all.

use super::options::Filters;
use super::{Candidate, Filter, Hit, Query};
use crate::bvh::{Order, Slack};
use crate::collect::{Any, Closest, Collect, Every, Key, Question};
use crate::filter::{CutOuts, Inside};
use crate::float::{length, round_vec3};
use crate::hit::{RawHit, Side, reported_normal};
use crate::mesh::{Departure, FoundTriangle, Mesh};
use crate::ray::{LocalRay, Ray};
use crate::scene::{Owner, Part, PartGeometry, Scene};
use crate::shape::{Heading, Start};
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::DVec3;

/// The part of a scene that was hit, by its number, and how.
pub(super) type Found<'a> = (u32, Reached<'a>);

/// A hit before it is known whether it counts: details of a triangle's are computed for those that need them.
#[derive(Clone, Copy)]
pub(super) enum Reached<'a> {
    Shape(RawHit),
    Triangle(&'a Mesh, FoundTriangle),
}

impl Reached<'_> {
    fn t(&self) -> f32 {
        match self {
            Self::Shape(raw) => raw.t,
            Self::Triangle(_, found) => found.verdict.t,
        }
    }

    fn side(&self) -> Side {
        match self {
            Self::Shape(raw) => raw.side,
            Self::Triangle(_, found) => found.verdict.side,
        }
    }

    fn primitive(&self) -> u32 {
        match self {
            Self::Shape(raw) => raw.crossing.into(),
            Self::Triangle(_, found) => found.triangle,
        }
    }

    /// In full, for the local ray.
    fn raw(self, ray: &LocalRay) -> RawHit {
        match self {
            Self::Shape(raw) => raw,
            Self::Triangle(mesh, found) => mesh.raw_hit(ray, found),
        }
    }
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// The closest hit; `None` on a miss or for an unusable ray.
    pub fn cast(&self, ray: &Ray) -> Option<Hit<K>> {
        self.cast_with(ray, &Query::new())
    }

    /// The closest hit that the query lets count.
    pub fn cast_with<F: Filter<K>>(&self, ray: &Ray, query: &Query<K, F>) -> Option<Hit<K>> {
        let mut closest = Closest(None);
        let search = Search::new(self, ray, query)?;
        search.run(&mut closest);
        closest.0.and_then(|(key, found)| search.report(ray, key, found))
    }

    /// Whether the ray hits anything in its range.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        self.is_blocked_with(ray, &Query::new())
    }

    /// Whether the ray hits anything in its range that the query lets count.
    pub fn is_blocked_with<F: Filter<K>>(&self, ray: &Ray, query: &Query<K, F>) -> bool {
        let mut any = Any(false);
        if let Some(search) = Search::new(self, ray, query) {
            search.run(&mut any);
        }
        any.0
    }

    /// Every hit in order, into a buffer that is cleared first: each triangle touched, and each crossing of a solid. A
    /// buffer that is large enough is not reallocated.
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<Hit<K>>) {
        self.cast_all_with(ray, &Query::new(), hits);
    }

    /// Every hit in order that the query lets count, into a buffer that is cleared first.
    pub fn cast_all_with<F: Filter<K>>(&self, ray: &Ray, query: &Query<K, F>, hits: &mut Vec<Hit<K>>) {
        hits.clear();
        if let Some(search) = Search::new(self, ray, query) {
            search.run(&mut Every(|key, found| hits.extend(search.report(ray, key, found))));
        }
        hits.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        // A triangle may be in several leaves of its mesh's tree.
        hits.dedup_by_key(|hit| hit.key);
    }
}

/// In which order parts are best visited.
fn order<'a, C: Collect<Found<'a>>>(_: &C) -> Order {
    match C::QUESTION {
        Question::Closest | Question::Several => Order::NearToFar,
        Question::Any | Question::Every => Order::Any,
    }
}

/// One question on its way through a scene.
pub(super) struct Search<'a, K, F> {
    pub(super) scene: &'a Scene<K>,
    query: &'a Query<K, F>,
    pub(super) ray: LocalRay,
    past: Past<'a, K>,
}

/// What [`Query::after`] leaves out.
enum Past<'a, K> {
    Nothing,
    /// The same ray goes on: everything up to this.
    UpTo(Key),
    /// Another ray starts there: the surface that it leaves, and how far its origin may be from it by its rounding.
    Leaving(&'a Hit<K>, DVec3),
}

impl<'a, K> Past<'a, K> {
    /// The ray's origin has these f32 components, or is exact if they are 0: half a unit in the last place is at most
    /// this part of a number.
    fn leaving(hit: &'a Hit<K>, rounded: DVec3) -> Self {
        Self::Leaving(hit, rounded.abs() * (f64::from(f32::EPSILON) / 2.0))
    }
}

impl<'a, K: Copy + Eq + Hash, F: Filter<K>> Search<'a, K, F> {
    /// `None` for a ray that hits nothing.
    pub(super) fn new(scene: &'a Scene<K>, ray: &Ray, query: &'a Query<K, F>) -> Option<Self> {
        Self::along(scene, ray, LocalRay::new(ray)?, query)
    }

    /// For a ray that is more exact than f32 can say, relative to the query's origin.
    pub(super) fn along(scene: &'a Scene<K>, ray: &Ray, relative: LocalRay, query: &'a Query<K, F>) -> Option<Self> {
        let from = |origin| LocalRay { origin, ..relative };
        let world = from(query.origin + relative.origin);
        let (past, ray) = match &query.after {
            None => (Past::Nothing, world),
            Some(hit) if hit.relative_to != query.origin => (Past::leaving(hit, relative.origin), world),
            // As that ray was cast, to the last bit.
            Some(hit) if (hit.origin, hit.direction) == (ray.origin, ray.direction) => {
                (Past::UpTo(hit.key), from(hit.exact_origin))
            }
            // Rounding the point may have moved it to behind a neighbour of the surface.
            Some(hit) if hit.point == ray.origin => (Past::leaving(hit, DVec3::ZERO), from(hit.exact_point)),
            Some(hit) => (Past::leaving(hit, relative.origin), world),
        };
        if !ray.origin.is_finite() {
            return None;
        }
        Some(Self { scene, query, ray, past })
    }

    pub(super) fn run(&self, collector: &mut impl Collect<Found<'a>>) {
        // Whether it ended early is in the collector.
        let _ = self.search(collector);
    }

    fn search(&self, collector: &mut impl Collect<Found<'a>>) -> ControlFlow<()> {
        for &part in self.scene.loose() {
            self.visit(part, 0.0, self.ray.t_max.min(collector.limit()), collector)?;
        }
        let limit = self.ray.t_max.min(collector.limit());
        let ray = LocalRay { t_max: limit, ..self.ray };
        let slack = Slack::of_images(self.scene.slack(), self.ray.origin);
        self.scene
            .tree()
            .traverse(&ray, slack, order(collector), &mut |part, from, limit| self.visit(part, from, limit, collector))
    }

    /// Offers a part's hits up to `limit` to the collector, and answers with the new limit. Above 0, `from` is a t before which there are none.
    pub(super) fn visit<C: Collect<Found<'a>>>(
        &self,
        number: u32,
        from: f64,
        limit: f32,
        collector: &mut C,
    ) -> ControlFlow<(), f32> {
        let Some(part) = self.scene.part(number) else { return ControlFlow::Continue(limit) };
        if part.layers & self.query.layers == 0 || self.is_excluded(part) {
            return ControlFlow::Continue(limit);
        }
        let world = LocalRay { t_max: limit, ..self.ray };
        match &part.geometry {
            PartGeometry::Shape(shape) => {
                let local = world.transformed(&part.to_local);
                let (inside, start) = self.start_on(part);
                for raw in shape.test().hits(&local, inside, start).iter() {
                    self.offer(part, number, Reached::Shape(raw), collector)?;
                }
            }
            PartGeometry::Mesh(mesh) if C::QUESTION == Question::Closest && self.takes_any_hit_of(part) => {
                match mesh.closest(&world, &part.to_local, from, self.query.cull) {
                    // Something may be behind it.
                    Some(found) if self.is_hole(part, mesh, found) => {
                        self.offer_each(part, number, mesh, (&world, from), collector)?;
                    }
                    Some(found) => self.offer(part, number, Reached::Triangle(mesh, found), collector)?,
                    None => {}
                }
            }
            PartGeometry::Mesh(mesh) if C::QUESTION == Question::Any && self.takes_any_hit_of(part) => {
                if mesh.has_any(&world, &part.to_local, from, self.query.cull) {
                    if self.has_holes(mesh) {
                        self.offer_each(part, number, mesh, (&world, from), collector)?;
                    } else {
                        collector.note()?;
                    }
                }
            }
            PartGeometry::Mesh(mesh) => self.offer_each(part, number, mesh, (&world, from), collector)?,
        }
        ControlFlow::Continue(limit.min(collector.limit()))
    }

    /// Offers every hit on a mesh, given the ray with what is left of its range.
    fn offer_each<C: Collect<Found<'a>>>(
        &self,
        part: &'a Part,
        number: u32,
        mesh: &'a Mesh,
        (world, from): (&LocalRay, f64),
        collector: &mut C,
    ) -> ControlFlow<()> {
        let local = world.transformed(&part.to_local);
        let departure = self.left_hit(part).and_then(|(hit, rounding)| {
            Departure::new(mesh, hit.triangle?, self.leaving_to(hit), &self.ray, rounding, &part.placement())
        });
        mesh.each(&local, from, &mut |found| {
            let is_left = |departure: &Departure<'_>| departure.leaves_behind(found.triangle, found.verdict.side);
            if !departure.as_ref().is_some_and(is_left) {
                self.offer(part, number, Reached::Triangle(mesh, found), collector)?;
            }
            ControlFlow::Continue(world.t_max.min(collector.limit()))
        })
    }

    /// Whether nothing but layers, exclusions, culling and holes decides which hits on this part count.
    fn takes_any_hit_of(&self, part: &Part) -> bool {
        let is_past_known = match self.past {
            Past::Nothing => true,
            Past::UpTo(_) => false,
            Past::Leaving(..) => self.left_hit(part).is_none(),
        };
        is_past_known && self.query.filters == Filters::None
    }

    /// One hit through all that may stop it.
    fn offer(
        &self,
        part: &Part,
        number: u32,
        reached: Reached<'a>,
        collector: &mut impl Collect<Found<'a>>,
    ) -> ControlFlow<()> {
        let key = Key { t: reached.t(), order: part.order, part: part.index, primitive: reached.primitive() };
        let past = matches!(&self.past, Past::UpTo(last) if key.cmp(last).is_le());
        if past || !self.query.cull.keeps(reached.side()) || !collector.wants(&key) {
            return ControlFlow::Continue(());
        }
        if matches!(reached, Reached::Triangle(mesh, found) if self.is_hole(part, mesh, found)) {
            return ControlFlow::Continue(());
        }
        if self.query.filters == Filters::None || self.passes(part, &key, reached) {
            collector.take(key, (number, reached))
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Whether holes of this mesh let the ray through.
    #[inline(always)]
    fn has_holes(&self, mesh: &Mesh) -> bool {
        mesh.has_cut_outs() && self.query.cut_outs == CutOuts::Open
    }

    #[inline(always)]
    fn is_hole(&self, part: &Part, mesh: &Mesh, found: FoundTriangle) -> bool {
        self.has_holes(mesh) && self.is_hole_at(part, mesh, found)
    }

    #[cold]
    fn is_hole_at(&self, part: &Part, mesh: &Mesh, found: FoundTriangle) -> bool {
        let (_, _, uv) = mesh.surface_at(&self.ray.transformed(&part.to_local), found);
        mesh.is_hole(found.triangle, uv.as_vec2())
    }

    /// What the caller's filter says.
    fn passes(&self, part: &Part, key: &Key, reached: Reached<'_>) -> bool {
        let Some(Owner { key: id, .. }) = self.scene.owner(part) else { return false };
        let raw = reached.raw(&self.ray.transformed(&part.to_local));
        let candidate = Candidate {
            id,
            part: key.part,
            t: raw.t,
            side: raw.side,
            triangle: part.geometry.triangle(key.primitive),
            uv: raw.uv.map(|uv| uv.as_vec2()),
            geometry: &part.geometry,
        };
        self.query.filter.takes_hit(&candidate)
    }

    /// The hit in full.
    pub(super) fn report(&self, ray: &Ray, key: Key, (part, reached): Found<'_>) -> Option<Hit<K>> {
        let part = self.scene.part(part)?;
        let Owner { key: id, revision } = self.scene.owner(part)?;
        let local = self.ray.transformed(&part.to_local);
        let (point, outward, uv) = match (reached, &part.geometry) {
            (Reached::Triangle(mesh, found), _) => {
                let (point, outward, uv) = mesh.surface_at(&local, found);
                (point, outward, Some(uv))
            }
            (Reached::Shape(raw), PartGeometry::Shape(shape)) => {
                (local.at(raw.exact_t), shape.test().outward_normal(&local, &raw), raw.uv)
            }
            (Reached::Shape(_), PartGeometry::Mesh(_)) => return None,
        };
        let outward = part.placement().world_normal(outward);
        let exact_point = part.to_world.transform_point3(point);
        Some(Hit {
            id,
            part: key.part,
            t: reached.t(),
            point: round_vec3(exact_point - self.query.origin),
            normal: reported_normal(outward, reached.side(), self.ray.direction),
            side: reached.side(),
            triangle: part.geometry.triangle(key.primitive),
            uv: uv.map(|uv| uv.as_vec2()),
            key,
            revision,
            exact_point,
            origin: ray.origin,
            direction: ray.direction,
            exact_origin: self.ray.origin,
            relative_to: self.query.origin,
        })
    }

    /// The hit whose surface the ray leaves, if it is on this part, and the rounding of its origin.
    fn left_hit(&self, part: &Part) -> Option<(&Hit<K>, DVec3)> {
        let Past::Leaving(hit, rounding) = self.past else { return None };
        let is_left = self.scene.owner(part)?.revision == hit.revision && part.index == hit.key.part;
        is_left.then_some((hit, rounding))
    }

    fn is_excluded(&self, part: &Part) -> bool {
        let Query { excluded, filter, .. } = self.query;
        (F::CHOOSES_ENTITIES || !excluded.is_empty())
            && self
                .scene
                .owner(part)
                .is_some_and(|owner| excluded.contains(&owner.key) || !filter.takes_entity(owner.key))
    }

    /// To which side of the surface of a hit the ray leaves it; along the surface, as a slide does, to the side that
    /// was hit.
    fn leaving_to(&self, hit: &Hit<K>) -> Side {
        let outwards = self.ray.direction.dot(hit.normal.as_dvec3());
        // The normal was rounded to f32, by at most 2^-25 in each component, and the direction may have been, by 2^-24
        // of itself, which changes their product by less than (sqrt(3) / 2 + 1) 2^-24 < 2^-23 of the direction's
        // length.
        let along = f64::from(f32::EPSILON) * length(self.ray.direction);
        if outwards.abs() <= along {
            hit.side
        } else if outwards > 0.0 {
            Side::Front
        } else {
            Side::Back
        }
    }

    /// How a shape is to take the ray's start.
    fn start_on(&self, part: &Part) -> (Inside, Start) {
        let Some((hit, _)) = self.left_hit(part) else { return (self.query.inside, Start::Anywhere) };
        if hit.side == Side::Inside {
            // That hit was on no surface; what comes after it is the exit.
            return (Inside::Exit, Start::Anywhere);
        }
        let heading = match self.leaving_to(hit) {
            Side::Front => Heading::Outwards,
            Side::Back | Side::Inside => Heading::Inwards,
        };
        (self.query.inside, Start::OnSurface(heading))
    }
}

//! Sweeps of a moving volume against a scene.

use super::seam::facing_triangle;
use crate::bvh::{Order, Slack};
use crate::collections::sort::SharedSort;
use crate::convex::{Feature, Pose, RESOLUTION, Volume, reach};
use crate::geom::hit::Side;
use crate::math::float::{larger, reported_direction, round_vec3};
use crate::proximity::{PlacedShape, facing_normal};
use crate::query::answer::by_public_fields;
use crate::query::collect::{ClosestHit, EveryHit, HitCollector, HitKey};
use crate::query::overlap::proximity_parts::{form_of, has_usable_columns, is_within_reach};
use crate::query::{SweepView, View};
use crate::scene::{Part, PartGeometry};
use crate::sweep::{
    Contact, ContactFilter, Mover, Rank, Space, Sweep, SweepStart, TakeTriangles, meet_custom, meet_hull, meet_shape,
    reported, sweep_surface,
};
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};

/// The first contact of a moving volume with a part of an entity.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SweepHit<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The triangle of a mesh or height field; `None` on other geometry.
    pub triangle: Option<u32>,
    /// The fraction of the motion, from 0 to 1.
    pub t: f32,
    /// The point of contact on the entity, in world space, relative to the query's origin if there is one. If a box or hull touches more than one point of a
    /// triangle, this is the middle of the contact. The middle is the mean of the corners of the contact area.
    pub point: Vec3,
    /// The direction from that point to the volume, of unit length, in world space. If the volume's middle starts inside the entity, the normal is opposite to
    /// the motion. It is zero if the volume also does not move, as far as f64 can tell at its place.
    pub normal: Vec3,
    /// The normal of the entity's own surface at the point, on the volume's side, of unit length, in world space.
    /// Within a face it is `normal`. At an edge or a corner it is the normal of the adjacent face that is least
    /// inclined to `normal`. On a round surface it is `normal`. Compare it with the up direction to distinguish
    /// a floor from a wall, and with `normal` to distinguish an edge from a face.
    pub surface_normal: Vec3,
    /// The part of a triangle that is touched: face, edge or vertex. On shapes and hulls it is always the face.
    pub feature: Feature,
    /// The side of a triangle, disc, quad or plane on which the volume is. On solids, it is always the front.
    pub side: Side,
    /// The state of the volume at its start.
    pub start: SweepStart,
    #[cfg_attr(feature = "serde", serde(skip))]
    key: Option<HitKey<Rank>>,
    /// The values before they were rounded. They are `None` in a hit that was deserialised.
    #[cfg_attr(feature = "serde", serde(skip))]
    exact: Option<Exact>,
}

/// A contact in f64.
#[derive(Clone, Copy)]
struct Exact {
    t: f64,
    point: DVec3,
    normal: DVec3,
}

impl<K> SweepHit<K> {
    /// Returns t before it was rounded to f32. In a hit that was deserialised it is `t`.
    pub fn t_f64(&self) -> f64 {
        self.exact.map_or(self.t.into(), |exact| exact.t)
    }

    /// Returns the point in world space before it was rounded to f32, whatever the query's origin. In a hit that was deserialised it is `point`.
    pub fn point_f64(&self) -> DVec3 {
        self.exact.map_or(self.point.as_dvec3(), |exact| exact.point)
    }

    /// Returns the fraction of the motion that leaves a gap of `skin` between the volume and the surface that it hits. The skin is in world units, and the
    /// fraction is at least 0.
    ///
    /// At [`t`](Self::t) itself the volume touches the surface, and rounding may put it inside. The gap is measured
    /// along the normal. `motion` is the motion of the sweep. The fraction is 0 if the motion does not go into the surface. An example is a contact at the
    /// start that the motion leaves. A skin that is negative or NaN is treated as 0.
    ///
    /// In a loop, sweep with [`ContactFilter::Ahead`](crate::ContactFilter::Ahead). Otherwise a volume that touches
    /// something at its start is stopped there, wherever it moves. Do not call this for a hit of
    /// [`sweep_rotating`](crate::SweepQueries::sweep_rotating), which has no single motion.
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// let ahead = scene.contact_filter(ContactFilter::Ahead); // what the motion leaves does not stop it
    /// let (ball, mut position, mut motion) = (Sphere::new(0.5), DVec3::new(0.0, 1.5, 0.0), DVec3::new(4.0, -2.0, 0.0));
    /// for _ in 0..3 {
    ///     let Some(hit) = ahead.sweep(ball, position, motion) else {
    ///         position += motion;
    ///         break;
    ///     };
    ///     position += motion * hit.safe_t(motion, 0.01);
    ///     motion = hit.slide(motion, 0.01);
    /// }
    /// assert!((position - DVec3::new(4.0, 0.51, 0.0)).length() < 1e-12 && !scene.overlaps(ball, position));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn safe_t(&self, motion: impl Into<DVec3>, skin: f64) -> f64 {
        let speed = -motion.into().dot(self.normal_f64());
        let back = if skin > 0.0 { skin / speed } else { 0.0 };
        if speed > 0.0 { larger(self.t_f64() - back, 0.0) } else { 0.0 }
    }

    /// Returns the motion that remains after [`safe_t`](Self::safe_t), without its component into the surface. Try this
    /// motion next to slide along the surface. A motion that does not go into the surface is returned as it is.
    pub fn slide(&self, motion: impl Into<DVec3>, skin: f64) -> DVec3 {
        let (motion, normal) = (motion.into(), self.normal_f64());
        let left = motion * (1.0 - self.safe_t(motion, skin));
        let into = left.dot(normal);
        if into < 0.0 { left - normal * (into / normal.length_squared()) } else { left }
    }

    /// Returns the same hit under another id. Use it to convert between the ids of a scene and your own.
    pub fn map_id<L>(self, id: impl FnOnce(K) -> L) -> SweepHit<L> {
        self.with_id(id)
    }

    pub(crate) fn normal_f64(&self) -> DVec3 {
        self.exact.map_or(self.normal.as_dvec3(), |exact| exact.normal)
    }
}

by_public_fields!(
    SweepHit<K> { id, part, triangle, t, point, normal, surface_normal, feature, side, start }
    beside { key, exact }
);

impl<K> SweepHit<K> {
    /// Returns whether this contact comes before another contact of the same motion.
    pub(in crate::query) fn is_before(&self, other: &Self) -> bool {
        match (&self.key, &other.key) {
            (Some(own), Some(other)) => own.cmp(other).is_lt(),
            _ => self.t < other.t,
        }
    }
}

impl<K: Clone + Eq + Hash> SweepView<'_, K> {
    /// Returns the first contact of a volume.
    pub(crate) fn first_sweep_hit(&self, volume: &Volume, from: &Pose, motion: DVec3) -> Option<SweepHit<K>> {
        let mut sweep = Sweep::new(volume, from, self.view.origin, motion, self.contacts)?;
        sweep.mover.body.radius += self.margin;
        SweepSearch { view: &self.view, sweep: &sweep }.find_first()
    }

    /// Returns the first contact of a volume that also rotates.
    pub(in crate::query) fn first_rotating_hit(&self, volume: &Volume, poses: [&Pose; 2]) -> Option<SweepHit<K>> {
        let sweep = Sweep::turning(volume, poses, self.view.origin, self.contacts)?;
        SweepSearch { view: &self.view, sweep: &sweep }.find_first()
    }

    /// Collects everything that a moving volume touches, in order, into a buffer that is cleared first.
    pub(in crate::query) fn every_sweep_hit(
        &self,
        volume: &Volume,
        from: &Pose,
        motion: DVec3,
        hits: &mut Vec<SweepHit<K>>,
    ) {
        hits.clear();
        let sweep = Sweep::new(volume, from, self.view.origin, motion, self.contacts);
        let Some(sweep) = &sweep else { return };
        let moving = SweepSearch { view: &self.view, sweep };
        moving.search_contacts(Order::Any, &mut EveryHit(|key, found| hits.extend(moving.report(key, &found))));
        hits.sort_shared_by(|a, b| match (&a.key, &b.key) {
            (Some(a), Some(b)) => a.cmp(b),
            _ => a.t.total_cmp(&b.t),
        });
        // A triangle may be in several leaves of its mesh's tree.
        hits.dedup_by(|a, b| a.key == b.key);
    }
}

/// A part that is touched, or a triangle of the part, and the contact.
struct PartContact<'a> {
    part: &'a Part,
    triangle: Option<u32>,
    met: Contact,
}

/// A collector of contacts.
type ContactCollector<'t, 'a> = dyn HitCollector<PartContact<'a>, Rank> + 't;

/// A search of a scene along the motion of a volume.
pub(in crate::query) struct SweepSearch<'a, K> {
    pub(in crate::query) view: &'a View<'a, K>,
    pub(in crate::query) sweep: &'a Sweep,
}

/// Passes the contacts with the triangles of a part to a collector.
struct PartContacts<'t, 'a, K> {
    search: &'t SweepSearch<'a, K>,
    part: &'a Part,
    limit: f32,
    collector: &'t mut ContactCollector<'t, 'a>,
}

impl<K: Clone + Eq + Hash> TakeTriangles for PartContacts<'_, '_, K> {
    fn wants_at_start(&self, triangle: u32) -> bool {
        self.collector.wants(&HitKey::on(self.part, (0.0, Rank::FIRST), triangle))
    }

    fn take(&mut self, triangle: u32, t: f32, rank: Rank, met: &Contact) -> f32 {
        let found = PartContact { part: self.part, triangle: Some(triangle), met: *met };
        self.search.offer((t, rank), found, self.collector);
        self.limit = self.limit.min(self.collector.limit());
        self.limit
    }
}

impl<'a, K: Clone + Eq + Hash> SweepSearch<'a, K> {
    /// Returns the first contact.
    pub(in crate::query) fn find_first(&self) -> Option<SweepHit<K>> {
        let mut first = ClosestHit(None);
        self.search_contacts(Order::NearToFar, &mut first);
        let (key, found) = first.0?;
        self.report(key, &found)
    }

    fn search_contacts(&self, order: Order, collector: &mut ContactCollector<'_, 'a>) {
        let mut limit = 1.0;
        // Every part in the tree is within reach, except that the columns of its transform may be too large.
        let is_met = |number: u32| self.view.scene.part(number).is_some_and(is_within_reach);
        for &number in self.view.scene.unbounded().iter().filter(|&&number| is_met(number)) {
            limit = self.visit_part_number(number, limit, collector);
        }
        let (bounds, center) = (self.view.scene.bounds(), self.sweep.center.world());
        let farthest = (bounds.min.as_dvec3() - center).abs().max((bounds.max.as_dvec3() - center).abs());
        let end = self.sweep.search_end(farthest.max_element());
        let way = self.sweep.path(end.after(limit));
        let slack = Slack::of_images(self.view.scene.slack(), self.sweep.center.world());
        let half = self.sweep.mover.half_extents();
        // In a box of the tree, the extent of the volume has the same relative error as its position.
        let slack = Slack { padding: slack.padding + slack.relative * half.max_element(), ..slack };
        let _ = self.view.scene.tree().traverse_thick(&way, (slack, half), order, &mut |number, _, t_max| {
            limit = self.visit_part_number(number, limit, collector);
            ControlFlow::Continue(t_max.min(end.after(limit)))
        });
    }

    /// Offers the contacts with a part up to `limit`, and returns the new limit.
    fn visit_part_number(&self, number: u32, limit: f32, collector: &mut ContactCollector<'_, 'a>) -> f32 {
        let is_met = |part: &&Part| self.view.meets(part) && has_usable_columns(&part.to_world);
        let Some(part) = self.view.scene.part(number).filter(is_met) else { return limit };
        if limit == 0.0 && !collector.wants(&HitKey::on(part, (0.0, Rank::FIRST), 0)) {
            return limit;
        }
        let in_order = (limit, self.view.cull);
        let mut of_part = PartContacts { search: self, part, limit, collector };
        let to_local = part.to_local.affine();
        let space = Space::new(&part.to_world, &to_local, part.slack);
        match &part.geometry {
            PartGeometry::Mesh(mesh) => {
                sweep_surface(mesh, self.sweep, &space, in_order, &mut of_part);
                return of_part.limit;
            }
            PartGeometry::HeightField(field) => {
                sweep_surface(field, self.sweep, &space, in_order, &mut of_part);
                return of_part.limit;
            }
            _ => {}
        }
        let (mover, to_volume, end) = (&self.sweep.mover, self.sweep.relative(&part.to_world), limit.next_up().into());
        let met = meet_part(part, mover, &to_volume, end).and_then(|met| {
            if !mover.is_turning() {
                return Some(met);
            }
            let bounds = part.geometry.bounds();
            let size = if bounds.is_finite() { reach(&bounds, &to_volume) } else { f64::INFINITY };
            mover.after_ball(met, size, &|ball| meet_part(part, ball, &to_volume, end))
        });
        let Some(met) = met else { return limit };
        match reported(met.t, limit).filter(|_| self.view.cull.keeps(met.side)) {
            Some(t) => {
                let rank = Rank::new(self.sweep, &met);
                self.offer((t, rank), PartContact { part, triangle: None, met }, collector);
                limit.min(collector.limit())
            }
            None => limit,
        }
    }

    /// Offers a contact to the collector, if the caller's filter accepts it and it is a contact with the whole surface.
    fn offer(&self, at: (f32, Rank), found: PartContact<'a>, collector: &mut ContactCollector<'_, 'a>) {
        let PartContact { part, triangle, met } = found;
        let key = HitKey::on(part, at, triangle.unwrap_or(0));
        if collector.wants(&key)
            && self.view.takes_side_at(part, triangle, met.side, key.t)
            && let Some(met) = self.settled(&found)
        {
            // The collector's limit says whether other contacts matter.
            let _ = collector.take(key, PartContact { met, ..found });
        }
    }

    /// Returns the contact with the whole surface to which the touched piece belongs. Returns `None` if the contact is not reported. If all contacts are
    /// reported, returns the contact as it is.
    fn settled(&self, found: &PartContact<'a>) -> Option<Contact> {
        if self.sweep.mover.contacts == ContactFilter::All || self.sweep.mover.is_turning() {
            return Some(found.met);
        }
        self.view.settled(self.sweep, found.part, found.triangle, found.met)
    }

    /// Returns the hit in full.
    fn report(&self, key: HitKey<Rank>, PartContact { part, triangle, met }: &PartContact<'_>) -> Option<SweepHit<K>> {
        let exact_point = self.sweep.center.world() + met.point;
        Some(SweepHit {
            id: self.view.scene.owner(part)?.key.clone(),
            part: key.part,
            triangle: *triangle,
            t: key.t,
            point: round_vec3(exact_point - self.view.origin),
            normal: reported_direction(met.normal),
            surface_normal: reported_direction(surface_normal(part, *triangle, exact_point, (met, &self.sweep.mover))),
            feature: met.feature,
            side: met.side,
            start: met.start,
            key: Some(key),
            exact: Some(Exact { t: larger(met.t, 0.0).min(1.0), point: exact_point, normal: met.normal }),
        })
    }
}

/// Returns the normal of the face that is touched at a point in the world; zero if the contact has no normal.
fn surface_normal(part: &Part, triangle: Option<u32>, point: DVec3, (met, mover): (&Contact, &Mover)) -> DVec3 {
    let at_edge = triangle.is_some() && met.feature != Feature::Face;
    if let Some(normal) = at_edge.then(|| facing_triangle(part, point, met.normal, mover.blur(met))).flatten() {
        return normal;
    }
    let corners = triangle.and_then(|triangle| part.geometry.triangle(triangle));
    let corners = corners.map(|local| local.map(|corner| part.to_world.transform_point3(corner.as_dvec3()) - point));
    let form = if corners.is_some() { None } else { form_of(part, point.into()) };
    let rounding = RESOLUTION * form.as_ref().map_or(0.0, PlacedShape::reach);
    facing_normal(form.as_ref(), corners, met.normal, rounding)
}

/// Returns the first contact with a part that is not a surface of triangles. `to_volume` places the part relative to the
/// volume's start.
pub(in crate::query) fn meet_part(part: &Part, mover: &Mover, to_volume: &DAffine3, limit: f64) -> Option<Contact> {
    match &part.geometry {
        PartGeometry::Shape(shape) => meet_shape(shape, mover, to_volume, limit),
        PartGeometry::ConvexHull(hull) => meet_hull(hull, mover, to_volume, limit),
        PartGeometry::Custom(custom) => meet_custom(custom, mover, to_volume, limit),
        PartGeometry::Mesh(_) | PartGeometry::HeightField(_) => None,
        PartGeometry::PointCloud(_) | PartGeometry::Polyline(_) => None,
    }
}

//! The nearest point of a scene.

use super::form::{form_of, is_in_front, near_parts};
use super::{Candidate, View};
use crate::float::{reported_direction, round_vec3};
use crate::hit::Side;
use crate::proximity::{Containment, Spot, closest};
use crate::scene::{Part, PartGeometry};
use crate::sweep::{Feature, is_usable};
use core::fmt;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// The point of a scene's surfaces that is nearest to a point, in world space.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ClosestPoint<K> {
    /// The entity.
    pub id: K,
    /// Which part of a compound; else 0.
    pub part: u32,
    /// On a mesh or height field its triangle; else `None`.
    pub triangle: Option<u32>,
    /// Which part of a triangle it is on; of other shapes the face, always.
    pub feature: Feature,
    /// How far it is, in world units; not negative.
    pub distance: f32,
    /// Where it is, relative to the query's origin if there is one.
    pub point: Vec3,
    /// The outward direction, of unit length: from the nearest point to the point that was asked about, unless that is inside; then the other way. Where the
    /// two are one, as far as f64 tells, it is the surface's own normal.
    pub normal: Vec3,
    /// Whether the point that was asked about is inside of this entity's part.
    pub containment: Containment,
    #[cfg_attr(feature = "serde", serde(skip))]
    exact_point: DVec3,
    #[cfg_attr(feature = "serde", serde(skip))]
    exact_distance: f64,
}

impl<K> ClosestPoint<K> {
    /// The distance, negative inside; `None` for what has no inside. For a closed mesh there always is one, which is not negative if the mesh faces inwards.
    pub fn signed_distance(&self) -> Option<f32> {
        self.containment.signed(self.distance)
    }

    /// The point before it was rounded to f32, in world space, whatever the query's origin.
    pub fn point_f64(&self) -> DVec3 {
        self.exact_point
    }

    /// The distance before it was rounded to f32.
    pub fn distance_f64(&self) -> f64 {
        self.exact_distance
    }
}

/// By the public fields.
impl<K: PartialEq> PartialEq for ClosestPoint<K> {
    fn eq(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.part, of.triangle, of.feature, of.distance, of.point, of.normal, of.containment);
        self.id == other.id && said(self) == said(other)
    }
}

impl<K: fmt::Debug> fmt::Debug for ClosestPoint<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClosestPoint")
            .field("id", &self.id)
            .field("part", &self.part)
            .field("triangle", &self.triangle)
            .field("feature", &self.feature)
            .field("distance", &self.distance)
            .field("point", &self.point)
            .field("normal", &self.normal)
            .field("containment", &self.containment)
            .finish_non_exhaustive()
    }
}

impl<K: Copy + Eq + Hash> View<'_, K> {
    pub(super) fn closest(&self, point: DVec3, max_distance: f64) -> Option<ClosestPoint<K>> {
        let point = self.origin + point;
        let search = Search { view: self, point };
        if !(is_usable(point) && max_distance >= 0.0) {
            return None;
        }
        let (spot, part) = search.run(max_distance)?;
        search.report(&spot, part)
    }
}

/// One question on its way through a scene.
struct Search<'v, 'a, K> {
    view: &'v View<'a, K>,
    point: DVec3,
}

/// What is nearest so far.
type Best<'a> = Option<(Spot, &'a Part)>;

impl<'a, K: Copy + Eq + Hash> Search<'_, 'a, K> {
    fn run(&self, max_distance: f64) -> Best<'a> {
        let mut best = None;
        let limit = |best: &Best<'a>| best.as_ref().map_or(max_distance, |(spot, _)| spot.distance);
        let room = (self.point, self.point);
        let _ = near_parts(self.view, room, max_distance, &mut |part| {
            self.visit(part, max_distance, &mut best);
            ControlFlow::Continue(limit(&best))
        });
        best
    }

    fn visit(&self, part: &'a Part, max_distance: f64, best: &mut Best<'a>) {
        let Some(form) = form_of(part, self.point) else { return };
        let before = best.as_ref().map(|(spot, part)| (spot.distance, part.order, part.index));
        let limit = before.map_or(max_distance, |(distance, ..)| distance);
        let is_before = |spot: &Spot| before.is_none_or(|before| (spot.distance, part.order, part.index) < before);
        let nearest = closest(&form, limit, &mut |spot| is_before(spot) && self.counts(spot, part));
        if let Some(spot) = nearest {
            *best = Some((spot, part));
        }
    }

    fn counts(&self, spot: &Spot, part: &Part) -> bool {
        let side = self.side(spot, part);
        if !self.view.cull.keeps(side) {
            return false;
        }
        if !self.view.chooses_hits() {
            return true;
        }
        let Some(owner) = self.view.scene.owner(part) else { return false };
        self.view.takes_hit(&Candidate {
            id: owner.key,
            part: part.index,
            t: spot.distance as f32,
            side,
            triangle: spot.triangle,
            feature: None,
            uv: None,
            geometry: &part.geometry,
        })
    }

    /// On which side of the surface the point is.
    fn side(&self, spot: &Spot, part: &Part) -> Side {
        let is_in_front = match spot.triangle {
            Some(_) => spot.is_in_front,
            None => is_in_front(part, self.point) && !spot.is_inside,
        };
        if is_in_front { Side::Front } else { Side::Back }
    }

    fn report(&self, spot: &Spot, part: &Part) -> Option<ClosestPoint<K>> {
        let containment = containment_in(part, spot, self.point);
        let exact_point = self.point + spot.point;
        let normal = if containment == Containment::Inside && !spot.is_inside { -spot.normal } else { spot.normal };
        Some(ClosestPoint {
            id: self.view.scene.owner(part)?.key,
            part: part.index,
            triangle: spot.triangle,
            feature: spot.feature,
            distance: spot.distance as f32,
            point: round_vec3(exact_point - self.view.origin),
            normal: reported_direction(normal),
            containment,
            exact_point,
            exact_distance: spot.distance,
        })
    }
}

/// Whether the point that a spot is nearest to is in a part.
fn containment_in(part: &Part, spot: &Spot, point: DVec3) -> Containment {
    match &part.geometry {
        PartGeometry::Mesh(mesh) => spot.triangle.map_or(Containment::Open, |triangle| {
            mesh.containment_at(part.to_local.affine().transform_point3(point), triangle, spot.distance)
        }),
        PartGeometry::HeightField(_) => Containment::Open,
        PartGeometry::Shape(shape) if !shape.is_solid() => Containment::Open,
        _ if spot.is_inside => Containment::Inside,
        _ => Containment::Outside,
    }
}

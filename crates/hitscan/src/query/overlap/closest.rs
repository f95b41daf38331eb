//! The nearest point of a scene.

use super::proximity_parts::{form_of, is_in_front, near_parts};
use crate::convex::{Feature, is_usable};
use crate::geom::hit::Side;
use crate::math::float::{reported_direction, round_vec3};
use crate::proximity::{Clearance, Containment, NearestPoint, closest};
use crate::query::View;
use crate::query::answer::by_public_fields;
use crate::scene::{Part, PartGeometry};
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
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The triangle of a mesh or height field; `None` on other geometry.
    pub triangle: Option<u32>,
    /// The part of a triangle that contains the point; on other shapes always the face.
    pub feature: Feature,
    /// The distance between the two points, in world units; never negative.
    pub distance: f32,
    /// The nearest point, relative to the query's origin if there is one.
    pub point: Vec3,
    /// The outward direction, of unit length: from the nearest point to the query point, or the opposite if the query point is inside. If the two points
    /// coincide, as far as f64 can tell, it is the surface's own normal.
    pub normal: Vec3,
    /// Says whether the query point is inside this part of the entity.
    pub containment: Containment,
    #[cfg_attr(feature = "serde", serde(skip))]
    exact_point: DVec3,
    #[cfg_attr(feature = "serde", serde(skip))]
    exact_distance: f64,
}

impl<K> ClosestPoint<K> {
    /// Returns the distance, which is negative inside; `None` if the part has no inside. For a closed mesh it is always `Some`, but never negative if the mesh
    /// faces inwards.
    pub fn signed_distance(&self) -> Option<f32> {
        self.containment.signed(self.distance)
    }

    /// Returns the point in world space before it was rounded to f32, whatever the query's origin.
    pub fn point_f64(&self) -> DVec3 {
        self.exact_point
    }

    /// Returns the distance before it was rounded to f32.
    pub fn distance_f64(&self) -> f64 {
        self.exact_distance
    }
}

by_public_fields!(ClosestPoint<K> { id, part, triangle, feature, distance, point, normal, containment });

impl<K: Clone + Eq + Hash> View<'_, K> {
    pub(in crate::query) fn find_closest_point(&self, point: DVec3, max_distance: f64) -> Option<ClosestPoint<K>> {
        let point = self.origin + point;
        let search = ClosestSearch { view: self, point };
        if !(is_usable(point) && max_distance >= 0.0) {
            return None;
        }
        let (spot, part) = search.nearest_part(max_distance)?;
        search.report(&spot, part)
    }
}

/// A search for the nearest point of a scene.
struct ClosestSearch<'v, 'a, K> {
    view: &'v View<'a, K>,
    point: DVec3,
}

/// The nearest spot so far, and its part.
type NearestPart<'a> = Option<(NearestPoint, &'a Part)>;

impl<'a, K: Clone + Eq + Hash> ClosestSearch<'_, 'a, K> {
    fn nearest_part(&self, max_distance: f64) -> NearestPart<'a> {
        let mut best = None;
        let limit = |best: &NearestPart<'a>| best.as_ref().map_or(max_distance, |(spot, _)| spot.distance);
        let room = (self.point, self.point);
        let _ = near_parts(self.view, room, max_distance, &mut |part| {
            self.visit_part(part, max_distance, &mut best);
            ControlFlow::Continue(limit(&best))
        });
        best
    }

    fn visit_part(&self, part: &'a Part, max_distance: f64, best: &mut NearestPart<'a>) {
        let Some(form) = form_of(part, self.point.into()) else { return };
        let before = best.as_ref().map(|(spot, part)| (spot.distance, part.order, part.index));
        let limit = before.map_or(max_distance, |(distance, ..)| distance);
        let is_before =
            |spot: &NearestPoint| before.is_none_or(|before| (spot.distance, part.order, part.index) < before);
        // If every triangle is accepted, far triangles can be pruned earlier. Either the nearest triangle improves on
        // the best point so far, or no triangle does.
        let nearest = if self.all_count() {
            closest(&form, limit, None).filter(is_before)
        } else {
            closest(&form, limit, Some(&mut |spot| is_before(spot) && self.counts(spot, part)))
        };
        if let Some(spot) = nearest {
            *best = Some((spot, part));
        }
    }

    fn all_count(&self) -> bool {
        self.view.takes_all_sides()
    }

    fn counts(&self, spot: &NearestPoint, part: &Part) -> bool {
        self.view.takes_side_at(part, spot.triangle, self.side(spot, part), spot.distance as f32)
    }

    /// Returns the side of the surface that the point is on.
    fn side(&self, spot: &NearestPoint, part: &Part) -> Side {
        let is_in_front = match spot.triangle {
            Some(_) => spot.is_in_front,
            None => is_in_front(part, self.point) && !spot.is_inside,
        };
        if is_in_front { Side::Front } else { Side::Back }
    }

    fn report(&self, spot: &NearestPoint, part: &Part) -> Option<ClosestPoint<K>> {
        let containment = containment_in(part, spot, self.point);
        let exact_point = self.point + spot.point;
        let normal = if containment == Containment::Inside && !spot.is_inside { -spot.normal } else { spot.normal };
        Some(ClosestPoint {
            id: self.view.scene.owner(part)?.key.clone(),
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

/// Returns whether the query point of a spot is inside a part.
fn containment_in(part: &Part, spot: &NearestPoint, point: DVec3) -> Containment {
    match &part.geometry {
        PartGeometry::Mesh(mesh) => spot.triangle.map_or(Containment::Open, |triangle| {
            let local = part.to_local.affine().transform_point3(point);
            let clearance = Clearance::certain_if(mesh.is_clear_of(local));
            mesh.containment_at(local, triangle, spot.distance, clearance)
        }),
        PartGeometry::HeightField(_) | PartGeometry::PointCloud(_) | PartGeometry::Polyline(_) => Containment::Open,
        PartGeometry::Shape(shape) if !shape.is_solid() => Containment::Open,
        PartGeometry::Shape(_) | PartGeometry::ConvexHull(_) | PartGeometry::Custom(_) => {
            if spot.is_inside {
                Containment::Inside
            } else {
                Containment::Outside
            }
        }
    }
}

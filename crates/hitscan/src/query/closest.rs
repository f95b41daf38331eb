//! The nearest point of a scene.

use super::form::{form_of, is_in_front, near_parts};
use super::options::Filters;
use super::{Candidate, Filter, Query};
use crate::float::{reported_direction, round_vec3};
use crate::hit::Side;
use crate::proximity::{Containment, Spot, closest};
use crate::scene::{Part, PartGeometry, Scene};
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
        match self.containment {
            Containment::Outside => Some(self.distance),
            Containment::Inside => Some(-self.distance),
            Containment::Open => None,
        }
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

impl<K: Copy + Eq + Hash> Scene<K> {
    /// The nearest point of all surfaces in the scene, in world space and units: on an entity that is scaled unevenly too, the nearest in the world.
    /// `None` in a scene without a surface, and for a point that is not finite or above 1e70.
    ///
    /// - Surfaces count, not what is in them: from inside a solid it is the nearest point of its surface, or of another thing that is there.
    ///   [`signed_distance`](ClosestPoint::signed_distance) says which. Is the point in anything? [`Scene::overlaps`] with
    ///   [`Volume::Point`](crate::Volume::Point).
    /// - Of equal distance, as f64 computes it, the entity inserted first wins, then the lower part, then the lower triangle.
    /// - The distance to every solid, under every transform, is within 32 roundings of f64 of the coordinates involved, from outside and inside. A ring
    ///   (torus) that is stretched is within 64 as long as 1,024 divisions of its surface are enough to prove it, and else the best of what was found.
    ///   For a [shape of your own](crate::CustomShape), it is within 1e-7 of the sizes from outside and within 2e-5 from inside in all tests, though that
    ///   is not proved.
    /// - A mesh has an inside if it is closed: if along eight lines through the point as many fronts are met as backs, exactly, with the same number
    ///   ahead. The point is inside where there are more backs than fronts ahead; on the surface it is outside. A closed mesh that faces inwards has no inside.
    ///   A mesh with a hole may count as closed where no such line goes through the hole.
    /// - Holes that are cut out by a texture are solid, triangles without area do not count, and a shape of your own does if it
    ///   [says how far it reaches](crate::CustomShape::farthest).
    ///
    /// ```
    /// use hitscan::{Aabb, Containment, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("crate", Aabb::new([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]), DVec3::ZERO)?;
    /// scene.insert("lamp", Sphere::new(0.5), DVec3::new(0.0, 9.0, 0.0))?;
    /// let nearest = scene.closest_point([4.0, 1.5, 0.0]).unwrap();
    /// assert_eq!((nearest.id, nearest.distance, nearest.point), ("crate", 3.0, Vec3::new(1.0, 1.5, 0.0)));
    /// let within = scene.closest_point([0.0, 1.75, 0.0]).unwrap();
    /// assert_eq!((within.signed_distance(), within.normal), (Some(-0.25), Vec3::Y));
    /// assert_eq!(within.containment, Containment::Inside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("project_point", "nearest_point", "sdf", "signed_distance"))]
    pub fn closest_point(&self, point: impl Into<DVec3>) -> Option<ClosestPoint<K>> {
        self.closest_point_with(point, f64::INFINITY, &Query::new())
    }

    /// [`closest_point`](Self::closest_point) that is no farther away than `max_distance`, itself included, of what the query lets count: its layers,
    /// entities, filters (which see the distance as `t`), and of sides those that the point is on, inside being the back of a solid. The point is relative to
    /// its origin; `inside`, `cut_outs`,
    /// `contacts` and `after` are for other questions. A largest distance that is NaN finds nothing.
    pub fn closest_point_with<F: Filter<K>>(
        &self,
        point: impl Into<DVec3>,
        max_distance: f64,
        query: &Query<K, F>,
    ) -> Option<ClosestPoint<K>> {
        let point = query.origin + point.into();
        let search = Search { scene: self, query, point };
        if !(is_usable(point) && max_distance >= 0.0) {
            return None;
        }
        let (spot, part) = search.run(max_distance)?;
        search.report(&spot, part)
    }
}

/// One question on its way through a scene.
struct Search<'a, K, F> {
    scene: &'a Scene<K>,
    query: &'a Query<K, F>,
    point: DVec3,
}

/// What is nearest so far.
type Best<'a> = Option<(Spot, &'a Part)>;

impl<'a, K: Copy + Eq + Hash, F: Filter<K>> Search<'a, K, F> {
    fn run(&self, max_distance: f64) -> Best<'a> {
        let mut best = None;
        let limit = |best: &Best<'a>| best.as_ref().map_or(max_distance, |(spot, _)| spot.distance);
        let room = (self.point, self.point);
        let _ = near_parts(self.scene, self.query, room, max_distance, &mut |part| {
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
        if !self.query.cull.keeps(side) {
            return false;
        }
        if self.query.filters == Filters::None {
            return true;
        }
        let Some(owner) = self.scene.owner(part) else { return false };
        self.query.filter.takes_hit(&Candidate {
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
            id: self.scene.owner(part)?.key,
            part: part.index,
            triangle: spot.triangle,
            feature: spot.feature,
            distance: spot.distance as f32,
            point: round_vec3(exact_point - self.query.origin),
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

//! Ray against disc.

use super::axisymmetric::disc_extents;
use super::normalized_ray::ScaledRay;
use super::plane::flat_hit;
use super::{
    Facet, Facets, RawHits, RayStart, RayTest, Revolved, RevolvedKind, ShapeFacts, ShapeForm, Vicinity, around_segment,
    check_direction, check_point, check_size, onto_plane, shape_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::{RawHit, Side};
use crate::geom::ray::LocalRay;
use crate::math::float::{length, power_of_two};
use crate::save::value;
use alloc::vec;
use glam::{DVec3, Vec3};

/// A flat two-sided disc, with its rim. It has no inside; the front is the side that its normal points to.
///
/// A ray in the disc's plane does not hit it. The hits are computed in f64 without a tolerance. The result is as if the ray had been moved by about 1e-15 of
/// the distance from its origin to the centre.
///
/// ```
/// use hitscan::{Disc, Ray, Side};
///
/// let lid = Disc::new([0.0, 2.0, 0.0], [0.0, 1.0, 0.0], 0.5);
/// let hit = lid.cast(&Ray::new([0.5, 0.0, 0.0], [0.0, 1.0, 0.0])).unwrap();
/// assert_eq!((hit.t, hit.side), (2.0, Side::Back));
/// assert!(!lid.is_blocked(&Ray::new([0.6, 0.0, 0.0], [0.0, 1.0, 0.0])));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Disc {
    /// The centre, in the shape's space.
    pub center: Vec3,
    /// The normal, of any length; not zero.
    pub normal: Vec3,
    /// The radius, not negative; a disc of radius 0 is a point.
    pub radius: f32,
}

shape_queries!(Disc);
value!(Disc { center, normal, radius });

impl Disc {
    /// Makes a disc around `center`, perpendicular to a normal of any length.
    pub fn new(center: impl Into<Vec3>, normal: impl Into<Vec3>, radius: f32) -> Self {
        Self { center: center.into(), normal: normal.into(), radius }
    }

    fn crossing(&self, ray: &LocalRay) -> Option<(f64, Side)> {
        self.validate().ok()?;
        let normal = self.normal.as_dvec3();
        let normal = normal / power_of_two(normal.abs().max_element());
        let radius = f64::from(self.radius);
        let ray = ScaledRay::new(ray, self.center.as_dvec3(), radius);
        let speed = ray.direction.dot(normal);
        if speed == 0.0 {
            return None;
        }
        // The crossing's offset from the centre is normal x m / speed, with the ray's moment m around the centre.
        // Unlike origin + t direction, this is independent of the error of t.
        let offset = normal.cross(ray.origin.cross(ray.direction));
        let reach = radius / ray.unit * speed;
        if !(offset.length_squared() <= reach * reach) {
            return None;
        }
        let t = ray.t(-ray.origin.dot(normal) / speed);
        Some((t, if speed < 0.0 { Side::Front } else { Side::Back }))
    }
}

impl RayTest for Disc {
    fn hits(&self, ray: &LocalRay, _: Inside, start: RayStart) -> RawHits {
        RawHits::from_option(flat_hit(ray, start, self.crossing(ray).map(|(t, side)| (t, side, None))))
    }

    fn outward_normal(&self, _: &LocalRay, _: &RawHit) -> DVec3 {
        self.normal.as_dvec3()
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        onto_plane(ray.at(hit.exact_t), self.center.as_dvec3(), self.normal.as_dvec3())
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let (center, normal) = (self.center.as_dvec3(), self.normal.as_dvec3());
        let inward = center - at.point;
        let depth = f64::from(self.radius) - length(inward);
        if !(at.is_on_plane(center, normal) && depth >= -at.reach()) {
            return Facets::new();
        }
        vec![Facet::bordered(normal, (depth <= at.reach()).then_some(inward))]
    }

    fn bounds(&self) -> Aabb {
        around_segment(self.center, self.center, disc_extents(self.normal.as_dvec3()) * f64::from(self.radius))
    }

    fn validate(&self) -> Result<(), ShapeError> {
        check_point("center", self.center)?;
        check_direction("normal", self.normal)?;
        check_size("radius", self.radius)
    }
}

impl ShapeFacts for Disc {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        let (center, up) = (self.center.as_dvec3(), self.normal.as_dvec3());
        ShapeForm::Revolved(Revolved { kind: RevolvedKind::Disc, ends: [center; 2], up, radius: self.radius.into() })
    }

    fn front(&self) -> Option<(DVec3, DVec3)> {
        Some((self.center.as_dvec3(), self.normal.as_dvec3()))
    }
}

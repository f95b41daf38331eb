//! Ray against plane, and a point's relation to it.

use super::{
    Facet, Facets, RawHits, RayStart, RayTest, ShapeFacts, ShapeForm, Vicinity, check_direction, check_point,
    onto_plane, shape_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::{RawHit, Side};
use crate::geom::ray::{LocalRay, Ray};
use crate::math::exact_predicates;
use crate::math::float::{reported_t, round_vec3, unit};
use crate::save::value;
use alloc::vec;
use glam::{DVec3, Vec3};

/// An infinite two-sided plane. It has no inside; the front is the side that its normal points to.
///
/// A ray that lies in the plane, or runs parallel to it, does not hit it. There is no tolerance: any other ray hits,
/// however small the angle. This is decided exactly, and t is within an ulp of the true quotient.
///
/// ```
/// use hitscan::{Plane, Ray, Side};
///
/// let floor = Plane::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
/// assert_eq!(floor.signed_distance([5.0, -2.0, 1.0]), -2.0);
/// let hit = floor.cast(&Ray::new([0.0, 3.0, 0.0], [0.0, -1.0, 0.0])).unwrap();
/// assert_eq!((hit.t, hit.side), (3.0, Side::Front));
/// # Ok::<(), hitscan::error::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SavedPlane"))]
pub struct Plane {
    point: Vec3,
    normal: Vec3,
}

/// Data that is not yet known to be a plane.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct SavedPlane {
    point: Vec3,
    normal: Vec3,
}

#[cfg(feature = "serde")]
impl TryFrom<SavedPlane> for Plane {
    type Error = ShapeError;

    fn try_from(SavedPlane { point, normal }: SavedPlane) -> Result<Self, ShapeError> {
        Self::new(point, normal)
    }
}

shape_queries!(Plane);
value!(Plane { point, normal });

impl Plane {
    /// Makes the plane through `point` with this normal, of any length.
    ///
    /// # Errors
    /// Returns an error if the normal is zero or not finite, or if the point is not finite.
    pub fn new(point: impl Into<Vec3>, normal: impl Into<Vec3>) -> Result<Self, ShapeError> {
        let plane = Self { point: point.into(), normal: normal.into() };
        plane.validate()?;
        Ok(plane)
    }

    /// Returns the point that it was made from.
    pub fn point(&self) -> Vec3 {
        self.point
    }

    /// Returns the unit normal.
    pub fn normal(&self) -> Vec3 {
        round_vec3(self.unit_normal())
    }

    /// Returns the signed distance of a point from the plane: positive on the side of the normal, negative behind, 0 on
    /// it. It is within an ulp. It is 0 only on the plane or below f32's range, and infinite beyond that range.
    ///
    /// ```
    /// use hitscan::Plane;
    ///
    /// let floor = Plane::new([0.0, 1.0, 0.0], [0.0, 2.0, 0.0])?;
    /// assert_eq!(floor.signed_distance([7.0, 3.0, 0.0]), 2.0);
    /// assert_eq!(floor.signed_distance([7.0, 0.5, 0.0]), -0.5);
    /// # Ok::<(), hitscan::error::ShapeError>(())
    /// ```
    #[doc = include_str!("../query/edges/plane_distance.md")]
    pub fn signed_distance(&self, point: impl Into<Vec3>) -> f32 {
        self.along_normal(self.point, point.into())
    }

    /// Returns how fast an object with this velocity approaches the plane's front: positive towards it, negative away,
    /// 0 along it. It is in units of the velocity, and as accurate as the [distance](Self::signed_distance).
    pub fn approach_speed(&self, velocity: impl Into<Vec3>) -> f32 {
        self.along_normal(velocity.into(), Vec3::ZERO)
    }

    /// Returns the time at which a point that moves with constant velocity is on the plane, in units of the velocity's time. The time is negative if the point
    /// was on the plane in the past. Returns `None` for a point that moves along the plane. Such a point is on the plane always or never.
    pub fn time_to_reach(&self, point: impl Into<Vec3>, velocity: impl Into<Vec3>) -> Option<f32> {
        let unlimited = Ray::with_direction(point, velocity).with_range(f32::NEG_INFINITY, f32::INFINITY);
        self.cast_t(&unlimited)
    }

    /// Returns the point where the ray hits the plane at [`cast_t`](Self::cast_t). The point is on the plane
    /// before it is rounded.
    pub fn collision_point(&self, ray: &Ray) -> Option<Vec3> {
        let ray = LocalRay::new(ray)?;
        let hit = self.hits(&ray, Inside::Exit, RayStart::Anywhere).first()?;
        Some(round_vec3(self.surface_point(&ray, &hit)))
    }

    fn unit_normal(&self) -> DVec3 {
        unit(self.normal.as_dvec3()).unwrap_or(DVec3::ZERO)
    }

    /// Returns the distance from `from` to `to` along the normal. The dot product is taken before the division by the length of the normal. The rounding of a
    /// unit normal would turn an exact 0 into noise. In f64, the squared length of an f32 vector neither overflows nor underflows.
    fn along_normal(&self, from: Vec3, to: Vec3) -> f32 {
        let normal = self.normal.as_dvec3();
        let scaled = exact_predicates::dot_between(from.as_dvec3(), to.as_dvec3(), normal);
        // Adding +0 turns -0 into +0.
        (scaled / libm::sqrt(normal.length_squared())) as f32 + 0.0
    }

    /// t = (point - origin) . n / (direction . n); the normal's length cancels, so it is not normalised. Both products
    /// have their true sign, and their relative errors of 2^-40 leave t within an ulp of the true f32.
    fn crossing(&self, ray: &LocalRay) -> Option<(f64, Side)> {
        let normal = self.normal.as_dvec3();
        let speed = exact_predicates::dot_between(DVec3::ZERO, ray.direction, normal);
        if speed == 0.0 {
            return None;
        }
        let t = exact_predicates::dot_between(ray.origin, self.point.as_dvec3(), normal) / speed;
        Some((t, if speed < 0.0 { Side::Front } else { Side::Back }))
    }
}

impl RayTest for Plane {
    fn hits(&self, ray: &LocalRay, _: Inside, start: RayStart) -> RawHits {
        RawHits::from_option(flat_hit(ray, start, self.crossing(ray).map(|(t, side)| (t, side, None))))
    }

    fn outward_normal(&self, _: &LocalRay, _: &RawHit) -> DVec3 {
        self.normal.as_dvec3()
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        onto_plane(ray.at(hit.exact_t), self.point.as_dvec3(), self.normal.as_dvec3())
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let normal = self.normal.as_dvec3();
        if at.is_on_plane(self.point.as_dvec3(), normal) { vec![Facet::smooth(0, normal)] } else { Facets::new() }
    }

    fn bounds(&self) -> Aabb {
        Aabb::new(Vec3::NEG_INFINITY, Vec3::INFINITY)
    }

    fn validate(&self) -> Result<(), ShapeError> {
        check_point("point", self.point)?;
        check_direction("normal", self.normal)
    }
}

impl ShapeFacts for Plane {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Plane { point: self.point, normal: self.normal }
    }

    fn front(&self) -> Option<(DVec3, DVec3)> {
        Some((self.point.as_dvec3(), self.normal.as_dvec3()))
    }
}

/// Returns the hit of a flat shape, given its only crossing with the ray's line. Returns `None` if the ray starts on the shape, or if the crossing is outside
/// of the ray's range.
pub(crate) fn flat_hit<V>(
    ray: &LocalRay<V>,
    start: RayStart,
    crossing: Option<(f64, Side, Option<glam::DVec2>)>,
) -> Option<RawHit> {
    let (exact_t, side, uv) = crossing.filter(|_| start == RayStart::Anywhere)?;
    let t = reported_t(exact_t).filter(|&t| ray.contains(t))?;
    Some(RawHit { t, exact_t, side, feature: 0, crossing: 0, uv })
}

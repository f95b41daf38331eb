//! The ray test of every shape, and code that shapes share.

use super::facet::{Facet, Facets, Vicinity};
use super::solid::{RawHits, RayStart};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::{RawHit, ShapeHit, reported_normal};
use crate::geom::ray::{LocalRay, Ray};
use crate::math::float::{power_of_two, sum_down, sum_up, unit};
use alloc::vec;
use glam::{DVec3, Vec3};

/// The operations of every shape, in its local space.
pub(crate) trait RayTest {
    /// Returns all hits in the ray's range, ascending in t.
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits;

    /// Returns the outward (front) normal at one of those hits, of any length.
    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3;

    /// Returns the point of the surface at one of those hits. Its distance from the surface is at most the rounding of
    /// its own coordinates and the shape's coordinates, whatever the distance of the ray's origin.
    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3;

    /// Returns the tangent planes at a point that may be on the surface; none if it is not. A solid is behind all of its tangent planes.
    fn facets(&self, at: &Vicinity) -> Facets;

    /// Returns whether there is any hit, with [`Inside::Exit`].
    fn is_blocked(&self, ray: &LocalRay) -> bool {
        !self.hits(ray, Inside::Exit, RayStart::Anywhere).is_empty()
    }

    /// Returns the smallest box around the shape, rounded outwards; infinite for an infinite shape.
    fn bounds(&self) -> Aabb;

    /// Checks whether the shape can be hit, and if not, says why.
    fn validate(&self) -> Result<(), ShapeError>;
}

/// Returns the closest hit of a shape in full.
pub(crate) fn closest(shape: &impl RayTest, ray: &Ray, inside: Inside) -> Option<ShapeHit> {
    let ray = LocalRay::new(ray)?;
    let raw = shape.hits(&ray, inside, RayStart::Anywhere).first()?;
    Some(ShapeHit {
        t: raw.t,
        normal: reported_normal(shape.outward_normal(&ray, &raw), raw.side, ray.direction),
        side: raw.side,
        uv: raw.uv.map(|uv| uv.as_vec2()),
    })
}

/// The queries that every shape answers. They are inherent methods, so no trait must be imported.
macro_rules! shape_queries {
    ($shape:ty) => {
        impl $shape {
            /// Returns the closest hit of the ray, with normal and side; `None` on a miss or for an unusable ray or
            /// shape. Ray and shape are in the same space. A ray that starts inside a solid hits its exit.
            #[doc = include_str!("../query/edges/own_ray.md")]
            pub fn cast(&self, ray: &crate::geom::ray::Ray) -> Option<crate::geom::hit::ShapeHit> {
                crate::shape::closest(self, ray, crate::geom::culling::Inside::Exit)
            }

            /// Returns only the `t` of the closest hit, as [`cast`](Self::cast) would report it.
            pub fn cast_t(&self, ray: &crate::geom::ray::Ray) -> Option<f32> {
                use crate::shape::RayTest;
                let ray = crate::geom::ray::LocalRay::new(ray)?;
                self.hits(&ray, crate::geom::culling::Inside::Exit, crate::shape::RayStart::Anywhere)
                    .first()
                    .map(|hit| hit.t)
            }

            /// Returns whether the ray hits, as [`cast`](Self::cast) would, without computing the hit.
            pub fn is_blocked(&self, ray: &crate::geom::ray::Ray) -> bool {
                crate::geom::ray::LocalRay::new(ray).is_some_and(|ray| crate::shape::RayTest::is_blocked(self, &ray))
            }

            /// Returns the smallest axis-aligned box around the shape, rounded outwards; infinite if the shape is.
            pub fn bounds(&self) -> crate::geom::aabb::Aabb {
                crate::shape::RayTest::bounds(self)
            }

            /// Checks whether the shape is usable, and if not, says why. An unusable shape hits nothing, and a scene refuses it.
            #[inline]
            pub fn validate(&self) -> Result<(), crate::error::ShapeError> {
                crate::shape::RayTest::validate(self)
            }
        }
    };
}

/// Makes the queries of shapes with an inside, including [`shape_queries`].
macro_rules! solid_queries {
    ($shape:ty) => {
        crate::shape::shape_queries!($shape);

        impl $shape {
            /// Returns the shape with a choice for rays that start inside.
            pub fn when_inside(
                &self,
                inside: crate::geom::culling::Inside,
            ) -> crate::geom::culling::FromInside<'_, Self> {
                crate::geom::culling::FromInside { solid: self, inside }
            }
        }

        impl crate::geom::culling::FromInside<'_, $shape> {
            #[doc = concat!("Answers as [`", stringify!($shape), "::cast`] does, but a ray that starts inside is answered as the view says.")]
            pub fn cast(&self, ray: &crate::geom::ray::Ray) -> Option<crate::geom::hit::ShapeHit> {
                crate::shape::closest(self.solid, ray, self.inside)
            }
        }
    };
}

pub(crate) use {shape_queries, solid_queries};

/// Moves a point near a plane onto it. If the normal is along an axis, that coordinate is set to the plane's
/// coordinate.
pub(super) fn onto_plane(point: DVec3, on_plane: DVec3, normal: DVec3) -> DVec3 {
    let normal = normal / power_of_two(normal.abs().max_element());
    point - normal * ((point - on_plane).dot(normal) / normal.length_squared())
}

/// Returns the facet of a smooth surface at a point, given the surface's nearest point and outward normal. There is none if the point is not on the surface.
pub(super) fn smooth_facets(at: &Vicinity, nearest: DVec3, normal: DVec3) -> Facets {
    let is_near = at.is_on_plane(nearest, normal) && (at.point - nearest).abs().max_element() <= at.reach();
    if is_near { vec![Facet::smooth(0, normal)] } else { Facets::new() }
}

/// Moves a point near the surface of a ball onto the surface, along the line from the ball's centre. A point at the centre stays there.
pub(super) fn onto_ball(point: DVec3, center: DVec3, radius: f64) -> DVec3 {
    match unit(point - center) {
        Some(outward) => center + outward * radius,
        None => point,
    }
}

/// Returns the box around a segment and everything up to `reach` from it along each axis, rounded outwards.
pub(super) fn around_segment(a: Vec3, b: Vec3, reach: DVec3) -> Aabb {
    let (low, high, reach) = (a.min(b).to_array(), a.max(b).to_array(), reach.to_array());
    Aabb::new(
        core::array::from_fn::<_, 3, _>(|i| sum_down(low[i].into(), -reach[i])),
        core::array::from_fn::<_, 3, _>(|i| sum_up(high[i].into(), reach[i])),
    )
}

/// Returns the distance between two points.
pub(super) fn distance([a, b]: [Vec3; 2]) -> f64 {
    libm::sqrt((b.as_dvec3() - a.as_dvec3()).length_squared())
}

/// Checks a size, which must be finite and not negative.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn check_size(what: &'static str, value: f32) -> Result<(), ShapeError> {
    if (0.0..=f32::MAX).contains(&value) { Ok(()) } else { Err(ShapeError::Size { what, value }) }
}

/// Checks a point, which must be finite.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn check_point(what: &'static str, value: Vec3) -> Result<(), ShapeError> {
    if value.is_finite() { Ok(()) } else { Err(ShapeError::Point { what, value }) }
}

/// Checks a normal or axis, which must be finite and not zero.
pub(super) fn check_direction(what: &'static str, value: Vec3) -> Result<(), ShapeError> {
    if value.is_finite() && value != Vec3::ZERO { Ok(()) } else { Err(ShapeError::Direction { what, value }) }
}

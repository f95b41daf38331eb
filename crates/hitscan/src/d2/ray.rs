//! The ray of the plane.

use super::RayError2;
use crate::geom::ray::LocalRay;
use crate::math::float::unit;
use glam::{DVec2, Vec2};

/// A ray or segment in the plane: the points `origin + t * direction` for `t_min <= t <= t_max`, both ends included.
///
/// `t` is in units of the direction's length. After [`Ray2::new`] it is a distance; after [`Ray2::with_direction`], a
/// multiple of the given direction; after [`Ray2::between`], the fraction of the segment.
///
/// A ray hits nothing if it has a NaN, an infinite origin, a zero or non-finite direction, or `t_min >
/// t_max`. [`Ray2::validate`] returns which of these faults it has.
///
/// ```
/// use hitscan::d2::{Circle, Ray2};
/// use hitscan::glam::Vec2;
///
/// let ray = Ray2::new(Vec2::new(0.0, 5.0), Vec2::new(0.0, -2.0));
/// let hit = Circle::new([0.0, 0.0], 1.0).cast(&ray).unwrap();
/// assert_eq!(hit.t, 4.0);
/// assert_eq!(ray.at(hit.t), Vec2::Y);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray2 {
    /// The point at `t` = 0.
    pub origin: Vec2,
    /// The direction of growing `t`; its length is the unit of `t`.
    pub direction: Vec2,
    /// The smallest `t` that counts as a hit; the default is 0.
    pub t_min: f32,
    /// The largest `t` that counts as a hit; the default is infinity.
    pub t_max: f32,
}

impl Ray2 {
    /// Makes a ray from `origin` along `direction`, which is normalised, so that `t` is a distance.
    ///
    /// A direction that cannot be normalised (zero, infinite, NaN) is kept as it is, and the ray hits nothing.
    pub fn new(origin: impl Into<Vec2>, direction: impl Into<Vec2>) -> Self {
        let direction = direction.into();
        let normalised = unit(direction.as_dvec2().extend(0.0)).map_or(direction, |unit| unit.truncate().as_vec2());
        Self::with_direction(origin, normalised)
    }

    /// Makes a ray from `origin` along `direction` as given: `t` is in units of its length.
    pub fn with_direction(origin: impl Into<Vec2>, direction: impl Into<Vec2>) -> Self {
        Self { origin: origin.into(), direction: direction.into(), t_min: 0.0, t_max: f32::INFINITY }
    }

    /// Makes the segment from `a` to `b`. The fraction of the segment is `t`, 0 at `a` and 1 at `b`, both included.
    ///
    /// The direction is `b - a` rounded to f32. Equal points give a zero direction, which hits nothing.
    pub fn between(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Self {
        let a = a.into();
        Self::with_direction(a, b.into() - a).with_range(0.0, 1.0)
    }

    /// Returns the same ray with another closed range of `t`.
    #[must_use]
    pub fn with_range(self, t_min: f32, t_max: f32) -> Self {
        Self { t_min, t_max, ..self }
    }

    /// Returns the point `origin + t * direction`, computed in f64 and rounded once.
    pub fn at(&self, t: f32) -> Vec2 {
        (self.origin.as_dvec2() + self.direction.as_dvec2() * f64::from(t)).as_vec2()
    }

    /// Checks whether the ray can hit anything; returns an error if not.
    ///
    /// # Errors
    /// Returns one of the faults that the type's description lists.
    pub fn validate(&self) -> Result<(), RayError2> {
        if !self.origin.is_finite() {
            return Err(RayError2::Origin(self.origin));
        }
        if !self.direction.is_finite() || self.direction == Vec2::ZERO {
            return Err(RayError2::Direction(self.direction));
        }
        let Self { t_min, t_max, .. } = *self;
        if t_min <= t_max { Ok(()) } else { Err(RayError2::Range { t_min, t_max }) }
    }
}

/// A valid [`Ray2`] in f64.
pub(crate) type LocalRay2 = LocalRay<DVec2>;

impl LocalRay2 {
    /// Converts a ray to f64. Returns `None` for a ray that can hit nothing.
    pub(crate) fn in_plane(ray: &Ray2) -> Option<Self> {
        ray.validate().ok()?;
        Some(Self {
            origin: ray.origin.as_dvec2(),
            direction: ray.direction.as_dvec2(),
            t_min: ray.t_min,
            t_max: ray.t_max,
        })
    }
}

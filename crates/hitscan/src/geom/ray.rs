//! The ray, and the double-precision local ray that every test works on.

use crate::error::RayError;
use crate::math::dvec3_lanes::InLanes;
use crate::math::float::{largest, round_vec3, unit};
use crate::simd::{Simd, SimdBase, f32x4, load_apart};
use core::ops::{Add, Mul};
use glam::{DAffine3, DVec3, Vec3};

/// A ray or segment: the points `origin + t * direction` for `t_min <= t <= t_max`, both ends included.
///
/// `t` is in units of the direction's length. After [`Ray::new`] it is a distance in the units of the ray's space.
/// After [`Ray::with_direction`] it is a multiple of the given direction, and after [`Ray::between`] the fraction
/// of the segment.
///
/// A ray hits nothing if it has a NaN, an infinite origin, a zero or non-finite direction, or `t_min >
/// t_max`. [`Ray::validate`] says which of these it is.
///
/// ```
/// use hitscan::{Ray, Sphere, glam::Vec3};
///
/// let ray = Ray::new(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0));
/// let hit = Sphere::new(1.0).cast(&ray).unwrap();
/// assert_eq!(hit.t, 4.0);
/// assert_eq!(ray.at(hit.t), Vec3::Z);
/// ```
// The fields are in two groups of four, which a ray packet loads as vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Ray {
    /// The point at `t` = 0.
    pub origin: Vec3,
    /// The smallest `t` that counts as a hit; the default is 0.
    #[cfg_attr(feature = "serde", serde(with = "crate::geom::serde_infinity::below"))]
    pub t_min: f32,
    /// The direction of growing `t`; its length is the unit of `t`.
    pub direction: Vec3,
    /// The largest `t` that counts as a hit; the default is infinity.
    #[cfg_attr(feature = "serde", serde(with = "crate::geom::serde_infinity::above"))]
    pub t_max: f32,
}

impl Ray {
    /// Makes a ray from `origin` along `direction`, which is normalised, so that `t` is a distance.
    ///
    /// A direction that cannot be normalised (zero, infinite, NaN) is kept as it is, and the ray hits nothing.
    pub fn new(origin: impl Into<Vec3>, direction: impl Into<Vec3>) -> Self {
        let direction = direction.into();
        Self::with_direction(origin, unit(direction.as_dvec3()).map_or(direction, round_vec3))
    }

    /// Makes a ray from `origin` along `direction` as given: `t` is in units of its length.
    pub fn with_direction(origin: impl Into<Vec3>, direction: impl Into<Vec3>) -> Self {
        Self { origin: origin.into(), direction: direction.into(), t_min: 0.0, t_max: f32::INFINITY }
    }

    /// Makes the segment from `a` to `b`. The fraction of the segment is `t`, 0 at `a` and 1 at `b`, both included.
    ///
    /// The direction is `b - a` rounded to f32. Equal points give a zero direction, which hits nothing.
    pub fn between(a: impl Into<Vec3>, b: impl Into<Vec3>) -> Self {
        let a = a.into();
        Self::with_direction(a, b.into() - a).with_range(0.0, 1.0)
    }

    /// Returns the same ray with another closed range of `t`.
    #[must_use]
    pub fn with_range(self, t_min: f32, t_max: f32) -> Self {
        Self { t_min, t_max, ..self }
    }

    /// Returns the point `origin + t * direction`, computed in f64 and rounded once.
    pub fn at(&self, t: f32) -> Vec3 {
        round_vec3(self.origin.as_dvec3() + self.direction.as_dvec3() * f64::from(t))
    }

    /// Converts the ray to f64, whether it can hit anything or not.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn local(&self) -> LocalRay {
        let (origin, direction) = (self.origin.as_dvec3(), self.direction.as_dvec3());
        LocalRay { origin, direction, t_min: self.t_min, t_max: self.t_max }
    }

    /// Returns two vectors: the origin with the least t in the fourth lane, and the direction with the largest t.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn in_lanes<S: Simd>(&self, simd: S) -> [f32x4<S>; 2] {
        let Self { origin: o, t_min, direction: d, t_max } = self;
        [load_apart(simd, [&o.x, &o.y, &o.z, t_min]), load_apart(simd, [&d.x, &d.y, &d.z, t_max])]
    }

    /// Checks whether the ray can hit anything, and if not, says why.
    pub fn validate(&self) -> Result<(), RayError> {
        if !self.origin.is_finite() {
            return Err(RayError::Origin(self.origin));
        }
        if !self.direction.is_finite() || self.direction == Vec3::ZERO {
            return Err(RayError::Direction(self.direction));
        }
        if !(self.t_min <= self.t_max) {
            return Err(RayError::Range { t_min: self.t_min, t_max: self.t_max });
        }
        Ok(())
    }
}

/// A valid ray in f64: the world ray itself, or that ray in the space of an instance. `t` is the same in both.
/// In the plane `V` is `DVec2`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalRay<V = DVec3> {
    pub(crate) origin: V,
    pub(crate) direction: V,
    pub(crate) t_min: f32,
    pub(crate) t_max: f32,
}

impl LocalRay {
    /// Returns `None` for a ray that hits nothing.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(ray: &Ray) -> Option<Self> {
        let (o, d) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        // This tests the same as `validate`, in fewer instructions. The product of zero and a number that is not finite
        // is NaN.
        let is_finite = (o.x + o.y + o.z + d.x + d.y + d.z) * 0.0 == 0.0;
        let usable = is_finite && largest(d) > 0.0 && ray.t_min <= ray.t_max;
        usable.then_some(Self { origin: o, direction: d, t_min: ray.t_min, t_max: ray.t_max })
    }

    /// Returns the ray with these numbers, which must be in the range of f32; `None` if it hits nothing.
    pub(crate) fn from_f64(origin: DVec3, direction: DVec3, [t_min, t_max]: [f32; 2]) -> Option<Self> {
        let is_finite = origin.as_vec3().is_finite() && direction.as_vec3().is_finite();
        let usable = is_finite && direction.as_vec3() != Vec3::ZERO && t_min <= t_max;
        usable.then_some(Self { origin, direction, t_min, t_max })
    }

    /// Returns origin and direction of a ray that may have been made just now. The fourth lanes have no meaning.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn in_lanes<S: Simd>(&self, simd: S) -> [InLanes<S>; 2] {
        let Self { origin: o, direction: d, .. } = self;
        [InLanes(load_apart(simd, [&o.x, &o.y, &o.z, &o.z])), InLanes(load_apart(simd, [&d.x, &d.y, &d.z, &d.z]))]
    }

    /// Returns the ray in coordinates that are scaled by this factor.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn times(&self, scale: f64) -> Self {
        Self { origin: self.origin * scale, direction: self.direction * scale, ..*self }
    }

    /// Returns origin and direction.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn line(&self) -> [DVec3; 2] {
        [self.origin, self.direction]
    }

    /// Returns the image of the ray in the space of an instance with this world-to-local transform.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn transformed(&self, to_local: &DAffine3) -> Self {
        Self {
            origin: to_local.transform_point3(self.origin),
            direction: to_local.transform_vector3(self.direction),
            ..*self
        }
    }

    /// Does the same as [`transformed`](Self::transformed), with another end. If a ray were first copied to change its end, the copy would be loaded with other
    /// widths than it was stored with. Then store forwarding would fail.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn up_to(&self, t_max: f32, to_local: &DAffine3) -> Self {
        Self { t_max, ..self.transformed(to_local) }
    }
}

/// A ray in the form in which it was given. Values that only the last, exact steps need are computed by those steps.
pub(crate) trait RayInput: Copy {
    fn local(self) -> LocalRay;

    /// Returns the smallest and the largest t.
    fn range(self) -> [f32; 2];

    /// Returns origin and direction, multiplied by a number.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn scaled<S: Simd>(self, simd: S, scale: f64) -> [InLanes<S>; 2] {
        let LocalRay { origin, direction, .. } = self.local();
        [InLanes::new(simd, origin) * scale, InLanes::new(simd, direction) * scale]
    }
}

impl RayInput for &Ray {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn local(self) -> LocalRay {
        Ray::local(self)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn scaled<S: Simd>(self, simd: S, scale: f64) -> [InLanes<S>; 2] {
        // These are ordinary loads. The values were stored long before they are needed here, for an exact t.
        let &Ray { origin: o, t_min, direction: d, t_max } = self;
        let four = |v: Vec3, last: f32| InLanes::widened(f32x4::from_slice(simd, &[v.x, v.y, v.z, last]));
        [four(o, t_min) * scale, four(d, t_max) * scale]
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn range(self) -> [f32; 2] {
        [self.t_min, self.t_max]
    }
}

impl RayInput for &LocalRay {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn local(self) -> LocalRay {
        *self
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn range(self) -> [f32; 2] {
        [self.t_min, self.t_max]
    }
}

/// The part of a ray that may have hits on something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RayInterval {
    /// If above 0, a t before which there are no hits.
    pub(crate) from: f64,
    /// The largest t that matters, in place of the ray's own.
    pub(crate) limit: f32,
}

impl<V: Copy + Add<Output = V> + Mul<f64, Output = V>> LocalRay<V> {
    pub(crate) fn at(&self, t: f64) -> V {
        self.origin + self.direction * t
    }
}

impl<V> LocalRay<V> {
    /// Returns whether a reported `t` is in the closed range.
    pub(crate) fn contains(&self, t: f32) -> bool {
        self.t_min <= t && t <= self.t_max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_normalises_at_any_scale() {
        for length in [1e-40, 1e-20, 1.0, 1e30, 3e38] {
            let ray = Ray::new(Vec3::ZERO, Vec3::new(0.0, -length, 0.0));
            assert_eq!(ray.direction, Vec3::NEG_Y, "{length}");
        }
    }

    #[test]
    fn validate_names_the_fault() {
        let good = Ray::new(Vec3::ZERO, Vec3::X);
        assert_eq!(good.validate(), Ok(()));
        assert!(matches!(Ray { origin: Vec3::INFINITY, ..good }.validate(), Err(RayError::Origin(_))));
        assert!(matches!(Ray::new(Vec3::ZERO, Vec3::ZERO).validate(), Err(RayError::Direction(_))));
        assert!(matches!(Ray::new(Vec3::ZERO, Vec3::NAN).validate(), Err(RayError::Direction(_))));
        assert!(matches!(Ray::between(Vec3::X, Vec3::X).validate(), Err(RayError::Direction(_))));
        assert!(matches!(good.with_range(2.0, 1.0).validate(), Err(RayError::Range { .. })));
        assert!(matches!(good.with_range(0.0, f32::NAN).validate(), Err(RayError::Range { .. })));
    }

    #[test]
    fn a_segment_counts_in_fractions() {
        let ray = Ray::between([1.0, 0.0, 0.0], [5.0, 0.0, 0.0]);
        assert_eq!((ray.t_min, ray.t_max, ray.at(0.5)), (0.0, 1.0, Vec3::new(3.0, 0.0, 0.0)));
    }
}

//! Ray against sphere.

use super::{
    Facets, RawHits, RayStart, RayTest, ShapeFacts, ShapeForm, Span, Spans, Vicinity, around_segment, check_point,
    check_size, onto_ball, resolve, smooth_facets, solid_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::geom::ray::LocalRay;
use crate::math::exact_predicates;
use crate::math::float::{UNIT_ROUNDOFF, quadratic_roots};
use crate::save::value;
use alloc::vec::Vec;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A solid ball: the points at most `radius` from `center`.
///
/// A line that only touches it (discriminant 0) is one hit. Hits and t are computed in f64. The discriminant is
/// computed from the foot of the perpendicular instead of the difference of two large squares (E. Haines, J. Günther,
/// T. Akenine-Möller, "Precision Improvements for Ray/Sphere Intersection", Ray Tracing Gems, 2019): the error is about
/// 1e-15 of the distance to the centre.
///
/// ```
/// use hitscan::{Inside, Ray, Side, Sphere};
///
/// let ball = Sphere::new(2.0);
/// let from_inside = Ray::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
/// assert_eq!(ball.cast(&from_inside).unwrap().side, Side::Back);
/// assert_eq!(ball.when_inside(Inside::Solid).cast(&from_inside).unwrap().t, 0.0);
/// assert!(ball.when_inside(Inside::Ignore).cast(&from_inside).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// The centre, in the shape's space.
    pub center: Vec3,
    /// The radius, not negative; a sphere of radius 0 is a point.
    pub radius: f32,
}

solid_queries!(Sphere);
value!(Sphere { center, radius });

impl Sphere {
    /// Makes a ball around the origin.
    pub const fn new(radius: f32) -> Self {
        Self { center: Vec3::ZERO, radius }
    }

    /// Makes a ball around `center`.
    pub fn at(center: impl Into<Vec3>, radius: f32) -> Self {
        Self { center: center.into(), radius }
    }

    /// Returns whether the sphere is valid, provided that its centre is finite.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn has_size(&self) -> bool {
        check_size("radius", self.radius).is_ok()
    }

    pub(super) fn span(&self, ray: &LocalRay) -> Option<Span> {
        let Quadratic { a, b, c, quarter_discriminant } = self.quadratic(ray)?;
        Some(Span::of_feature(quadratic_roots(a, b, c, quarter_discriminant)?, 0))
    }

    /// Returns `None` for a line that misses, and for an unusable sphere.
    fn quadratic(&self, ray: &LocalRay) -> Option<Quadratic> {
        self.validate().ok()?;
        let to_center = self.center.as_dvec3() - ray.origin;
        let r_squared = f64::from(self.radius) * f64::from(self.radius);
        let a = ray.direction.length_squared();
        let b = to_center.dot(ray.direction);
        let foot = to_center - ray.direction * (b / a);
        let foot_squared = foot.length_squared();

        let spare = r_squared - foot_squared;
        let error = foot_error(to_center, foot, r_squared + foot_squared);
        let sign = if spare.abs() > error { spare.total_cmp(&0.0) } else { self.discriminant_sign(ray) };
        let quarter_discriminant = match sign {
            Ordering::Less => return None,
            Ordering::Equal => 0.0,
            // A value that is negative by rounding is replaced by 0: the two roots are then equal.
            Ordering::Greater => a * spare.max(0.0),
        };
        Some(Quadratic { a, b, c: to_center.length_squared() - r_squared, quarter_discriminant })
    }

    /// Returns the exact sign of d.d r^2 - |d cross (center - origin)|^2, which is the sign of the discriminant.
    fn discriminant_sign(&self, ray: &LocalRay) -> Ordering {
        let (d, r) = (ray.direction, f64::from(self.radius));
        let ends = [(1.0, self.center.as_dvec3()), (-1.0, ray.origin)];
        let mut products = Vec::with_capacity(51);
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            products.push([d[i], d[i], r, r]);
            let cross = ends.map(|(sign, p)| [[d[j], sign * p[k]], [d[k], -sign * p[j]]]);
            for [x, y] in cross.into_iter().flatten() {
                products.extend(cross.into_iter().flatten().map(|[z, w]| [-x, y, z, w]));
            }
        }
        exact_predicates::sign_of_products(&products)
    }
}

/// The equation a t^2 - 2 b t + c = 0, and b^2 - a c.
struct Quadratic {
    a: f64,
    b: f64,
    c: f64,
    quarter_discriminant: f64,
}

/// Returns a bound on the error of r^2 - |foot|^2 as computed.
///
/// Let L = center - origin. The foot L - d (L.d / d.d) passes through at most 12 roundings of numbers no longer than |L|. So it is off by e <= gamma(12) |L|.
/// Its square is off by 2 |foot| e + e^2. The squares of the foot and of the radius also have a relative error of gamma(4) each. Norms are bounded by the
/// largest component, |v| <= sqrt(3) max, and gamma by the next power of two.
fn foot_error(to_center: DVec3, foot: DVec3, squares: f64) -> f64 {
    let (distance, perpendicular) = (to_center.abs().max_element(), foot.abs().max_element());
    let e = 16.0 * UNIT_ROUNDOFF * distance;
    3.0 * (2.0 * perpendicular * e + e * e) + 8.0 * UNIT_ROUNDOFF * squares
}

impl RayTest for Sphere {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        resolve(Spans::from_option(self.span(ray)), ray, inside, start)
    }

    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        if self.radius == 0.0 { DVec3::ZERO } else { ray.at(hit.exact_t) - self.center.as_dvec3() }
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        onto_ball(ray.at(hit.exact_t), self.center.as_dvec3(), self.radius.into())
    }

    /// The signs of the coefficients decide for an unlimited ray, without a root.
    fn is_blocked(&self, ray: &LocalRay) -> bool {
        let Some(Quadratic { a, b, c, .. }) = self.quadratic(ray) else { return false };
        let unlimited = ray.t_min == 0.0 && ray.t_max == f32::INFINITY;
        // The sphere is behind the origin. The exit is farther back than c / 2b, and its t does not round to 0.
        if unlimited && b < 0.0 && c > -2.0 * b * f64::from(f32::MIN_POSITIVE) {
            return false;
        }
        // The entry lies between 0 and b / a; a t beyond f32 is no hit.
        let ahead = unlimited && c > 0.0 && 0.0 <= b && b <= a * f64::from(f32::MAX);
        ahead || !self.hits(ray, Inside::Exit, RayStart::Anywhere).is_empty()
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let center = self.center.as_dvec3();
        smooth_facets(at, onto_ball(at.point, center, self.radius.into()), at.point - center)
    }

    fn bounds(&self) -> Aabb {
        around_segment(self.center, self.center, DVec3::splat(self.radius.into()))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn validate(&self) -> Result<(), ShapeError> {
        check_point("center", self.center)?;
        check_size("radius", self.radius)
    }
}

impl ShapeFacts for Sphere {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Segment { ends: [self.center.as_dvec3(); 2], radius: self.radius.into() }
    }
}

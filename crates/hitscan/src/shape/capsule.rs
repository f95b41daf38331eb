//! Ray against capsule.

use super::axisymmetric::{AroundAxis, Axial, Ends, made_of_ends};
use super::{
    Facets, RawHits, RayStart, RayTest, ShapeFacts, ShapeForm, Span, Spans, Sphere, Vicinity, around_segment,
    check_point, check_size, distance, onto_ball, resolve, smooth_facets, solid_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::geom::ray::LocalRay;
use glam::{DVec3, Vec3};

/// A solid capsule: the points at most `radius` from a segment.
///
/// It is closed: a ray that only touches it hits. A segment without length makes a [`Sphere`]; radius 0 makes a
/// segment. The hits are computed from the spans of the cylinder and of the two balls, in f64, without a tolerance. The
/// result is as if the ray had been moved by about 1e-15 of the distance from its origin to the capsule.
///
/// ```
/// use hitscan::{Capsule, Ray, Side};
///
/// let person = Capsule::new(0.4, 1.8);
/// let hit = person.cast(&Ray::new([0.0, 0.2, 3.4], [0.0, 0.0, -1.0])).unwrap();
/// assert_eq!((hit.t, hit.side), (3.0, Side::Front));
/// assert_eq!(person.height(), 1.8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Ends", try_from = "Ends"))]
pub struct Capsule {
    ends: [Vec3; 2],
    height: f32,
    radius: f32,
}

const BODY: usize = 0;

solid_queries!(Capsule);
made_of_ends!(Capsule { ends: [a, b] }, a, b);

impl Capsule {
    /// Makes a capsule upright along y, with its centre at the origin. `whole_height` includes the round ends. If it is
    /// below twice the radius, the result is a ball of that radius, which is then higher than requested.
    pub const fn new(radius: f32, whole_height: f32) -> Self {
        let half = 0.5 * whole_height - radius;
        let half = if half > 0.0 { half } else { 0.0 };
        Self { ends: [Vec3::new(0.0, -half, 0.0), Vec3::new(0.0, half, 0.0)], height: whole_height, radius }
    }

    /// Makes a capsule of the points at most `radius` from the segment between two points.
    pub fn between(a: impl Into<Vec3>, b: impl Into<Vec3>, radius: f32) -> Self {
        let ends = [a.into(), b.into()];
        Self { ends, height: (distance(ends) + 2.0 * f64::from(radius)) as f32, radius }
    }

    /// Returns the centres of the round ends.
    pub fn ends(&self) -> [Vec3; 2] {
        self.ends
    }

    /// Returns the whole height, including the round ends.
    pub fn height(&self) -> f32 {
        self.height.max(2.0 * self.radius)
    }

    /// Returns the radius of the body and of the round ends.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns whether the capsule is valid, provided that its ends are finite.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn has_size(&self) -> bool {
        check_size("radius", self.radius).is_ok() && check_size("height", self.height).is_ok()
    }

    fn axial(&self, ray: &LocalRay) -> Axial {
        Axial::new(ray, self.ends, self.radius)
    }

    fn span(&self, ray: &LocalRay) -> Option<Span> {
        self.validate().ok()?;
        let ball = |center| Sphere::at(center, self.radius).span(ray);
        let [first, second] = self.ends;
        if first == second {
            return ball(first);
        }
        let axial = self.axial(ray);
        // The balls lie in the infinite cylinder: a line outside it misses them too.
        let side = axial.side(BODY)?;
        let body = axial.slab(BODY, BODY).and_then(|slab| slab.intersect(side));
        let body = body.map(|body| body.map(|steps| axial.ray.t(steps)));
        [body, ball(first), ball(second)].into_iter().flatten().reduce(Span::hull)
    }
}

impl RayTest for Capsule {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        resolve(Spans::from_option(self.span(ray)), ray, inside, start)
    }

    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let axial = self.axial(ray);
        let steps = axial.ray.steps(hit.exact_t);
        let height = axial.ray.at(steps).dot(axial.axis);
        if height <= 0.0 {
            ray.at(hit.exact_t) - self.ends[0].as_dvec3()
        } else if height >= axial.top {
            ray.at(hit.exact_t) - self.ends[1].as_dvec3()
        } else {
            axial.outward(steps)
        }
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let point = ray.at(hit.exact_t);
        let around = AroundAxis::new(point, self.ends);
        let [from, to] = self.ends.map(|end| end.as_dvec3());
        let center = if around.height >= around.top { to } else { from };
        if 0.0 < around.height && around.height < around.top {
            around.at(around.height, self.radius.into())
        } else {
            onto_ball(point, center, self.radius.into())
        }
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let around = AroundAxis::new(at.point, self.ends);
        let middle = around.middle(around.height.max(0.0).min(around.top));
        smooth_facets(at, onto_ball(at.point, middle, self.radius.into()), at.point - middle)
    }

    fn bounds(&self) -> Aabb {
        around_segment(self.ends[0], self.ends[1], DVec3::splat(self.radius.into()))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn validate(&self) -> Result<(), ShapeError> {
        check_size("radius", self.radius)?;
        check_size("height", self.height)?;
        check_point("first end", self.ends[0])?;
        check_point("second end", self.ends[1])
    }
}

impl ShapeFacts for Capsule {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Segment { ends: self.ends.map(|end| end.as_dvec3()), radius: self.radius.into() }
    }
}

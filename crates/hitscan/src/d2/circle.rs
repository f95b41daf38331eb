//! Ray against circle.

use super::circle_predicates::{PointDifference, circle_span, excess};
use super::ray::LocalRay2;
use super::{RawHits, RayTest2, Rect, ShapeError2, area_hits, area_queries, check_point, check_size};
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::math::float::{round_down, round_up};
use core::cmp::Ordering;
use glam::{DVec2, Vec2};

/// A solid disc: the points at most `radius` from `center`.
///
/// A tangent has one hit. Whether the ray's line hits the circle, and whether the ray starts on the rim, is decided
/// exactly on the f32 input. t is computed in f64. For a line through the middle its error, in units of length, is
/// about 1e-15 of the distance to the centre. If the line grazes the rim, two nearby crossings may become one between
/// them.
///
/// ```
/// use hitscan::{Inside, Side};
/// use hitscan::d2::{Circle, Ray2};
///
/// let pond = Circle::new([0.0, 0.0], 2.0);
/// let from_inside = Ray2::new([0.0, 0.0], [1.0, 0.0]);
/// assert_eq!(pond.cast(&from_inside).unwrap().side, Side::Back);
/// assert_eq!(pond.when_inside(Inside::Solid).cast(&from_inside).unwrap().t, 0.0);
/// assert!(pond.when_inside(Inside::Ignore).cast(&from_inside).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// The centre, in the shape's space.
    pub center: Vec2,
    /// The radius, not negative; a circle of radius 0 is a point.
    pub radius: f32,
}

area_queries!(Circle);

impl Circle {
    /// Makes a disc around `center`.
    pub fn new(center: impl Into<Vec2>, radius: f32) -> Self {
        Self { center: center.into(), radius }
    }

    /// Returns whether a point is in the circle or on its rim, decided exactly.
    ///
    /// ```
    /// use hitscan::d2::Circle;
    ///
    /// let circle = Circle::new([1.0, 0.0], 5.0);
    /// assert!(circle.contains([4.0, 4.0]), "it is on the rim");
    /// assert!(!circle.contains([4.0, 4.001]));
    /// ```
    #[doc = include_str!("../query/edges/contains_2d.md")]
    pub fn contains(&self, point: impl Into<Vec2>) -> bool {
        let point = point.into();
        let offset = PointDifference { from: self.center.as_dvec2(), to: point.as_dvec2() };
        self.validate().is_ok() && point.is_finite() && excess(offset, self.radius.into()).0 != Ordering::Greater
    }
}

impl RayTest2 for Circle {
    fn hits(&self, ray: &LocalRay2, inside: Inside) -> RawHits {
        if self.validate().is_err() {
            return RawHits::new();
        }
        area_hits(circle_span(ray, self.center.as_dvec2(), self.radius.into(), 0), ray, inside)
    }

    fn outward_normal(&self, ray: &LocalRay2, hit: &RawHit) -> DVec2 {
        ray.at(hit.exact_t) - self.center.as_dvec2()
    }

    fn bounds(&self) -> Rect {
        let (center, r) = (self.center.as_dvec2(), f64::from(self.radius));
        Rect::new((center - r).to_array().map(round_down), (center + r).to_array().map(round_up))
    }

    fn validate(&self) -> Result<(), ShapeError2> {
        check_point("center", self.center)?;
        check_size("radius", self.radius)
    }
}

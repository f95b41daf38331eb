//! Ray against triangle in the plane.

use super::line_predicates::orientation;
use super::ray::LocalRay2;
use super::{RawHits, RayTest2, Rect, ShapeError2, area_hits, area_queries, check_point, convex_polygon};
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use core::cmp::Ordering;
use glam::{DVec2, Vec2};

/// A closed triangle with an inside: its sides and corners belong to it. Its corners may have either orientation; the normals point outwards.
///
/// Hit or miss is decided exactly on the f32 input; t is the exact quotient rounded once. A triangle without area is not hit.
///
/// ```
/// use hitscan::d2::{Ray2, Triangle2};
///
/// let sail = Triangle2::new([0.0, 0.0], [4.0, 0.0], [0.0, 4.0]);
/// assert_eq!(sail.cast_t(&Ray2::new([1.0, -2.0], [0.0, 1.0])), Some(2.0));
/// assert!(sail.contains([2.0, 2.0]) && !sail.contains([2.0, 2.5]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle2 {
    /// A corner.
    pub a: Vec2,
    /// A corner.
    pub b: Vec2,
    /// A corner.
    pub c: Vec2,
}

area_queries!(Triangle2);

impl Triangle2 {
    /// Makes a triangle from its corners.
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>, c: impl Into<Vec2>) -> Self {
        Self { a: a.into(), b: b.into(), c: c.into() }
    }

    /// Returns whether a point is in the triangle or on its outline, decided exactly.
    ///
    /// ```
    /// use hitscan::d2::Triangle2;
    ///
    /// let triangle = Triangle2::new([0.0, 0.0], [4.0, 0.0], [0.0, 4.0]);
    /// assert!(triangle.contains([2.0, 2.0]), "it is on a side");
    /// assert!(!triangle.contains([2.0, 2.001]));
    /// ```
    #[doc = include_str!("../query/edges/contains_2d.md")]
    pub fn contains(&self, point: impl Into<Vec2>) -> bool {
        let point = point.into();
        point.is_finite() && self.counter_clockwise().is_ok_and(|corners| convex_polygon::contains(&corners, point))
    }

    fn counter_clockwise(&self) -> Result<[Vec2; 3], ShapeError2> {
        let Self { a, b, c } = *self;
        check_point("corner a", a)?;
        check_point("corner b", b)?;
        check_point("corner c", c)?;
        match orientation(a, b, c) {
            Ordering::Greater => Ok([a, b, c]),
            Ordering::Less => Ok([a, c, b]),
            Ordering::Equal => Err(ShapeError2::NoArea),
        }
    }
}

impl RayTest2 for Triangle2 {
    fn hits(&self, ray: &LocalRay2, inside: Inside) -> RawHits {
        let span = self.counter_clockwise().ok().and_then(|corners| convex_polygon::span(&corners, ray));
        area_hits(span, ray, inside)
    }

    fn outward_normal(&self, _: &LocalRay2, hit: &RawHit) -> DVec2 {
        self.counter_clockwise().map_or(DVec2::ZERO, |corners| convex_polygon::edge(&corners, hit.feature).normal())
    }

    fn bounds(&self) -> Rect {
        Rect::from_points([self.a, self.b, self.c])
    }

    fn validate(&self) -> Result<(), ShapeError2> {
        self.counter_clockwise().map(|_| ())
    }
}

//! Ray against infinite line, and a point's relation to it.

use super::line_predicates::ExactLine;
use super::ray::LocalRay2;
use super::{RawHits, Ray2, RayTest2, Rect, ShapeError2, check_point, shape_queries};
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::math::float::unit;
use crate::shape::{RayStart, flat_hit};
use core::cmp::Ordering;
use glam::{DVec2, Vec2};

/// An infinite two-sided line: the counterpart of a plane in two dimensions. It has no inside; the front is the side that its normal points to.
///
/// A ray that lies in the line, or runs parallel to it, does not hit it. There is no tolerance: any other ray hits,
/// however small the angle, and t is the exact quotient rounded once. A hit beyond f32's range is a miss.
///
/// ```
/// use hitscan::Side;
/// use hitscan::d2::{Line, Ray2};
///
/// let floor = Line::new([0.0, 0.0], [0.0, 1.0])?;
/// assert_eq!(floor.signed_distance([5.0, -2.0]), -2.0);
/// let hit = floor.cast(&Ray2::new([0.0, 3.0], [0.0, -1.0])).unwrap();
/// assert_eq!((hit.t, hit.side), (3.0, Side::Front));
/// # Ok::<(), hitscan::d2::ShapeError2>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    point: Vec2,
    second: Second,
}

/// The input that gives a line its direction. It is stored as it was given, because a conversion would be rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Second {
    Point(Vec2),
    Normal(Vec2),
}

shape_queries!(Line);

impl Line {
    /// Makes the line through `point` with this normal, of any length.
    ///
    /// # Errors
    /// Returns an error if the normal is zero or not finite, or if the point is not finite.
    pub fn new(point: impl Into<Vec2>, normal: impl Into<Vec2>) -> Result<Self, ShapeError2> {
        Self { point: point.into(), second: Second::Normal(normal.into()) }.validated()
    }

    /// Makes the line through two points; its front is to the right of `a` to `b`.
    ///
    /// # Errors
    /// Returns an error if the points are equal, or if a point is not finite.
    pub fn through(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Result<Self, ShapeError2> {
        Self { point: a.into(), second: Second::Point(b.into()) }.validated()
    }

    fn validated(self) -> Result<Self, ShapeError2> {
        self.validate()?;
        Ok(self)
    }

    /// Returns the point, or the first of the two points, that the line was made from.
    pub fn point(&self) -> Vec2 {
        self.point
    }

    /// Returns the unit normal.
    pub fn normal(&self) -> Vec2 {
        self.unit_normal().as_vec2()
    }

    /// Returns the signed distance of a point from the line: positive on the side of the normal, negative behind, 0 on
    /// it. It is computed in f64 and rounded once.
    ///
    /// ```
    /// use hitscan::d2::Line;
    ///
    /// let floor = Line::new([0.0, 1.0], [0.0, 2.0])?;
    /// assert_eq!(floor.signed_distance([7.0, 3.0]), 2.0);
    /// assert_eq!(floor.signed_distance([7.0, 0.5]), -0.5);
    /// # Ok::<(), hitscan::d2::ShapeError2>(())
    /// ```
    #[doc = include_str!("../query/edges/plane_distance.md")]
    pub fn signed_distance(&self, point: impl Into<Vec2>) -> f32 {
        self.straight().offset(point.into().as_dvec2()).dot(self.unit_normal()) as f32
    }

    /// Returns the speed at which a point with this velocity approaches the line's front: positive towards it, negative
    /// away, 0 along it. It has the unit of the velocity.
    pub fn approach_speed(&self, velocity: impl Into<Vec2>) -> f32 {
        -velocity.into().as_dvec2().dot(self.unit_normal()) as f32
    }

    /// Returns the time at which a point that moves with constant velocity is on the line, in the velocity's unit of
    /// time. The time is negative if the point was on the line in the past. Returns `None` if the point does not
    /// move, or moves parallel to the line.
    pub fn time_to_reach(&self, point: impl Into<Vec2>, velocity: impl Into<Vec2>) -> Option<f32> {
        let unlimited = Ray2::with_direction(point, velocity).with_range(f32::NEG_INFINITY, f32::INFINITY);
        self.cast_t(&unlimited)
    }

    /// Returns whether a point is on the line, decided exactly.
    ///
    /// ```
    /// use hitscan::d2::Line;
    ///
    /// let line = Line::through([0.0, 0.0], [2.0, 1.0])?;
    /// assert!(line.contains([6.0, 3.0]));
    /// assert!(!line.contains([6.0, 3.001]));
    /// # Ok::<(), hitscan::d2::ShapeError2>(())
    /// ```
    #[doc = include_str!("../query/edges/contains_2d.md")]
    pub fn contains(&self, point: impl Into<Vec2>) -> bool {
        let point = point.into();
        point.is_finite() && self.straight().side_of(point) == Ordering::Equal
    }

    fn straight(&self) -> ExactLine {
        match self.second {
            Second::Point(b) => ExactLine::through(self.point, b),
            Second::Normal(normal) => ExactLine::along(self.point, normal.perp()),
        }
    }

    fn unit_normal(&self) -> DVec2 {
        unit(self.straight().normal().extend(0.0)).map_or(DVec2::ZERO, |normal| normal.truncate())
    }
}

impl RayTest2 for Line {
    fn hits(&self, ray: &LocalRay2, _: Inside) -> RawHits {
        let crossing = self.straight().crossing(ray).map(|(t, side)| (t, side, None));
        RawHits::from_option(flat_hit(ray, RayStart::Anywhere, crossing))
    }

    fn outward_normal(&self, _: &LocalRay2, _: &RawHit) -> DVec2 {
        self.straight().normal()
    }

    fn bounds(&self) -> Rect {
        Rect::new(Vec2::NEG_INFINITY, Vec2::INFINITY)
    }

    fn validate(&self) -> Result<(), ShapeError2> {
        check_point("point", self.point)?;
        match self.second {
            Second::Point(b) => {
                check_point("second point", b)?;
                if b == self.point { Err(ShapeError2::NoLength) } else { Ok(()) }
            }
            Second::Normal(value) if value.is_finite() && value != Vec2::ZERO => Ok(()),
            Second::Normal(value) => Err(ShapeError2::Direction { what: "normal", value }),
        }
    }
}

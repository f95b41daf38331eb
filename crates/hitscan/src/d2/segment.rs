//! Ray against segment.

use super::line_predicates::{ExactLine, fraction, is_between};
use super::ray::LocalRay2;
use super::{RawHits, RayTest2, Rect, ShapeError2, check_point, shape_queries};
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::shape::{RayStart, flat_hit};
use core::cmp::Ordering;
use glam::{DVec2, Vec2};

/// A closed, two-sided segment: its ends belong to it. The front is to the right of `a` to `b`, so that the segments of
/// a counter-clockwise outline face outwards.
///
/// Hit or miss is decided exactly on the f32 input. So a ray through a shared end hits at least one of two neighbours.
/// The results t and u are the exact quotients rounded once. A ray along the segment does not hit it, and no ray hits a
/// segment without length. `u` in the hit is the fraction of the distance from `a` to `b`.
///
/// ```
/// use hitscan::Side;
/// use hitscan::d2::{Ray2, Segment};
///
/// let wall = Segment::new([2.0, -1.0], [2.0, 3.0]);
/// let hit = wall.cast(&Ray2::new([0.0, 0.0], [1.0, 0.0])).unwrap();
/// assert_eq!((hit.t, hit.u, hit.side), (2.0, Some(0.25), Side::Back));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The end at which `u` is 0.
    pub a: Vec2,
    /// The end at which `u` is 1.
    pub b: Vec2,
}

shape_queries!(Segment);

impl Segment {
    /// Makes a segment from its ends.
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Self {
        Self { a: a.into(), b: b.into() }
    }

    /// Returns whether a point is on the segment, decided exactly.
    ///
    /// ```
    /// use hitscan::d2::Segment;
    ///
    /// let segment = Segment::new([0.0, 0.0], [4.0, 2.0]);
    /// assert!(segment.contains([2.0, 1.0]));
    /// assert!(!segment.contains([6.0, 3.0]), "it is on the line, beyond the end");
    /// ```
    #[doc = include_str!("../query/edges/contains_2d.md")]
    pub fn contains(&self, point: impl Into<Vec2>) -> bool {
        let point = point.into();
        // A point of the line is on the segment if it is in the bounds.
        self.validate().is_ok() && self.bounds().contains(point) && self.straight().side_of(point) == Ordering::Equal
    }

    fn straight(&self) -> ExactLine {
        ExactLine::through(self.a, self.b)
    }
}

impl RayTest2 for Segment {
    fn hits(&self, ray: &LocalRay2, _: Inside) -> RawHits {
        if self.validate().is_err() || !is_between(ray, self.a, self.b) {
            return RawHits::new();
        }
        let crossing = self.straight().crossing(ray).map(|(t, side)| (t, side, None));
        RawHits::from_option(flat_hit(ray, RayStart::Anywhere, crossing))
    }

    fn outward_normal(&self, _: &LocalRay2, _: &RawHit) -> DVec2 {
        self.straight().normal()
    }

    fn fraction(&self, ray: &LocalRay2) -> Option<f32> {
        fraction(ray, self.a, self.b)
    }

    fn bounds(&self) -> Rect {
        Rect::from_points([self.a, self.b])
    }

    fn validate(&self) -> Result<(), ShapeError2> {
        check_point("end a", self.a)?;
        check_point("end b", self.b)?;
        if self.a == self.b { Err(ShapeError2::NoLength) } else { Ok(()) }
    }
}

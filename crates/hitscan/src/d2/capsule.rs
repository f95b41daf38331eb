//! Ray against capsule in the plane.

use super::circle_predicates::{PointDifference, circle_span, dot, excess, excess_from_line};
use super::line_predicates::{ExactLine, is_between};
use super::ray::LocalRay2;
use super::{RawHits, RayTest2, Rect, ShapeError2, Span, area_hits, area_queries, check_point, check_size};
use crate::geom::culling::Inside;
use crate::geom::hit::{RawHit, Side};
use crate::math::float::{round_down, round_up};
use crate::shape::{Crossing, Slab, slab_span};
use core::cmp::Ordering;
use glam::{DVec2, Vec2};

/// The points at most `radius` from the segment `a` to `b`: a stadium. Equal ends make it a circle. Radius 0 makes it a
/// segment that, unlike [`Segment`](super::Segment), is an area and is hit by rays along it.
///
/// Hit or miss is decided exactly on the f32 input. The computation of t is in f64. Its error is the
/// same as for a [`Circle`](super::Circle), but relative to the distance to the farther end.
///
/// ```
/// use hitscan::d2::{Capsule2, Ray2};
///
/// let guard = Capsule2::new([0.0, 0.0], [0.0, 2.0], 0.5);
/// assert_eq!(guard.cast_t(&Ray2::new([3.0, 1.0], [-1.0, 0.0])), Some(2.5));
/// assert_eq!(guard.cast_t(&Ray2::new([0.0, 5.0], [0.0, -1.0])), Some(2.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule2 {
    /// Centre of the one round end.
    pub a: Vec2,
    /// Centre of the other round end.
    pub b: Vec2,
    /// The radius, not negative.
    pub radius: f32,
}

area_queries!(Capsule2);

/// Features are the round ends, and the straight sides to the right and left of a to b.
const END_A: usize = 0;
const END_B: usize = 1;
const RIGHT: usize = 2;
const LEFT: usize = 3;

impl Capsule2 {
    /// Makes a capsule from the centres of its round ends.
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>, radius: f32) -> Self {
        Self { a: a.into(), b: b.into(), radius }
    }

    /// Returns whether a point is in the capsule or on its outline, decided exactly.
    ///
    /// ```
    /// use hitscan::d2::Capsule2;
    ///
    /// let capsule = Capsule2::new([0.0, 0.0], [4.0, 0.0], 1.0);
    /// assert!(capsule.contains([5.0, 0.0]), "it is the tip of an end");
    /// assert!(!capsule.contains([5.0, 0.5]));
    /// ```
    #[doc = include_str!("../query/edges/contains_2d.md")]
    pub fn contains(&self, point: impl Into<Vec2>) -> bool {
        let point = point.into();
        self.validate().is_ok() && point.is_finite() && self.distance_to(point.as_dvec2()) != Ordering::Greater
    }

    /// Compares a point's distance from the segment to the radius.
    fn distance_to(&self, p: DVec2) -> Ordering {
        let (a, b, r) = (self.a.as_dvec2(), self.b.as_dvec2(), f64::from(self.radius));
        let (along, from_a, from_b) = (
            PointDifference { from: a, to: b },
            PointDifference { from: a, to: p },
            PointDifference { from: b, to: p },
        );
        if dot(along, from_a).0 != Ordering::Greater {
            excess(from_a, r).0
        } else if dot(along, from_b).0 != Ordering::Less {
            excess(from_b, r).0
        } else {
            excess_from_line(along, from_a, r).0
        }
    }

    /// Returns the span of the ray's line in the capsule, which is convex and made of two circles and the rectangle
    /// between them. The span goes from the line's first entry into one of the three to its last exit. A line that
    /// misses both circles hits the capsule if it separates their centres, and then crosses both straight sides.
    fn span(&self, ray: &LocalRay2) -> Option<Span> {
        let end = |center: Vec2, feature| circle_span(ray, center.as_dvec2(), self.radius.into(), feature);
        let (a, b) = (end(self.a, END_A), end(self.b, END_B));
        if a.is_none() && b.is_none() {
            return if is_between(ray, self.a, self.b) { self.between_sides(ray) } else { None };
        }
        [a, b, self.middle(ray)].into_iter().flatten().reduce(|x, y| Span {
            enter: if y.enter.t < x.enter.t { y.enter } else { x.enter },
            exit: if y.exit.t > x.exit.t { y.exit } else { x.exit },
        })
    }

    /// Returns the span of a line that crosses both straight sides, from one crossing to the other. It is a single
    /// point if f64 cannot distinguish the crossings.
    fn between_sides(&self, ray: &LocalRay2) -> Option<Span> {
        slab_span([self.across(ray)]).map(with_features).or_else(|| {
            let (t, side) = ExactLine::through(self.a, self.b).crossing(ray)?;
            let touch = Crossing { t, feature: if side == Side::Front { RIGHT } else { LEFT } };
            Some(Span { enter: touch, exit: touch })
        })
    }

    /// Returns the span of the line in the rectangle between the ends.
    fn middle(&self, ray: &LocalRay2) -> Option<Span> {
        slab_span([self.across(ray), self.lengthwise(ray)]).map(with_features)
    }

    /// Returns the slab between the straight sides, along the axis across the segment, which points to the left. All
    /// components are multiplied by the segment's length.
    fn across(&self, ray: &LocalRay2) -> Slab {
        let along = self.along();
        let half = f64::from(self.radius) * libm::sqrt(along.length_squared());
        let offset = ray.origin - self.a.as_dvec2();
        Slab { low: -half, high: half, origin: along.perp_dot(offset), direction: along.perp_dot(ray.direction) }
    }

    /// Returns the slab between the ends of the segment, along the axis from a to b. All components are multiplied by the segment's length.
    fn lengthwise(&self, ray: &LocalRay2) -> Slab {
        let along = self.along();
        let offset = ray.origin - self.a.as_dvec2();
        Slab { low: 0.0, high: along.length_squared(), origin: along.dot(offset), direction: along.dot(ray.direction) }
    }

    fn along(&self) -> DVec2 {
        self.b.as_dvec2() - self.a.as_dvec2()
    }
}

/// Converts the faces of [`Capsule2::across`] and [`Capsule2::lengthwise`] to features, in their order.
fn with_features(span: Span) -> Span {
    let feature = |Crossing { t, feature }| Crossing { t, feature: [RIGHT, LEFT, END_A, END_B][feature] };
    Span { enter: feature(span.enter), exit: feature(span.exit) }
}

impl RayTest2 for Capsule2 {
    fn hits(&self, ray: &LocalRay2, inside: Inside) -> RawHits {
        if self.validate().is_err() {
            return RawHits::new();
        }
        area_hits(self.span(ray), ray, inside)
    }

    fn outward_normal(&self, ray: &LocalRay2, hit: &RawHit) -> DVec2 {
        let from = |center: Vec2| ray.at(hit.exact_t) - center.as_dvec2();
        match hit.feature {
            END_A => from(self.a),
            END_B => from(self.b),
            RIGHT => -self.along().perp(),
            _ => self.along().perp(),
        }
    }

    fn bounds(&self) -> Rect {
        let (a, b, r) = (self.a.as_dvec2(), self.b.as_dvec2(), f64::from(self.radius));
        Rect::new((a.min(b) - r).to_array().map(round_down), (a.max(b) + r).to_array().map(round_up))
    }

    fn validate(&self) -> Result<(), ShapeError2> {
        check_point("end a", self.a)?;
        check_point("end b", self.b)?;
        check_size("radius", self.radius)
    }
}

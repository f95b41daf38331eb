//! Ray against capsule in the plane.

use super::circle::is_within;
use super::ray::LocalRay2;
use super::{RawHit, RawHits, RayTest2, Rect, ShapeError2, Span, area_hits, area_queries, check_point, check_size};
use crate::certified::Bounded;
use crate::exact;
use crate::filter::Inside;
use crate::float::{round_down, round_up};
use crate::shape::{Crossing, Slab, ball_span, slab_span};
use core::cmp::Ordering;
use glam::{DVec2, Vec2};

/// The points at most `radius` from the segment `a` to `b`: a stadium. Equal ends make it a circle, radius 0 a
/// segment that, unlike [`Segment`](super::Segment), is an area and is hit along itself.
///
/// Verdict and t are computed in f64: the error is about 1e-15 of the distance to the farther end.
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
    /// Not negative.
    pub radius: f32,
}

area_queries!(Capsule2);

/// Features: the round ends, and the straight sides to the right and left of a to b.
const END_A: usize = 0;
const END_B: usize = 1;
const RIGHT: usize = 2;
const LEFT: usize = 3;

impl Capsule2 {
    /// From the centres of its round ends.
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>, radius: f32) -> Self {
        Self { a: a.into(), b: b.into(), radius }
    }

    /// Whether a point is in the capsule or on its outline, decided exactly.
    pub fn contains(&self, point: impl Into<Vec2>) -> bool {
        let p = point.into();
        let near_end = || [self.a, self.b].into_iter().any(|end| is_within(p, end, self.radius));
        self.validate().is_ok() && p.is_finite() && (near_end() || self.middle_contains(p))
    }

    /// Whether a point is in the rectangle between the straight sides.
    fn middle_contains(&self, p: Vec2) -> bool {
        let (a, b, p, r) = (self.a.as_dvec2(), self.b.as_dvec2(), p.as_dvec2(), f64::from(self.radius));
        let (e, w, one) = (b - a, p - a, (1.0, 0.0));
        // The sign of (b - a) . (p - end).
        let past = |end: DVec2| {
            let w = p - end;
            Bounded::new(e.dot(w), e.abs().dot(w.abs())).sign_or(|| {
                exact::sign_of_differences(&[
                    [(b.x, a.x), (p.x, end.x), one, one],
                    [(b.y, a.y), (p.y, end.y), one, one],
                ])
            })
        };
        if past(a) == Ordering::Less || past(b) == Ordering::Greater {
            return false;
        }
        // (e cross w)^2 - r^2 |e|^2, multiplied out.
        let (x, y) = (e.x * w.y, e.y * w.x);
        let (square, limit) = ((x - y) * (x - y), r * r * e.length_squared());
        let magnitude = (x.abs() + y.abs()) * (x.abs() + y.abs()) + limit;
        let excess = Bounded::new(square - limit, magnitude).sign_or(|| {
            let (ex, ey, wx, wy) = ((b.x, a.x), (b.y, a.y), (p.x, a.x), (p.y, a.y));
            let twice = |(x, y): (f64, f64)| (-2.0 * x, -2.0 * y);
            let (plus, minus) = ((r, 0.0), (-r, 0.0));
            exact::sign_of_differences(&[
                [ex, ex, wy, wy],
                [twice(ex), wy, ey, wx],
                [ey, ey, wx, wx],
                [plus, minus, ex, ex],
                [plus, minus, ey, ey],
            ])
        });
        excess != Ordering::Greater
    }

    /// The capsule is convex and made of two circles and the rectangle between them, so the line is in it from where it
    /// first enters one of them to where it last leaves one.
    fn span(&self, ray: &LocalRay2) -> Option<Span> {
        let (space, r) = (ray.in_space(), f64::from(self.radius));
        let end = |center: Vec2, feature| ball_span(&space, center.as_dvec2().extend(0.0), r, feature);
        let parts = [end(self.a, END_A), end(self.b, END_B), self.middle(ray)];
        parts.into_iter().flatten().reduce(|x, y| Span {
            enter: if y.enter.t < x.enter.t { y.enter } else { x.enter },
            exit: if y.exit.t > x.exit.t { y.exit } else { x.exit },
        })
    }

    /// Where the line is in the rectangle between the sides: the slab test with the segment as an axis, all components
    /// multiplied by its length.
    fn middle(&self, ray: &LocalRay2) -> Option<Span> {
        let along = self.along();
        let from_a = ray.origin - self.a.as_dvec2();
        let half = f64::from(self.radius) * libm::sqrt(along.length_squared());
        let across =
            Slab { low: -half, high: half, origin: along.perp_dot(from_a), direction: along.perp_dot(ray.direction) };
        let lengthwise = Slab {
            low: 0.0,
            high: along.length_squared(),
            origin: along.dot(from_a),
            direction: along.dot(ray.direction),
        };
        let span = slab_span::<usize, 2>([across, lengthwise])?;
        // Slab features, in their order: right, left, end a, end b.
        let feature = |Crossing { t, feature }| Crossing { t, feature: [RIGHT, LEFT, END_A, END_B][feature] };
        Some(Span { enter: feature(span.enter), exit: feature(span.exit) })
    }

    fn along(&self) -> DVec2 {
        self.b.as_dvec2() - self.a.as_dvec2()
    }
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

//! Straight lines in the plane, decided exactly: the side that a point is on, and the crossing with a ray.
//!
//! Points are homogeneous, (x, y, 1), and directions (x, y, 0). Every answer is then the sign of a determinant, or the
//! quotient of two determinants [p q r] = p . (q cross r). For three points, [p q r] is twice their signed area,
//! positive if they are counter-clockwise. Each is computed in f64 if an error bound proves the result, and otherwise
//! exactly from the f32 input.

use super::ray::LocalRay2;
use crate::geom::hit::Side;
use crate::math::exact_predicates::{self, Term};
use crate::math::filtered_predicates::{Bounded, round_quotient};
use core::cmp::Ordering;
use glam::{DVec2, DVec3, Vec2, Vec3Swizzles};

/// Returns `x cross y` of two differences.
fn cross(x: DVec2, y: DVec2) -> Bounded {
    Bounded::new(x.perp_dot(y), (x.x * y.y).abs() + (x.y * y.x).abs())
}

fn point(p: DVec2) -> DVec3 {
    p.extend(1.0)
}

fn direction(d: DVec2) -> DVec3 {
    d.extend(0.0)
}

/// Returns the orientation of three finite points: `Greater` counter-clockwise, `Less` clockwise, `Equal` on one line.
pub(super) fn orientation(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let [a, b, c] = [a, b, c].map(|p| p.as_dvec2());
    cross(b - a, c - a).sign(|| [Term(1.0, point(a), point(b), point(c))])
}

/// Returns the side of the ray's line that a finite point is on: `Greater` to the left, `Less` to the right, `Equal` on it.
pub(super) fn side_of_ray(ray: &LocalRay2, p: Vec2) -> Ordering {
    let (o, d, p) = (ray.origin, ray.direction, p.as_dvec2());
    cross(d, p - o).sign(|| [Term(1.0, direction(d), point(p), point(o))])
}

/// Returns whether the ray's line separates two finite points or passes through just one.
pub(super) fn is_between(ray: &LocalRay2, a: Vec2, b: Vec2) -> bool {
    let (a, b) = (side_of_ray(ray, a), side_of_ray(ray, b));
    a != b && (a == b.reverse() || a == Ordering::Equal || b == Ordering::Equal)
}

/// An infinite line, whose front is to the right of its direction, the outside of a counter-clockwise edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExactLine {
    from: DVec3,
    to: DVec3,
}

impl ExactLine {
    /// Makes a line from one finite point to another. If they are equal, it has no direction and is never crossed.
    pub(super) fn through(a: Vec2, b: Vec2) -> Self {
        Self { from: point(a.as_dvec2()), to: point(b.as_dvec2()) }
    }

    /// Makes a line from a finite point in a finite direction.
    pub(super) fn along(a: Vec2, d: Vec2) -> Self {
        Self { from: point(a.as_dvec2()), to: direction(d.as_dvec2()) }
    }

    /// Returns the direction, of any length.
    fn direction(&self) -> DVec2 {
        self.to.xy() - self.from.xy() * self.to.z
    }

    /// Returns the front normal, of any length.
    pub(super) fn normal(&self) -> DVec2 {
        -self.direction().perp()
    }

    /// Returns the vector from a point of the line to `p`.
    pub(super) fn offset(&self, p: DVec2) -> DVec2 {
        p - self.from.xy()
    }

    /// Returns the side of the line that a finite point is on, as [`side_of_ray`] does.
    pub(super) fn side_of(&self, p: Vec2) -> Ordering {
        let p = p.as_dvec2();
        cross(self.direction(), self.offset(p)).sign(|| [Term(1.0, point(p), self.from, self.to)])
    }

    /// Returns the t at which the line of the ray crosses this line, and the side that the ray comes from. Returns
    /// `None` if both are parallel. For a ray with the origin o and the direction d, t = [o from to] / [d to from].
    /// The quotient is exact and rounded once to f32, or an infinity beyond f32's range.
    pub(super) fn crossing(&self, ray: &LocalRay2) -> Option<(f64, Side)> {
        let along = self.direction();
        let numerator = cross(-self.offset(ray.origin), along);
        let denominator = cross(ray.direction, along);
        let numerator_terms = || [Term(1.0, point(ray.origin), self.from, self.to)];
        let denominator_terms = || [Term(1.0, direction(ray.direction), self.to, self.from)];
        let speed = denominator.sign(denominator_terms);
        let side = match speed {
            Ordering::Equal => return None,
            Ordering::Less => Side::Front,
            Ordering::Greater => Side::Back,
        };
        let t = round_quotient(numerator, denominator, numerator_terms, denominator_terms);
        let beyond = || match exact_predicates::sign(&numerator_terms()) {
            sign if sign == speed => f64::INFINITY,
            _ => f64::NEG_INFINITY,
        };
        Some((t.map_or_else(beyond, f64::from), side))
    }
}

/// Returns the fraction of the segment from `a` to `b` at which the ray's line crosses it. The points must be finite
/// and separated by the line. The fraction is u = [d a o] / [d a b], exact and rounded once. The ray has origin o and
/// direction d.
pub(super) fn fraction(ray: &LocalRay2, a: Vec2, b: Vec2) -> Option<f32> {
    let (o, d, a, b) = (ray.origin, ray.direction, a.as_dvec2(), b.as_dvec2());
    round_quotient(
        cross(d, a - o),
        cross(d, a - b),
        || [Term(1.0, direction(d), point(a), point(o))],
        || [Term(1.0, direction(d), point(a), point(b))],
    )
}

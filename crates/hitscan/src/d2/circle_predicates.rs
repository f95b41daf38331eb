//! Code that the circle and the capsule share: exact comparisons of distances with a radius, and the roots of a circle.
//!
//! Each comparison returns its exact sign, and the f64 value, which never has the opposite sign.

use super::ray::LocalRay2;
use crate::math::exact_predicates;
use crate::math::filtered_predicates::Bounded;
use crate::math::float::quadratic_roots;
use crate::shape::{Crossing, Span};
use core::cmp::Ordering;
use glam::DVec2;

/// The vector from one point to another, kept as two points, because their difference may be rounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointDifference {
    pub(super) from: DVec2,
    pub(super) to: DVec2,
}

impl PointDifference {
    fn value(&self) -> DVec2 {
        self.to - self.from
    }

    fn x(&self) -> (f64, f64) {
        (self.to.x, self.from.x)
    }

    fn y(&self) -> (f64, f64) {
        (self.to.y, self.from.y)
    }
}

const ONE: (f64, f64) = (1.0, 0.0);

/// Returns the sign and the value of the dot product.
pub(super) fn dot(v: PointDifference, w: PointDifference) -> (Ordering, f64) {
    let (x, y) = (v.value(), w.value());
    Bounded::new(x.dot(y), x.abs().dot(y.abs()))
        .settle(|| exact_predicates::sign_of_differences(&[[v.x(), w.x(), ONE, ONE], [v.y(), w.y(), ONE, ONE]]))
}

/// Returns |v|^2 - r^2, which compares the length of v with r.
pub(super) fn excess(v: PointDifference, r: f64) -> (Ordering, f64) {
    let (square, limit) = (v.value().length_squared(), r * r);
    Bounded::new(square - limit, square + limit).settle(|| {
        let (x, y) = (v.x(), v.y());
        exact_predicates::sign_of_differences(&[[x, x, ONE, ONE], [y, y, ONE, ONE], [(r, 0.0), (-r, 0.0), ONE, ONE]])
    })
}

/// Returns the sign and the value of (e cross v)^2 - r^2 |e|^2. The sign compares a distance with r. It is the distance of the end of v from the line along e
/// through the start of v.
pub(super) fn excess_from_line(e: PointDifference, v: PointDifference, r: f64) -> (Ordering, f64) {
    let (along, offset) = (e.value(), v.value());
    let (x, y) = (along.x * offset.y, along.y * offset.x);
    let (cross, magnitude) = (x - y, x.abs() + y.abs());
    let limit = r * r * along.length_squared();
    Bounded::new(cross * cross - limit, magnitude * magnitude + limit).settle(|| {
        let minus_twice = |(to, from): (f64, f64)| (-2.0 * to, -2.0 * from);
        let (r, minus_r) = ((r, 0.0), (-r, 0.0));
        exact_predicates::sign_of_differences(&[
            [e.x(), e.x(), v.y(), v.y()],
            [minus_twice(e.x()), v.y(), e.y(), v.x()],
            [e.y(), e.y(), v.x(), v.x()],
            [r, minus_r, e.x(), e.x()],
            [r, minus_r, e.y(), e.y()],
        ])
    })
}

/// Returns the span of the ray's line in a circle, both ends with this feature.
///
/// The crossings are at the roots t of a t^2 - 2 b t + c = 0, with the ray's direction d, a = |d|^2, b = d . (center -
/// origin) and c = |center - origin|^2 - r^2. The signs of b, c and the quarter discriminant r^2 |d|^2 - (d cross
/// (center - origin))^2 are exact. So hit or miss, a tangent, and an origin on the rim are decided exactly; the roots
/// are computed in f64.
pub(super) fn circle_span(ray: &LocalRay2, center: DVec2, radius: f64, feature: usize) -> Option<Span> {
    let direction = PointDifference { from: DVec2::ZERO, to: ray.direction };
    let to_center = PointDifference { from: ray.origin, to: center };
    let (farther, excess_from_line) = excess_from_line(direction, to_center, radius);
    if farther == Ordering::Greater {
        return None;
    }
    let a = ray.direction.length_squared();
    let (_, b) = dot(direction, to_center);
    let (near, far) = match excess(to_center, radius) {
        // If the origin is on the rim, one root is 0, and the other is the sum of both, 2 b / a.
        (Ordering::Equal, _) => (f64::min(0.0, 2.0 * b / a), f64::max(0.0, 2.0 * b / a)),
        (_, c) => quadratic_roots(a, b, c, -excess_from_line)?,
    };
    let crossing = |t| Crossing { t, feature };
    Some(Span { enter: crossing(near), exit: crossing(far) })
}

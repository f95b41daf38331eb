//! The first t at which a segment comes within a radius of a convex obstacle, by searches alone. The distance is a
//! convex function of the position on the segment, and of t.

use hitscan::glam::DVec3;

/// Returns the distance from a point to a triangle. It is the distance to the plane if the foot of the perpendicular
/// is inside, and else to the nearest edge.
pub(crate) fn to_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let n = (b - a).cross(c - a).normalize();
    let foot = p - n * n.dot(p - a);
    let inside = |p: DVec3, q: DVec3| (q - p).cross(foot - p).dot(n) >= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) {
        return n.dot(p - a).abs();
    }
    to_segment(p, a, b).min(to_segment(p, b, c)).min(to_segment(p, c, a))
}

pub(crate) fn to_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let s = if along == DVec3::ZERO { 0.0 } else { ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0) };
    p.distance(a + along * s)
}

/// Returns the minimum of a convex function between two arguments.
pub(crate) fn least(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut p, mut q) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_p, mut at_q) = (f(p), f(q));
    for _ in 0..75 {
        if at_p <= at_q {
            (high, q, at_q) = (q, p, at_p);
            p = high - ratio * (high - low);
            at_p = f(p);
        } else {
            (low, p, at_p) = (p, q, at_q);
            q = low + ratio * (high - low);
            at_q = f(q);
        }
    }
    [low, high, p, q].into_iter().min_by(|&a, &b| f(a).total_cmp(&f(b))).unwrap()
}

/// A moving volume: all points within a radius of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving {
    pub(crate) center: DVec3,
    pub(crate) half: DVec3,
    pub(crate) radius: f64,
    pub(crate) motion: DVec3,
}

impl Moving {
    /// Returns the distance between the obstacle and the volume's segment at t, given a function that returns the
    /// distance of a point from the obstacle.
    pub(crate) fn distance(&self, t: f64, of_point: &impl Fn(DVec3) -> f64) -> f64 {
        let center = self.center + self.motion * t;
        if self.half == DVec3::ZERO {
            return of_point(center);
        }
        let at = |s: f64| of_point(center + self.half * s);
        at(least(-1.0, 1.0, at)).min(at(-1.0)).min(at(1.0))
    }

    /// Returns the first t in 0..=1 at which the volume touches, if any, and the least gap. For a contact at the start,
    /// it is the gap at the start.
    pub(crate) fn first(&self, of_point: &impl Fn(DVec3) -> f64) -> (Option<f64>, f64) {
        let gap = |t: f64| self.distance(t, of_point) - self.radius;
        if gap(0.0) <= 0.0 {
            return (Some(0.0), gap(0.0));
        }
        let deepest = least(0.0, 1.0, gap);
        let deepest = if gap(1.0) < gap(deepest) { 1.0 } else { deepest };
        let depth = gap(deepest);
        if depth > 0.0 {
            return (None, depth);
        }
        let (mut before, mut after) = (0.0, deepest);
        for _ in 0..60 {
            let middle = 0.5 * (before + after);
            *(if gap(middle) > 0.0 { &mut before } else { &mut after }) = middle;
        }
        (Some(after), depth)
    }
}

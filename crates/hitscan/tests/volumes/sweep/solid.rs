//! Distances between convex solids and triangles by all pairs of their features, and the first t of contact, by
//! searches.

use crate::sweep::oracle::{to_segment, to_triangle};
use hitscan::glam::{DMat3, DVec3};

type Corners = [DVec3; 3];

/// The triangles of a convex solid, counter-clockwise from outside. A flat solid has triangles on both sides.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub(crate) triangles: Vec<Corners>,
}

impl Solid {
    /// Returns a box, or its image under a matrix.
    pub(crate) fn of_box(center: DVec3, edges: DMat3, half: DVec3) -> Self {
        let corner = |i: usize| {
            let sign = |axis: usize| if i >> axis & 1 == 1 { 1.0 } else { -1.0 };
            center + edges * (half * DVec3::new(sign(0), sign(1), sign(2)))
        };
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let halves = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        Self::new(halves.map(|triangle: [usize; 3]| triangle.map(corner)))
    }

    pub(crate) fn new(triangles: impl Iterator<Item = Corners>) -> Self {
        Self { triangles: triangles.filter(|[a, b, c]| (b - a).cross(c - a) != DVec3::ZERO).collect() }
    }

    pub(crate) fn map(&self, place: impl Fn(DVec3) -> DVec3) -> Self {
        Self { triangles: self.triangles.iter().map(|corners| corners.map(&place)).collect() }
    }

    /// Returns the solid scaled around a point.
    pub(crate) fn scaled(&self, center: DVec3, by: f64) -> Self {
        self.map(|p| center + (p - center) * by)
    }

    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let all = self.triangles.iter().flatten();
        all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)))
    }

    /// Returns the support function: how far the solid reaches along a direction.
    pub(crate) fn reach(&self, direction: DVec3) -> f64 {
        self.triangles.iter().flatten().map(|p| p.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns points all over its surface, in this many rows of each triangle.
    pub(crate) fn samples(&self, rows: u32) -> impl Iterator<Item = DVec3> {
        let steps =
            (0..=rows).flat_map(move |i| (0..=rows - i).map(move |j| [i, j].map(|i| f64::from(i) / f64::from(rows))));
        self.triangles.iter().flat_map(move |&[a, b, c]| steps.clone().map(move |[u, v]| a + (b - a) * u + (c - a) * v))
    }

    fn contains(&self, p: DVec3) -> bool {
        self.triangles.iter().all(|[a, b, c]| (b - a).cross(c - a).dot(p - a) <= 0.0)
    }

    pub(crate) fn to_point(&self, p: DVec3) -> f64 {
        if self.contains(p) {
            return 0.0;
        }
        self.triangles.iter().map(|corners| to_triangle(p, *corners)).fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn to_triangle(&self, other: Corners) -> f64 {
        if other.iter().any(|p| self.contains(*p)) {
            return 0.0;
        }
        self.triangles.iter().map(|corners| between_triangles(*corners, other)).fold(f64::INFINITY, f64::min)
    }

    /// Returns the first t from 0 to `last` of contact with a triangle, if there is any.
    fn first(&self, motion: DVec3, other: Corners, last: f64) -> Option<f64> {
        // The triangle moves in the opposite direction.
        let distance = |t: f64| self.to_triangle(other.map(|p| p - motion * t));
        let inside = inside(&distance, motion.length(), last)?;
        let (mut before, mut after) = (0.0, inside);
        if distance(0.0) == 0.0 {
            return Some(0.0);
        }
        for _ in 0..52 {
            let middle = 0.5 * (before + after);
            *(if distance(middle) > 0.0 { &mut before } else { &mut after }) = middle;
        }
        Some(after)
    }

    /// Returns the first t in 0..=1 of contact with any triangle.
    pub(crate) fn first_of(&self, motion: DVec3, others: &[Corners]) -> Option<f64> {
        let (low, high) = self.bounds();
        let (middle, reach) = ((low + high) * 0.5, low.distance(high) * 0.5);
        let mut first = None;
        for &[a, b, c] in others {
            // Triangles are rejected by the bounding balls of the triangle and the solid.
            let center = (a + b + c) / 3.0;
            let room = reach + a.distance(center).max(b.distance(center)).max(c.distance(center));
            if to_segment(center, middle, middle + motion) <= room {
                first = self.first(motion, [a, b, c], first.unwrap_or(1.0)).or(first);
            }
        }
        first
    }
}

/// Returns a t from 0 to `last` at which a convex function is 0. The function must fall no faster than `speed`.
fn inside(distance: &impl Fn(f64) -> f64, speed: f64, last: f64) -> Option<f64> {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (0.0, last);
    for end in [low, high] {
        if distance(end) == 0.0 {
            return Some(end);
        }
    }
    let (mut p, mut q) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_p, mut at_q) = (distance(p), distance(q));
    for _ in 0..90 {
        if at_p == 0.0 || at_q == 0.0 {
            return Some(if at_p == 0.0 { p } else { q });
        }
        if at_p.min(at_q) > speed * (high - low) {
            return None;
        }
        if at_p <= at_q {
            (high, q, at_q) = (q, p, at_p);
            p = high - ratio * (high - low);
            at_p = distance(p);
        } else {
            (low, p, at_p) = (p, q, at_q);
            q = low + ratio * (high - low);
            at_q = distance(q);
        }
    }
    None
}

fn between_triangles(one: Corners, two: Corners) -> f64 {
    let edges = |[a, b, c]: Corners| [(a, b), (b, c), (c, a)];
    let crosses = |of: Corners, other: Corners| edges(of).iter().any(|&(p, q)| goes_through(p, q, other));
    if crosses(one, two) || crosses(two, one) {
        return 0.0;
    }
    let corners = one.iter().map(|p| to_triangle(*p, two)).chain(two.iter().map(|p| to_triangle(*p, one)));
    let pairs = edges(one).into_iter().flat_map(|e| edges(two).map(|f| between_segments(e, f)));
    corners.chain(pairs).fold(f64::INFINITY, f64::min)
}

fn goes_through(p: DVec3, q: DVec3, [a, b, c]: Corners) -> bool {
    let n = (b - a).cross(c - a);
    let (from, to) = (n.dot(p - a), n.dot(q - a));
    if from * to > 0.0 || from == to {
        return false;
    }
    let at = p + (q - p) * (from / (from - to));
    [(a, b), (b, c), (c, a)].iter().all(|(a, b)| (b - a).cross(at - a).dot(n) >= 0.0)
}

/// Returns the distance between two segments. The nearest points are inside both segments, or at an end of one.
fn between_segments((a, b): (DVec3, DVec3), (c, d): (DVec3, DVec3)) -> f64 {
    let ends = [to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)];
    let nearest = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (u, v, w) = (b - a, d - c, a - c);
    let n = u.cross(v);
    let square = n.length_squared();
    if square == 0.0 {
        return nearest;
    }
    let (s, t) = (v.cross(w).dot(n) / square, u.cross(w).dot(n) / square);
    let is_inner = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if is_inner { nearest.min((w.dot(n) / square.sqrt()).abs()) } else { nearest }
}

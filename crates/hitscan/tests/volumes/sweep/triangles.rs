//! The first t at which a segment comes within a radius of any of very many triangles. Triangles out of reach are
//! skipped by bounding balls and by the maximum displacement.

use crate::sweep::oracle::{Moving, least, to_segment, to_triangle};
use hitscan::glam::DVec3;
use std::ops::Range;

/// Triangles in a hierarchy of bounding balls.
pub(crate) struct Triangles {
    corners: Vec<[DVec3; 3]>,
    balls: Vec<Ball>,
}

struct Ball {
    center: DVec3,
    radius: f64,
    within: Within,
}

enum Within {
    Triangles(Range<usize>),
    Balls([usize; 2]),
}

/// The number of triangles that are tested one by one.
const FEW: usize = 4;

impl Triangles {
    pub(crate) fn new(mut corners: Vec<[DVec3; 3]>) -> Self {
        let mut balls = Vec::new();
        let count = corners.len();
        enclose(&mut corners, 0..count, &mut balls);
        Self { corners, balls }
    }

    /// Returns the first t at which the segment comes within its radius of a triangle.
    pub(crate) fn first(&self, moving: &Moving) -> Option<f64> {
        let mut first = None;
        let start = moving.center;
        self.visit(
            self.balls.len() - 1,
            moving,
            &mut first,
            &|first, center, radius| {
                let end = start + moving.motion * first.unwrap_or(1.0);
                to_segment(center, start, end) <= radius + moving.reach()
            },
            &mut |first, corners| *first = moving.first_at(corners, first.unwrap_or(1.0)).or(*first),
        );
        first
    }

    /// Returns how far the verdict is from changing: the gap of the nearest miss or the depth of the shallowest contact, whichever is less.
    pub(crate) fn margin(&self, moving: &Moving) -> f64 {
        let (start, end) = (moving.center, moving.center + moving.motion);
        let mut margin = f64::INFINITY;
        self.visit(
            self.balls.len() - 1,
            moving,
            &mut margin,
            &|_, center, radius| to_segment(center, start, end) <= radius + moving.reach(),
            &mut |margin, corners| *margin = margin.min(moving.deepest(corners, 1.0).1.abs()),
        );
        margin
    }

    /// Returns the distance between the segment and the nearest triangle at t.
    pub(crate) fn nearest(&self, moving: &Moving, t: f64) -> f64 {
        let center = moving.center + moving.motion * t;
        let mut nearest = f64::INFINITY;
        self.visit(
            self.balls.len() - 1,
            moving,
            &mut nearest,
            &|nearest, of, radius| center.distance(of) <= radius + moving.half.length() + *nearest,
            &mut |nearest, corners| *nearest = nearest.min(moving.distance_at(corners, t)),
        );
        nearest
    }

    /// Visits the triangles of all balls that matter, in the order in which the motion reaches them.
    fn visit<T>(
        &self,
        ball: usize,
        moving: &Moving,
        state: &mut T,
        matters: &impl Fn(&T, DVec3, f64) -> bool,
        look: &mut impl FnMut(&mut T, [DVec3; 3]),
    ) {
        let Ball { center, radius, within } = &self.balls[ball];
        if !matters(state, *center, *radius) {
            return;
        }
        match within {
            Within::Triangles(range) => self.corners[range.clone()].iter().for_each(|corners| look(state, *corners)),
            Within::Balls([a, b]) => {
                let along = |ball: usize| self.balls[ball].center.dot(moving.motion);
                let order = if along(*b) < along(*a) { [*b, *a] } else { [*a, *b] };
                order.into_iter().for_each(|ball| self.visit(ball, moving, state, matters, look));
            }
        }
    }
}

/// Adds the ball around these triangles, after the balls within it.
fn enclose(corners: &mut [[DVec3; 3]], range: Range<usize>, balls: &mut Vec<Ball>) -> usize {
    let own = &mut corners[range.clone()];
    let points = || own.iter().flatten().copied();
    let low = points().fold(DVec3::INFINITY, DVec3::min);
    let high = points().fold(DVec3::NEG_INFINITY, DVec3::max);
    let center = (low + high) * 0.5;
    let radius = points().map(|p| p.distance(center)).fold(0.0, f64::max) * (1.0 + 1e-12);
    let within = if own.len() <= FEW {
        Within::Triangles(range)
    } else {
        let axis = (high - low).max_position();
        let middle = own.len() / 2;
        let place = |[a, b, c]: &[DVec3; 3]| a[axis] + b[axis] + c[axis];
        own.select_nth_unstable_by(middle, |a, b| place(a).total_cmp(&place(b)));
        let middle = range.start + middle;
        Within::Balls([range.start..middle, middle..range.end].map(|half| enclose(corners, half, balls)))
    };
    balls.push(Ball { center, radius, within });
    balls.len() - 1
}

/// The number of times that the motion is halved before it is searched.
const HALVINGS: u32 = 5;

impl Moving {
    /// Returns an upper bound of the distance between the volume's centre and anything that the volume touches.
    fn reach(&self) -> f64 {
        self.half.length() + self.radius * 1.001 + 1e-6
    }

    /// Returns the distance between the volume's segment and a triangle at t.
    fn distance_at(&self, corners: [DVec3; 3], t: f64) -> f64 {
        let center = self.center + self.motion * t;
        if self.half == DVec3::ZERO {
            to_triangle(center, corners)
        } else {
            segment_to_triangle([center - self.half, center + self.half], corners)
        }
    }

    fn gap(&self, corners: [DVec3; 3], t: f64) -> f64 {
        self.distance_at(corners, t) - self.radius
    }

    /// Returns the t up to `until` at which the gap to the triangle is least, and this gap. The gap is a convex
    /// function of t, and negative for an overlap.
    fn deepest(&self, corners: [DVec3; 3], until: f64) -> (f64, f64) {
        let gap = |t: f64| self.gap(corners, t);
        let inner = least(0.0, until, gap);
        [0.0, inner, until].map(|t| (t, gap(t))).into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
    }

    /// Returns the first t up to `until` at which the volume touches a triangle.
    fn first_at(&self, corners: [DVec3; 3], until: f64) -> Option<f64> {
        if self.gap(corners, 0.0) <= 0.0 {
            return Some(0.0);
        }
        if self.stays_away(corners, [0.0, until], HALVINGS) {
            return None;
        }
        let (mut after, depth) = self.deepest(corners, until);
        if depth > 0.0 {
            return None;
        }
        let mut before = 0.0;
        for _ in 0..60 {
            let middle = 0.5 * (before + after);
            *(if self.gap(corners, middle) > 0.0 { &mut before } else { &mut after }) = middle;
        }
        Some(after)
    }

    /// Returns whether the volume and a triangle certainly stay apart. In half the time the volume moves by at most
    /// half of its displacement.
    fn stays_away(&self, corners: [DVec3; 3], [from, to]: [f64; 2], halvings: u32) -> bool {
        let middle = 0.5 * (from + to);
        let way = self.motion.length() * 0.5 * (to - from);
        let gap = self.gap(corners, middle);
        gap > way * (1.0 + 1e-9) + 1e-9
            || gap > 0.0
                && halvings > 0
                && self.stays_away(corners, [from, middle], halvings - 1)
                && self.stays_away(corners, [middle, to], halvings - 1)
    }
}

/// Returns the distance between a segment and a triangle: 0 if they cross, else the distance at an end or an edge.
fn segment_to_triangle([p, q]: [DVec3; 2], corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let n = (b - a).cross(c - a);
    let (above, below) = (n.dot(p - a), n.dot(q - a));
    if above * below < 0.0 {
        let at = p + (q - p) * (above / (above - below));
        let is_within = |p: DVec3, q: DVec3| (q - p).cross(at - p).dot(n) >= 0.0;
        if is_within(a, b) && is_within(b, c) && is_within(c, a) {
            return 0.0;
        }
    }
    let ends = to_triangle(p, corners).min(to_triangle(q, corners));
    let edges = [(a, b), (b, c), (c, a)].map(|(a, b)| segment_to_segment([p, q], [a, b]));
    edges.into_iter().fold(ends, f64::min)
}

/// Returns the distance between two segments. The nearest points are at an end of a segment, or where the two lines are
/// nearest.
fn segment_to_segment([p, q]: [DVec3; 2], [a, b]: [DVec3; 2]) -> f64 {
    let ends = [to_segment(p, a, b), to_segment(q, a, b), to_segment(a, p, q), to_segment(b, p, q)];
    let ends = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (u, v, w) = (q - p, b - a, p - a);
    let across = u.length_squared() * v.length_squared() - u.dot(v) * u.dot(v);
    let s = (u.dot(v) * v.dot(w) - v.length_squared() * u.dot(w)) / across;
    if (0.0..=1.0).contains(&s) { ends.min(to_segment(p + u * s, a, b)) } else { ends }
}

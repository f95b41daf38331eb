//! The distance from the origin to a convex set that is given by its support function alone (E. Gilbert, D. Johnson, S.
//! Keerthi, "A fast procedure for computing the distance between complex objects in three-dimensional space", 1988).

use super::closest_points::{ClosestPair, part, point_segment, point_triangle};
use crate::math::float::{largest, sqrt, unit};
use glam::DVec3;

/// The relative accuracy of distances. A contact is reported early by at most this fraction of the sizes, and late
/// only by rounding.
pub(crate) const RESOLUTION: f64 = 1.0 / (1u64 << 40) as f64;

/// A convex set that is given by its support function alone.
pub(crate) trait SupportMap {
    /// Returns the support point along a direction of any length.
    fn farthest(&self, direction: DVec3) -> DVec3;
}

/// A point of a Minkowski difference, and the point of the second set that it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SupportPoint {
    pub(crate) at: DVec3,
    pub(crate) core: DVec3,
}

impl SupportPoint {
    fn between(self, other: Self, s: f64) -> Self {
        Self { at: self.at + (other.at - self.at) * s, core: self.core + (other.core - self.core) * s }
    }
}

/// The distance between the origin and the set, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separation {
    /// The nearest point of the set that was found.
    pub(crate) nearest: SupportPoint,
    /// A unit vector to the origin, along which no point of the set is farther than `-least`; `None` if the origin is
    /// in the set.
    pub(crate) normal: Option<DVec3>,
    /// A lower bound of the distance, up to the rounding of support points.
    pub(crate) least: f64,
}

/// The maximum number of steps. Each step adds a new point, and a smooth set takes about twenty.
const MOST_STEPS: usize = 96;

/// The maximum number of consecutive new corners that bring the nearest point no nearer. They may make progress that f64 cannot see. For example, a corner at
/// the far end of a long set rotates the plane of the face near the origin. Then the next corner is much nearer, but the face itself comes nearer by less than
/// f64 can tell.
const VAIN_STEPS: usize = 4;

/// Searches until the lower and upper bound of the distance differ by no more than `resolution`, or by no more than
/// rounding.
pub(crate) fn separation(farthest: impl Fn(DVec3) -> SupportPoint, first: DVec3, resolution: f64) -> Separation {
    separation_within(farthest, first, resolution, |_| resolution)
}

/// Does the same as [`separation`], but also ends if the difference of the bounds is at most `enough` of the upper bound.
pub(crate) fn separation_within(
    farthest: impl Fn(DVec3) -> SupportPoint,
    first: DVec3,
    resolution: f64,
    enough: impl Fn(f64) -> f64,
) -> Separation {
    let start = farthest(first);
    let mut simplex = Simplex { corners: [start; 4], count: 1 };
    let mut found = Separation { nearest: start, normal: None, least: f64::NEG_INFINITY };
    let (mut nearest, mut vain) = (start, 0);
    for _ in 0..MOST_STEPS {
        let square = found.nearest.at.length_squared();
        let distance = sqrt(square);
        if distance <= resolution {
            return Separation { normal: None, least: 0.0, ..found };
        }
        let Some(normal) = unit(-nearest.at) else {
            return Separation { normal: None, least: 0.0, ..found };
        };
        let added = farthest(normal);
        let least = -normal.dot(added.at);
        if least > found.least {
            (found.least, found.normal) = (least, Some(normal));
        }
        if distance - found.least <= enough(distance) || simplex.has(added) {
            return found;
        }
        simplex.add(added);
        let Some(next) = simplex.reduce() else {
            return Separation { nearest: simplex.around_origin(), normal: None, least: 0.0 };
        };
        nearest = next;
        if nearest.at.length_squared() < square {
            (found.nearest, vain) = (nearest, 0);
        } else {
            vain += 1;
            if vain > VAIN_STEPS {
                return found;
            }
        }
    }
    found
}

/// A simplex of one to four points.
struct Simplex {
    corners: [SupportPoint; 4],
    count: usize,
}

impl Simplex {
    fn has(&self, point: SupportPoint) -> bool {
        self.corners[..self.count].iter().any(|corner| corner.at == point.at)
    }

    fn add(&mut self, point: SupportPoint) {
        self.corners[self.count % 4] = point;
        self.count = (self.count + 1).min(4);
    }

    /// Returns the nearest point, and keeps only the corners around it; `None` if the origin is inside four points.
    fn reduce(&mut self) -> Option<SupportPoint> {
        let [a, b, c, d] = &self.corners;
        match self.count {
            1 => Some(*a),
            2 => {
                let nearest = point_segment(DVec3::ZERO, [a.at, b.at]);
                Some(self.keep_of(&SimplexFace { numbers: [0, 1, 1], nearest }))
            }
            3 => Some(self.keep_of(&SimplexFace::with_corners([0, 1, 2], [a, b, c]))),
            _ => {
                if contains([a.at, b.at, c.at, d.at]) {
                    return None;
                }
                // The face without the last corner can be nearest only by rounding, and would not make progress.
                let faces = [([0, 1, 3], [a, b, d]), ([0, 3, 2], [a, d, c]), ([1, 2, 3], [b, c, d])];
                let [first, second, third] =
                    faces.map(|(numbers, corners)| SimplexFace::with_corners(numbers, corners));
                let nearest = first.nearer(second).nearer(third);
                Some(self.keep_of(&nearest))
            }
        }
    }

    /// Returns the origin as a point of a tetrahedron. If its corners are nearly coplanar, the barycentrics are
    /// dominated by rounding. Then the nearest point of the four faces is used. Its distance from the origin is at most the distance of the corners from a
    /// common plane.
    fn around_origin(&self) -> SupportPoint {
        let parts = parts_of(self.corners.map(|corner| corner.at));
        let whole: f64 = parts.iter().sum();
        let mean = |of: fn(&SupportPoint) -> DVec3| -> DVec3 {
            self.corners.iter().zip(parts).map(|(corner, part)| of(corner) * (part / whole)).sum()
        };
        let (off, core) = (mean(|corner| corner.at), mean(|corner| corner.core));
        let [a, b, c, d] = &self.corners;
        let faces = [([0, 1, 2], [a, b, c]), ([0, 1, 3], [a, b, d]), ([0, 3, 2], [a, d, c]), ([1, 2, 3], [b, c, d])];
        let [first, second, third, fourth] =
            faces.map(|(numbers, corners)| SimplexFace::with_corners(numbers, corners));
        let side = first.nearer(second).nearer(third).nearer(fourth);
        let is_inside = off.length_squared() <= side.nearest.square;
        let core = if is_inside { core } else { self.nearest_of(&side).1.core };
        SupportPoint { at: DVec3::ZERO, core }
    }

    fn keep_of(&mut self, side: &SimplexFace) -> SupportPoint {
        let ((kept, count), nearest) = self.nearest_of(side);
        self.count = count;
        self.corners[..count].copy_from_slice(&kept[..count]);
        nearest
    }

    /// Returns the nearest point of a side, with the corners around it and their number.
    fn nearest_of(&self, side: &SimplexFace) -> (([SupportPoint; 3], usize), SupportPoint) {
        use super::feature::Feature::{Edge, Face, Vertex};
        let [a, b, c] = side.numbers.map(|number| self.corners[number]);
        let point = side.nearest.point;
        match side.nearest.feature {
            Vertex(0) => (([a, b, c], 1), a),
            Vertex(1) => (([b, c, a], 1), b),
            Vertex(_) => (([c, a, b], 1), c),
            Edge(0) => (([a, b, c], 2), on_edge(a, b, point)),
            Edge(1) => (([b, c, a], 2), on_edge(b, c, point)),
            Edge(_) => (([c, a, b], 2), on_edge(c, a, point)),
            Face => (([a, b, c], 3), on_face([a, b, c], point)),
        }
    }
}

/// Three corners of a simplex by their numbers, and the point of their triangle that is nearest to the origin.
struct SimplexFace {
    numbers: [usize; 3],
    nearest: ClosestPair,
}

impl SimplexFace {
    fn with_corners(numbers: [usize; 3], corners: [&SupportPoint; 3]) -> Self {
        Self { numbers, nearest: point_triangle(DVec3::ZERO, corners.map(|corner| corner.at)) }
    }

    /// Returns the nearer of two faces, the first if they are equally near.
    fn nearer(self, other: Self) -> Self {
        if other.nearest.square < self.nearest.square { other } else { self }
    }
}

fn on_edge(a: SupportPoint, b: SupportPoint, point: DVec3) -> SupportPoint {
    let along = b.at - a.at;
    SupportPoint { at: point, ..a.between(b, part((point - a.at).dot(along), along.length_squared())) }
}

/// Computes barycentrics that are not negative, so that the point is certainly in the second set.
fn on_face([a, b, c]: [SupportPoint; 3], point: DVec3) -> SupportPoint {
    let (u, v, w) = (b.at - a.at, c.at - a.at, point - a.at);
    let normal = u.cross(v);
    let square = normal.length_squared();
    let parts = |w: DVec3| (normal.dot(w.cross(v)) / square, normal.dot(u.cross(w)) / square);
    // The error of the barycentrics of a needle is far above f64 rounding. The remainder measures this error, which is then subtracted.
    let (s, t) = parts(w);
    let (more_s, more_t) = parts(w - u * s - v * t);
    let (s, t) = ((s + more_s).max(0.0), (t + more_t).max(0.0));
    let sum = (s + t).max(1.0);
    let (s, t) = (s / sum, t / sum);
    let at = a.at + u * s + v * t;
    // A needle has no accurate normal either: its computed point is then outside of the triangle, and may be nearer
    // than any point of the set.
    let rounding = 64.0 * f64::EPSILON * (largest(a.at) + largest(u) + largest(v));
    let at = if largest(at - point) <= rounding { point } else { at };
    SupportPoint { at, core: a.core + (b.core - a.core) * s + (c.core - a.core) * t }
}

/// Returns whether the origin is inside a tetrahedron.
fn contains(corners: [DVec3; 4]) -> bool {
    let [a, b, c, d] = corners;
    let whole = (b - a).dot((c - a).cross(d - a));
    let parts = parts_of(corners);
    whole != 0.0 && parts.iter().all(|&part| if whole > 0.0 { part < 0.0 } else { part > 0.0 })
}

/// Returns for each corner of a tetrahedron the volume that the origin spans with the other three: all four volumes have the same sign if the origin is inside.
fn parts_of([a, b, c, d]: [DVec3; 4]) -> [f64; 4] {
    let volume = |a: DVec3, b: DVec3, c: DVec3| a.dot(b.cross(c));
    [-volume(b, c, d), volume(a, c, d), -volume(a, b, d), volume(a, b, c)]
}

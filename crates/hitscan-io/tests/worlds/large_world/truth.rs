//! The hits of a ray, triangle by triangle, in f64 relative to the ray's origin, where all numbers are small and
//! rounding errors negligible. The error that the library may have because it computes with world coordinates is known
//! (docs/robustness.md), and distinguished from faults.

use hitscan::Ray;
use hitscan::glam::{DAffine3, DMat3, DVec3};
use std::sync::Arc;

/// The unit roundoff of f64.
const U: f64 = f64::EPSILON / 2.0;
/// The number of triangles that are skipped together.
const GROUP: usize = 64;

/// Triangles in the world.
pub(crate) struct Placed {
    pub(crate) id: u32,
    pub(crate) part: u32,
    pub(crate) transform: DAffine3,
    /// The corners in local space.
    pub(crate) corners: Arc<[[DVec3; 3]]>,
    /// Bounding spheres of groups of triangles, in world space without the translation.
    groups: Vec<(DVec3, f64)>,
    /// The error of rounding its world coordinates to f64 once.
    grain: f64,
    /// The distance between the library's ray and the true one.
    noise: f64,
}

/// A ray, whose start is relative to the query's origin.
pub(crate) struct Eye {
    origin: DVec3,
    start: DVec3,
    direction: DVec3,
}

/// A triangle that is hit, or nearly so.
pub(crate) struct Met {
    pub(crate) id: u32,
    pub(crate) part: u32,
    pub(crate) triangle: u32,
    pub(crate) t: f64,
    /// The uncertainty of t.
    pub(crate) doubt: f64,
    /// The change of t by one rounding of the world's coordinates to f64.
    pub(crate) grain: f64,
    pub(crate) verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Certain,
    /// The ray hits, up to the last digits of f64.
    In,
    Out,
}

impl Placed {
    pub(crate) fn new(id: u32, part: u32, transform: DAffine3, corners: Arc<[[DVec3; 3]]>) -> Self {
        let linear = transform.matrix3;
        let group = |triangles: &[[DVec3; 3]]| {
            let points = || triangles.as_flattened().iter().map(|&corner| linear * corner);
            let (low, high) = points().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
            let middle = (low + high) / 2.0;
            (middle, points().map(|p| p.distance(middle)).fold(0.0, f64::max))
        };
        let norm = |m: DMat3| m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        let condition = norm(linear) * norm(linear.inverse());
        let groups: Vec<(DVec3, f64)> = corners.chunks(GROUP).map(group).collect();
        let reach = groups.iter().map(|(middle, radius)| middle.length() + radius).fold(0.0, f64::max);
        // The bound is 48 u times the condition number for the placement in world coordinates. It has another 4 u for
        // the sum of the two origins and for the inverse.
        let grain = U * (transform.translation.abs().max_element() + reach);
        let noise = (48.0 * condition + 4.0) * grain;
        Self { id, part, transform, corners, groups, grain, noise }
    }

    pub(crate) fn meet(&self, eye: &Eye, met: &mut Vec<Met>) {
        let offset = eye.offset(self.transform.translation);
        for (number, (middle, radius)) in self.groups.iter().enumerate() {
            let middle = *middle + offset;
            let away = middle - eye.direction * middle.dot(eye.direction) / eye.direction.length_squared();
            let room = radius + self.noise + 1e-9 * middle.length();
            if away.length_squared() > room * room {
                continue;
            }
            let first = number * GROUP;
            let triangles = &self.corners[first..(first + GROUP).min(self.corners.len())];
            for (triangle, corners) in (first as u32..).zip(triangles) {
                let corners = corners.map(|corner| self.transform.matrix3 * corner + offset);
                met.extend(self.meet_triangle(eye, triangle, corners));
            }
        }
    }

    /// Tests a triangle by the volumes that the direction spans with the edges. Moving the ray by the noise changes
    /// each volume by at most the noise times the edge's length.
    fn meet_triangle(&self, eye: &Eye, triangle: u32, [a, b, c]: [DVec3; 3]) -> Option<Met> {
        let direction = eye.direction;
        let edges = [(a, b), (b, c), (c, a)].map(|(p, q)| {
            let doubt = direction.length() * (self.noise * p.distance(q) + 16.0 * U * p.length() * q.length());
            (direction.dot(p.cross(q)), doubt)
        });
        let speed: f64 = edges.iter().map(|(volume, _)| volume).sum();
        let insides = edges.map(|(volume, doubt)| (volume * speed.signum(), doubt));
        if insides.iter().any(|(inside, doubt)| *inside < -doubt) {
            return None;
        }
        let normal = (b - a).cross(c - a);
        let t = normal.dot(a) / normal.dot(direction);
        let steepness = normal.length() / normal.dot(direction).abs();
        let (doubt, grain) = (self.noise * steepness + 8.0 * U * t.abs(), self.grain * steepness);
        let verdict = if insides.iter().all(|(inside, doubt)| inside > doubt) && t > doubt {
            Verdict::Certain
        } else if insides.iter().all(|(inside, _)| *inside >= 0.0) && t >= 0.0 {
            Verdict::In
        } else {
            Verdict::Out
        };
        // If the ray may be in the triangle's plane, t may be anything.
        let (t, doubt) = if t.is_finite() { (t, doubt) } else { (0.0, f64::INFINITY) };
        (t >= -doubt).then_some(Met { id: self.id, part: self.part, triangle, t, doubt, grain, verdict })
    }
}

impl Eye {
    pub(crate) fn new(ray: &Ray, origin: DVec3) -> Self {
        Self { origin, start: ray.origin.as_dvec3(), direction: ray.direction.as_dvec3() }
    }

    /// Returns a point relative to the query's origin.
    pub(crate) fn at(&self, t: f64) -> DVec3 {
        self.start + self.direction * t
    }

    /// Returns the vector from the ray's origin to a point of the world. The difference of the large numbers is
    /// computed without rounding (T. J. Dekker, 1971).
    fn offset(&self, point: DVec3) -> DVec3 {
        let difference = |x: f64, y: f64| {
            let high = x - y;
            let taken = high - x;
            (high, (x - (high - taken)) - (y + taken))
        };
        let component = |axis: usize| {
            let (high, low) = difference(point[axis], self.origin[axis]);
            (high - self.start[axis]) + low
        };
        DVec3::new(component(0), component(1), component(2))
    }
}

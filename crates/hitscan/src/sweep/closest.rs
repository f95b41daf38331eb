//! The closest points of points, segments and triangles (C. Ericson, "Real-Time Collision Detection", 5.1).

use super::Feature;
use glam::DVec3;

/// The closest points of two things.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) square: f64,
    /// On the obstacle.
    pub(crate) point: DVec3,
    /// On the volume's segment.
    pub(crate) core: DVec3,
    pub(crate) feature: Feature,
}

impl Pair {
    fn new(point: DVec3, core: DVec3, feature: Feature) -> Self {
        Self { square: (core - point).length_squared(), point, core, feature }
    }

    fn nearer(self, other: Self) -> Self {
        if other.square < self.square { other } else { self }
    }
}

/// Of a triangle and a point.
pub(crate) fn point_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> Pair {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let at = |point: DVec3, feature| Pair::new(point, p, feature);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return at(a, Feature::Vertex(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return at(b, Feature::Vertex(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return at(a + ab * part(d1, d1 - d3), Feature::Edge(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return at(c, Feature::Vertex(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return at(a + ac * part(d2, d2 - d6), Feature::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return at(b + (c - b) * part(d4 - d3, (d4 - d3) + (d5 - d6)), Feature::Edge(1));
    }
    let scale = 1.0 / (va + vb + vc);
    // On the face the normal says how far it is, better than barycentrics say where.
    let normal = ab.cross(ac);
    let point = p - normal * (ap.dot(normal) / normal.length_squared());
    let point = if point.is_finite() { point } else { a + ab * (vb * scale) + ac * (vc * scale) };
    at(point, Feature::Face)
}

/// Of an edge that is so short beside its distance that both ends look the same from there, either is as near.
#[inline(always)]
fn part(of: f64, whole: f64) -> f64 {
    if whole > 0.0 { of / whole } else { 0.0 }
}

/// Of a triangle and the segment from `-half` to `half`; the same point if they cross.
pub(crate) fn segment_triangle(half: DVec3, corners: [DVec3; 3]) -> Pair {
    let [a, b, c] = corners;
    if let Some(point) = crossing(half, corners) {
        return Pair { square: 0.0, point, core: point, feature: Feature::Face };
    }
    let ends = point_triangle(half, corners).nearer(point_triangle(-half, corners));
    let edges = [(a, b, 0), (b, c, 1), (c, a, 2)].map(|(p, q, edge)| segment_segment(half, p, q, edge));
    edges.into_iter().fold(ends, Pair::nearer)
}

/// Where the segment goes through the triangle, if it does.
fn crossing(half: DVec3, [a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    let (rise, height) = (normal.dot(half), normal.dot(a));
    if !(height.abs() <= rise.abs()) || rise == 0.0 {
        return None;
    }
    let point = half * (height / rise);
    let is_within = |p: DVec3, q: DVec3| normal.dot((q - p).cross(point - p)) >= 0.0;
    (is_within(a, b) && is_within(b, c) && is_within(c, a)).then_some(point)
}

/// Of an edge from p to q and the segment from `-half` to `half`.
pub(crate) fn segment_segment(half: DVec3, p: DVec3, q: DVec3, edge: u8) -> Pair {
    let (d1, d2, r) = (q - p, half * 2.0, p + half);
    let (a, e, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
    let clamp = |x: f64| x.clamp(0.0, 1.0);
    let (b, c) = (d1.dot(d2), d1.dot(r));
    let cross = d1.cross(d2).length_squared();
    let s = if a == 0.0 || cross == 0.0 { 0.0 } else { clamp((b * f - c * e) / cross) };
    let t = if e == 0.0 { 0.0 } else { (b * s + f) / e };
    let (s, t) = if (0.0..=1.0).contains(&t) {
        (s, t)
    } else {
        let t = clamp(t);
        (if a == 0.0 { 0.0 } else { clamp((b * t - c) / a) }, t)
    };
    let feature = if s == 0.0 {
        Feature::Vertex(edge)
    } else if s == 1.0 {
        Feature::Vertex((edge + 1) % 3)
    } else {
        Feature::Edge(edge)
    };
    Pair::new(p + d1 * s, d2 * t - half, feature)
}

//! The closest points of points, segments and triangles (C. Ericson, "Real-Time Collision Detection", 5.1).

use super::feature::Feature;
use super::triangle_plane::{THIN_SQUARE, from_longest_edge, triangle_plane};
use crate::math::float::{UNIT_ROUNDOFF, larger};
use glam::DVec3;

/// The closest points of an obstacle and a volume.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosestPair {
    pub(crate) square: f64,
    /// The point on the obstacle.
    pub(crate) point: DVec3,
    /// The point on the volume's segment.
    pub(crate) core: DVec3,
    pub(crate) feature: Feature,
}

impl ClosestPair {
    fn new(point: DVec3, core: DVec3, feature: Feature) -> Self {
        Self { square: (core - point).length_squared(), point, core, feature }
    }

    #[inline]
    pub(crate) fn nearer(self, other: Self) -> Self {
        if other.square < self.square { other } else { self }
    }
}

/// A bound of the squared error of a difference of two products of dot products, relative to the product of the squared lengths of the four vectors. A dot
/// product of edges and offsets has an error of 4 u of the lengths, a product of two of them 9 u, and the difference of two such products 18 u.
const UNDECIDED: f64 = (20.0 * UNIT_ROUNDOFF) * (20.0 * UNIT_ROUNDOFF);

/// Returns the point of a triangle that is closest to a point, within 32 roundoffs of the sizes, for any form of
/// triangle.
pub(crate) fn point_triangle(p: DVec3, corners: [DVec3; 3]) -> ClosestPair {
    let [a, b, c] = corners;
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let at = |point: DVec3, feature| ClosestPair::new(point, p, feature);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return at(a, Feature::Vertex(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return at(b, Feature::Vertex(1));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return at(c, Feature::Vertex(2));
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let (normal, edges) = (ab.cross(ac), ab.length_squared() * ac.length_squared());
    let reach = larger(larger(ap.length_squared(), bp.length_squared()), cp.length_squared());
    let error = UNDECIDED * edges * reach * reach;
    let is_sure = |v: f64| v * v > error;
    if !(is_sure(va) && is_sure(vb) && is_sure(vc) && normal.length_squared() > THIN_SQUARE * edges) {
        return nearest_part(p, corners, [vc, va, vb].map(|v| if is_sure(v) { v } else { 0.0 }));
    }
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return at(a + ab * part(d1, d1 - d3), Feature::Edge(0));
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return at(a + ac * part(d2, d2 - d6), Feature::Edge(2));
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return at(b + (c - b) * part(d4 - d3, (d4 - d3) + (d5 - d6)), Feature::Edge(1));
    }
    // On the face, the distance along the normal is more accurate than the position from the barycentrics.
    at(p - normal * (ap.dot(normal) / normal.length_squared()), Feature::Face)
}

/// Does the same as [`point_triangle`] for a triangle whose second and third corner coincide.
pub(super) fn point_segment(p: DVec3, [a, b]: [DVec3; 2]) -> ClosestPair {
    let along = b - a;
    if along.dot(p - a) <= 0.0 {
        return ClosestPair::new(a, p, Feature::Vertex(0));
    }
    let end = ClosestPair::new(b, p, Feature::Vertex(1));
    if along.dot(p - b) >= 0.0 {
        return end;
    }
    point_edge(p, a, b, 0).nearer(end).nearer(point_edge(p, b, a, 2))
}

/// Does the same as [`point_triangle`] by testing each feature. The face is tested only if the projection of the point
/// onto its plane is within the edges. `sides` has a number for each edge, whose sign is the side that the point is on;
/// it is 0 if f64 cannot tell. A point that is certainly outside of some edges is nearest to one of these edges.
#[cold]
#[inline(never)]
fn nearest_part(p: DVec3, corners: [DVec3; 3], sides: [f64; 3]) -> ClosestPair {
    let on_face = || foot_on_face(p, corners).map(|foot| ClosestPair::new(foot, p, Feature::Face));
    let is_inside = sides.iter().all(|&side| side > 0.0);
    if let Some(foot) = is_inside.then(on_face).flatten() {
        return foot;
    }
    let is_outside = sides.iter().any(|&side| side < 0.0);
    let mut nearest: Option<ClosestPair> = None;
    for (edge, side) in sides.into_iter().enumerate() {
        if !(is_outside && side > 0.0) {
            let on_edge = point_edge(p, corners[edge], corners[(edge + 1) % 3], edge as u8);
            nearest = Some(nearest.map_or(on_edge, |nearest| nearest.nearer(on_edge)));
        }
    }
    let foot = if is_inside || is_outside { None } else { on_face() };
    let corner = || ClosestPair::new(corners[0], p, Feature::Vertex(0));
    nearest.into_iter().chain(foot).reduce(ClosestPair::nearer).unwrap_or_else(corner)
}

/// Returns the projection of a point onto a triangle's plane, if it is inside the triangle and not on its edges.
fn foot_on_face(p: DVec3, corners: [DVec3; 3]) -> Option<DVec3> {
    let normal = triangle_plane(corners)?;
    let foot = p - normal * normal.dot(p - from_longest_edge(corners)[0]);
    let [a, b, c] = corners;
    let is_within = |from: DVec3, to: DVec3| normal.dot((to - from).cross(foot - from)) > 0.0;
    (is_within(a, b) && is_within(b, c) && is_within(c, a)).then_some(foot)
}

/// Finds the closest points of a triangle's edge and a point.
pub(crate) fn point_edge(p: DVec3, from: DVec3, to: DVec3, edge: u8) -> ClosestPair {
    let along = to - from;
    let s = part(along.dot(p - from), along.length_squared()).clamp(0.0, 1.0);
    // Both ends are exact.
    match s {
        0.0 => ClosestPair::new(from, p, Feature::Vertex(edge)),
        1.0 => ClosestPair::new(to, p, Feature::Vertex((edge + 1) % 3)),
        _ => ClosestPair::new(from + along * s, p, Feature::Edge(edge)),
    }
}

/// Returns the quotient `of / whole`, or 0 if `whole` is 0. That is the case for an edge so short, or so short relative to its distance, that its ends coincide
/// in f64. Both ends are then equally near.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn part(of: f64, whole: f64) -> f64 {
    if whole > 0.0 { of / whole } else { 0.0 }
}

/// Returns whether a convex core is farther from a triangle than a limit along the direction from the triangle to a point of the core. The test takes a
/// fraction of the time of the closest points, and rejects nearly as many triangles if `near` is the core's nearest point to the triangle's plane. No answer
/// depends on it if the limit includes the rounding of distances.
pub(crate) fn is_apart(near: DVec3, farthest: impl FnOnce(DVec3) -> DVec3, corners: [DVec3; 3], limit: f64) -> bool {
    let away = near - point_triangle(near, corners).point;
    let [a, b, c] = corners.map(|corner| corner.dot(away));
    let gap = farthest(-away).dot(away) - larger(larger(a, b), c);
    gap > 0.0 && gap * gap > limit * limit * away.length_squared()
}

/// Returns the closest points of a triangle and the segment from `-half` to `half`; the same point twice if they cross.
pub(crate) fn segment_triangle(half: DVec3, corners: [DVec3; 3]) -> ClosestPair {
    let [a, b, c] = corners;
    let through = triangle_plane(corners)
        .and_then(|normal| crossing(half, DVec3::ZERO, corners, (normal, from_longest_edge(corners)[0])));
    if let Some(pair) = through {
        return pair;
    }
    let ends = point_triangle(half, corners).nearer(point_triangle(-half, corners));
    let edges = [(a, b, 0), (b, c, 1), (c, a, 2)].map(|(p, q, edge)| segment_segment(half, p, q, edge));
    edges.into_iter().fold(ends, ClosestPair::nearer)
}

/// Finds where the segment around a middle crosses a triangle, relative to that middle, given the normal of the
/// triangle and the start of its longest edge.
#[inline]
pub(crate) fn crossing(
    half: DVec3,
    middle: DVec3,
    corners: [DVec3; 3],
    (normal, start): (DVec3, DVec3),
) -> Option<ClosestPair> {
    let (rise, height) = (normal.dot(half), normal.dot(start - middle));
    if !(height.abs() <= rise.abs()) || rise == 0.0 {
        return None;
    }
    let point = half * (height / rise);
    let [a, b, c] = corners;
    // The corners of a small triangle may coincide relative to a distant middle, and then every point would count as
    // within its edges.
    let is_within = |p: DVec3, q: DVec3| normal.dot((q - p).cross(point - (p - middle))) >= 0.0;
    let is_inside = is_within(a, b) && is_within(b, c) && is_within(c, a);
    is_inside.then_some(ClosestPair { square: 0.0, point, core: point, feature: Feature::Face })
}

/// Finds the closest points of an edge from p to q and the segment from `-half` to `half`. The closest points of nearly
/// parallel lines are ill-conditioned. Their positions follow from the cross product of the directions, and are off
/// along the lines by a length over which the distance of the lines changes by no more than rounding.
pub(crate) fn segment_segment(half: DVec3, p: DVec3, q: DVec3, edge: u8) -> ClosestPair {
    let (d1, d2, r) = (q - p, half * 2.0, p + half);
    let (a, e) = (d1.length_squared(), d2.length_squared());
    let clamp = |x: f64| x.clamp(0.0, 1.0);
    let (b, c, f) = (d1.dot(d2), d1.dot(r), d2.dot(r));
    let cross = d1.cross(d2);
    let s = clamp(part(d2.cross(r).dot(cross), cross.length_squared()));
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
    ClosestPair::new(p + d1 * s, d2 * t - half, feature)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn what_is_told_apart_is_apart() {
        let mut random = Random(71);
        let (mut told, mut apart) = (0, 0);
        for _ in 0..100_000 {
            let size = random.pick(&[1.0, 1.0, 1e-3, 1e-9]);
            let middle = random.cube();
            let corners = [(); 3].map(|()| middle + random.cube() * size);
            let half = random.cube() * random.pick(&[1.0, 0.1, 0.0]);
            let distance = segment_triangle(half, corners).square.sqrt();
            let limit = distance * random.pick(&[0.5, 0.99, 1.0 + 1e-9, 1.1]);
            let farthest = |direction: DVec3| if half.dot(direction) < 0.0 { -half } else { half };
            let is_told = [half, -half].into_iter().any(|near| is_apart(near, farthest, corners, limit));
            assert!(!is_told || distance > limit, "{corners:?} and {half} at {distance}, not within {limit}");
            told += usize::from(is_told);
            apart += usize::from(distance > limit);
        }
        assert!(told > apart / 2, "{told} of {apart}");
    }
}

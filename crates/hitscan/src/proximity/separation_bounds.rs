//! Cheap bounds of the distance between convex shapes, and of the penetration depth: along some directions, by support
//! functions.

use super::convex_core::ConvexPart;
use crate::convex::triangle_plane;
use crate::math::float::{larger, length, smaller, sqrt, unit};
use glam::DVec3;

/// Bounds of the position of a part: its bounding box, and its least height along one direction.
pub(super) struct SeparationBounds {
    low: DVec3,
    high: DVec3,
    /// A unit direction to the part, and the least height of the part along it.
    plane: Option<(DVec3, f64)>,
}

impl SeparationBounds {
    pub(super) fn of_piece(piece: &ConvexPart<'_>) -> Self {
        let (low, high) = piece.extent(DVec3::AXES);
        Self { low, high, plane: None }
    }

    /// Sets the unit direction to the part, given the support point of its core against this direction. The zero direction changes nothing.
    pub(super) fn look_along(&mut self, normal: DVec3, foot: DVec3, radius: f64) {
        if normal != DVec3::ZERO {
            self.plane = Some((normal, normal.dot(foot) - radius));
        }
    }

    /// Returns whether a triangle is farther from the part than a limit.
    pub(super) fn is_farther(&self, corners: &[DVec3; 3], limit: f64) -> bool {
        let (low, high) = box_of(corners);
        let gaps = (low - self.high).max(self.low - high);
        let beyond = |(normal, height): (DVec3, f64)| height - highest(corners, normal);
        gaps.max_element() > limit || self.plane.map_or(f64::NEG_INFINITY, beyond) > limit
    }
}

fn box_of([a, b, c]: &[DVec3; 3]) -> (DVec3, DVec3) {
    (a.min(*b).min(*c), a.max(*b).max(*c))
}

pub(super) fn highest(corners: &[DVec3; 3], direction: DVec3) -> f64 {
    let [a, b, c] = corners.map(|corner| corner.dot(direction));
    larger(larger(a, b), c)
}

/// Returns the distance between the boxes around two triangles. Its rounded value is at most the rounded distance of any two points in the boxes.
pub(super) fn separate_boxes(p: &[DVec3; 3], q: &[DVec3; 3]) -> f64 {
    let ((low, high), (other_low, other_high)) = (box_of(p), box_of(q));
    let gaps = (low - other_high).max(other_low - high).max(DVec3::ZERO);
    sqrt(gaps.length_squared())
}

/// Returns a lower bound of the distance of two triangles: the largest gap between them along a unit direction from the first to the second, and along both
/// normals. The bound may be negative.
pub(super) fn separate_triangles(p: &[DVec3; 3], q: &[DVec3; 3], along: DVec3) -> f64 {
    let from_to = |normal: DVec3| -highest(q, -normal) - highest(p, normal);
    let across = |corners: &[DVec3; 3]| {
        let normal = normal_of(corners);
        normal.map_or(f64::NEG_INFINITY, |normal| larger(from_to(normal), from_to(-normal)))
    };
    let known = if along == DVec3::ZERO { f64::NEG_INFINITY } else { from_to(along) };
    larger(known, larger(across(p), across(q)))
}

/// Returns whether two triangles are separated by more than `limit` along the cross product of an edge of each. This takes a tenth of the time of computing
/// their closest points.
pub(super) fn are_apart_across_edges(p: &[DVec3; 3], q: &[DVec3; 3], limit: f64) -> bool {
    let between = |normal: DVec3| {
        let from_to = -highest(q, -normal) - highest(p, normal);
        larger(from_to, -highest(p, -normal) - highest(q, normal))
    };
    // The direction is normalised only if it separates the triangles at all.
    let is_apart = |across: DVec3| between(across) > 0.0 && unit(across).is_some_and(|normal| between(normal) > limit);
    edges(p).into_iter().any(|ours| edges(q).into_iter().any(|theirs| is_apart(ours.cross(theirs))))
}

fn edges([a, b, c]: &[DVec3; 3]) -> [DVec3; 3] {
    [*b - *a, *c - *b, *a - *c]
}

pub(super) fn normal_of(corners: &[DVec3; 3]) -> Option<DVec3> {
    triangle_plane(*corners)
}

/// The directions, of any length, along which separations are bounded.
const DIRECTIONS: [DVec3; 13] = [
    DVec3::X,
    DVec3::Y,
    DVec3::Z,
    DVec3::new(1.0, 1.0, 0.0),
    DVec3::new(1.0, -1.0, 0.0),
    DVec3::new(1.0, 0.0, 1.0),
    DVec3::new(1.0, 0.0, -1.0),
    DVec3::new(0.0, 1.0, 1.0),
    DVec3::new(0.0, 1.0, -1.0),
    DVec3::new(1.0, 1.0, 1.0),
    DVec3::new(1.0, 1.0, -1.0),
    DVec3::new(1.0, -1.0, 1.0),
    DVec3::new(1.0, -1.0, -1.0),
];

/// The extents of a part along the [`DIRECTIONS`], and against them.
pub(super) struct SupportExtents([[f64; 2]; 13]);

impl SupportExtents {
    pub(super) fn of_piece(piece: &ConvexPart<'_>) -> Self {
        let along = |direction: DVec3| direction.dot(piece.core.farthest(direction)) + piece.radius * length(direction);
        Self(DIRECTIONS.map(|direction| [along(direction), along(-direction)]))
    }

    pub(super) fn of_triangle(corners: &[DVec3; 3]) -> Self {
        Self(DIRECTIONS.map(|direction| [highest(corners, direction), highest(corners, -direction)]))
    }

    /// Returns an upper bound of the penetration depth of two parts: the least of their depths along these directions.
    pub(super) fn depth(&self, other: &Self) -> f64 {
        let ways = self.0.iter().zip(&other.0).zip(&DIRECTIONS);
        let least = ways.map(|(([a, against_a], [b, against_b]), direction)| {
            smaller(a + against_b, b + against_a) / sqrt(direction.length_squared())
        });
        least.fold(f64::INFINITY, smaller)
    }
}

/// Returns the least depth of two triangles along their normals and the cross products of an edge of each. It is the penetration depth, unless the triangles
/// are coplanar.
pub(super) fn triangle_depth(p: &[DVec3; 3], q: &[DVec3; 3]) -> f64 {
    let crosses = edges(p).into_iter().flat_map(|ours| edges(q).map(|theirs| unit(ours.cross(theirs))));
    let ways = [normal_of(p), normal_of(q)].into_iter().chain(crosses).flatten();
    let along =
        |normal: DVec3| smaller(highest(p, normal) + highest(q, -normal), highest(p, -normal) + highest(q, normal));
    ways.map(along).fold(f64::INFINITY, smaller)
}

//! The closest points of two triangles.

use super::distance::{CoreDistance, SegmentMiddle, to_triangle};
use crate::convex::{Feature, crossing, from_longest_edge, segment_segment, triangle_plane};
use glam::DVec3;

/// Returns the closest points. They are where an edge of one triangle crosses the other triangle, on a corner of one
/// and any point of the other, or on an edge of each.
pub(super) fn triangle_to_triangle(a: [DVec3; 3], b: [DVec3; 3]) -> CoreDistance {
    let (ours, theirs) = (edges(a), edges(b));
    let through = crossing_of(&ours, b).or_else(|| crossing_of(&theirs, a).map(CoreDistance::swapped));
    through.unwrap_or_else(|| {
        let corners = nearest_corner(a, b).nearer(nearest_corner(b, a).swapped());
        numbered(&ours).fold(corners, |nearest, edge| nearest_of_edge(edge, b, nearest))
    })
}

fn edges([p, q, r]: [DVec3; 3]) -> [SegmentMiddle; 3] {
    [[p, q], [q, r], [r, p]].map(SegmentMiddle::between)
}

fn numbered(edges: &[SegmentMiddle; 3]) -> impl Iterator<Item = (u8, &SegmentMiddle)> {
    (0..).zip(edges)
}

/// Finds the points where an edge of one triangle crosses another triangle.
fn crossing_of(edges: &[SegmentMiddle; 3], corners: [DVec3; 3]) -> Option<CoreDistance> {
    let plane = (triangle_plane(corners)?, from_longest_edge(corners)[0]);
    numbered(edges).find_map(|(number, edge)| {
        let pair = crossing(edge.half, edge.at, corners, plane)?;
        Some(of_edge(number, edge.cores(pair)))
    })
}

/// Returns the corner of one triangle that is nearest to another one.
fn nearest_corner(own: [DVec3; 3], other: [DVec3; 3]) -> CoreDistance {
    let [first, second, third] = own.map(|corner| to_triangle(corner, other));
    let of_corner = |number: u8, found: CoreDistance| CoreDistance {
        features: [Feature::Vertex(number), found.features[1]],
        ..found
    };
    of_corner(0, first).nearer(of_corner(1, second)).nearer(of_corner(2, third))
}

/// Returns the nearest pair so far, or the nearest pair of an edge and the edges between some corners, if that is
/// nearer.
fn nearest_of_edge((number, edge): (u8, &SegmentMiddle), corners: [DVec3; 3], nearest: CoreDistance) -> CoreDistance {
    let [p, q, r] = corners.map(|corner| corner - edge.at);
    let pairs = [(p, q, 0), (q, r, 1), (r, p, 2)].map(|(p, q, other)| segment_segment(edge.half, p, q, other));
    let [first, second, third] = pairs;
    nearest.nearer(of_edge(number, edge.cores(first.nearer(second).nearer(third))))
}

/// Assigns the first of the points to the edge of this number.
fn of_edge(number: u8, found: CoreDistance) -> CoreDistance {
    let own = match found.features[0] {
        Feature::Vertex(end) => Feature::Vertex((number + end) % 3),
        _ => Feature::Edge(number),
    };
    CoreDistance { features: [own, found.features[1]], ..found }
}

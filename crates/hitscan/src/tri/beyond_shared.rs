//! The test whether two triangles of one mesh intersect beyond the corners and edges that they share, decided exactly.
//!
//! Two closed triangles that are not in one plane intersect if an edge of one of them touches the other. An edge touches a triangle under two conditions. Its
//! ends are not on the same side of the plane. The line through them does not pass two edges of the triangle on different sides. (P. Guigue and O. Devillers,
//! "Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates", 2003, decide by the same signs.)

use crate::math::exact_predicates;
use crate::math::filtered_predicates::Bounded;
use crate::shape::side_of_plane;
use core::cmp::Ordering;
use glam::Vec3;

/// Returns whether two triangles that have an area have a common point. Points on a corner or an edge that they share are left out. Corners at one place are
/// one corner. Two triangles with the same three corners share all of their points.
pub(crate) fn intersect_beyond_shared(ours: [Vec3; 3], theirs: [Vec3; 3]) -> bool {
    let partner = |corner: Vec3| theirs.iter().position(|&other| other == corner);
    match ours.map(partner) {
        [None, None, None] => meet(ours, theirs),
        [Some(theirs_at), None, None] => meet_beyond_corner(turned(ours, 0), turned(theirs, theirs_at)),
        [None, Some(theirs_at), None] => meet_beyond_corner(turned(ours, 1), turned(theirs, theirs_at)),
        [None, None, Some(theirs_at)] => meet_beyond_corner(turned(ours, 2), turned(theirs, theirs_at)),
        [None, Some(one), Some(other)] => overlap_beside_edge(turned(ours, 0), theirs[3 - one - other]),
        [Some(one), None, Some(other)] => overlap_beside_edge(turned(ours, 1), theirs[3 - one - other]),
        [Some(one), Some(other), None] => overlap_beside_edge(turned(ours, 2), theirs[3 - one - other]),
        [Some(_), Some(_), Some(_)] => false,
    }
}

/// Returns the same triangle with another first corner.
fn turned(corners: [Vec3; 3], first: usize) -> [Vec3; 3] {
    [corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]]
}

/// Returns whether triangles without a common corner meet.
fn meet(ours: [Vec3; 3], theirs: [Vec3; 3]) -> bool {
    let their_sides = theirs.map(|corner| side(ours, corner));
    if are_apart(their_sides) {
        return false;
    }
    let our_sides = ours.map(|corner| side(theirs, corner));
    !are_apart(our_sides) && (any_edge_meets(ours, our_sides, theirs) || any_edge_meets(theirs, their_sides, ours))
}

fn any_edge_meets(corners: [Vec3; 3], sides: [Ordering; 3], other: [Vec3; 3]) -> bool {
    [[0, 1], [1, 2], [2, 0]]
        .into_iter()
        .any(|ends| edge_meets(ends.map(|end| corners[end]), ends.map(|end| sides[end]), other))
}

/// Returns whether triangles with a common first corner meet anywhere else. If they do, they meet on a segment or an area that reaches an edge opposite to the
/// common corner.
fn meet_beyond_corner(ours: [Vec3; 3], theirs: [Vec3; 3]) -> bool {
    let ([_, a, b], [_, c, d]) = (ours, theirs);
    let their_sides = [c, d].map(|corner| side(ours, corner));
    if are_apart(their_sides) {
        return false;
    }
    let our_sides = [a, b].map(|corner| side(theirs, corner));
    !are_apart(our_sides) && (edge_meets([a, b], our_sides, theirs) || edge_meets([c, d], their_sides, ours))
}

/// Returns whether a triangle overlaps the triangle of a third corner and the edge that is opposite to its first corner.
fn overlap_beside_edge([first, p, q]: [Vec3; 3], third: Vec3) -> bool {
    if side([first, p, q], third) != Ordering::Equal {
        return false;
    }
    let axis = open_axis([first, p, q]);
    turn(axis, [p, q, first]) == turn(axis, [p, q, third])
}

/// Returns the side of a triangle's plane on which a point is.
fn side(corners: [Vec3; 3], point: Vec3) -> Ordering {
    side_of_plane(corners, point.as_dvec3())
}

/// Returns whether all of some points are strictly on one side of a plane.
fn are_apart<const N: usize>(sides: [Ordering; N]) -> bool {
    sides[0] != Ordering::Equal && sides.iter().all(|&side| side == sides[0])
}

/// Returns whether an edge touches a triangle, given the sides of the triangle's plane on which its ends are.
fn edge_meets([p, q]: [Vec3; 2], [from, to]: [Ordering; 2], triangle: [Vec3; 3]) -> bool {
    let [a, b, c] = triangle;
    match (from, to) {
        (Ordering::Equal, Ordering::Equal) => flat_edge_meets([p, q], triangle),
        _ if from == to => false,
        _ => agree([[a, b], [b, c], [c, a]].map(|[start, end]| side([q, start, end], p))),
    }
}

/// Returns whether no two signs are opposite.
fn agree(signs: [Ordering; 3]) -> bool {
    !(signs.contains(&Ordering::Less) && signs.contains(&Ordering::Greater))
}

/// Returns whether an edge in the plane of a triangle touches it. They are apart only if a line along the edge or along an edge of the triangle separates them.
fn flat_edge_meets([p, q]: [Vec3; 2], triangle: [Vec3; 3]) -> bool {
    let axis = open_axis(triangle);
    let [a, b, c] = triangle;
    let inward = turn(axis, triangle);
    let is_beyond =
        |[start, end]: [Vec3; 2]| [p, q].into_iter().all(|point| turn(axis, [start, end, point]) == inward.reverse());
    !are_apart(triangle.map(|corner| turn(axis, [p, q, corner])))
        && ![[a, b], [b, c], [c, a]].into_iter().any(is_beyond)
}

/// Returns an axis along which a triangle with an area is seen as one with an area.
fn open_axis(triangle: [Vec3; 3]) -> usize {
    (0..3).find(|&axis| turn(axis, triangle) != Ordering::Equal).unwrap_or(0)
}

/// Returns the sense in which three points turn, seen along an axis.
fn turn(axis: usize, corners: [Vec3; 3]) -> Ordering {
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let [p, q, r] = corners.map(|corner| corner.as_dvec3());
    let (x, y) = (q - p, r - p);
    let (one, other) = (x[j] * y[k], x[k] * y[j]);
    Bounded::new(one - other, one.abs() + other.abs()).sign_or(|| {
        let product = |u: glam::DVec3, v: glam::DVec3| [[u[j], v[k], 1.0, 1.0], [-u[k], v[j], 1.0, 1.0]];
        exact_predicates::sign_of_products([product(p, q), product(q, r), product(r, p)].as_flattened())
    })
}

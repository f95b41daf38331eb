//! The planes of triangles of any form.

use crate::math::float::{ORDINARY_SQUARES, UNIT_ROUNDOFF, larger, largest, length, sqrt, unit};
use glam::DVec3;

/// The square of the sine of the angle at the first corner below which the cross product of the edges there is too inexact to be the normal.
pub(super) const THIN_SQUARE: f64 = 1.0 / 64.0;

/// The square of how short one edge is beside the other, below which a triangle is thin with any angle between them.
const LONG_SQUARE: f64 = 1.0 / (1u64 << 40) as f64;

/// How wide a triangle is at most, relative to its largest coordinate, whose corners may be on one line but for their rounding.
const NEEDLE: f64 = 8.0 * UNIT_ROUNDOFF;

/// The unit normal of a triangle, so exact that all corners are within some roundoffs of the triangle's size of the plane through any of them;
/// `None` for a needle, whose corners are on one line as far as their coordinates tell.
#[inline(always)]
pub(crate) fn triangle_plane(corners: [DVec3; 3]) -> Option<DVec3> {
    let [a, b, c] = corners;
    let (ab, ac) = (b - a, c - a);
    let cross = ab.cross(ac);
    let square = cross.length_squared();
    let (p, q) = (ab.length_squared(), ac.length_squared());
    let is_wide = square > THIN_SQUARE * p * q && p > LONG_SQUARE * q && q > LONG_SQUARE * p;
    if is_wide && ORDINARY_SQUARES.contains(&square) { Some(cross / sqrt(square)) } else { thin_plane(corners) }
}

/// [`triangle_plane`] of any triangle. The error of the cross product along the longest edge, which would tilt the plane over all of the length, is taken
/// off; what is left turns it around that edge, from which the triangle is not farther than it is wide.
#[cold]
#[inline(never)]
fn thin_plane(corners: [DVec3; 3]) -> Option<DVec3> {
    let [p, q, _] = from_longest_edge(corners);
    let along = unit(q - p)?;
    let [a, b, c] = corners;
    let size = larger(larger(largest(a), largest(b)), largest(c));
    let cross = along.cross(shortest_to_line(corners));
    if !(length(cross) > NEEDLE * size) {
        return None;
    }
    let across = |v: DVec3| unit(v - along * along.dot(v));
    across(across(cross)?)
}

/// The corners, from the start of the longest edge.
pub(crate) fn from_longest_edge([a, b, c]: [DVec3; 3]) -> [DVec3; 3] {
    let [ab, bc, ca] = [b - a, c - b, a - c].map(largest);
    if ab >= bc && ab >= ca {
        [a, b, c]
    } else if bc >= ca {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// The way from the longest edge's nearer end to the corner off it.
fn shortest_to_line(corners: [DVec3; 3]) -> DVec3 {
    let [p, q, off] = from_longest_edge(corners);
    if largest(off - p) <= largest(off - q) { off - p } else { off - q }
}

//! The planes of triangles of any form.

use crate::math::float::{ORDINARY_SQUARES, UNIT_ROUNDOFF, larger, largest, length, sqrt, unit};
use glam::DVec3;

/// If the squared sine of the angle at the first corner is below this, the cross product of the edges there is too inexact to be the normal.
pub(super) const THIN_SQUARE: f64 = 1.0 / 64.0;

/// If the squared ratio of the edges is below this, a triangle is thin, whatever the angle between them is.
const LONG_SQUARE: f64 = 1.0 / (1u64 << 40) as f64;

/// If the width of a triangle, relative to its largest coordinate, is at most this, its corners may be collinear up to rounding.
const NEEDLE: f64 = 8.0 * UNIT_ROUNDOFF;

/// Returns the unit normal of a triangle. It is so accurate that a plane with this normal through one corner is at most a few roundoffs of the triangle's size
/// away from the other corners. Returns `None` for a needle, whose corners are collinear as far as their coordinates tell.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn triangle_plane(corners: [DVec3; 3]) -> Option<DVec3> {
    let [a, b, c] = corners;
    let (ab, ac) = (b - a, c - a);
    let cross = ab.cross(ac);
    let square = cross.length_squared();
    let (p, q) = (ab.length_squared(), ac.length_squared());
    let is_wide = square > THIN_SQUARE * p * q && p > LONG_SQUARE * q && q > LONG_SQUARE * p;
    if is_wide && ORDINARY_SQUARES.contains(&square) { Some(cross / sqrt(square)) } else { thin_plane(corners) }
}

/// Does the same as [`triangle_plane`] for any triangle. The component of the cross product's error along the longest
/// edge is subtracted, because it would tilt the plane over the whole length. The remaining error rotates the plane around this edge, and no point of the
/// triangle is farther from the edge than the triangle's width.
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

/// Returns the corners, beginning with the start of the longest edge.
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

/// Returns the vector from the nearer end of the longest edge to the opposite corner.
fn shortest_to_line(corners: [DVec3; 3]) -> DVec3 {
    let [p, q, off] = from_longest_edge(corners);
    if largest(off - p) <= largest(off - q) { off - p } else { off - q }
}

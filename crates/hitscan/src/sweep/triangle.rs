//! A volume against a triangle.

use super::body::Core;
use super::convex::Convex;
use super::{Met, Mover, flat, polytope};
use crate::float::{ORDINARY_SQUARES, UNIT_ROUNDOFF, larger, largest, length, sqrt, unit};
use crate::hit::Side;
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

impl Mover {
    /// The first contact with a triangle that has an area up to t = `limit`.
    pub(crate) fn meet_triangle(&self, corners: [DVec3; 3], limit: f64) -> Option<Met> {
        match triangle_plane(corners) {
            Some(normal) if self.is_general() => self.meet_polygon(&corners, normal, limit),
            Some(normal) => match self.body.core {
                Core::Segment(half) => flat::meet_triangle(self, half, (corners, normal), limit),
                Core::Box(_) | Core::Hull(_) => polytope::meet_triangle(self, (corners, normal), limit),
                Core::Round(_) => self.meet_polygon(&corners, normal, limit),
            },
            None => self.meet_needle(corners, limit),
        }
    }

    /// [`meet_triangle`](Self::meet_triangle) of one that is most often met, given its plane.
    #[inline]
    pub(crate) fn meet_near_triangle(&self, corners: [DVec3; 3], normal: DVec3, limit: f64) -> Option<Met> {
        match self.body.core {
            _ if self.is_general() => self.meet_polygon(&corners, normal, limit),
            Core::Segment(half) => flat::meet_near_triangle(self, half, (corners, normal), limit),
            Core::Box(_) | Core::Hull(_) => polytope::meet_triangle(self, (corners, normal), limit),
            Core::Round(_) => self.meet_polygon(&corners, normal, limit),
        }
    }

    /// [`meet_triangle`](Self::meet_triangle) of a needle, which has no side that f64 can tell: it is met as the hull of its corners, on its front.
    #[cold]
    #[inline(never)]
    pub(crate) fn meet_needle(&self, corners: [DVec3; 3], limit: f64) -> Option<Met> {
        self.meet_corners(&corners, limit)
    }

    /// The first contact with the hull of some points.
    pub(super) fn meet_corners(&self, corners: &[DVec3], limit: f64) -> Option<Met> {
        let farthest = |direction: DVec3| farthest_of(corners, direction);
        let size = corners.iter().fold(0.0, |most, &corner| larger(most, largest(corner)));
        Convex { farthest, radius: 0.0, size }.meet(self, limit)
    }

    /// Tells whether a triangle is met in no closed form, as by what turns, and by a box or hull with a margin around it.
    fn is_general(&self) -> bool {
        self.turning.is_some() || (self.body.radius > 0.0 && !matches!(self.body.core, Core::Segment(_)))
    }

    /// Returns the first contact with a flat polygon as with the hull of its corners, given its unit normal.
    pub(super) fn meet_polygon(&self, corners: &[DVec3], normal: DVec3, limit: f64) -> Option<Met> {
        let met = self.meet_corners(corners, limit)?;
        let height = normal.dot(self.motion * met.t - corners[0]);
        let is_front = if height == 0.0 { met.normal.dot(normal) >= 0.0 } else { height > 0.0 };
        Some(Met { side: if is_front { Side::Front } else { Side::Back }, ..met })
    }
}

/// The first of those that are farthest along a direction.
pub(super) fn farthest_of(corners: &[DVec3], direction: DVec3) -> DVec3 {
    let farther = |p: DVec3, q: &DVec3| if q.dot(direction) > p.dot(direction) { *q } else { p };
    corners.iter().fold(corners.first().copied().unwrap_or_default(), farther)
}

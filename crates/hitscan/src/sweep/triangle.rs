//! A volume against a triangle.

use super::body::Core;
use super::convex::Convex;
use super::{Met, Mover, flat};
use crate::float::{larger, largest};
use glam::DVec3;

impl Mover {
    /// The first contact with a triangle up to t = `limit`; none with one without an area.
    #[inline]
    pub(crate) fn meet_triangle(&self, corners: [DVec3; 3], limit: f64) -> Option<Met> {
        if let Core::Segment(half) = self.body.core {
            return flat::meet_triangle(self, half, corners, limit);
        }
        let [a, b, c] = corners;
        let farther = |p: DVec3, q: DVec3, direction: DVec3| if q.dot(direction) > p.dot(direction) { q } else { p };
        let farthest = |direction: DVec3| farther(farther(a, b, direction), c, direction);
        let size = larger(larger(largest(a), largest(b)), largest(c));
        Convex { farthest, radius: 0.0, size }.meet(self, limit)
    }
}

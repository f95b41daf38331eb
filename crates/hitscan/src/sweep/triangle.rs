//! A volume against a triangle.

use super::body::Core;
use super::{Met, Mover, flat, polytope};
use glam::DVec3;

impl Mover {
    /// The first contact with a triangle up to t = `limit`; none with one without an area.
    #[inline]
    pub(crate) fn meet_triangle(&self, corners: [DVec3; 3], limit: f64) -> Option<Met> {
        if self.turning.is_some() {
            return self.turn_to_triangle(corners, limit);
        }
        match self.body.core {
            Core::Segment(half) => flat::meet_triangle(self, half, corners, limit),
            Core::Box(_) | Core::Hull(_) => polytope::meet_triangle(self, corners, limit),
        }
    }

    /// The same of a triangle that is most often met.
    #[inline]
    pub(crate) fn meet_near_triangle(&self, corners: [DVec3; 3], limit: f64) -> Option<Met> {
        match self.body.core {
            Core::Segment(half) if self.turning.is_none() => flat::meet_near_triangle(self, half, corners, limit),
            _ => self.meet_triangle(corners, limit),
        }
    }
}

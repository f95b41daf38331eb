//! Sweeps of a volume against a triangle.

use super::conservative_advancement::ConvexObstacle;
use super::contact::Contact;
use super::{Mover, box_triangle, capsule_triangle};
use crate::convex::{BodyCore, triangle_plane};
use crate::geom::hit::Side;
use crate::math::float::{larger, largest};
use crate::math::support::farthest_of;
use glam::DVec3;

impl Mover {
    /// Returns the first contact up to t = `limit` with a triangle that has an area.
    pub(crate) fn meet_triangle(&self, corners: [DVec3; 3], limit: f64) -> Option<Contact> {
        match triangle_plane(corners) {
            Some(normal) if self.is_general() => self.meet_polygon(&corners, normal, limit),
            Some(normal) => match self.body.core {
                BodyCore::Segment(half) => capsule_triangle::meet_triangle(self, half, (corners, normal), limit),
                BodyCore::Box(_) | BodyCore::Hull(_) => box_triangle::meet_triangle(self, (corners, normal), limit),
                BodyCore::Round(_) => self.meet_polygon(&corners, normal, limit),
            },
            None => self.meet_needle(corners, limit),
        }
    }

    /// Does the same as [`meet_triangle`](Self::meet_triangle) for a triangle that is likely to be hit, given its
    /// plane.
    #[inline]
    pub(crate) fn meet_near_triangle(&self, corners: [DVec3; 3], normal: DVec3, limit: f64) -> Option<Contact> {
        match self.body.core {
            _ if self.is_general() => self.meet_polygon(&corners, normal, limit),
            BodyCore::Segment(half) => capsule_triangle::meet_near_triangle(self, half, (corners, normal), limit),
            BodyCore::Box(_) | BodyCore::Hull(_) => box_triangle::meet_triangle(self, (corners, normal), limit),
            BodyCore::Round(_) => self.meet_polygon(&corners, normal, limit),
        }
    }

    /// Does the same as [`meet_triangle`](Self::meet_triangle) for a needle, whose plane f64 cannot compute. The
    /// needle is treated as the hull of its corners, and hit on its front.
    #[cold]
    #[inline(never)]
    pub(crate) fn meet_needle(&self, corners: [DVec3; 3], limit: f64) -> Option<Contact> {
        self.meet_corners(&corners, limit)
    }

    /// Returns the contact of a rotating volume with a triangle, no earlier than [the ball around the volume](Self::after_ball) touches the triangle.
    #[cold]
    #[inline(never)]
    pub(super) fn after_ball_at(&self, met: Contact, corners: [DVec3; 3], limit: f64) -> Option<Contact> {
        let size = corners.iter().fold(0.0, |most, &corner| larger(most, largest(corner)));
        self.after_ball(met, size, &|ball| ball.meet_triangle(corners, limit))
    }

    /// Returns the first contact with the hull of some points.
    pub(super) fn meet_corners(&self, corners: &[DVec3], limit: f64) -> Option<Contact> {
        let farthest = |direction: DVec3| farthest_of(corners, direction);
        let size = corners.iter().fold(0.0, |most, &corner| larger(most, largest(corner)));
        ConvexObstacle { farthest, radius: 0.0, size }.meet(self, limit)
    }

    /// Returns whether there is no closed form for a triangle. There is none for a rotating volume, and for a box
    /// or hull with a margin around it.
    fn is_general(&self) -> bool {
        self.turning.is_some() || (self.body.radius > 0.0 && !matches!(self.body.core, BodyCore::Segment(_)))
    }

    /// Returns the first contact with a flat polygon, given its unit normal. The contact is as with the hull of its
    /// corners.
    pub(super) fn meet_polygon(&self, corners: &[DVec3], normal: DVec3, limit: f64) -> Option<Contact> {
        let met = self.meet_corners(corners, limit)?;
        let height = normal.dot(self.motion * met.t - corners[0]);
        let is_front = if height == 0.0 { met.normal.dot(normal) >= 0.0 } else { height > 0.0 };
        Some(Contact { side: if is_front { Side::Front } else { Side::Back }, ..met })
    }
}

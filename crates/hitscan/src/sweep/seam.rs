//! The state of a volume at a contact where the surface may continue beyond the touched feature.

use super::Mover;
use super::contact::Contact;
use crate::convex::RESOLUTION;
use crate::math::float::{UNIT_ROUNDOFF, largest, length, sqrt};
use glam::DVec3;

impl Mover {
    /// Returns a bound on the position error of a contact's point.
    pub(crate) fn blur(&self, met: &Contact) -> f64 {
        // The contact of a round volume comes from support points, so its error is the resolution of distances.
        let reach = largest(met.point) + self.body.size() + self.body.radius;
        let resolution = if self.is_round() { RESOLUTION * reach } else { 0.0 };
        16.0 * (self.body.rounding(largest(met.point)) + self.slight() + resolution)
    }

    /// Returns a bound on the angle by which rounding may rotate a contact's normal.
    pub(crate) fn tilt(&self, met: &Contact) -> f64 {
        let apart = length(self.motion * met.t - met.point);
        64.0 * UNIT_ROUNDOFF + if apart > 0.0 { self.blur(met) / apart } else { 0.0 }
    }

    /// Returns a bound on the difference, beyond rounding, between the normal of a contact with a face and the face's own normal.
    pub(crate) fn doubt_of_normal(&self) -> f64 {
        // The direction between support points is accurate to about the root of the accuracy of their distance.
        if self.is_round() { 16.0 * sqrt(RESOLUTION) } else { 0.0 }
    }

    /// Returns whether the centre of the volume starts in the obstacle, so that the direction of separation is ambiguous.
    pub(crate) fn has_middle_in(&self, met: &Contact) -> bool {
        met.t == 0.0 && length(met.point) <= self.body.rounding(0.0)
    }

    /// Returns the height of the volume above the plane with a unit normal through a point; a negative height is the depth.
    pub(crate) fn height_above(&self, normal: DVec3, t: f64, point: DVec3) -> f64 {
        let lowest = self.body.core.farthest(-normal) + self.motion * t - point;
        lowest.dot(normal) - self.body.radius
    }

    /// Returns whether the rest of the motion presses against a normal by more than rounding.
    pub(crate) fn presses(&self, normal: DVec3, t: f64) -> bool {
        let speed = -normal.dot(self.motion);
        speed > self.slight() && speed * (1.0 - t) > self.body.rounding(0.0)
    }
}

//! The position of a volume at a contact beside which a surface goes on.

use super::Mover;
use super::contact::Contact;
use crate::math::float::{UNIT_ROUNDOFF, largest, length};
use glam::DVec3;

impl Mover {
    /// Bounds how far a contact's point may be from where it is.
    pub(crate) fn blur(&self, met: &Contact) -> f64 {
        16.0 * (self.body.rounding(largest(met.point)) + self.slight())
    }

    /// Bounds how far the normal of a contact may be turned by rounding.
    pub(crate) fn tilt(&self, met: &Contact) -> f64 {
        let apart = length(self.motion * met.t - met.point);
        64.0 * UNIT_ROUNDOFF + if apart > 0.0 { self.blur(met) / apart } else { 0.0 }
    }

    /// Tells whether the middle of the volume starts in what it meets, so that no way out is nearer than another.
    pub(crate) fn has_middle_in(&self, met: &Contact) -> bool {
        met.t == 0.0 && length(met.point) <= self.body.rounding(0.0)
    }

    /// Returns how far the volume is in front of the plane across a unit normal through a point; less than 0 is how deep it has sunk.
    pub(crate) fn height_above(&self, normal: DVec3, t: f64, point: DVec3) -> f64 {
        let lowest = self.body.core.farthest(-normal) + self.motion * t - point;
        lowest.dot(normal) - self.body.radius
    }

    /// Tells whether what is left of the motion comes nearer against a normal than rounding may.
    pub(crate) fn presses(&self, normal: DVec3, t: f64) -> bool {
        let speed = -normal.dot(self.motion);
        speed > self.slight() && speed * (1.0 - t) > self.body.rounding(0.0)
    }
}

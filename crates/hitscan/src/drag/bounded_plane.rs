//! The point in which the ray of a cursor hits a plane, with a bound on its motion for each pixel.

use super::MIN_INCIDENCE;
use crate::camera::PixelSpace;
use crate::math::float::{length, sqrt, unit};
use glam::{DVec2, DVec3};

/// Beyond the horizon, a ray points away from the plane. Where its component along the plane falls below this, its
/// point moves back towards the perpendicular foot of the eye.
const AWAY: f64 = 0.5;

/// A plane through an anchor, tilted towards the camera until a drag on it is well conditioned.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundedPlane {
    anchor: DVec3,
    /// The unit normal on the side away from the camera.
    normal: DVec3,
    /// The distance of the anchor from the eye.
    distance: f64,
    /// The bound on the motion of the point while the cursor moves by one pixel, in pixels at the anchor.
    gain: f64,
}

impl BoundedPlane {
    /// Makes a plane from a unit normal on any side.
    pub(super) fn new(space: &PixelSpace, anchor: DVec3, normal: DVec3, gain: f64) -> Self {
        let view = view_of(space, anchor);
        let incidence = normal.dot(view);
        // A plane that is seen exactly edge-on is treated as seen from the side to which its normal points.
        let normal = if incidence <= 0.0 { -normal } else { normal };
        let across = unit(normal - view * incidence.abs());
        let tilted = across.filter(|_| incidence.abs() < MIN_INCIDENCE).map(|across| {
            let along = sqrt(1.0 - MIN_INCIDENCE * MIN_INCIDENCE);
            across * along + view * MIN_INCIDENCE
        });
        Self { anchor, normal: tilted.unwrap_or(normal), distance: length(anchor - space.eye), gain }
    }

    /// Returns the point under a pixel. It changes by at most the gain for each pixel.
    pub(super) fn point(&self, space: &PixelSpace, pixel: DVec2) -> DVec3 {
        let (start, step) = space.ray(pixel);
        if !space.is_perspective() {
            // The motion of the point for each pixel is the motion of the ray's start divided by the incidence, which is at least `MIN_INCIDENCE`.
            let to_anchor = self.anchor - (space.eye + start);
            return space.eye + start + step * (to_anchor.dot(self.normal) / step.dot(self.normal));
        }
        let Some(direction) = unit(step).filter(|_| self.distance > 0.0) else { return self.anchor };
        let toward = direction.dot(self.normal);
        let along = direction - self.normal * toward;
        let (foot, height, radius) = self.disc(space);
        let rim = radius / along.length().max(AWAY);
        let reach = if toward > 0.0 { rim.min(height / toward) } else { rim };
        foot + along * reach
    }

    /// Returns the point under a pixel whose ray is in the plane through the eye and a line on this plane with this
    /// direction. Past the vanishing point of the line, it stays on the rim of the disc.
    pub(super) fn point_of_line(&self, space: &PixelSpace, pixel: DVec2, line: DVec3) -> DVec3 {
        let is_past = space.is_perspective() && space.ray(pixel).1.dot(self.normal) <= 0.0;
        let along = unit(line - self.normal * line.dot(self.normal)).filter(|_| is_past && self.distance > 0.0);
        let Some(along) = along else { return self.point(space, pixel) };
        // All rays of a picture point to the same side of the eye. So the rays can only go past the vanishing point in front of the camera.
        let (foot, _, radius) = self.disc(space);
        foot + along * radius.copysign(along.dot(space.forward()))
    }

    /// Returns the perpendicular foot of the eye on the plane, the height of the eye, and the radius around the foot within which
    /// points may be.
    ///
    /// A point at the distance r from the eye moves by r * r / height for a radian of the ray. So it moves by gain * distance, with the anchor's `distance`,
    /// if r * r is gain * distance * height. That is the rim of a disc with the radius sqrt(gain * distance * height - height * height), which is at most
    /// gain * distance / 2. A point on the rim moves by at most twice the radius for a radian.
    fn disc(&self, space: &PixelSpace) -> (DVec3, f64, f64) {
        let height = (self.anchor - space.eye).dot(self.normal);
        let radius = sqrt((self.gain * self.distance * height - height * height).max(0.0));
        (space.eye + self.normal * height, height, radius)
    }
}

/// Returns the unit direction in which a camera sees a point.
pub(crate) fn view_of(space: &PixelSpace, point: DVec3) -> DVec3 {
    let seen = if space.is_perspective() { unit(point - space.eye) } else { unit(space.ray(DVec2::ZERO).1) };
    seen.unwrap_or(space.forward())
}

//! Arcs of a torus, as ranges of angles around its axis.

use glam::DVec3;

/// If an arc's distance from its chord is at most this, it is not divided further. The distance is relative
/// to the circle's radius. A contact is early by at most this fraction of the radius.
pub(super) const ARC_RESOLUTION: f64 = 1.0 / (1 << 18) as f64;
/// Half of the shortest arc that is tested. The sagitta of that arc is 2^-43 of the radius, and its angle
/// is known more accurately.
const HALF_OF_LEAST_ARC: f64 = 1.0 / (1 << 21) as f64;

/// A range from one angle to another.
#[derive(Clone, Copy)]
pub(super) struct AngleRange {
    pub(super) from: f64,
    pub(super) to: f64,
}

impl AngleRange {
    /// Returns the shortest arc around an angle.
    pub(super) fn around(angle: f64) -> Self {
        Self { from: angle - HALF_OF_LEAST_ARC, to: angle + HALF_OF_LEAST_ARC }
    }

    /// Returns an upper bound of the arc's distance from its chord, relative to the circle's radius.
    pub(super) fn sagitta(self) -> f64 {
        let quarter = libm::sin((self.to - self.from) * 0.25);
        2.0 * quarter * quarter + 4.0 * f64::EPSILON
    }

    /// Returns whether the arc is so short that it is not divided further.
    pub(super) fn is_short(self) -> bool {
        self.sagitta() <= ARC_RESOLUTION
    }

    pub(super) fn middle(self) -> f64 {
        0.5 * (self.from + self.to)
    }

    /// Returns the length of the arc's chord, relative to the circle's radius.
    pub(super) fn chord(self) -> f64 {
        2.0 * libm::sin((self.to - self.from) * 0.5)
    }

    pub(super) fn halves(self) -> [Self; 2] {
        let middle = self.middle();
        [Self { to: middle, ..self }, Self { from: middle, ..self }]
    }
}

/// Returns the angle of a place in the torus's own space.
pub(super) fn angle_of(place: DVec3) -> f64 {
    libm::atan2(place.z, place.x)
}

//! Arcs of a circle, and their hulls.

use crate::math::float::unit;
use crate::math::support::farther;
use glam::DVec3;

/// An arc of the unit circle around y: at most a quarter of the circle, given by its ends and its middle, or the whole circle, with the middle 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub(crate) ends: [DVec3; 2],
    pub(crate) middle: DVec3,
}

impl Arc {
    /// The whole circle.
    pub(crate) const WHOLE: Self = Self { ends: [DVec3::X; 2], middle: DVec3::ZERO };

    pub(crate) fn between(from: f64, to: f64) -> Self {
        let at = |angle: f64| DVec3::new(libm::cos(angle), 0.0, libm::sin(angle));
        Self { ends: [at(from), at(to)], middle: at(0.5 * (from + to)) }
    }

    /// Returns an upper bound of the arc's distance from its chord.
    pub(crate) fn sagitta(&self) -> f64 {
        (self.middle - (self.ends[0] + self.ends[1]) * 0.5).length() + 4.0 * f64::EPSILON
    }

    pub(crate) fn halves(&self) -> [Self; 2] {
        let [a, b] = self.ends;
        let half = |from: DVec3, to: DVec3| Self { ends: [from, to], middle: unit(from + to).unwrap_or(from) };
        [half(a, self.middle), half(self.middle, b)]
    }

    /// Returns the support point of the arc's hull along a direction of any length.
    pub(crate) fn farthest(&self, direction: DVec3) -> DVec3 {
        let flat = DVec3::new(direction.x, 0.0, direction.z);
        if let Some(towards) = unit(flat) {
            let turn = |a: DVec3, b: DVec3| a.z * b.x - a.x * b.z;
            let [from, to] = self.ends;
            // The angle grows from x to z.
            if self.middle == DVec3::ZERO
                || turn(from, towards) <= 0.0 && turn(towards, to) <= 0.0 && towards.dot(self.middle) > 0.0
            {
                return towards;
            }
        }
        farther(self.ends, direction)
    }
}

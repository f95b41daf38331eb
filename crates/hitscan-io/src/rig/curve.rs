//! Values over time, given by keys (glTF 2.0, appendix C).

use hitscan::glam::{DQuat, DVec3, DVec4};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The interpolation of values from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Interpolation {
    Linear,
    Step,
    /// A cubic Hermite spline: each key has an in-tangent, a value and an out-tangent.
    CubicSpline,
}

impl Interpolation {
    /// Returns the number of values for each key.
    pub(crate) fn values_per_key(self) -> usize {
        match self {
            Self::Linear | Self::Step => 1,
            Self::CubicSpline => 3,
        }
    }
}

/// A curve of at least one key. The value at each key has `width` numbers.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// The times in seconds; they never decrease.
    pub(crate) times: Arc<[f32]>,
    /// The values: for each time as many as the interpolation needs, each of `width` numbers.
    pub(crate) values: Arc<[f32]>,
    pub(crate) width: usize,
    pub(crate) interpolation: Interpolation,
}

/// The position of a time among the keys.
#[derive(Clone, Copy)]
enum Moment {
    /// The time is at a key, or before the first or after the last one.
    Key(usize),
    /// The time is after this key and before the next one. The two numbers are the fraction of the interval between the
    /// keys, and the length of the interval in seconds.
    After(usize, f64, f64),
}

impl Curve {
    /// Returns whether the curve has a value of this many numbers at any time.
    pub(crate) fn is_sound(&self, width: usize) -> bool {
        let values = self.times.len().checked_mul(self.interpolation.values_per_key());
        let values = values.and_then(|count| count.checked_mul(self.width));
        self.width == width
            && !self.times.is_empty()
            && self.times.is_sorted()
            && values.is_some_and(|values| values == self.values.len())
    }

    /// Returns the time of its last key.
    pub(crate) fn end(&self) -> f64 {
        self.times.last().map_or(0.0, |&time| f64::from(time))
    }

    /// Returns whether all numbers at a key are 0.
    pub(crate) fn is_zero(&self, key: usize) -> bool {
        (0..self.width).all(|number| self.at_key(key, number) == 0.0)
    }

    pub(crate) fn vector(&self, time: f64) -> DVec3 {
        let moment = self.moment(time);
        DVec3::from_array([0, 1, 2].map(|number| self.number(moment, number)))
    }

    /// Returns the rotation at a time, of unit length.
    pub(crate) fn rotation(&self, time: f64) -> DQuat {
        let moment = self.moment(time);
        let at_key = |key| DVec4::from_array([0, 1, 2, 3].map(|number| self.at_key(key, number)));
        match (moment, self.interpolation) {
            (Moment::After(key, fraction, _), Interpolation::Linear) => {
                slerp(unit(at_key(key)), unit(at_key(key + 1)), fraction)
            }
            (Moment::After(key, ..), Interpolation::CubicSpline) => {
                let between = DVec4::from_array([0, 1, 2, 3].map(|number| self.number(moment, number)));
                // A spline may pass through 0, where it has no direction.
                DQuat::from_vec4(between.try_normalize().unwrap_or_else(|| unit(at_key(key))))
            }
            (Moment::Key(key) | Moment::After(key, ..), _) => DQuat::from_vec4(unit(at_key(key))),
        }
    }

    /// Writes the numbers of the value at a time to `into`.
    pub(crate) fn numbers(&self, time: f64, into: &mut [f64]) {
        let moment = self.moment(time);
        into.iter_mut().take(self.width).enumerate().for_each(|(number, into)| *into = self.number(moment, number));
    }

    fn moment(&self, time: f64) -> Moment {
        let after = self.times.partition_point(|&key| f64::from(key) <= time);
        let Some(key) = after.checked_sub(1) else { return Moment::Key(0) };
        let Some(&next) = self.times.get(after) else { return Moment::Key(key) };
        let (start, end) = (f64::from(self.times[key]), f64::from(next));
        if start == time { Moment::Key(key) } else { Moment::After(key, (time - start) / (end - start), end - start) }
    }

    fn at_key(&self, key: usize, number: usize) -> f64 {
        let place = match self.interpolation {
            Interpolation::Linear | Interpolation::Step => key,
            Interpolation::CubicSpline => 3 * key + 1,
        };
        self.value(place, number)
    }

    fn value(&self, place: usize, number: usize) -> f64 {
        f64::from(self.values[place * self.width + number])
    }

    fn number(&self, moment: Moment, number: usize) -> f64 {
        let (key, t, seconds) = match (moment, self.interpolation) {
            (Moment::Key(key), _) | (Moment::After(key, ..), Interpolation::Step) => return self.at_key(key, number),
            (Moment::After(key, fraction, seconds), _) => (key, fraction, seconds),
        };
        let (from, to) = (self.at_key(key, number), self.at_key(key + 1, number));
        if self.interpolation == Interpolation::Linear {
            return (1.0 - t) * from + t * to;
        }
        let (leaving, arriving) = (self.value(3 * key + 2, number), self.value(3 * key + 3, number));
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * from
            + seconds * (t3 - 2.0 * t2 + t) * leaving
            + (3.0 * t2 - 2.0 * t3) * to
            + seconds * (t3 - t2) * arriving
    }
}

/// Normalises a quaternion that is not 0: the quaternions of keys are checked.
fn unit(quaternion: DVec4) -> DVec4 {
    // In f64, the squares of f32 values neither underflow nor overflow.
    quaternion / quaternion.length()
}

/// Interpolates along the shorter arc of the great circle (glTF 2.0, appendix C.4), between quaternions of unit length.
///
/// The angle is computed from the difference and the sum of the quaternions, not as the arc cosine of their dot
/// product. The arc cosine would lose half of the digits of a small angle, and would be NaN if rounding made the
/// product greater than 1. So no angle is too small except 0, for which both quaternions are the same.
fn slerp(from: DVec4, to: DVec4, t: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let angle = 2.0 * libm::atan2((to - from).length(), (to + from).length());
    let whole = libm::sin(angle);
    if whole == 0.0 {
        return DQuat::from_vec4(from);
    }
    let between = from * (libm::sin(angle * (1.0 - t)) / whole) + to * (libm::sin(angle * t) / whole);
    DQuat::from_vec4(unit(between))
}

//! A press of a button, from its start to its release.

use super::input::PointerButton;
use super::settings::PressLimits;
use glam::Vec2;

/// A press of a button that is held, or that was the last click.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct HeldPress<K> {
    pub(super) button: PointerButton,
    pub(super) target: Option<K>,
    pub(super) from: Vec2,
    pub(super) time: f64,
    pub(super) count: u32,
    pub(super) phase: PressPhase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum PressPhase {
    /// The press has no outcome yet.
    Open,
    /// It was a long press, and may still become a drag.
    LongPressed,
    /// It is a drag.
    Dragging,
}

impl<K> HeldPress<K> {
    /// Returns the time at which the press becomes a long press.
    pub(super) fn deadline(&self, limits: &PressLimits) -> f64 {
        self.time + limits.long_press
    }

    /// Returns whether a position is beyond the threshold, so that the press is a drag.
    pub(super) fn is_far(&self, position: Vec2, limits: &PressLimits) -> bool {
        distance(self.from, position) > f64::from(limits.drag_threshold)
    }
}

impl<K: PartialEq> HeldPress<K> {
    /// Returns whether another press repeats this press, which was a click.
    pub(super) fn is_repeated_by(&self, next: &Self, limits: &PressLimits) -> bool {
        let pause = next.time - self.time;
        self.button == next.button
            && self.target == next.target
            && (0.0..=limits.multi_click_time).contains(&pause)
            && distance(self.from, next.from) <= f64::from(limits.multi_click_distance)
    }
}

/// Returns the distance of two finite positions. It may be beyond f32, but not beyond f64.
fn distance(a: Vec2, b: Vec2) -> f64 {
    let way = a.as_dvec2() - b.as_dvec2();
    crate::math::float::sqrt(way.length_squared())
}

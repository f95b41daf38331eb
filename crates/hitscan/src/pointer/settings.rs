//! The limits that tell clicks, long presses and drags apart.

/// The limits of all pointers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointerSettings {
    /// The limits of [`PointerId::Mouse`](super::PointerId::Mouse): by default 4 pixels, 0.5 s, 0.5 s and 4 pixels.
    pub mouse: PressLimits,
    /// The limits of [`PointerId::Touch`](super::PointerId::Touch): by default 10 pixels, 0.5 s, 0.5 s and 40 pixels,
    /// because fingers roll, and do not come down at the same place twice.
    pub touch: PressLimits,
}

/// The limits of a press. Distances are in the pixels of the inputs: if those are physical ones, multiply the limits by
/// the scale of the display. A limit that is NaN is never reached.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PressLimits {
    /// A press that goes farther than this from where it began is a drag. Exactly so far is not.
    pub drag_threshold: f32,
    /// A press that is held for so many seconds, and is no drag, is a long press. Infinity turns long presses off.
    pub long_press: f64,
    /// A click counts as a second one if its press comes at most so many seconds after the press of the first.
    pub multi_click_time: f64,
    /// A click counts as a second one if it is at most so far from the first one. It must also be of the same button, and on the same
    /// target, and no press may lie between.
    pub multi_click_distance: f32,
}

impl Default for PointerSettings {
    fn default() -> Self {
        let mouse = PressLimits::default();
        Self { mouse, touch: PressLimits { drag_threshold: 10.0, multi_click_distance: 40.0, ..mouse } }
    }
}

impl Default for PressLimits {
    /// Returns the limits of a mouse.
    fn default() -> Self {
        Self { drag_threshold: 4.0, long_press: 0.5, multi_click_time: 0.5, multi_click_distance: 4.0 }
    }
}

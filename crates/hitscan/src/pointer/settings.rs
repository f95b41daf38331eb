//! The limits that distinguish clicks, long presses and drags.

/// The limits of all pointers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointerSettings {
    /// The limits of [`PointerId::Mouse`](super::PointerId::Mouse). By default, a drag begins beyond 4 pixels, and
    /// the second click of a double click is within 0.5 s and 4 pixels of the first. There is no long press (its
    /// limit is infinity), because a mouse has more buttons.
    pub mouse: PressLimits,
    /// The limits of [`PointerId::Touch`](super::PointerId::Touch). By default, a drag begins beyond 10 pixels,
    /// and a long press takes 0.5 s. The second click of a double click is within 0.5 s and 40 pixels of the
    /// first. The distance is large because fingers roll, and do not come down at the same place twice.
    pub touch: PressLimits,
}

/// The limits of a press. Distances are in the pixels of the inputs: if these are physical pixels, multiply the limits
/// by the scale of the display. A limit that is NaN is never reached, and cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PressLimits {
    /// A press that moves farther than this from where it began is a drag. A press that moves exactly this far is not.
    #[cfg_attr(feature = "serde", serde(with = "crate::geom::serde_infinity::above"))]
    pub drag_threshold: f32,
    /// A press that is held for this many seconds, and is no drag yet, is a long press. Infinity turns long presses
    /// off.
    #[cfg_attr(feature = "serde", serde(with = "crate::geom::serde_infinity::above_f64"))]
    pub long_press: f64,
    /// A click counts as the second of a double click if its press comes at most this many seconds after the press of the first.
    #[cfg_attr(feature = "serde", serde(with = "crate::geom::serde_infinity::above_f64"))]
    pub multi_click_time: f64,
    /// A click is the second of a double click only if it is at most this far from the first click. It must also be of
    /// the same button, on the same target, and by the same mouse or by any finger. No other press may lie between.
    #[cfg_attr(feature = "serde", serde(with = "crate::geom::serde_infinity::above"))]
    pub multi_click_distance: f32,
}

impl Default for PointerSettings {
    fn default() -> Self {
        let mouse = PressLimits::default();
        Self {
            mouse,
            touch: PressLimits { drag_threshold: 10.0, long_press: 0.5, multi_click_distance: 40.0, ..mouse },
        }
    }
}

impl Default for PressLimits {
    /// Returns the limits of a mouse.
    fn default() -> Self {
        Self { drag_threshold: 4.0, long_press: f64::INFINITY, multi_click_time: 0.5, multi_click_distance: 4.0 }
    }
}

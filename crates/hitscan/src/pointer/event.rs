//! The events that follow from inputs.

use super::input::{PointerButton, PointerId};
use glam::Vec2;

/// An event at an object under a pointer, or at the background.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PointerEvent<K> {
    /// The pointer.
    pub pointer: PointerId,
    /// The time of the input in seconds. For a long press, it is the moment at which the press became long. A press
    /// that is lost has the time of the last usable input.
    pub time: f64,
    /// The position in window pixels at that time. It is always finite.
    pub position: Vec2,
    /// The object that the event is about. After a press, it is the pressed object, whatever is under the pointer now.
    /// The background is `None`.
    pub target: Option<K>,
    /// The object under the pointer now. While an object is dragged, it is the object on which it would be dropped.
    pub over: Option<K>,
    /// The kind of event.
    pub kind: PointerEventKind,
}

/// The kinds of [`PointerEvent`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PointerEventKind {
    /// The pointer moved onto the target, also during a drag.
    Enter,
    /// The pointer moved off the target, or the pointer itself is gone.
    Leave,
    /// A button went down on the target.
    Press {
        /// The button.
        button: PointerButton,
        /// The count that a click by this press would have.
        count: u32,
    },
    /// The button is no longer held, because it went up or because the press was lost. It is the last event of a press.
    Release {
        /// The button.
        button: PointerButton,
    },
    /// The target was clicked: pressed and released without a drag. A different object may be under the pointer at the
    /// release, if the target moves or the threshold extends beyond the target's edge. To act only on an object that is
    /// still under the pointer, require `event.over == event.target`.
    Click {
        /// The button.
        button: PointerButton,
        /// 1 for a single click, 2 for a double click, 3 for a triple click, and so on.
        count: u32,
    },
    /// The target was held for [`PressLimits::long_press`](super::PressLimits::long_press). A drag may still follow, in
    /// which case its end is the outcome of the press. No click follows.
    LongPress {
        /// The button.
        button: PointerButton,
    },
    /// A drag of the target began. A move follows, so the motion from the press to here is not lost.
    DragStart {
        /// The button.
        button: PointerButton,
        /// The position of the press.
        from: Vec2,
    },
    /// The target was dragged from `previous` to the position of the event. The steps of a drag add up to its whole
    /// motion.
    DragMove {
        /// The button.
        button: PointerButton,
        /// The position of the press.
        from: Vec2,
        /// The position of the step before; for the first step, the position of the press.
        previous: Vec2,
    },
    /// The target was dropped over [`PointerEvent::over`].
    DragEnd {
        /// The button.
        button: PointerButton,
        /// The position of the press.
        from: Vec2,
    },
    /// The press was cancelled. The effects of its drag should be undone.
    Cancel {
        /// The button.
        button: PointerButton,
        /// The reason.
        reason: CancelReason,
    },
}

/// Why a press was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CancelReason {
    /// The caller cancelled it ([`PointerAction::Cancel`](super::PointerAction::Cancel)).
    Cancelled,
    /// A touch pointer left.
    Left,
    /// The same button was pressed again without a release between.
    PressedAgain,
    /// A time or a position was NaN or infinite. That input has no other effect.
    NotFinite,
}

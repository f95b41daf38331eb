//! The inputs: actions of pointers.

use glam::Vec2;

/// A pointer among several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PointerId {
    /// A pointer that has a position without a press: a mouse, a hovering pen, the beam of a controller. It can leave the
    /// window with held buttons. These stay held, because window systems also report a release outside of the window. After
    /// the last release, the pointer is gone until its next move.
    Mouse(u64),
    /// A finger, which exists from its press to its release. Without a press, its moves are ignored, and when it leaves,
    /// its press is cancelled.
    Touch(u64),
}

impl PointerId {
    /// The only mouse of most programs.
    pub const MOUSE: Self = Self::Mouse(0);

    /// Returns whether a click of this pointer and a click of another pointer can form a double click. Both clicks
    /// must be by the same mouse, or by any fingers.
    pub(super) fn may_repeat(self, other: Self) -> bool {
        match (self, other) {
            (Self::Mouse(a), Self::Mouse(b)) => a == b,
            (Self::Touch(_), Self::Touch(_)) => true,
            (Self::Mouse(_), Self::Touch(_)) | (Self::Touch(_), Self::Mouse(_)) => false,
        }
    }
}

/// A button of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PointerButton {
    /// The left button of a mouse, the contact of a finger or pen.
    Primary,
    /// The right button of a mouse.
    Secondary,
    /// The middle button or the wheel of a mouse.
    Middle,
    /// Any other button, by a number of the caller's own.
    Other(u16),
}

/// An action of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PointerAction {
    /// The pointer moved, or time passed, or something else is under it now.
    Move,
    /// A button went down at the position of the input.
    Press(PointerButton),
    /// A button went up at the position of the input. It is a move if the button is not held.
    Release(PointerButton),
    /// The presses are cancelled, for example because the window lost the focus, the user pressed Escape, or the system
    /// took the pointer. The position and the target of the input are ignored.
    Cancel,
    /// The pointer left the window. The position and the target of the input are ignored.
    Leave,
}

/// One action of a pointer, with the object under it. `K` is the caller's key of an object that can be under a pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointerInput<K> {
    /// The pointer.
    pub pointer: PointerId,
    /// The time in seconds of any clock that all pointers share. A time before the time of the pointer's previous input
    /// is treated as equal to it. So if the clock is set back, time stands still until the clock reaches that time
    /// again.
    #[cfg_attr(feature = "serde", serde(with = "super::saved::time"))]
    pub time: f64,
    /// The action.
    pub action: PointerAction,
    /// The position in window pixels: origin top-left, y down.
    #[cfg_attr(feature = "serde", serde(with = "super::saved::position"))]
    pub position: Vec2,
    /// The object under that position, as the caller picked it. During a drag, exclude the dragged object
    /// ([`Pointers::captured`](super::Pointers::captured)). Then the object on which it may be dropped is found
    /// behind it.
    pub target: Option<K>,
}

impl<K> PointerInput<K> {
    /// Returns whether the numbers that the action uses are finite.
    pub(super) fn is_usable(&self) -> bool {
        self.time.is_finite() && (self.position.is_finite() || !self.is_somewhere())
    }

    /// Returns whether the position and the target are used.
    pub(super) fn is_somewhere(&self) -> bool {
        match self.action {
            PointerAction::Move | PointerAction::Press(_) | PointerAction::Release(_) => true,
            PointerAction::Cancel | PointerAction::Leave => false,
        }
    }
}

//! The events of the window and of scripts, as plain data.

use crate::args::Size;
use hitscan::gizmo::GizmoMode;
use hitscan::glam::Vec2;
use hitscan::pointer::PointerButton;

/// Something that happened to the window. Places are in physical pixels from its top-left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Input {
    /// The cursor is here now.
    Move(Vec2),
    Press(PointerButton),
    Release(PointerButton),
    /// The cursor has left the window.
    Leave,
    /// The wheel turned by this number of lines, which is positive away from the user.
    Wheel(f64),
    Key(Key),
    Modifiers(Modifiers),
    /// The window has this size, and `scale` is the number of physical pixels for each pixel of the design.
    Resize {
        size: Size,
        scale: f64,
    },
    /// The window lost the keyboard focus: the release of keys that are held down will not be reported.
    LostFocus,
}

/// The keys with a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Lasso,
    Through,
    /// The key shows handles that move, turn or scale.
    Handles(GizmoMode),
    Frame,
    Home,
    Cancel,
}

impl Key {
    /// Returns the key of a letter or name, in upper or lower case.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "l" => Self::Lasso,
            "x" => Self::Through,
            "g" => Self::Handles(GizmoMode::Translate),
            "r" => Self::Handles(GizmoMode::Rotate),
            "s" => Self::Handles(GizmoMode::Scale),
            "f" => Self::Frame,
            "home" => Self::Home,
            "escape" => Self::Cancel,
            _ => return None,
        })
    }
}

/// The keys that change what the mouse does, while they are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Modifiers {
    pub(super) shift: bool,
    pub(super) ctrl: bool,
    pub(super) alt: bool,
}

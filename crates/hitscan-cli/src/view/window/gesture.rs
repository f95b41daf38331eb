//! Drags, and the camera or the region that they change.

use super::input::Modifiers;
use super::orbit::Orbit;
use super::stage::Stage;
use hitscan::glam::Vec2;
use hitscan::pointer::PointerButton;
use hitscan::select::Region;

/// The purpose of the next drag of the left button, unless it begins at a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// The drag looks around, or selects with a rectangle.
    Look,
    Lasso,
}

/// A drag.
#[derive(Clone, Debug)]
pub(super) struct Gesture {
    pub(super) button: PointerButton,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The camera turns around its pivot. `before` is the camera before the drag.
    Orbit {
        before: Box<Orbit>,
    },
    Pan {
        before: Box<Orbit>,
    },
    /// A rectangle with two opposite corners.
    Marquee {
        from: Vec2,
        to: Vec2,
    },
    /// The corners of a polygon.
    Lasso(Vec<Vec2>),
}

impl Gesture {
    /// Begins the action of a drag at a pixel.
    pub(super) fn begin(
        stage: &mut Stage<'_>,
        button: PointerButton,
        from: Vec2,
        (tool, held): (Tool, Modifiers),
    ) -> Self {
        let is_left = button == PointerButton::Primary;
        let kind = match tool {
            Tool::Lasso if is_left && !held.alt => Kind::Lasso(vec![from]),
            Tool::Look if is_left && held.shift && !held.alt => Kind::Marquee { from, to: from },
            _ => {
                let before = Box::new(stage.orbit.clone());
                stage.orbit.set_pivot(stage.point(from));
                if held.shift { Kind::Pan { before } } else { Kind::Orbit { before } }
            }
        };
        Self { button, kind }
    }

    /// Follows the cursor, and returns whether the picture changes.
    pub(super) fn follow(&mut self, stage: &mut Stage<'_>, previous: Vec2, to: Vec2) -> bool {
        let drag = (to - previous).as_dvec2() / f64::from(stage.size.height);
        match &mut self.kind {
            Kind::Orbit { .. } => stage.orbit.turn(drag),
            Kind::Pan { .. } => stage.orbit.pan(drag),
            Kind::Marquee { to: corner, .. } => *corner = to,
            Kind::Lasso(corners) => corners.push(to),
        }
        self.moves()
    }

    /// Undoes the action, and returns whether the picture changes.
    pub(super) fn undo(self, stage: &mut Stage<'_>) -> bool {
        let moves = self.moves();
        if let Kind::Orbit { before } | Kind::Pan { before } = self.kind {
            stage.orbit = *before;
        }
        moves
    }

    /// Returns the region that is selected when the gesture ends; `None` if it selects nothing.
    pub(super) fn region(&self) -> Option<Region> {
        match &self.kind {
            Kind::Marquee { from, to } => Region::rect(*from, *to).ok(),
            Kind::Lasso(corners) => Region::lasso(corners).ok(),
            Kind::Orbit { .. } | Kind::Pan { .. } => None,
        }
    }

    /// Returns whether the gesture changes the view.
    fn moves(&self) -> bool {
        matches!(self.kind, Kind::Orbit { .. } | Kind::Pan { .. })
    }
}

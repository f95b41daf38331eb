//! A drag of a handle.

use super::handle::{GizmoHandle, GizmoSnap};
use super::layout::GizmoLayout;
use super::outline::{OUTER_RING, RING};
use super::transform::GizmoTransform;
use crate::drag::{Drag, DragPath, Picture, TurnDrag, snap};
use crate::math::float::unit;
use glam::{DAffine3, DQuat, DVec3, Vec2};

/// The smallest factor of a scale, so that nothing becomes flat or mirrored by a drag.
const LEAST_FACTOR: f64 = 0.01;

/// The shortest distance from the middle, in gizmo sizes, that is used as the length of a grabbed bar.
const SHORTEST_BAR: f64 = 0.2;

/// A drag of one handle of a gizmo.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GizmoDrag {
    handle: GizmoHandle,
    start: GizmoTransform,
    current: GizmoTransform,
    /// The steps, which may change during the drag.
    pub snap: GizmoSnap,
    /// True for each axis whose squares are on the side opposite to its tip; this does not change during a drag.
    away: [bool; 3],
    manipulation: Manipulation,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Manipulation {
    /// A motion, snapped along three axes.
    Translate {
        drag: Drag,
        axes: [DVec3; 3],
    },
    Rotate {
        drag: TurnDrag,
        axis: DVec3,
    },
    /// A factor for the axes that `scaled` chooses. It is 1 plus the dot product of the motion and `per_way`, a direction divided by the length that adds 1.
    Scale {
        drag: Drag,
        per_way: DVec3,
        scaled: DVec3,
    },
}

impl GizmoDrag {
    pub(super) fn start(
        handle: GizmoHandle,
        layout: &GizmoLayout,
        start: GizmoTransform,
        snap: GizmoSnap,
        (picture, cursor): (&Picture, Vec2),
    ) -> Option<Self> {
        let (point, axis) = (layout.origin, layout.axis_of(handle));
        let along = |path: DragPath| Drag::start(path, picture, cursor);
        let translate = |path: DragPath| Some(Manipulation::Translate { drag: along(path)?, axes: layout.axes() });
        let turn = |drag: Option<TurnDrag>| Some(Manipulation::Rotate { drag: drag?, axis });
        let manipulation = match handle {
            GizmoHandle::TranslateAxis(_) => translate(DragPath::Axis { point, direction: axis }),
            GizmoHandle::TranslatePlane(_) => translate(DragPath::Plane { point, normal: axis }),
            GizmoHandle::TranslateScreen => translate(DragPath::Screen { point }),
            GizmoHandle::RotateAxis(_) => turn(TurnDrag::start(point, axis, RING * layout.unit, picture, cursor)),
            GizmoHandle::RotateScreen => {
                turn(TurnDrag::start_in_picture(point, OUTER_RING * layout.unit, picture, cursor))
            }
            GizmoHandle::ScaleAxis(scaled) => {
                let drag = along(DragPath::Axis { point, direction: axis })?;
                let length = (drag.grabbed() - point).dot(axis).max(SHORTEST_BAR * layout.unit);
                Some(Manipulation::Scale { drag, per_way: axis / length, scaled: scaled.unit() })
            }
            GizmoHandle::ScaleUniform => {
                let [right, up] = layout.facing;
                let per_way = unit(right + up)? / layout.unit;
                Some(Manipulation::Scale { drag: along(DragPath::Screen { point })?, per_way, scaled: DVec3::ONE })
            }
        }?;
        Some(Self { handle, start, current: start, snap, away: layout.away(), manipulation })
    }

    /// Moves the cursor, and returns the transform that the object should get. An invalid cursor or viewport changes nothing.
    pub fn advance(&mut self, picture: &Picture, cursor: impl Into<Vec2>) -> GizmoTransform {
        let changed = self.changed(picture, cursor.into());
        if let Some(changed) = changed.filter(|changed| changed.unit_rotation().is_some()) {
            self.current = changed;
        }
        self.current
    }

    pub(super) fn away(&self) -> [bool; 3] {
        self.away
    }

    /// Returns the handle.
    pub fn handle(&self) -> GizmoHandle {
        self.handle
    }

    /// Returns the transform that the object had when the drag began, to undo it.
    pub fn start_transform(&self) -> GizmoTransform {
        self.start
    }

    /// Returns the transform that the object should have now.
    pub fn transform(&self) -> GizmoTransform {
        self.current
    }

    /// Returns the whole change of the drag in world space, as [`GizmoTransform::change_since`] does.
    pub fn delta(&self) -> DAffine3 {
        self.current.change_since(&self.start)
    }

    fn changed(&mut self, picture: &Picture, cursor: Vec2) -> Option<GizmoTransform> {
        let start = self.start;
        Some(match &mut self.manipulation {
            Manipulation::Translate { drag, axes } => {
                let way = drag.translation(picture, cursor)?;
                let way = match self.snap.translation {
                    Some(step) => axes.iter().map(|axis| *axis * snap(way.dot(*axis), step)).sum(),
                    None => way,
                };
                GizmoTransform { translation: start.translation + way, ..start }
            }
            Manipulation::Rotate { drag, axis } => {
                let angle = stepped(drag.advance(picture, cursor), self.snap.angle);
                let (sin, cos) = libm::sincos(0.5 * angle);
                let turn = DQuat::from_vec4((*axis * sin).extend(cos));
                GizmoTransform { rotation: turn * start.unit_rotation()?, ..start }
            }
            Manipulation::Scale { drag, per_way, scaled } => {
                let factor = 1.0 + drag.translation(picture, cursor)?.dot(*per_way);
                let factor = stepped(factor, self.snap.scale).max(LEAST_FACTOR);
                GizmoTransform {
                    scale: start.scale * DVec3::select(scaled.cmpgt(DVec3::ZERO), DVec3::splat(factor), DVec3::ONE),
                    ..start
                }
            }
        })
    }
}

/// Returns the multiple of a step that is nearest to a value, or the value if there is no step.
fn stepped(value: f64, step: Option<f64>) -> f64 {
    step.map_or(value, |step| snap(value, step))
}

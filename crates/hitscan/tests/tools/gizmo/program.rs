//! A program with a gizmo, and the picture that it shows.

use hitscan::Camera;
use hitscan::drag::Picture;
use hitscan::gizmo::{Gizmo, GizmoChange, GizmoHandle, GizmoMode, GizmoTransform};
use hitscan::glam::{DVec3, Vec2};
use hitscan::pointer::{PointerAction as Action, PointerButton, PointerId, PointerInput, Pointers};

pub(crate) const SIZE: [f32; 2] = [800.0, 600.0];

pub(crate) fn picture() -> Picture {
    let transform = Camera::look_at([3.0, 4.0, 8.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    Picture::new(Camera::perspective(transform, 1.0).unwrap(), SIZE)
}

pub(crate) fn pixel(point: DVec3) -> Vec2 {
    picture().camera.project(point, SIZE).unwrap().pixel
}

pub(crate) fn thing() -> GizmoTransform {
    GizmoTransform { scale: DVec3::new(1.0, 2.0, 3.0), ..GizmoTransform::from_translation([0.0; 3]) }
}

/// The caller's keys: handles of the gizmo, and things of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Key {
    Handle(GizmoHandle),
    Floor,
}

/// A program with a gizmo: pick, point, change.
pub(crate) struct Program {
    pub(crate) gizmo: Gizmo,
    pub(crate) pointers: Pointers<Key>,
    pub(crate) thing: GizmoTransform,
    pub(crate) changes: Vec<GizmoChange>,
}

impl Program {
    pub(crate) fn new(mode: GizmoMode) -> Self {
        Self { gizmo: Gizmo::new(mode), pointers: Pointers::new(), thing: thing(), changes: Vec::new() }
    }

    pub(crate) fn give(&mut self, time: f64, action: Action, position: Vec2) {
        self.give_by(PointerId::MOUSE, time, action, position);
    }

    pub(crate) fn give_by(&mut self, pointer: PointerId, time: f64, action: Action, position: Vec2) {
        let picked = self.gizmo.pick(&picture(), &self.thing, position);
        let target = Some(picked.map_or(Key::Floor, |hit| Key::Handle(hit.handle)));
        let mut events = Vec::new();
        self.pointers.handle(&PointerInput { pointer, time, action, position, target }, &mut events);
        for event in &events {
            let handle_of = |key: &Key| match key {
                Key::Handle(handle) => Some(*handle),
                Key::Floor => None,
            };
            let change = self.gizmo.follow(event, handle_of, &picture(), &self.thing);
            if let Some(GizmoChange::Move(to) | GizmoChange::End { to, .. } | GizmoChange::Cancel(to)) = change {
                self.thing = to;
            }
            self.changes.extend(change);
        }
    }
}

pub(crate) const PRESS: Action = Action::Press(PointerButton::Primary);
pub(crate) const RELEASE: Action = Action::Release(PointerButton::Primary);

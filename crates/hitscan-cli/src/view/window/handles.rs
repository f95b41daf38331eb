//! The handles that move, turn and scale the selection.

use super::stage::Stage;
use crate::extent::Extent;
use hitscan::gizmo::{Gizmo, GizmoChange, GizmoDrawing, GizmoHandle, GizmoMode, GizmoTransform};
use hitscan::glam::{DAffine3, DVec3, Vec2};
use hitscan::pointer::PointerEvent;
use hitscan_io::EntityId;
use std::collections::BTreeSet;

/// The handles around the selection.
pub(super) struct Handles {
    gizmo: Gizmo,
    /// The frame of the selection: its middle, the rotation if it is a single entity, and the scale by a drag.
    frame: GizmoTransform,
    drag: Option<Moved>,
}

/// The thing under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Entity(EntityId),
    Handle(GizmoHandle),
}

/// The selection during a drag.
struct Moved {
    /// The frame when the drag began, and the last frame to which the selection could be moved.
    start: GizmoTransform,
    last: GizmoTransform,
    /// The entities with their transforms when the drag began.
    entities: Vec<(EntityId, DAffine3)>,
}

impl Handles {
    /// Returns the handles of the selection; `None` without a selection.
    pub(super) fn new(mode: GizmoMode, stage: &Stage<'_>, selected: &BTreeSet<EntityId>) -> Option<Self> {
        let scene = &stage.loaded.scene;
        let boxes = selected.iter().filter_map(|id| scene.bounds_of(id)).map(Extent::of_bounds);
        let middle = boxes.reduce(Extent::union).filter(Extent::is_box)?.center();
        let single = selected.first().filter(|_| selected.len() == 1).and_then(|id| scene.get(id));
        let turned = single.map(|entity| GizmoTransform::from(entity.transform()).rotation);
        let place = GizmoTransform::from_translation(middle);
        let rotation = turned.filter(|rotation| rotation.is_finite()).unwrap_or(place.rotation);
        let frame = GizmoTransform { rotation, ..place };
        let mut handles = Self { gizmo: Gizmo::new(mode), frame, drag: None };
        handles.resize(stage);
        Some(handles)
    }

    /// Sets the size of the handles by the scale of the display.
    pub(super) fn resize(&mut self, stage: &Stage<'_>) {
        let Gizmo { size, tolerance, .. } = Gizmo::new(self.gizmo.mode);
        (self.gizmo.size, self.gizmo.tolerance) = (size * stage.scale as f32, tolerance * stage.scale as f32);
    }

    /// Returns the place of the handles in the world.
    pub(super) fn place(&self) -> DVec3 {
        self.frame.translation
    }

    /// Returns the handle under the cursor.
    pub(super) fn pick(&self, stage: &Stage<'_>, cursor: Vec2) -> Option<GizmoHandle> {
        self.gizmo.pick(&stage.picture(), &self.frame, cursor).map(|hit| hit.handle)
    }

    pub(super) fn drawing(&self, stage: &Stage<'_>) -> GizmoDrawing {
        self.gizmo.drawing(&stage.picture(), &self.frame)
    }

    /// Follows a pointer, and returns its effect on the selection.
    pub(super) fn follow(
        &mut self,
        event: &PointerEvent<Target>,
        stage: &mut Stage<'_>,
        selected: &BTreeSet<EntityId>,
    ) -> Option<GizmoChange> {
        let handle = |target: &Target| match target {
            Target::Handle(handle) => Some(*handle),
            Target::Entity(_) => None,
        };
        let change = self.gizmo.follow(event, handle, &stage.picture(), &self.frame)?;
        if let GizmoChange::Start(_) = change {
            self.drag = Some(Moved::new(self.frame, stage, selected));
        }
        self.make(change, stage);
        Some(change)
    }

    /// Updates a drag after a change of the camera or of the window's size, and returns the effect on the selection.
    pub(super) fn update(&mut self, stage: &mut Stage<'_>) -> Option<GizmoChange> {
        let change = self.gizmo.update(&stage.picture())?;
        self.make(change, stage);
        Some(change)
    }

    /// Undoes the current drag, if any, and returns the effect on the selection.
    pub(super) fn cancel(&mut self, stage: &mut Stage<'_>) -> Option<GizmoChange> {
        let change = self.gizmo.cancel()?;
        self.make(change, stage);
        Some(change)
    }

    fn make(&mut self, change: GizmoChange, stage: &mut Stage<'_>) {
        match change {
            GizmoChange::Move(to) => self.move_to(to, stage),
            GizmoChange::End { to, .. } | GizmoChange::Cancel(to) => {
                self.move_to(to, stage);
                self.finish();
            }
            _ => {}
        }
    }

    fn move_to(&mut self, to: GizmoTransform, stage: &mut Stage<'_>) {
        if let Some(drag) = &mut self.drag {
            self.frame = drag.moved(to, stage);
        }
    }

    /// The next drag starts from the current scale of the selection.
    fn finish(&mut self) {
        self.drag = None;
        self.frame.scale = DVec3::ONE;
    }
}

impl Moved {
    fn new(start: GizmoTransform, stage: &Stage<'_>, selected: &BTreeSet<EntityId>) -> Self {
        let scene = &stage.loaded.scene;
        let entities = selected.iter().filter_map(|id| Some((*id, scene.get(id)?.transform()))).collect();
        Self { start, last: start, entities }
    }

    /// Moves the selection with its frame. An entity may fail to get its new transform, for example because it would be scaled to nothing. Then all entities
    /// stay where they are. Returns the frame after that.
    fn moved(&mut self, to: GizmoTransform, stage: &mut Stage<'_>) -> GizmoTransform {
        if self.is_placed(to, stage) {
            self.last = to;
        } else {
            // The entities have had these transforms before, so this cannot fail.
            self.is_placed(self.last, stage);
        }
        self.last
    }

    /// Moves the selection, and returns whether this was possible for each entity.
    fn is_placed(&self, to: GizmoTransform, stage: &mut Stage<'_>) -> bool {
        let [to_start, to_end] = [self.start, to].map(DAffine3::from);
        // A cancelled drag leaves no rounding errors.
        let motion = if to == self.start { DAffine3::IDENTITY } else { to_end * to_start.inverse() };
        let scene = &mut stage.loaded.scene;
        self.entities.iter().all(|(id, start)| scene.set_transform(id, motion * *start).is_ok())
    }
}

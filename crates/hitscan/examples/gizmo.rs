//! Selects a crate with a click, moves it with a gizmo's arrow, rotates it with a ring, cancels a third drag, and deselects the
//! crate.
//!
//! The pointer's inputs are a script here; a program gets them from its window library.
//!
//! `cargo run --example gizmo -p hitscan`

use hitscan::drag::Picture;
use hitscan::error::TransformError;
use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoChange, GizmoHandle, GizmoMode, GizmoTransform};
use hitscan::glam::{DAffine3, DVec3, Vec2};
use hitscan::pointer::{
    PointerAction, PointerButton, PointerEvent, PointerEventKind, PointerId, PointerInput, Pointers,
};
use hitscan::{Aabb, Camera, RayQueries, Scene};
use std::error::Error;

/// The things that can be under the pointer. They are handles of the gizmo, and entities of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Handle(GizmoHandle),
    Entity(&'static str),
}

struct Editor {
    scene: Scene<&'static str>,
    transform: GizmoTransform,
    picture: Picture,
    pointers: Pointers<Target>,
    gizmo: Gizmo,
    selected: Option<&'static str>,
    time: f64,
}

impl Editor {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut scene = Scene::new();
        scene.insert("floor", Aabb::new([-9.0, -2.0, -9.0], [9.0, -1.0, 9.0]), DVec3::ZERO)?;
        scene.insert("crate", Aabb::new([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]), DVec3::ZERO)?;
        let camera = Camera::perspective(Camera::look_at([4.0, 5.0, 12.0], DVec3::ZERO, DVec3::Y)?, 0.8)?;
        Ok(Self {
            scene,
            transform: GizmoTransform::from_translation(DVec3::ZERO),
            picture: Picture::new(camera, [1280.0, 720.0]),
            pointers: Pointers::new(),
            gizmo: Gizmo::new(GizmoMode::Translate),
            selected: None,
            time: 0.0,
        })
    }

    /// Gives one input to the pointers, as a program does for each event of its window.
    fn point(&mut self, action: PointerAction, position: Vec2) -> Result<(), TransformError> {
        self.time += 0.1;
        let target = self.target(position);
        let input = PointerInput { pointer: PointerId::MOUSE, time: self.time, action, position, target };
        let mut events = Vec::new();
        self.pointers.handle(&input, &mut events);
        events.iter().try_for_each(|event| self.follow(event))
    }

    /// Returns the target under a cursor: the gizmo is in front of everything else.
    fn target(&self, cursor: Vec2) -> Option<Target> {
        let handle = self.selected.and_then(|_| self.gizmo.pick(&self.picture, &self.transform, cursor));
        let entity = || self.scene.cast(&self.picture.camera.ray(cursor, self.picture.viewport));
        handle.map(|hit| Target::Handle(hit.handle)).or_else(|| entity().map(|hit| Target::Entity(hit.id)))
    }

    fn follow(&mut self, event: &PointerEvent<Target>) -> Result<(), TransformError> {
        if let PointerEventKind::Click { button: PointerButton::Primary, .. } = event.kind {
            self.click(event);
        }
        let handle_of = |target: &Target| match target {
            Target::Handle(handle) => Some(*handle),
            Target::Entity(_) => None,
        };
        match self.gizmo.follow(event, handle_of, &self.picture, &self.transform) {
            Some(GizmoChange::Start(handle)) => println!("A drag of {handle:?} begins."),
            Some(GizmoChange::Move(to)) => self.place(to)?,
            Some(GizmoChange::End { to, .. }) => {
                self.place(to)?;
                println!("It ends with the crate at {:.2}, turned by {:.2}.", to.translation, to.rotation);
            }
            Some(GizmoChange::Cancel(back)) => {
                self.place(back)?;
                println!("It is cancelled, and the crate is back at {:.2}.", back.translation);
            }
            _ => {}
        }
        Ok(())
    }

    /// Selects a movable entity, or nothing after a click on the floor or beside everything. Handles are not entities.
    fn click(&mut self, event: &PointerEvent<Target>) {
        let selected = match event.target {
            Some(Target::Handle(_)) => return,
            Some(Target::Entity(id)) if id != "floor" => Some(id),
            Some(Target::Entity(_)) | None => None,
        };
        if selected != self.selected {
            // Otherwise a drag by another pointer would continue with the previous selection.
            self.gizmo.cancel();
            self.selected = selected;
            println!("A click at {} selects {}.", event.position, selected.unwrap_or("nothing"));
        }
    }

    fn place(&mut self, transform: GizmoTransform) -> Result<(), TransformError> {
        let Some(id) = self.selected else { return Ok(()) };
        self.transform = transform;
        self.scene.set_transform(&id, DAffine3::from(transform)).map(drop)
    }

    /// Presses at `from`, moves to `to` in steps, and ends the drag with an action.
    fn drag(&mut self, from: DVec3, to: DVec3, end: PointerAction) -> Result<(), TransformError> {
        let pixel = |picture: &Picture, point: DVec3| {
            picture.camera.project(point, picture.viewport).map_or(Vec2::ZERO, |shown| shown.pixel)
        };
        let picture = self.picture;
        self.point(PointerAction::Press(PointerButton::Primary), pixel(&picture, from))?;
        for step in 1..=10 {
            self.point(PointerAction::Move, pixel(&picture, from.lerp(to, f64::from(step) / 10.0)))?;
        }
        self.point(end, pixel(&picture, to))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut editor = Editor::new()?;
    let (press, release) =
        (PointerAction::Press(PointerButton::Primary), PointerAction::Release(PointerButton::Primary));
    let middle = Vec2::new(640.0, 360.0);
    editor.point(press, middle)?;
    editor.point(release, middle)?;

    editor.drag(DVec3::X, DVec3::X * 3.0, release)?;
    assert!((editor.transform.translation - DVec3::X * 2.0).length() < 1e-3);

    editor.gizmo.mode = GizmoMode::Rotate;
    let ring = GizmoHandle::RotateAxis(GizmoAxis::Y);
    let drawing = editor.gizmo.drawing(&editor.picture, &editor.transform);
    println!("The gizmo is drawn with {} lines.", drawing.lines.len());
    let ends = drawing.lines.iter().filter(|line| line.handle == ring).map(|line| line.ends[0]);
    let (Some(from), Some(to)) = (ends.clone().nth(8), ends.clone().nth(24)) else { return Ok(()) };
    editor.drag(from, to, release)?;
    editor.drag(from, to, PointerAction::Cancel)?;

    let corner = Vec2::new(300.0, 500.0);
    editor.point(press, corner)?;
    editor.point(release, corner)?;
    assert_eq!(editor.selected, None);
    Ok(())
}

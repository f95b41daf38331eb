//! Gizmos: handles that are picked, dragged, cancelled and drawn.

use super::{cursor, picture};
use crate::numbers::Numbers;
use crate::world::World;
use hitscan::drag::Picture;
use hitscan::gizmo::{Gizmo, GizmoChange, GizmoDrag, GizmoFrame, GizmoHandle, GizmoMode, GizmoSnap, GizmoTransform};
use hitscan::glam::{DAffine3, Vec2};
use hitscan::pointer::{PointerAction, PointerButton, PointerInput, Pointers};

impl Numbers {
    fn gizmo(&mut self) -> Gizmo {
        let mut gizmo = Gizmo::new(self.pick(&[GizmoMode::Translate, GizmoMode::Rotate, GizmoMode::Scale]));
        gizmo.frame = self.pick(&[GizmoFrame::World, GizmoFrame::Local]);
        let mut step = |every: usize| if self.one_in(every) { Some(self.f64()) } else { None };
        gizmo.snap = GizmoSnap { translation: step(3), angle: step(3), scale: step(3) };
        if self.one_in(4) {
            (gizmo.size, gizmo.tolerance) = (self.f32(), self.f32());
        }
        gizmo
    }
}

fn transform(world: &mut World<'_>) -> GizmoTransform {
    let translation = world.point();
    match world.numbers.below(3) {
        0 => GizmoTransform::from_translation(translation),
        1 => GizmoTransform { translation, rotation: world.numbers.rotation(), scale: world.numbers.dvec3() },
        _ => GizmoTransform::from(world.numbers.affine()),
    }
}

/// Picks a handle, and drags it with the events of pointers.
pub(super) fn drag(world: &mut World<'_>) {
    let Some((picture, at)) = picture(world) else { return };
    let (mut gizmo, thing) = (world.numbers.gizmo(), transform(world));
    // The handles are around the middle of the thing.
    let middle = picture.camera.project(thing.translation, picture.viewport);
    let aim = middle.map_or(at, |middle| middle.pixel);
    let from = if world.numbers.one_in(4) { at } else { aim + world.numbers.vec2() * 40.0 };
    let input = (&gizmo, picture, thing, from);
    let hit = world.log.ask("Gizmo::pick", &input, || gizmo.pick(&picture, &thing, from));
    let drawing = world.log.ask("Gizmo::drawing", &input, || gizmo.drawing(&picture, &thing));
    let is_finite = drawing.lines.iter().flat_map(|line| line.ends).all(|end| end.is_finite())
        && drawing.triangles.iter().flat_map(|triangle| triangle.corners).all(|corner| corner.is_finite());
    world.log.check(is_finite, "finite", || format!("{drawing:?}"));
    if let Some(hit) = hit {
        let is_right = hit.pixels <= f64::from(gizmo.tolerance)
            && hit.point.is_finite()
            && gizmo.mode.handles().contains(&hit.handle)
            && drawing
                .lines
                .iter()
                .map(|line| line.handle)
                .chain(drawing.triangles.iter().map(|of| of.handle))
                .any(|of| of == hit.handle);
        world.log.check(is_right, "drawn and near", || format!("{hit:?} {gizmo:?}"));
    }
    let handle = hit.map_or_else(|| world.numbers.pick(gizmo.mode.handles()), |hit| hit.handle);
    by_hand(world, &gizmo, handle, (&picture, thing, from));
    by_events(world, &mut gizmo, handle, (&picture, thing, from));
}

/// Returns a drag without the steps, which may be NaN.
fn without_steps(drag: &GizmoDrag) -> GizmoDrag {
    let mut drag = drag.clone();
    drag.snap = GizmoSnap::default();
    drag
}

/// Drags a handle without pointers.
fn by_hand(
    world: &mut World<'_>,
    gizmo: &Gizmo,
    handle: GizmoHandle,
    (picture, thing, from): (&Picture, GizmoTransform, Vec2),
) {
    let input = (gizmo, handle, picture, thing, from);
    let drag = world.log.call("Gizmo::start_drag", &input, || gizmo.start_drag(handle, picture, &thing, from));
    let Some(mut drag) = drag else { return };
    world.log.sound(&without_steps(&drag));
    let is_right = drag.start_transform() == thing && drag.transform() == thing && drag.handle() == handle;
    world.log.check(is_right, "starts where it is", || format!("{drag:?} {thing:?}"));
    for _ in 0..3 {
        let to = cursor(world, picture);
        let moved =
            world.log.change("GizmoDrag::advance", &(to, &drag.clone()), &mut drag, |drag| drag.advance(picture, to));
        world.log.sound(&(moved, without_steps(&drag)));
        let is_right = moved.translation.is_finite() && moved.rotation.is_finite() && moved.scale.is_finite();
        world.log.check(is_right && drag.start_transform() == thing, "finite", || format!("{moved:?} {drag:?}"));
        let kept = match handle {
            GizmoHandle::TranslateAxis(_) | GizmoHandle::TranslatePlane(_) | GizmoHandle::TranslateScreen => {
                moved.rotation == thing.rotation && moved.scale == thing.scale
            }
            GizmoHandle::RotateAxis(_) | GizmoHandle::RotateScreen => {
                moved.translation == thing.translation && moved.scale == thing.scale
            }
            _ => moved.translation == thing.translation && moved.rotation == thing.rotation,
        };
        world.log.check(kept, "changes one thing", || format!("{handle:?}: {thing:?} {moved:?}"));
        let delta = world.log.call("GizmoDrag::delta", &drag, || drag.delta());
        let at = delta.transform_point3(thing.translation);
        let slack = 1e-6
            * (1.0 + delta.matrix3.to_cols_array().iter().fold(0.0, |most: f64, n| most.max(n.abs())))
            * (thing.translation.abs() + moved.translation.abs()).max_element();
        let is_right = !at.is_finite() || at.distance(moved.translation) <= slack;
        world.log.check(is_right, "delta", || format!("{delta:?} takes {thing:?} to {at}, not to {moved:?}"));
        world.log.call("DAffine3::from", &moved, || DAffine3::from(moved));
    }
}

/// Drags a handle with the events of pointers: changes come in their order, and a cancel restores the former state.
fn by_events(
    world: &mut World<'_>,
    gizmo: &mut Gizmo,
    handle: GizmoHandle,
    (picture, thing, from): (&Picture, GizmoTransform, Vec2),
) {
    let (mut pointers, mut time, mut thing) = (Pointers::new(), 0.0, thing);
    let mut before = None;
    let press = PointerAction::Press(PointerButton::Primary);
    for step in 0..8 {
        let (pointer, now, action, position) = match step {
            0 => (hitscan::pointer::PointerId::MOUSE, 0.0, press, from),
            _ => world.numbers.pointer_step(&mut time),
        };
        let target = if step == 0 || world.numbers.one_in(2) { Some(handle) } else { None };
        let mut events = Vec::new();
        pointers.handle(&PointerInput { pointer, time: now, action, position, target }, &mut events);
        let mut changes: Vec<GizmoChange> = Vec::new();
        for event in &events {
            let change = world.log.change("Gizmo::follow", event, gizmo, |gizmo| {
                gizmo.follow(event, |handle| Some(*handle), picture, &thing)
            });
            changes.extend(change);
            apply(world, change, &mut thing, &mut before);
        }
        let forced = match world.numbers.below(8) {
            0 => world.log.change("Gizmo::cancel", &(), gizmo, Gizmo::cancel),
            1 => world.log.change("Gizmo::update", picture, gizmo, |gizmo| gizmo.update(picture)),
            _ => None,
        };
        apply(world, forced, &mut thing, &mut before);
        let is_right = gizmo.dragged().is_some() == before.is_some();
        world
            .log
            .check(is_right, "dragged from start to end", || format!("{changes:?} {forced:?} {before:?} {gizmo:?}"));
        world.log.ask("Gizmo::hovered", gizmo, || gizmo.hovered());
    }
}

/// Applies a change, and checks that it may occur now.
fn apply(
    world: &mut World<'_>,
    change: Option<GizmoChange>,
    thing: &mut GizmoTransform,
    before: &mut Option<GizmoTransform>,
) {
    let Some(change) = change else { return };
    world.log.sound(&change);
    let is_right = match change {
        GizmoChange::Start(_) => before.replace(*thing).is_none(),
        GizmoChange::Move(to) => {
            *thing = to;
            before.is_some()
        }
        GizmoChange::End { from, to } => {
            *thing = to;
            before.take() == Some(from)
        }
        GizmoChange::Cancel(to) => {
            *thing = to;
            before.take() == Some(to)
        }
        _ => false,
    };
    world.log.check(is_right, "in order", || format!("{change:?} {before:?}"));
}

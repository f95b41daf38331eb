//! The state machine: hovers, drags, their ends and their interruptions.

use crate::gizmo::program::{PRESS, Program, RELEASE, SIZE, picture, pixel, thing};
use hitscan::Camera;
use hitscan::drag::Picture;
use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoChange, GizmoHandle, GizmoMode, GizmoTransform};
use hitscan::glam::{DVec3, Vec2};
use hitscan::pointer::{PointerAction as Action, PointerButton, PointerId, PointerInput, Pointers};

#[test]
fn hover_drag_end() {
    let mut program = Program::new(GizmoMode::Translate);
    let (grab, goal) = (pixel(DVec3::X * 0.7), pixel(DVec3::X * 1.7));
    let handle = GizmoHandle::TranslateAxis(GizmoAxis::X);
    program.give(0.0, Action::Move, grab);
    assert_eq!(program.gizmo.hovered(), Some(handle));
    let yellow = |program: &Program| {
        let lines = program.gizmo.drawing(&picture(), &program.thing).lines;
        lines.iter().filter(|line| line.color[..3] == [255, 210, 40]).map(|line| line.handle).collect::<Vec<_>>()
    };
    assert_eq!(yellow(&program), [handle]);
    program.give(0.1, PRESS, grab);
    program.give(0.2, Action::Move, grab + Vec2::new(1.0, 0.0));
    assert_eq!(program.changes, [], "below the threshold of a drag");
    program.give(0.3, Action::Move, goal);
    assert_eq!(yellow(&program), [handle]);
    program.give(0.4, RELEASE, goal);
    assert!((program.thing.translation - DVec3::X).length() < 1e-4, "{:?}", program.thing);
    let [GizmoChange::Start(begun), GizmoChange::Move(moved), GizmoChange::End { from, to: ended, .. }] =
        program.changes[..]
    else {
        panic!("{:?}", program.changes)
    };
    assert_eq!((begun, moved, from), (handle, ended, thing()), "the end is what an undo history needs");
    assert_eq!((program.thing.rotation, program.thing.scale), (thing().rotation, thing().scale));
    assert!(program.gizmo.dragged().is_none());
    program.give(0.5, Action::Move, Vec2::new(5.0, 5.0));
    assert_eq!(program.gizmo.hovered(), None);
}

#[test]
fn a_cancelled_drag_is_undone() {
    for (mode, grab) in [(GizmoMode::Translate, DVec3::Y * 0.7), (GizmoMode::Scale, DVec3::X * 0.8)] {
        let mut program = Program::new(mode);
        program.give(0.0, PRESS, pixel(grab));
        program.give(0.1, Action::Move, pixel(grab * 2.0));
        assert_ne!(program.thing, thing(), "{mode:?}");
        program.give(0.2, Action::Cancel, Vec2::ZERO);
        assert_eq!(program.thing, thing());
        program.give(0.3, Action::Move, pixel(grab * 3.0));
        program.give(0.4, RELEASE, pixel(grab * 3.0));
        assert_eq!(program.thing, thing());
        assert!(matches!(program.changes.last(), Some(GizmoChange::Cancel(_))));
    }
}

#[test]
fn only_handles_and_the_primary_button_drag() {
    let mut program = Program::new(GizmoMode::Translate);
    let grab = pixel(DVec3::X * 0.7);
    program.give(0.0, Action::Press(PointerButton::Secondary), grab);
    program.give(0.1, Action::Move, pixel(DVec3::X * 2.0));
    program.give(0.2, Action::Release(PointerButton::Secondary), grab);
    program.give(0.3, PRESS, Vec2::new(20.0, 20.0));
    program.give(0.4, Action::Move, grab);
    program.give(0.5, RELEASE, grab);
    assert_eq!((program.changes, program.thing), (Vec::new(), thing()));
}

/// A second finger does not take the gizmo away from the first.
#[test]
fn one_pointer_drags_at_a_time() {
    let mut program = Program::new(GizmoMode::Translate);
    let [first, second] = [PointerId::Touch(0), PointerId::Touch(1)];
    program.give_by(first, 0.0, PRESS, pixel(DVec3::X * 0.7));
    program.give_by(first, 0.1, Action::Move, pixel(DVec3::X * 1.7));
    let held = program.thing;
    let up = held.translation + DVec3::Y * 0.7;
    program.give_by(second, 0.1, PRESS, pixel(up));
    program.give_by(second, 0.2, Action::Move, pixel(up * 2.0));
    program.give_by(second, 0.3, RELEASE, pixel(up * 2.0));
    assert_eq!(program.thing, held);
    assert!(matches!(program.changes[..], [GizmoChange::Start(_), GizmoChange::Move(_)]));
    program.give_by(first, 0.4, RELEASE, pixel(DVec3::X * 2.7));
    assert!((program.thing.translation - DVec3::X * 2.0).length() < 1e-4);
}

/// The camera moves or the steps change while the cursor rests.
#[test]
fn an_update_follows_the_camera_and_the_steps() {
    let mut program = Program::new(GizmoMode::Translate);
    let (grab, goal) = (pixel(DVec3::X * 0.7), pixel(DVec3::X * 1.9));
    program.give(0.0, PRESS, grab);
    program.give(0.1, Action::Move, goal);
    assert_eq!(program.gizmo.update(&picture()), None, "nothing has changed");
    program.gizmo.snap.translation = Some(0.5);
    let Some(GizmoChange::Move(snapped)) = program.gizmo.update(&picture()) else { panic!("the step is ignored") };
    assert!((snapped.translation - DVec3::X).length() < 1e-9, "{snapped:?}");
    program.gizmo.snap.translation = None;

    let transform = Camera::look_at([3.0, 4.0, 6.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).unwrap();
    let moved = Picture::new(Camera::perspective(transform, 1.0).unwrap(), SIZE);
    let Some(GizmoChange::Move(to)) = program.gizmo.update(&moved) else { panic!("the camera is ignored") };
    // A drag along an axis gives the point that is shown nearest to the cursor.
    let shown = |x: f64| moved.camera.project(to.translation + DVec3::X * x, SIZE).unwrap().pixel;
    let along = (shown(0.71) - shown(0.69)).normalize();
    assert!((shown(0.7) - goal).dot(along).abs() < 0.01, "{}", shown(0.7));
    assert_eq!(program.gizmo.update(&moved), None);

    // The camera moves just before the release, without an update.
    let mut events = Vec::new();
    let release = PointerInput { pointer: PointerId::MOUSE, time: 0.2, action: RELEASE, position: goal, target: None };
    program.pointers.handle(&release, &mut events);
    let changes = events.iter().filter_map(|event| program.gizmo.follow(event, |_| None, &picture(), &to));
    let [GizmoChange::End { to: ended, .. }] = changes.collect::<Vec<_>>()[..] else { panic!("one end") };
    assert!((ended.translation - DVec3::X * 1.2).length() < 1e-4, "{ended:?}");
}

/// A finger is on a handle and a mouse elsewhere: the mouse does not affect the hover of the finger.
#[test]
fn the_hover_belongs_to_a_pointer() {
    let mut program = Program::new(GizmoMode::Translate);
    let handle = GizmoHandle::TranslateAxis(GizmoAxis::X);
    let aside = Vec2::new(5.0, 5.0);
    program.give(0.0, Action::Move, pixel(DVec3::X * 0.7));
    program.give_by(PointerId::Mouse(1), 0.1, Action::Move, aside);
    program.give_by(PointerId::Mouse(1), 0.2, Action::Leave, aside);
    assert_eq!(program.gizmo.hovered(), Some(handle));
    program.gizmo.mode = GizmoMode::Rotate;
    assert_eq!(program.gizmo.hovered(), None, "it is not shown any more");
    program.gizmo.mode = GizmoMode::Translate;
    program.give(0.3, Action::Move, aside);
    assert_eq!(program.gizmo.hovered(), None);
}

/// A gizmo at the edge of one of two viewports is not under the cursor in the other.
#[test]
fn nothing_is_picked_outside_of_the_viewport() {
    let gizmo = Gizmo::new(GizmoMode::Translate);
    let left = Picture::new(picture().camera, SIZE);
    let at_edge = (0..400).map(|step| GizmoTransform::from_translation([f64::from(step) * 0.02, 0.0, 0.0]));
    let mut pairs = 0;
    for thing in at_edge {
        let picked = |x: f32| gizmo.pick(&left, &thing, [x, 300.0]);
        let Some(inside) = picked(799.0) else { continue };
        assert!(inside.pixels <= 8.0 && picked(800.0).is_none());
        // A drag goes on outside.
        assert!(gizmo.start_drag(inside.handle, &left, &thing, [900.0, 300.0]).is_some());
        pairs += 1;
    }
    assert!(pairs > 3, "{pairs}");
}

/// The end of a drag does not arrive, because the program stopped giving events to the gizmo.
#[test]
fn a_drag_without_an_end_can_be_left() {
    let grab = pixel(DVec3::X * 0.7);
    let begun = || {
        let mut program = Program::new(GizmoMode::Translate);
        assert_eq!(program.gizmo.cancel(), None);
        program.give(0.0, PRESS, grab);
        program.give(0.1, Action::Move, pixel(DVec3::X * 1.7));
        program
    };
    let mut program = begun();
    assert_eq!(program.gizmo.cancel(), Some(GizmoChange::Cancel(thing())));
    assert!(program.gizmo.dragged().is_none() && program.gizmo.cancel().is_none());
    program.changes.clear();
    program.give(0.2, Action::Move, pixel(DVec3::X * 2.7));
    program.give(0.3, RELEASE, pixel(DVec3::X * 2.7));
    assert_eq!(program.changes, []);

    // The same pointer and button begin another drag, first of the handle, then of the floor.
    let mut program = begun();
    (program.pointers, program.thing) = (Pointers::new(), thing());
    program.changes.clear();
    program.give(0.4, PRESS, grab);
    program.give(0.5, Action::Move, pixel(DVec3::X * 2.7));
    assert!(matches!(program.changes[..], [GizmoChange::Start(_), GizmoChange::Move(_)]), "{:?}", program.changes);
    assert!((program.thing.translation - DVec3::X * 2.0).length() < 1e-4);
    program.pointers = Pointers::new();
    program.changes.clear();
    program.give(0.6, PRESS, Vec2::new(20.0, 20.0));
    program.give(0.7, Action::Move, Vec2::new(90.0, 20.0));
    assert_eq!((program.changes, program.gizmo.dragged()), (Vec::new(), None));
}

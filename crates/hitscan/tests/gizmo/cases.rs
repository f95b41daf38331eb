//! The state machine, steps, and input that nothing can be done with.

use hitscan::Camera;
use hitscan::drag::Picture;
use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoChange, GizmoFrame, GizmoHandle, GizmoMode, GizmoSnap, GizmoTransform};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec2};
use hitscan::pointer::{PointerAction as Action, PointerButton, PointerId, PointerInput, Pointers};

const SIZE: [f32; 2] = [800.0, 600.0];

fn picture() -> Picture {
    let transform = Camera::look_at([3.0, 4.0, 8.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    Picture::new(Camera::perspective(transform, 1.0).unwrap(), SIZE)
}

fn pixel(point: DVec3) -> Vec2 {
    picture().camera.project(point, SIZE).unwrap().pixel
}

fn thing() -> GizmoTransform {
    GizmoTransform { scale: DVec3::new(1.0, 2.0, 3.0), ..GizmoTransform::from_translation([0.0; 3]) }
}

/// The caller's keys: handles of the gizmo, and things of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Key {
    Handle(GizmoHandle),
    Floor,
}

/// A program with a gizmo: pick, point, change.
struct Program {
    gizmo: Gizmo,
    pointers: Pointers<Key>,
    thing: GizmoTransform,
    changes: Vec<GizmoChange>,
}

impl Program {
    fn new(mode: GizmoMode) -> Self {
        Self { gizmo: Gizmo::new(mode), pointers: Pointers::new(), thing: thing(), changes: Vec::new() }
    }

    fn give(&mut self, time: f64, action: Action, position: Vec2) {
        self.give_by(PointerId::MOUSE, time, action, position);
    }

    fn give_by(&mut self, pointer: PointerId, time: f64, action: Action, position: Vec2) {
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
            if let Some(GizmoChange::Move(to) | GizmoChange::End(to) | GizmoChange::Cancel(to)) = change {
                self.thing = to;
            }
            self.changes.extend(change);
        }
    }
}

const PRESS: Action = Action::Press(PointerButton::Primary);
const RELEASE: Action = Action::Release(PointerButton::Primary);

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
    let [GizmoChange::Start(begun), GizmoChange::Move(moved), GizmoChange::End(ended)] = program.changes[..] else {
        panic!("{:?}", program.changes)
    };
    assert_eq!((begun, moved), (handle, ended));
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

/// The rings around axes show and pick the half that is nearer, and one that faces the camera all of itself.
#[test]
fn rings_have_a_near_half() {
    let transform = Camera::look_at([0.0, 0.0, 8.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    let picture = Picture::new(Camera::perspective(transform, 1.0).unwrap(), SIZE);
    let gizmo = Gizmo::new(GizmoMode::Rotate);
    let turned = GizmoTransform { rotation: DQuat::from_rotation_x(0.5), ..thing() };
    let mut local = gizmo;
    local.frame = GizmoFrame::Local;
    let count = |gizmo: &Gizmo, thing: &GizmoTransform, axis: GizmoAxis| {
        let lines = gizmo.drawing(&picture, thing).lines;
        lines.iter().filter(|line| line.handle == GizmoHandle::RotateAxis(axis)).count()
    };
    assert_eq!([GizmoAxis::X, GizmoAxis::Y, GizmoAxis::Z].map(|axis| count(&gizmo, &thing(), axis)), [34, 34, 64]);
    assert!((32..40).contains(&count(&local, &turned, GizmoAxis::Y)));
    // The ring around y is an ellipse now: its lower side is the nearer one.
    let drawing = local.drawing(&picture, &turned);
    let ring = drawing.lines.iter().filter(|line| line.handle == GizmoHandle::RotateAxis(GizmoAxis::Y));
    assert!(ring.clone().count() > 30 && ring.clone().all(|line| line.ends.iter().all(|end| end.z > -0.2)));
    // A place of it where no other ring is.
    let aside = ring.flat_map(|line| line.ends).filter(|end| end.z > 0.2).max_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
    let [near, far] = [aside, -aside].map(|point| picture.camera.project(point, SIZE).unwrap().pixel);
    let picked = |cursor| local.pick(&picture, &turned, cursor).map(|hit| hit.handle);
    assert_eq!(picked(near), Some(GizmoHandle::RotateAxis(GizmoAxis::Y)));
    assert_ne!(picked(far), Some(GizmoHandle::RotateAxis(GizmoAxis::Y)));
}

#[test]
fn rings_turn_and_add_up() {
    let gizmo = Gizmo::new(GizmoMode::Rotate);
    // The ring's size in world units, by its drawing.
    let drawing = gizmo.drawing(&picture(), &thing());
    let handle = GizmoHandle::RotateAxis(GizmoAxis::Y);
    let on_ring = drawing.lines.iter().find(|line| line.handle == handle).unwrap().ends[0];
    let at = |angle: f64| pixel(DQuat::from_rotation_y(angle) * on_ring);
    let mut drag = gizmo.start_drag(handle, &picture(), &thing(), at(0.0)).unwrap();
    let mut last = thing();
    for step in 1..=30 {
        last = drag.advance(&picture(), at(f64::from(step) * 0.3));
    }
    let expected = DQuat::from_rotation_y(9.0);
    assert!(last.rotation.dot(expected).abs() > 1.0 - 1e-9, "{last:?}");
    assert_eq!((last.translation, last.scale), (thing().translation, thing().scale));
}

#[test]
fn steps() {
    let mut gizmo = Gizmo::new(GizmoMode::Translate);
    gizmo.snap = GizmoSnap { translation: Some(0.5), angle: Some(15f64.to_radians()), scale: Some(0.25) };
    let drag = |handle: GizmoHandle, from: DVec3, to: DVec3| {
        gizmo.start_drag(handle, &picture(), &thing(), pixel(from)).unwrap().advance(&picture(), pixel(to))
    };
    let x = GizmoAxis::X;
    let moved = drag(GizmoHandle::TranslateAxis(x), DVec3::X * 0.7, DVec3::X * 1.8);
    assert_eq!(moved.translation, DVec3::X);
    let moved = drag(GizmoHandle::TranslatePlane(GizmoAxis::Y), DVec3::new(0.4, 0.0, 0.4), DVec3::new(1.1, 0.0, 2.3));
    assert_eq!(moved.translation, DVec3::new(0.5, 0.0, 2.0));
    let scaled = drag(GizmoHandle::ScaleAxis(x), DVec3::X, DVec3::X * 1.6);
    assert_eq!(scaled.scale, DVec3::new(1.5, 2.0, 3.0));
    let scaled = drag(GizmoHandle::ScaleAxis(x), DVec3::X, DVec3::X * -5.0);
    assert_eq!(scaled.scale, DVec3::new(0.01, 2.0, 3.0), "never flat, never mirrored");
    let turned = drag(GizmoHandle::RotateAxis(GizmoAxis::Y), DVec3::Z * 1.5, DVec3::new(1.5, 0.0, 1.5));
    assert!(turned.rotation.dot(DQuat::from_rotation_y(45f64.to_radians())) > 1.0 - 1e-12, "{turned:?}");
}

#[test]
fn uniform_scale_grows_to_the_right_and_up() {
    let gizmo = Gizmo::new(GizmoMode::Scale);
    let middle = pixel(DVec3::ZERO);
    let scale = |way: Vec2| {
        let mut drag = gizmo.start_drag(GizmoHandle::ScaleUniform, &picture(), &thing(), middle).unwrap();
        drag.advance(&picture(), middle + way).scale
    };
    let grown = scale(Vec2::new(90.0, 0.0));
    assert!((grown.x - 1.0 - 0.5f64.sqrt()).abs() < 1e-6 && (grown.y / grown.x - 2.0).abs() < 1e-12, "{grown}");
    assert!(scale(Vec2::new(0.0, 60.0)).x < 1.0);
    assert!((scale(Vec2::new(-900.0, 900.0)).x - 0.01).abs() < 1e-12);
}

#[test]
fn local_handles_turn_with_the_thing() {
    let mut gizmo = Gizmo::new(GizmoMode::Translate);
    gizmo.frame = GizmoFrame::Local;
    let turned = GizmoTransform { rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2), ..thing() };
    let grab = pixel(DVec3::Y * 0.7);
    let hit = gizmo.pick(&picture(), &turned, grab).unwrap();
    assert_eq!(hit.handle, GizmoHandle::TranslateAxis(GizmoAxis::X));
    let moved =
        gizmo.start_drag(hit.handle, &picture(), &turned, grab).unwrap().advance(&picture(), pixel(DVec3::Y * 1.7));
    assert!((moved.translation - DVec3::Y).length() < 1e-4);
}

#[test]
fn unusable_input_gives_nothing() {
    let gizmo = Gizmo::new(GizmoMode::Translate);
    let handle = GizmoHandle::TranslateAxis(GizmoAxis::X);
    let behind = GizmoTransform::from_translation([6.0, 8.0, 16.0]);
    let nan = GizmoTransform::from_translation([f64::NAN, 0.0, 0.0]);
    let flat = GizmoTransform { rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..thing() };
    let cursor = pixel(DVec3::X * 0.7);
    for bad in [behind, nan, flat] {
        assert_eq!(gizmo.pick(&picture(), &bad, cursor), None);
        assert_eq!(gizmo.start_drag(handle, &picture(), &bad, cursor), None);
        let drawing = gizmo.drawing(&picture(), &bad);
        assert!(drawing.lines.is_empty() && drawing.triangles.is_empty());
    }
    let minimised = Picture::new(picture().camera, [0.0, 0.0]);
    assert_eq!(gizmo.pick(&minimised, &thing(), cursor), None);
    assert_eq!(gizmo.pick(&picture(), &thing(), [f32::NAN, 0.0]), None);
    assert_eq!(gizmo.start_drag(handle, &picture(), &thing(), [f32::INFINITY, 0.0]), None);
    let with_size = |size: f32| {
        let mut gizmo = gizmo;
        gizmo.size = size;
        gizmo
    };
    let mut intolerant = gizmo;
    intolerant.tolerance = f32::NAN;
    for size in [0.0, -3.0, f32::NAN, f32::INFINITY] {
        assert_eq!(with_size(size).pick(&picture(), &thing(), cursor), None);
    }
    assert_eq!(intolerant.pick(&picture(), &thing(), cursor), None);
    let mut drag = gizmo.start_drag(handle, &picture(), &thing(), cursor).unwrap();
    assert_eq!(drag.advance(&picture(), [f32::NAN, 3.0]), thing());
    assert_eq!(drag.advance(&minimised, cursor), thing());
}

#[test]
fn transforms_are_taken_apart_and_put_together() {
    let transform = GizmoTransform {
        translation: DVec3::new(1e7, 2.0, -3.0),
        rotation: DQuat::from_rotation_y(0.7),
        scale: DVec3::new(0.5, 2.0, 3.0),
    };
    let back = GizmoTransform::from(DAffine3::from(transform));
    assert!(back.rotation.dot(transform.rotation) > 1.0 - 1e-12 && (back.scale - transform.scale).length() < 1e-12);
    assert_eq!(back.translation, transform.translation);
    let longer = GizmoTransform { rotation: transform.rotation * 5.0, ..transform };
    assert!(DAffine3::from(longer).abs_diff_eq(DAffine3::from(transform), 1e-12));
}

/// Handles that reach behind the camera are cut there.
#[test]
fn what_is_behind_the_camera_is_cut_off() {
    let transform = Camera::look_at([0.0; 3], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]).unwrap();
    let picture = Picture::new(Camera::perspective(transform, 150f64.to_radians()).unwrap(), SIZE);
    let mut gizmo = Gizmo::new(GizmoMode::Translate);
    gizmo.size = 160.0;
    let near = GizmoTransform::from_translation([1.0, -0.5, -1.0]);
    let drawing = gizmo.drawing(&picture, &near);
    let ends = drawing.lines.iter().flat_map(|line| line.ends);
    let corners = drawing.triangles.iter().flat_map(|triangle| triangle.corners);
    assert!(ends.chain(corners).all(|point| point.z < -0.9e-3));
    // The squares across x and y go from before the camera to behind it, along z.
    let area = |axis: GizmoAxis| {
        let faces = drawing.triangles.iter().filter(|triangle| triangle.handle == GizmoHandle::TranslatePlane(axis));
        faces
            .map(|triangle| {
                let [a, b, c] = triangle.corners;
                0.5 * (b - a).cross(c - a).length()
            })
            .sum::<f64>()
    };
    let unit = 160.0 * 75f64.to_radians().tan() / 300.0;
    let (whole, height) = ((0.25 * unit).powi(2), 0.25 * unit);
    let before = (1.0 - 1e-3 - 0.35 * unit) * height;
    assert!((area(GizmoAxis::Z) - whole).abs() < 1e-9 && (area(GizmoAxis::X) - before).abs() < 1e-9, "{before}");
}

/// ImGuizmo#148: if the eye is in a handle's plane, that handle is picked everywhere.
#[test]
fn handles_in_line_with_the_eye_are_picked_nowhere_else() {
    let transform = Camera::look_at([0.0, 0.0, 8.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    for camera in [Camera::perspective(transform, 1.0), Camera::orthographic(transform, 8.0)] {
        let picture = Picture::new(camera.unwrap(), SIZE);
        for mode in [GizmoMode::Translate, GizmoMode::Rotate, GizmoMode::Scale] {
            for step in 0..400 {
                let cursor = Vec2::new((step % 20) as f32 * 40.0, (step / 20) as f32 * 30.0);
                let hit = Gizmo::new(mode).pick(&picture, &thing(), cursor);
                let is_near = cursor.distance(Vec2::new(400.0, 300.0)) < 1.2 * 90.0 + 8.0;
                assert!(is_near || hit.is_none(), "{mode:?} {cursor} {hit:?}");
                let end_on = [GizmoHandle::TranslateAxis(GizmoAxis::Z), GizmoHandle::ScaleAxis(GizmoAxis::Z)];
                assert!(hit.is_none_or(|hit| !end_on.contains(&hit.handle)));
            }
        }
    }
}

/// 3dstreet#1663: a drag of one pixel near the gizmo teleports the object, and cannot be undone.
#[test]
fn a_small_drag_is_a_small_motion_at_every_angle() {
    for degrees in 0..90 {
        let angle = f64::from(degrees).to_radians();
        let transform =
            Camera::look_at([0.0, 10.0 * angle.sin(), 10.0 * angle.cos()], [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
        let picture = Picture::new(Camera::perspective(transform, 1.0).unwrap(), SIZE);
        let (gizmo, pixel) = (Gizmo::new(GizmoMode::Translate), picture.pixel_size(DVec3::ZERO).unwrap());
        for step in 0..900 {
            let cursor = Vec2::new(300.0 + (step % 30) as f32 * 7.0, 200.0 + (step / 30) as f32 * 7.0);
            let Some(hit) = gizmo.pick(&picture, &thing(), cursor) else { continue };
            let mut drag = gizmo.start_drag(hit.handle, &picture, &thing(), cursor).unwrap();
            for way in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
                // Handles are shown at 8 degrees or more, and so shortened to a seventh at most.
                let moved = drag.advance(&picture, cursor + way).translation.length();
                assert!(moved < 10.0 * pixel, "{degrees} {:?} {cursor}: {moved}", hit.handle);
            }
            assert_eq!(drag.start_transform(), thing());
        }
    }
}

/// Any numbers give finite answers or none.
#[test]
fn extremes_are_finite() {
    let mut random = hitscan_random::Random(41);
    let mut number = || {
        let size = random.pick(&[0.0, 1.0, 1.0, 1e-300, 1e-20, 1e9, 1e30, 1e150, 1e300, f64::INFINITY]);
        size * random.unit()
    };
    let mut answers = 0;
    for case in 0..crate::views::count() {
        let mut vector = || DVec3::new(number(), number(), number());
        let (eye, translation, scale) = (vector(), vector(), vector());
        let transform = DAffine3::from_translation(eye);
        let camera =
            if case % 2 == 0 { Camera::perspective(transform, 1.0) } else { Camera::orthographic(transform, 10.0) };
        let Ok(camera) = camera else { continue };
        let picture = Picture::new(camera, SIZE);
        let rotation = DQuat::from_xyzw(number(), number(), number(), number());
        let thing = GizmoTransform { translation, rotation, scale };
        for mode in [GizmoMode::Translate, GizmoMode::Rotate, GizmoMode::Scale] {
            let mut gizmo = Gizmo::new(mode);
            (gizmo.frame, gizmo.size) = ([GizmoFrame::World, GizmoFrame::Local][case % 2], number() as f32);
            gizmo.snap = GizmoSnap { translation: Some(number()), angle: Some(number()), scale: None };
            let cursor = Vec2::new(number() as f32, number() as f32);
            let hit = gizmo.pick(&picture, &thing, cursor);
            assert!(hit.is_none_or(|hit| hit.pixels.is_finite() && hit.point.is_finite()), "case {case}: {hit:?}");
            let drawing = gizmo.drawing(&picture, &thing);
            assert!(drawing.lines.iter().all(|line| line.ends.iter().all(|end| end.is_finite())), "case {case}");
            assert!(
                drawing.triangles.iter().all(|face| face.corners.iter().all(|corner| corner.is_finite())),
                "case {case}"
            );
            for &handle in mode.handles() {
                if let Some(mut drag) = gizmo.start_drag(handle, &picture, &thing, cursor) {
                    let to = Vec2::new(number() as f32, number() as f32);
                    let moved = drag.advance(&picture, to);
                    let is_finite =
                        moved.translation.is_finite() && moved.rotation.is_finite() && moved.scale.is_finite();
                    assert!(is_finite, "case {case}: {handle:?} {moved:?}");
                    answers += 1;
                }
            }
        }
    }
    println!("{answers} drags");
    assert!(answers > crate::views::count() / 20, "{answers}");
}

//! The state machine, steps, and input that nothing can be done with.

use hitscan::Camera;
use hitscan::drag::Picture;
use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoChange, GizmoFrame, GizmoHandle, GizmoMode, GizmoSnap, GizmoTransform};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec2};
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
            if let Some(GizmoChange::Move(to) | GizmoChange::End { to, .. } | GizmoChange::Cancel(to)) = change {
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
    // An axis has the point that is shown nearest to the cursor.
    let shown = |x: f64| moved.camera.project(to.translation + DVec3::X * x, SIZE).unwrap().pixel;
    let along = (shown(0.71) - shown(0.69)).normalize();
    assert!((shown(0.7) - goal).dot(along).abs() < 0.01, "{}", shown(0.7));
    assert_eq!(program.gizmo.update(&moved), None);

    // A camera that moves just before the release, without an update.
    let mut events = Vec::new();
    let release = PointerInput { pointer: PointerId::MOUSE, time: 0.2, action: RELEASE, position: goal, target: None };
    program.pointers.handle(&release, &mut events);
    let changes = events.iter().filter_map(|event| program.gizmo.follow(event, |_| None, &picture(), &to));
    let [GizmoChange::End { to: ended, .. }] = changes.collect::<Vec<_>>()[..] else { panic!("one end") };
    assert!((ended.translation - DVec3::X * 1.2).length() < 1e-4, "{ended:?}");
}

/// A finger on a handle and a mouse elsewhere: the mouse has no say in what the finger is over.
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

    // Another drag by the same pointer and button, first of the handle, then of the floor.
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

/// The rings around axes show and pick the half that is nearer, and one that faces the camera all of itself.
#[test]
fn rings_have_a_near_half() {
    let transform = Camera::look_at([0.0, 0.0, 8.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    let picture = Picture::new(Camera::perspective(transform, 1.0).unwrap(), SIZE);
    let gizmo = Gizmo::new(GizmoMode::Rotate);
    let turned = GizmoTransform { rotation: DQuat::from_rotation_x(0.5), ..thing() };
    let mut local = gizmo.clone();
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

/// A thing in the corner of a wide view is seen along the plane of the outer ring, which still turns around it.
#[test]
fn the_outer_ring_turns_in_the_corners_of_wide_views() {
    for (fov, size, tangents) in [
        (150f64, [800.0, 800.0], [4.33, 0.0]),
        (130.0, [1600.0, 900.0], [3.6, 2.0]),
        (130.0, [1600.0, 900.0], [-3.6, -2.0]),
    ] {
        let picture = Picture::new(Camera::perspective(DAffine3::IDENTITY, fov.to_radians()).unwrap(), size);
        let thing = GizmoTransform::from_translation([tangents[0] * 5.0, tangents[1] * 5.0, -5.0]);
        let middle = picture.camera.project(thing.translation, size).unwrap().pixel;
        let at = |angle: f32| middle + Vec2::new(angle.cos(), -angle.sin()) * 108.0;
        let gizmo = Gizmo::new(GizmoMode::Rotate);
        let mut drag = gizmo.start_drag(GizmoHandle::RotateScreen, &picture, &thing, at(0.3)).unwrap();
        let mut last = thing;
        for step in 1..=20 {
            last = drag.advance(&picture, at(0.3 + 0.1 * step as f32));
        }
        let expected = DQuat::from_rotation_z(2.0);
        assert!(last.rotation.dot(expected).abs() > 1.0 - 1e-9, "{fov} {tangents:?}: {last:?}");
    }
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
        let mut gizmo = gizmo.clone();
        gizmo.size = size;
        gizmo
    };
    let mut intolerant = gizmo.clone();
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

/// Flat, mirrored and sheared transforms have parts that a gizmo can use.
#[test]
fn every_finite_transform_is_taken_apart() {
    let mut random = hitscan_random::Random(42);
    for case in 0..2000 {
        let rotation = DMat3::from_quat(random.rotation());
        let length = |random: &mut hitscan_random::Random| random.pick(&[0.0, 0.0, 1e-9, 0.5, 2.0, 1e9]);
        let scale = DVec3::new(length(&mut random), length(&mut random), length(&mut random))
            * DVec3::new(random.pick(&[1.0, -1.0]), 1.0, 1.0);
        let affine = DAffine3 { matrix3: rotation * DMat3::from_diagonal(scale), translation: DVec3::ONE };
        let parts = GizmoTransform::from(affine);
        assert!((parts.rotation.length() - 1.0).abs() < 1e-12, "case {case}: {parts:?}");
        let back = DAffine3::from(parts);
        let is_flat = scale.x * scale.y * scale.z == 0.0;
        for (old, new) in [(affine.x_axis, back.x_axis), (affine.y_axis, back.y_axis), (affine.z_axis, back.z_axis)] {
            // A flat thing may be mirrored in what is flat.
            let off = (old - new).length().min(if is_flat { (old + new).length() } else { f64::INFINITY });
            assert!(off <= 1e-6 * old.length(), "case {case}: {affine:?} {back:?}");
        }
        let sheared = DMat3::from_cols(random.cube(), random.cube(), random.cube());
        let near = random.pick(&[0.0, 1e-300, 1e-17, 1e-9, 1.0]);
        let sheared = DMat3::from_cols(sheared.x_axis, sheared.x_axis + sheared.y_axis * near, sheared.z_axis * near);
        let parts = GizmoTransform::from(DAffine3 { matrix3: sheared, translation: DVec3::ONE });
        assert!((parts.rotation.length() - 1.0).abs() < 1e-9 && parts.scale.is_finite(), "case {case}: {parts:?}");
    }
    let nothing = GizmoTransform::from(DAffine3::from_scale(DVec3::ZERO));
    assert_eq!((nothing.rotation, nothing.scale), (DQuat::IDENTITY, DVec3::ZERO));
}

/// The change in world space is what happened to the thing, so a sheared thing or a neighbour can have it too.
#[test]
fn the_change_of_a_drag_applies_to_other_things() {
    let start = GizmoTransform { rotation: DQuat::from_rotation_y(0.7) * 2.0, ..thing() };
    for mode in [GizmoMode::Translate, GizmoMode::Rotate, GizmoMode::Scale] {
        for &handle in mode.handles() {
            let mut drag = Gizmo::new(mode).start_drag(handle, &picture(), &start, [430.0, 280.0]).unwrap();
            let after = drag.advance(&picture(), [500.0, 220.0]);
            let (expected, told) = (DAffine3::from(after), drag.delta() * DAffine3::from(start));
            assert!(after != start && told.abs_diff_eq(expected, 1e-12), "{handle:?}: {told} {expected}");
        }
    }
    let flat = GizmoTransform { scale: DVec3::new(0.0, 1.0, 1.0), ..start };
    let moved = GizmoTransform { translation: DVec3::X, ..flat };
    assert!(moved.change_since(&flat).abs_diff_eq(DAffine3::from_translation(DVec3::X), 1e-15));
}

/// An arrow's tip is 12 pixels wide at this size, and the line in its middle is out of reach at its rim.
#[test]
fn tips_and_boxes_are_picked_where_they_are_drawn() {
    for (mode, handle) in [
        (GizmoMode::Translate, GizmoHandle::TranslateAxis(GizmoAxis::X)),
        (GizmoMode::Scale, GizmoHandle::ScaleAxis(GizmoAxis::X)),
    ] {
        let mut gizmo = Gizmo::new(mode);
        (gizmo.size, gizmo.tolerance) = (200.0, 1.0);
        let drawing = gizmo.drawing(&picture(), &thing());
        let faces = drawing.triangles.iter().filter(|face| face.handle == handle);
        let mut picked = 0;
        for face in faces {
            let middle = (face.corners[0] + face.corners[1] + face.corners[2]) / 3.0;
            let hit = gizmo.pick(&picture(), &thing(), pixel(middle)).unwrap();
            assert_eq!((hit.handle, hit.pixels), (handle, 0.0));
            picked += 1;
        }
        assert!(picked >= 12, "{picked}");
    }
}

/// Squares are in the quadrant that is nearest to the camera, and stay there while they are dragged past it.
#[test]
fn squares_turn_to_the_camera_and_rest_during_a_drag() {
    let square = |gizmo: &Gizmo, picture: &Picture, thing: &GizmoTransform| -> DVec3 {
        let drawing = gizmo.drawing(picture, thing);
        let handle = GizmoHandle::TranslatePlane(GizmoAxis::Y);
        let ends = drawing.lines.iter().filter(|line| line.handle == handle).map(|line| line.ends[0]);
        ends.sum::<DVec3>() / 4.0 - thing.translation
    };
    for (x, z) in [(3.0, 8.0), (-3.0, 8.0), (3.0, -8.0), (-3.0, -8.0)] {
        let transform = Camera::look_at([x, 4.0, z], [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
        let picture = Picture::new(Camera::perspective(transform, 1.0).unwrap(), SIZE);
        let middle = square(&Gizmo::new(GizmoMode::Translate), &picture, &thing());
        assert!(middle.x * x > 0.0 && middle.z * z > 0.0, "{x} {z}: {middle}");
    }
    let mut program = Program::new(GizmoMode::Translate);
    let place = square(&program.gizmo, &picture(), &thing());
    let goal = DVec3::new(5.0, 0.0, 0.0);
    program.give(0.0, PRESS, pixel(place));
    program.give(0.1, Action::Move, pixel(place + goal));
    assert!((program.thing.translation - goal).length() < 1e-3);
    let during = square(&program.gizmo, &picture(), &program.thing);
    program.give(0.2, RELEASE, pixel(place + goal));
    let after = square(&program.gizmo, &picture(), &program.thing);
    assert!(during.x > 0.0 && after.x < 0.0, "{during} {after}");
}

/// A handle that is nearly invisible is not in the way.
#[test]
fn faint_handles_are_not_picked() {
    let mut seen = [0; 2];
    for tenth in 80..140 {
        let angle = (f64::from(tenth) * 0.1).to_radians();
        let transform =
            Camera::look_at([0.0, 8.0 * angle.sin(), 8.0 * angle.cos()], [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
        let picture = Picture::new(Camera::perspective(transform, 0.1).unwrap(), SIZE);
        let gizmo = Gizmo::new(GizmoMode::Translate);
        let drawing = gizmo.drawing(&picture, &thing());
        let tip = drawing.lines.iter().find(|line| line.handle == GizmoHandle::TranslateAxis(GizmoAxis::Z));
        let Some(tip) = tip else { continue };
        let cursor = picture.camera.project(tip.ends[1], SIZE).unwrap().pixel;
        let is_picked = gizmo.pick(&picture, &thing(), cursor).is_some_and(|hit| hit.handle == tip.handle);
        assert!(!is_picked || tip.color[3] >= 64, "{tenth}: {:?}", tip.color);
        seen[usize::from(tip.color[3] >= 64)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
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

//! Drags of rings, steps, scale and local frames.

use crate::gizmo::program::{SIZE, picture, pixel, thing};
use hitscan::Camera;
use hitscan::drag::Picture;
use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoFrame, GizmoHandle, GizmoMode, GizmoSnap, GizmoTransform};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec2};

/// A ring around an axis is drawn and picked on its nearer half. A ring that faces the camera is drawn and picked on
/// all of its circle.
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
    // At this place of the ring, there is no other ring.
    let aside = ring.flat_map(|line| line.ends).filter(|end| end.z > 0.2).max_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
    let [near, far] = [aside, -aside].map(|point| picture.camera.project(point, SIZE).unwrap().pixel);
    let picked = |cursor| local.pick(&picture, &turned, cursor).map(|hit| hit.handle);
    assert_eq!(picked(near), Some(GizmoHandle::RotateAxis(GizmoAxis::Y)));
    assert_ne!(picked(far), Some(GizmoHandle::RotateAxis(GizmoAxis::Y)));
}

/// An object in the corner of a wide view is seen along the plane of the outer ring. The ring still rotates the object.
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

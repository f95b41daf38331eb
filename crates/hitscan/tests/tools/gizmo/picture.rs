//! Handles compared with their projections by the camera, and numbers of any size.

use crate::gizmo::program::{PRESS, Program, RELEASE, SIZE, picture, pixel, thing};
use hitscan::Camera;
use hitscan::drag::Picture;
use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoFrame, GizmoHandle, GizmoMode, GizmoSnap, GizmoTransform};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec2};
use hitscan::pointer::PointerAction as Action;

/// An arrow's tip is 12 pixels wide at this size. At the rim of the tip, the line in its middle is too far away to be
/// picked.
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

/// A handle that is nearly invisible is not picked in front of others.
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
    // The squares perpendicular to x and y reach along z from in front of the camera to behind it.
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
                // Handles are shown at 8 degrees or more, so they keep at least a seventh of their length.
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
    for case in 0..crate::drag::views::count() {
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
    assert!(answers > crate::drag::views::count() / 20, "{answers}");
}

//! Unusable input, and unusual transforms.

use crate::gizmo::program::{picture, pixel, thing};
use hitscan::drag::Picture;
use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoHandle, GizmoMode, GizmoTransform};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3};

#[test]
fn unusable_input_gives_nothing() {
    let gizmo = Gizmo::new(GizmoMode::Translate);
    let handle = GizmoHandle::TranslateAxis(GizmoAxis::X);
    let behind = GizmoTransform::from_translation([6.0, 8.0, 16.0]);
    let nan = GizmoTransform::from_translation([f64::NAN, 0.0, 0.0]);
    // It is in front of the camera, but too far away to compute with.
    let far = GizmoTransform::from_translation(picture().camera.position() * -1e80);
    let flat = GizmoTransform { rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..thing() };
    let cursor = pixel(DVec3::X * 0.7);
    for bad in [behind, nan, far, flat] {
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
            // A flat object may be mirrored along the axis in which it is flat.
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

/// The change of a drag in world space also applies to a sheared thing or a neighbour.
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

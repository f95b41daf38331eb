//! The serde traits. Values survive writing and reading in a text format and in a binary one, and values that cannot
//! be constructed cannot be read.

use hitscan::glam::{DAffine3, DMat4, DVec3, Quat, Vec3};
use hitscan::{
    Aabb, Camera, Capsule, Cone, Cull, Cylinder, Disc, Inside, Mesh, OrientedBox, Plane, Projected, Quad, Quality, Ray,
    RayQueries, RoundedBox, Scene, Shape, Side, Sphere, Torus, Triangle, Viewport,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Checks both formats, by comparing all digits of the numbers.
fn check<T: Serialize + DeserializeOwned + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(format!("{read:?}"), format!("{value:?}"), "{text}");
    let bytes = postcard::to_allocvec(value).unwrap();
    let read: T = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(format!("{read:?}"), format!("{value:?}"), "{bytes:?}");
}

fn refused<T: DeserializeOwned + Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

#[test]
fn rays_and_choices() {
    let ray = Ray::new([1.0, -0.0, 1e-42], [0.3, 1.0, -2.0]);
    check(&ray);
    check(&ray.with_range(-3.5, 7.0));
    check(&ray.with_range(f32::NEG_INFINITY, f32::MAX));
    assert_eq!(
        serde_json::to_string(&Ray::new(Vec3::ZERO, Vec3::X)).unwrap(),
        r#"{"origin":[0.0,0.0,0.0],"t_min":0.0,"direction":[1.0,0.0,0.0],"t_max":null}"#
    );
    // A NaN would be read as no limit.
    assert!(serde_json::to_string(&ray.with_range(0.0, f32::NAN)).is_err());
    [Side::Front, Side::Back, Side::Inside].iter().for_each(check);
    [Cull::None, Cull::Back, Cull::Front].iter().for_each(check);
    [Inside::Exit, Inside::Solid, Inside::Ignore].iter().for_each(check);
    [Quality::Fast, Quality::Balanced, Quality::Best].iter().for_each(check);
    check(&Viewport::new(1920.0, 1080.0));
}

#[test]
fn shapes() {
    let turn = Quat::from_xyzw(0.1, -0.7, 0.3, 0.2);
    let plank = OrientedBox::from_rotation([0.1, 0.2, 0.3], [1.0, 0.5, 0.0], turn).unwrap();
    let plane = Plane::new([0.0, -9.0, 0.0], [0.1, 1.0, 0.0]).unwrap();
    let shapes: [Shape; 15] = [
        Aabb::new([0.1, 0.2, 0.3], [1.0; 3]).into(),
        Capsule::new(0.3, 1.4).into(),
        Capsule::new(0.5, 0.2).into(),
        Capsule::between([0.1, 0.2, 0.3], [-1.0, 0.4, 0.7], 0.2).into(),
        Cone::new(0.5, 1.1).into(),
        Cone::between([0.1, 0.2, 0.3], [-1.0, 0.4, 0.7], 0.2).into(),
        Cylinder::between([0.1, 0.2, 0.3], [-1.0, 0.4, 0.7], 0.2).into(),
        Disc::new([0.0, 0.5, 0.0], [0.3, 2.0, 0.0], 1.5).into(),
        plank.into(),
        plane.into(),
        Quad::new([-0.5; 3], [1.0, 0.0, 0.2], [0.0, 1.0, 0.0]).into(),
        Sphere::at([0.5, 0.0, 0.0], 0.75).into(),
        Torus::new(0.8, 0.25).into(),
        Triangle::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]).into(),
        RoundedBox::new(Aabb::new([-0.5, 0.0, 0.1], [0.5, 0.75, 0.2]), 0.125).into(),
    ];
    shapes.iter().for_each(check);
    check(&plank);
    assert_eq!(serde_json::to_string(&Sphere::new(2.0)).unwrap(), r#"{"center":[0.0,0.0,0.0],"radius":2.0}"#);
}

#[test]
fn what_cannot_be_made_cannot_be_read() {
    assert!(refused::<Plane>(r#"{"point":[0,0,0],"normal":[0,0,0]}"#).contains("the normal [0, 0, 0] must be"));
    let ends = r#"{"ends":[[0,0,0],[0,1,0]],"height":5,"radius":1}"#;
    assert!(refused::<Capsule>(ends).contains("the height 5 must be the distance"));
    assert!(refused::<Cone>(ends).contains("height") && refused::<Cylinder>(ends).contains("height"));
    let flat = r#"{"aabb":{"min":[0,0,0],"max":[1,1,1]},"to_local":[1,0,0,0,0,0,0,0,1,0,0,0]}"#;
    assert!(refused::<OrientedBox>(flat).contains("cannot be inverted"));
    let camera = Camera::perspective(DAffine3::IDENTITY, 1.0).unwrap();
    let text = serde_json::to_string(&camera).unwrap();
    assert!(refused::<Camera>(&text.replace("\"near\":0.0", "\"near\":-1.0")).contains("near < far"));
    assert!(refused::<Camera>(&text.replace("-1.0]", "-2.0]")).contains("cannot be inverted"));
}

#[test]
fn cameras() {
    let place = Camera::look_at([1.0, 2.0, 10.0], [0.3, 2.0, 0.0], DVec3::Y).unwrap();
    let perspective = Camera::perspective(place, 1.1).unwrap();
    let perspective_matrix =
        [[1.22, 0.0, 0.0, 0.0], [0.1, 1.83, 0.0, 0.0], [0.0, 0.0, -1.001, -1.0], [0.0, 0.0, -0.1001, 0.0]];
    let orthographic_matrix =
        [[0.4, 0.0, 0.0, 0.0], [0.0, 0.8, 0.0, 0.0], [0.0, 0.0, -0.22, 0.0], [-0.2, -0.3, -1.02, 1.0]];
    let [perspective_matrix, orthographic_matrix] =
        [perspective_matrix, orthographic_matrix].map(|columns| DMat4::from_cols_array_2d(&columns));
    let view = DMat4::from_translation(DVec3::new(0.1, 0.2, -9.0));
    let cameras = [
        perspective,
        perspective.with_aspect(1.7).unwrap().with_clip(0.1, 500.0).unwrap(),
        perspective.with_clip(0.1, f64::INFINITY).unwrap().with_clip_y_down(),
        Camera::orthographic(place, 3.0).unwrap().with_clip(-5.0, 5.0).unwrap(),
        Camera::from_matrices(view, perspective_matrix).unwrap().relative_to(DVec3::ONE),
        Camera::from_matrices(DMat4::IDENTITY, orthographic_matrix).unwrap(),
    ];
    for camera in cameras {
        // The inverse of the camera's projection is computed again, in which a 0 may get another sign.
        let read: Camera = serde_json::from_str(&serde_json::to_string(&camera).unwrap()).unwrap();
        let binary: Camera = postcard::from_bytes(&postcard::to_allocvec(&camera).unwrap()).unwrap();
        assert_eq!([read, binary], [camera; 2]);
        let window = [640.0, 360.0];
        assert_eq!(read.ray([17.0, 300.5], window), camera.ray([17.0, 300.5], window));
    }
    let projected: Projected = perspective.project([0.3, 2.0, 0.0], [640.0, 360.0]).unwrap();
    check(&projected);
}

/// A hit belongs to a state of a scene, so it can be written but not read.
#[test]
fn hits_are_written() {
    let ray = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]);
    let mesh = Mesh::from_soup(&[[-1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]]).unwrap();
    check(&Sphere::new(1.0).cast(&ray).unwrap());
    let hit = serde_json::to_value(mesh.cast(&ray).unwrap()).unwrap();
    assert_eq!(hit["t"], 5.0);
    assert_eq!((&hit["triangle"], &hit["side"]), (&0.into(), &"Front".into()));
    let mut scene = Scene::new();
    scene.insert("wall", &mesh, [0.0; 3]).unwrap();
    let text = serde_json::to_string(&scene.cast(&ray).unwrap()).unwrap();
    assert_eq!(
        text,
        r#"{"id":"wall","part":0,"t":5.0,"point":[0.0,0.0,0.0],"normal":[0.0,0.0,1.0],"side":"Front","triangle":0,"feature":null,"uv":[0.25,0.25]}"#
    );
}

/// A recorded stream of inputs, read back, gives the same events, and so does a machine that was saved halfway.
#[test]
fn pointers() {
    use hitscan::pointer::{PointerAction, PointerButton, PointerId, PointerInput, Pointers, PressLimits};
    let button = PointerButton::Primary;
    let actions =
        [PointerAction::Move, PointerAction::Press(button), PointerAction::Release(button), PointerAction::Leave];
    let mut random = hitscan_random::Random(7);
    let inputs: Vec<PointerInput<u32>> = (0..400)
        .map(|number| PointerInput {
            pointer: random.pick(&[PointerId::MOUSE, PointerId::Touch(3)]),
            time: f64::from(number) * 0.1,
            action: random.pick(&actions),
            // A position that is ignored may be anything.
            position: hitscan::glam::Vec2::splat(random.pick(&[f32::NAN, 0.0, 0.7, 1.4, 4.9, 5.6])),
            target: Some(random.below(3) as u32).filter(|key| *key > 0),
        })
        .collect();
    let mut pointers = Pointers::new();
    let mut saved = pointers.clone();
    let (mut events, mut again) = (Vec::new(), Vec::new());
    for input in &inputs {
        check(input);
        let text = serde_json::to_string(&saved).unwrap();
        saved = serde_json::from_str(&text).unwrap();
        assert_eq!(saved, pointers);
        let recorded: PointerInput<u32> = serde_json::from_str(&serde_json::to_string(input).unwrap()).unwrap();
        pointers.handle(input, &mut events);
        saved.handle(&recorded, &mut again);
        assert_eq!(events, again);
        events.iter().for_each(check);
    }
    check(&pointers.settings);
    let settings = &mut pointers.settings;
    (settings.mouse.drag_threshold, settings.mouse.multi_click_time) = (f32::INFINITY, f64::INFINITY);
    settings.touch = PressLimits { long_press: f64::INFINITY, multi_click_distance: f32::INFINITY, ..settings.mouse };
    check(settings);
    // A NaN would be read as no limit.
    settings.mouse.long_press = f64::NAN;
    assert!(serde_json::to_string(settings).is_err());
}

#[test]
fn drags_and_gizmos() {
    use hitscan::drag::{Drag, DragPath, Picture, TurnDrag};
    use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoHandle, GizmoMode, GizmoTransform};
    let transform = Camera::look_at([3.0, 4.0, 8.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    let picture = Picture::new(Camera::perspective(transform, 1.0).unwrap(), [800.0, 600.0]);
    check(&picture);
    let path = DragPath::Plane { point: DVec3::ZERO, normal: DVec3::Y };
    check(&Drag::start(path, &picture, [420.0, 333.0]).unwrap());
    for axis in [DVec3::Y, DVec3::new(8.0, 0.0, -3.0)] {
        let mut turn = TurnDrag::start(DVec3::ZERO, axis, 1.5, &picture, [420.0, 333.0]).unwrap();
        turn.advance(&picture, [450.0, 300.0]);
        check(&turn);
    }
    let (gizmo, thing) = (Gizmo::new(GizmoMode::Scale), GizmoTransform::from_translation([0.1, 0.2, 0.3]));
    check(&gizmo);
    check(&gizmo.pick(&picture, &thing, [400.0, 300.0]));
    for handle in [GizmoHandle::TranslateScreen, GizmoHandle::RotateScreen, GizmoHandle::ScaleAxis(GizmoAxis::Z)] {
        let mut drag = gizmo.start_drag(handle, &picture, &thing, [400.0, 290.0]).unwrap();
        drag.advance(&picture, [450.0, 300.0]);
        check(&drag);
    }
}

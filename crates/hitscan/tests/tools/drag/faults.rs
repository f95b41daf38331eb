//! The faults of other tools, and unusable input.

use crate::drag::views::count;
use hitscan::drag::{Drag, DragPath, MAX_GAIN, Picture, TurnDrag, snap, snap_point};
use hitscan::glam::{DAffine3, DVec3, Vec2};
use hitscan::{Camera, Viewport};
use hitscan_random::Random;

const SIZE: [f32; 2] = [800.0, 600.0];
const MIDDLE: Vec2 = Vec2::new(400.0, 300.0);

fn looking(eye: [f64; 3], at: [f64; 3], fov: f64) -> Picture {
    let transform = Camera::look_at(eye, at, [0.0, 1.0, 0.0]).unwrap();
    Picture::new(Camera::perspective(transform, fov.to_radians()).unwrap(), SIZE)
}

/// 3dstreet#1663, #1664: a plane that is seen edge-on, or nearly, flings the object away.
#[test]
fn an_edge_on_plane_does_not_fling() {
    for height in [0.0, 1e-9, 1e-3, 0.1, 0.5] {
        let picture = looking([0.0, height, 10.0], [0.0, 0.0, 0.0], 60.0);
        let pixel = picture.pixel_size(DVec3::ZERO).unwrap();
        let drag = Drag::start(DragPath::Plane { point: DVec3::ZERO, normal: DVec3::Y }, &picture, MIDDLE).unwrap();
        let moved = |x: f32, y: f32| drag.translation(&picture, MIDDLE + Vec2::new(x, y)).unwrap();
        for y in [-30i32, -3, -1, 1, 3, 30] {
            let (way, bound) = (moved(0.0, y as f32), f64::from(y.abs()) * MAX_GAIN * pixel);
            assert!(way.length() < bound && way.z * f64::from(y) > 0.0, "{height} {y} {way}");
        }
        let aside = moved(100.0, 0.0);
        assert!((aside.x / (100.0 * pixel) - 1.0).abs() < 1e-6 && aside.y == 0.0, "{height}: {aside}");
    }
}

/// ImGuizmo#33, #40: the cursor goes across an axis, and the object moves along the axis, or flies away. For a camera that looks straight at the axis, it does
/// not move at all.
#[test]
fn a_motion_across_an_axis_does_not_move_along_it() {
    for eye in [[0.0, 0.0, 10.0], [0.0, 1e-6, 10.0], [0.0, 2.0, 10.0], [-7.0, 0.0, 1.0], [8.0, 9.0, 1.0]] {
        let picture = looking(eye, [0.0, 0.0, 0.0], 60.0);
        for direction in [DVec3::X, DVec3::Y] {
            let pixel_of = |point: DVec3| picture.camera.project(point, SIZE).unwrap().pixel.as_dvec2();
            let along = pixel_of(direction * 0.01) - pixel_of(direction * -0.01);
            let drag = Drag::start(DragPath::Axis { point: DVec3::ZERO, direction }, &picture, MIDDLE).unwrap();
            let moved = |way: Vec2| drag.translation(&picture, MIDDLE + way).unwrap();
            let along = along.normalize().as_vec2();
            let across = moved(along.perp() * 150.0);
            assert!(across.length() < 1e-3, "{eye:?} {direction}: {across}");
            let onward = moved(along * 20.0).dot(direction);
            assert!(onward > 10.0 * picture.pixel_size(DVec3::ZERO).unwrap(), "{eye:?} {direction}: {onward}");
        }
    }
}

/// An axis that points at the camera.
#[test]
fn an_end_on_axis_does_not_fling() {
    for x in [0.0, 1e-12, 1e-4, 0.3] {
        let picture = looking([x, 0.0, 10.0], [0.0, 0.0, 0.0], 60.0);
        let pixel = picture.pixel_size(DVec3::ZERO).unwrap();
        let drag = Drag::start(DragPath::Axis { point: DVec3::ZERO, direction: DVec3::Z }, &picture, MIDDLE).unwrap();
        let way = drag.translation(&picture, MIDDLE + Vec2::new(20.0, 20.0)).unwrap();
        assert!(way.length() < 15.0 * 29.0 * pixel && way.truncate() == DVec3::ZERO.truncate(), "{x}: {way}");
    }
}

/// ezEngine#1912: with a field of view of 150 degrees the object runs away from the cursor.
#[test]
fn a_wide_view_keeps_the_object_under_the_cursor() {
    let picture = looking([0.0, 3.0, 3.0], [0.0, 0.0, 0.0], 150.0);
    for path in [
        DragPath::Plane { point: DVec3::ZERO, normal: DVec3::Y },
        DragPath::Plane { point: DVec3::ZERO, normal: DVec3::new(0.2, 1.0, -0.3) },
        DragPath::Screen { point: DVec3::ZERO },
    ] {
        let drag = Drag::start(path, &picture, MIDDLE).unwrap();
        for to in [[10.0, 300.0], [790.0, 590.0], [400.0, 285.0], [20.0, 290.0]] {
            let moved = drag.translation(&picture, to).unwrap();
            let shown = picture.camera.project(moved, SIZE).unwrap().pixel;
            assert!(shown.distance(to.into()) < 0.01, "{path:?} {to:?} {shown}");
        }
    }
}

/// o3de#9425: the second viewport of a window is at another place.
#[test]
fn viewports_have_their_own_pixels() {
    let whole = looking([0.0, 4.0, 9.0], [0.0, 0.0, 0.0], 50.0);
    let origin = Vec2::new(960.0, 123.0);
    let part = Picture::new(whole.camera, Viewport { origin, size: SIZE.into() });
    let path = DragPath::Plane { point: DVec3::ZERO, normal: DVec3::Y };
    for cursor in [[1.0, 200.0], [400.0, 300.0], [700.0, 599.0]] {
        let [a, b] = [path.point_at(&whole, cursor), path.point_at(&part, Vec2::from(cursor) + origin)];
        assert_eq!(a.map(|a| a.as_vec3()), b.map(|b| b.as_vec3()));
    }
}

/// three.js#24242: orthographic cameras.
#[test]
fn orthographic_drags_are_even() {
    let transform = Camera::look_at([5.0, 5.0, 5.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]).unwrap();
    let picture = Picture::new(Camera::orthographic(transform, 12.0).unwrap(), SIZE);
    for (path, along) in [
        (DragPath::Axis { point: DVec3::ZERO, direction: DVec3::X }, DVec3::X),
        (DragPath::Plane { point: DVec3::ZERO, normal: DVec3::Y }, DVec3::new(1.0, 0.0, -1.0)),
    ] {
        let drag = Drag::start(path, &picture, MIDDLE).unwrap();
        let pixel_of = |point: DVec3| picture.camera.project(point, SIZE).unwrap().pixel;
        for length in [-40.0, -1.0, 0.5, 3.0] {
            let moved = drag.translation(&picture, pixel_of(along * length)).unwrap();
            assert!((moved - along * length).length() < 1e-4, "{path:?}: {moved}");
        }
    }
}

/// The camera may move during a drag; the grabbed point stays under the cursor.
#[test]
fn the_camera_may_move() {
    let before = looking([0.0, 5.0, 5.0], [0.0, 0.0, 0.0], 60.0);
    let after = looking([3.0, 4.0, 7.0], [0.5, 0.0, 0.0], 60.0);
    let start = DVec3::new(1.0, 0.0, 0.5);
    let grab = before.camera.project(start, SIZE).unwrap().pixel;
    let drag = Drag::start(DragPath::Plane { point: start, normal: DVec3::Y }, &before, grab).unwrap();
    let moved = start + drag.translation(&after, [350.0, 400.0]).unwrap();
    assert!(after.camera.project(moved, SIZE).unwrap().pixel.distance(Vec2::new(350.0, 400.0)) < 0.01);
}

#[test]
fn unusable_input_gives_nothing() {
    let picture = looking([0.0, 5.0, 5.0], [0.0, 0.0, 0.0], 60.0);
    let nan = DVec3::new(f64::NAN, 0.0, 0.0);
    let plane = DragPath::Plane { point: DVec3::ZERO, normal: DVec3::Y };
    for path in [
        DragPath::Plane { point: nan, normal: DVec3::Y },
        DragPath::Plane { point: DVec3::ZERO, normal: DVec3::ZERO },
        DragPath::Axis { point: DVec3::ZERO, direction: nan },
        DragPath::Axis { point: DVec3::INFINITY, direction: DVec3::X },
        DragPath::Screen { point: nan },
    ] {
        assert_eq!(path.point_at(&picture, MIDDLE), None, "{path:?}");
    }
    assert_eq!(plane.point_at(&picture, [f32::NAN, 3.0]), None);
    assert_eq!(plane.point_at(&picture, [f32::INFINITY, 3.0]), None);
    for size in [[0.0, 600.0], [-800.0, 600.0], [f32::NAN, 600.0]] {
        assert_eq!(plane.point_at(&Picture::new(picture.camera, size), MIDDLE), None);
        assert_eq!(Picture::new(picture.camera, size).pixel_size(DVec3::ZERO), None);
    }
    for (center, axis, radius) in [
        (nan, DVec3::Y, 1.0),
        (DVec3::ZERO, DVec3::ZERO, 1.0),
        (DVec3::ZERO, DVec3::Y, 0.0),
        (DVec3::ZERO, DVec3::Y, f64::NAN),
    ] {
        assert_eq!(TurnDrag::start(center, axis, radius, &picture, MIDDLE), None);
        let is_usable = center.is_finite() && radius > 0.0;
        assert_eq!(TurnDrag::start_in_picture(center, radius, &picture, MIDDLE).is_some(), is_usable);
    }
    let mut turn = TurnDrag::start(DVec3::ZERO, DVec3::Y, 1.0, &picture, MIDDLE).unwrap();
    let before = turn.clone();
    assert_eq!((turn.advance(&picture, [f32::NAN, 0.0]), turn), (0.0, before));
}

/// The eye itself, far worlds, and huge or tiny numbers.
#[test]
fn extremes_are_finite() {
    let mut random = Random(9);
    let number = |random: &mut Random| {
        let size = random.pick(&[0.0, 1.0, 1e-300, 1e-20, 1e9, 1e30, 1e150, 1e300, f64::MAX]);
        size * random.unit()
    };
    for case in 0..count() {
        let mut vector = || DVec3::new(number(&mut random), number(&mut random), number(&mut random));
        let (eye, point, direction) = (vector(), vector(), vector());
        let camera = match case % 2 {
            0 => Camera::perspective(DAffine3::from_translation(eye), 1.0),
            _ => Camera::orthographic(DAffine3::from_translation(eye), 1.0 + number(&mut random).abs()),
        };
        let Ok(camera) = camera else { continue };
        let cursor = Vec2::new(number(&mut random) as f32, number(&mut random) as f32);
        let picture = Picture::new(camera, SIZE);
        for point in [point, eye] {
            for path in [
                DragPath::Plane { point, normal: direction },
                DragPath::Axis { point, direction },
                DragPath::Screen { point },
            ] {
                let found = path.point_at(&picture, cursor);
                assert!(found.is_none_or(|found| found.is_finite()), "case {case}: {path:?} {camera:?} {cursor}");
            }
            let radius = number(&mut random).abs();
            let turns = [
                TurnDrag::start(point, direction, radius, &picture, MIDDLE),
                TurnDrag::start_in_picture(point, radius, &picture, MIDDLE),
            ];
            for mut turn in turns.into_iter().flatten() {
                assert!(turn.advance(&picture, cursor).is_finite());
            }
        }
    }
}

#[test]
fn snaps() {
    assert_eq!([7.4, 2.5, -2.5, 0.0].map(|x| snap(x, 5.0)), [5.0, 5.0, -5.0, 0.0]);
    assert_eq!([0.0, -1.0, f64::NAN, f64::INFINITY].map(|step| snap(7.4, step)), [7.4; 4]);
    assert_eq!(snap(1e300, 1e-300), 1e300);
    assert_eq!(snap_point([0.3, 0.9, -0.76], 0.5), DVec3::new(0.5, 1.0, -1.0));
    let mut random = Random(10);
    for _ in 0..1000 {
        let (value, step) = (random.unit() * 100.0, random.fraction() + 1e-3);
        let snapped = snap(value, step);
        assert!((snapped - value).abs() <= 0.5 * step * (1.0 + 1e-9), "bounded by half a step");
        assert!((snapped / step - (snapped / step).round()).abs() < 1e-6);
    }
}

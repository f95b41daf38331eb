//! The surface under the cursor.

use hitscan::drag::{DragPath, Picture, surface_point};
use hitscan::glam::Vec2;
use hitscan::prelude::*;

const SIZE: [f32; 2] = [800.0, 600.0];

/// A floor with a step, a wall far away, and a ball that is dragged.
fn scene(origin: DVec3) -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0]), origin).unwrap();
    scene.insert(1, Aabb::new([0.0, 0.0, -5.0], [5.0, 1.0, 5.0]), origin).unwrap();
    scene.insert(2, Sphere::new(0.5), origin + DVec3::new(-1.0, 0.5, 0.0)).unwrap();
    scene.insert(3, Aabb::new([-1e4, -1e4, -3001.0], [1e4, 1e4, -3000.0]), origin).unwrap();
    scene
}

#[test]
fn what_is_dragged_is_left_out_and_the_rest_is_exact() {
    for origin in [DVec3::ZERO, DVec3::new(3e7, -1e7, 2e7)] {
        let scene = scene(origin);
        let transform = Camera::look_at(origin + DVec3::new(0.0, 6.0, 8.0), origin, DVec3::Y).unwrap();
        let camera = Camera::perspective(transform, 1.0).unwrap();
        let local = Picture::new(camera.relative_to(origin), SIZE);
        let floor = DragPath::Plane { point: DVec3::ZERO, normal: DVec3::Y };
        let others = Filter::new().exclude(2);
        let view = scene.with(&others).relative_to(origin);
        let mut seen = [0; 4];
        for step in 0..2000 {
            let cursor = Vec2::new((step % 50) as f32 * 16.0, (step / 50) as f32 * 15.0);
            let found = surface_point(view, &local, cursor, &floor).unwrap();
            let id = found.hit.map(|hit| hit.id);
            assert_ne!(id, Some(2), "it climbs onto itself");
            assert_ne!(id, Some(3), "it flies to the horizon");
            let under = local.camera.project(found.point, SIZE).map(|shown| shown.pixel.distance(cursor));
            match id {
                Some(id) => {
                    seen[id as usize] += 1;
                    assert!(under.unwrap() < 0.05, "{cursor} {under:?}");
                }
                None => {
                    seen[3] += 1;
                    assert!(found.point.y.abs() < 1e-9 && found.point.length() < 17.0 * 10.0, "{:?}", found.point);
                    assert_eq!(found.normal(), None);
                }
            }
        }
        assert!(seen[0] > 100 && seen[1] > 100 && seen[3] > 100, "{seen:?}");
    }
}

/// An orthographic camera has no eye at a certain distance. So no surface is too far from it.
#[test]
fn an_orthographic_camera_finds_surfaces_at_any_distance() {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([190.0, -1.0, -10.0], [210.0, 5.0, 10.0]), DVec3::ZERO).unwrap();
    // The second eye is at the path's own point.
    let floor = DragPath::Plane { point: DVec3::new(0.0, 10.0, 0.0), normal: DVec3::Y };
    for height in [20.0, 10.0] {
        let transform = Camera::look_at([0.0, height, 0.0], [0.0; 3], [0.0, 0.0, -1.0]).unwrap();
        let picture = Picture::new(Camera::orthographic(transform, 600.0).unwrap(), SIZE);
        let found = surface_point(&scene, &picture, [600.0, 300.0], &floor).unwrap();
        assert_eq!((found.hit.map(|hit| hit.id), found.point.as_vec3()), (Some(0), Vec3::new(200.0, 5.0, 0.0)));
    }
}

/// A point that was rounded to f32 would be 0.03 beside the cursor here, which is several pixels.
#[test]
fn a_point_far_from_the_origin_is_under_the_cursor() {
    let away = DVec3::new(1e6, 0.0, -2e6);
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), away).unwrap();
    let transform = Camera::look_at(away + DVec3::new(0.0, 4.0, 4.0), away, DVec3::Y).unwrap();
    let picture = Picture::new(Camera::perspective(transform, 1.0).unwrap(), SIZE);
    let floor = DragPath::Plane { point: away, normal: DVec3::Y };
    for step in 0..500 {
        let cursor = Vec2::new(200.0 + step as f32 * 0.7, 250.0 + step as f32 * 0.3);
        let found = surface_point(&scene, &picture, cursor, &floor).unwrap();
        let shown = picture.camera.project(found.point, SIZE).unwrap();
        assert!(found.hit.is_some() && shown.pixel.distance(cursor) < 0.05, "{cursor}: {shown:?} of {found:?}");
    }
}

/// The recipe of the docs: with the initial offset in pixels, an object does not jump at the first move.
#[test]
fn a_kept_offset_does_not_leap() {
    let scene = scene(DVec3::ZERO);
    let camera =
        Camera::perspective(Camera::look_at([0.0, 6.0, 8.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap(), 1.0).unwrap();
    let picture = Picture::new(camera, SIZE);
    let floor = DragPath::Plane { point: DVec3::ZERO, normal: DVec3::Y };
    let place = DVec3::new(-1.0, 0.0, 0.0);
    let grab = camera.project([-1.0, 0.8, 0.2], SIZE).unwrap().pixel;
    let offset = camera.project(place, SIZE).unwrap().pixel - grab;
    let others = Filter::new().exclude(2);
    let at = |cursor: Vec2| surface_point(scene.with(&others), &picture, cursor + offset, &floor).unwrap().point;
    assert!((at(grab) - place).length() < 1e-4);
    assert!((at(grab + Vec2::X) - place).length() < 2.0 * picture.pixel_size(place).unwrap());
}

#[test]
fn a_surface_may_be_asked_of_any_view() {
    let scene = scene(DVec3::ZERO);
    let camera =
        Camera::orthographic(Camera::look_at([0.0, 9.0, 0.0], [0.0; 3], [0.0, 0.0, -1.0]).unwrap(), 8.0).unwrap();
    let picture = Picture::new(camera, SIZE);
    let floor = DragPath::Screen { point: DVec3::ZERO };
    let height = |found: Option<hitscan::drag::SurfacePoint<u32>>| found.map(|found| found.point.y);
    assert_eq!(height(surface_point(&scene, &picture, [325.0, 300.0], &floor)), Some(1.0), "the ball itself");
    let others = Filter::new().exclude(2);
    assert_eq!(height(surface_point(scene.with(&others), &picture, [325.0, 300.0], &floor)), Some(0.0));
    assert_eq!(height(surface_point(scene.with(&others), &picture, [475.0, 300.0], &floor)), Some(1.0));
    assert_eq!(height(surface_point(&scene, &picture, [f32::NAN, 300.0], &floor)), None);
}

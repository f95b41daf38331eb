use crate::common::Random;
use crate::snap::{cube, front, over, told};
use hitscan::glam::{DAffine3, DQuat, Vec2, Vec3};
use hitscan::mesh::AlphaMask;
use hitscan::prelude::*;
use hitscan::query::SightView;
use hitscan::snap::{Cursor, Hidden, Snap, SnapKind};
use hitscan::{CutOuts, Viewport};
use hitscan_random::effort;

fn sheet() -> Mesh {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let texcoords = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).unwrap().with_texcoords(&texcoords).unwrap()
}

fn ids(cursor: Cursor, scene: &Scene<u32>) -> Vec<u32> {
    let mut snaps = Vec::new();
    cursor.all(scene, &[SnapKind::Vertex], &mut snaps);
    snaps.iter().map(|snap| snap.target.unwrap().id).collect()
}

#[test]
fn what_hides_points_can_be_chosen() {
    let mut scene = Scene::new();
    scene.insert(1, cube(), DVec3::new(0.0, 0.0, -5.0)).unwrap();
    scene.insert(2, sheet(), DVec3::new(0.5, 0.5, 0.0)).unwrap();
    let corner = over(1.0, 1.0, [2.0, 0.0], 5.0);
    let kinds = [SnapKind::Vertex];
    assert_eq!(corner.nearest(&scene, &kinds), None);
    let of_scene =
        |scene: &Scene<u32>, filter: &Filter<'_, u32>| told(corner.nearest(scene.with(filter), &kinds).as_ref());
    let of = |filter: &Filter<'_, u32>| of_scene(&scene, filter);
    let found = Some((SnapKind::Vertex, DVec3::new(1.0, 1.0, -4.0)));
    assert_eq!(of(&Filter::new().exclude(2)), found);
    assert_eq!(of(&Filter::new().entities(|id| id == 1)), found);
    assert_eq!(of(&Filter::new().exclude(1)), None);
    assert_eq!(of(&Filter::new().cull(hitscan::Cull::Front)), found);
    assert_eq!(of(&Filter::new().cull(hitscan::Cull::Back)), None);
    // Both corners of the cube on the ray are found, the nearer one first.
    let mut snaps = Vec::new();
    corner.hidden(Hidden::Keep).all(&scene, &kinds, &mut snaps);
    assert_eq!(snaps.iter().map(|snap| snap.point.z).collect::<Vec<_>>(), [-4.0, -6.0]);
    scene.set_layers(&2, 2);
    assert_eq!(of_scene(&scene, &Filter::new().layers(1)), found);
}

#[test]
fn points_are_hidden_by_what_hides_alone() {
    let mut scene = Scene::new();
    scene.insert(1, cube(), DVec3::new(0.0, 0.0, -5.0)).unwrap();
    scene.insert(2, sheet(), DVec3::new(0.5, 0.5, 0.0)).unwrap();
    let corner = over(1.0, 1.0, [2.0, 0.0], 5.0);
    let cubes = Filter::new().entities(|id| id == 1);
    let (all, sheets, none) = (Filter::new(), Filter::new().exclude(1), Filter::new().layers(0));
    let found = |sight: SightView<'_, u32>, kinds: &[SnapKind]| {
        let mut snaps = Vec::new();
        corner.all(sight, kinds, &mut snaps);
        assert_eq!(corner.nearest(sight, kinds), snaps.first().copied());
        snaps.iter().map(|snap| (snap.target.unwrap().id, snap.point.z)).collect::<Vec<_>>()
    };
    let vertex = [SnapKind::Vertex];
    assert_eq!(found(scene.with(&cubes).into(), &vertex), [(1, -4.0)]);
    assert_eq!(found(scene.with(&cubes).hidden_by(&all), &vertex), []);
    assert_eq!(found(scene.with(&cubes).hidden_by(&sheets), &vertex), []);
    // Nothing hides, not even the cube itself.
    assert_eq!(found(scene.with(&cubes).hidden_by(&none), &vertex), [(1, -4.0), (1, -6.0)]);
    // Faces are the surfaces under the cursor, up to the first surface that hides.
    let face = [SnapKind::Face];
    let inner = over(0.75, 0.6, [0.0; 2], 1.0); // on no diagonal
    let faces = |sight: SightView<'_, u32>| {
        let mut snaps = Vec::new();
        inner.all(sight, &face, &mut snaps);
        assert_eq!(inner.nearest(sight, &face), snaps.first().copied());
        snaps.iter().map(|snap| (snap.target.unwrap().id, snap.point.z)).collect::<Vec<_>>()
    };
    assert_eq!(faces((&scene).into()), [(2, 0.0)]);
    assert_eq!(faces(scene.with(&cubes).hidden_by(&all)), []);
    assert_eq!(faces(scene.hidden_by(&cubes)), [(2, 0.0), (1, -4.0)]);
    assert_eq!(faces(scene.hidden_by(&none)), [(2, 0.0), (1, -4.0), (1, -6.0)]);
}

#[test]
fn holes_hide_nothing_unless_they_are_solid() {
    let pane = sheet().with_cut_out(AlphaMask::new(1, 1, [0]).unwrap()).unwrap();
    let mut scene = Scene::new();
    scene.insert(1, cube(), DVec3::new(0.0, 0.0, -5.0)).unwrap();
    scene.insert(2, pane, DVec3::new(0.5, 0.5, 0.0)).unwrap();
    let corner = over(1.0, 1.0, [2.0, 0.0], 5.0);
    assert_eq!(ids(corner, &scene), [1]);
    assert_eq!(ids(corner.cut_outs(CutOuts::Solid), &scene), []);
}

#[test]
fn a_surface_does_not_hide_what_lies_on_it() {
    // A cube stands on a floor that is seen almost edge-on, with its lower corners on the floor.
    let mut scene = Scene::new();
    scene.insert(1, cube(), DVec3::new(0.1, 1.0, 0.3)).unwrap();
    scene.insert(2, Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), DVec3::ZERO).unwrap();
    for (distance, height) in [(10.0, 5.0), (30.0, 0.1), (40.0, 1e-3), (40.0, 1e-5)] {
        let transform = Camera::look_at([0.7, height, distance], [0.1, 0.0, 1.3], [0.0, 1.0, 0.0]).unwrap();
        let camera = Camera::perspective(transform, 0.5).unwrap();
        let corner = DVec3::new(1.1, 0.0, 1.3);
        let pixel = camera.project(corner, [800.0, 600.0]).unwrap().pixel;
        let snap = Cursor::new(&camera, [800.0, 600.0], pixel, 3.0).nearest(&scene, &[SnapKind::Vertex]).unwrap();
        assert!((snap.point - corner).length() < 1e-6, "{distance} {height} {snap:?}");
    }
}

#[test]
fn the_depth_tolerance_puts_what_is_near_first() {
    let mut scene = Scene::new();
    let point = |z: f64, x: f64| (hitscan::wire::PointCloud::new(&[[0.0f32; 3]]).unwrap(), DVec3::new(x, 0.0, z));
    for (id, (cloud, at)) in (0..).zip([point(0.0, 0.04), point(-0.5, 0.02), point(-5.0, 0.0)]) {
        scene.insert(id, cloud, at).unwrap();
    }
    let cursor = over(0.0, 0.0, [0.0, 0.0], 8.0);
    assert_eq!(ids(cursor, &scene), [2, 1, 0]);
    assert_eq!(ids(cursor.depth_tolerance(1.0), &scene), [1, 0, 2]);
    assert_eq!(ids(cursor.depth_tolerance(0.0), &scene), [0, 2, 1]);
    assert_eq!(ids(cursor.depth_tolerance(f64::NAN), &scene), [0, 2, 1]);
    assert_eq!(ids(cursor.depth_tolerance(f64::INFINITY), &scene), [2, 1, 0]);
    for (tolerance, first) in [(1.0, 1), (0.0, 0), (100.0, 2)] {
        let snap = cursor.depth_tolerance(tolerance).nearest(&scene, &[SnapKind::Vertex]).unwrap();
        assert_eq!(snap.target.unwrap().id, first);
    }
}

/// With parallel rays, the near depth may be negative, and so may all depths.
#[test]
fn the_depth_tolerance_counts_from_what_is_behind_the_eye_too() {
    let camera = Camera::orthographic(DAffine3::IDENTITY, 6.0).unwrap().with_clip(-10.0, 10.0).unwrap();
    let cursor = Cursor::new(&camera, [800.0, 600.0], [400.0, 300.0], 8.0).hidden(Hidden::Keep).depth_tolerance(1.0);
    let mut scene = Scene::new();
    let point = hitscan::wire::PointCloud::new(&[[0.0, 0.0, 3.0]]).unwrap();
    let line = hitscan::wire::Polyline::new(&[[-2.0, 0.0, 5.0], [2.0, 0.0, 5.0]]).unwrap();
    scene.insert(1, point, DVec3::ZERO).unwrap();
    scene.insert(2, line, DVec3::ZERO).unwrap();
    let snap = cursor.nearest(&scene, &[SnapKind::Vertex, SnapKind::Edge]).unwrap();
    assert_eq!((snap.kind, snap.depth, snap.target.unwrap().id), (SnapKind::Edge, -5.0, 2));
}

/// [`Cursor::nearest`] searches nodes by their depth, and [`Cursor::all`] sorts everything in reach. Some entities are in no tree, because their placement is
/// too inexact.
#[test]
fn the_nearest_is_the_first_of_all_at_every_depth() {
    let mut random = Random(40_507);
    let (mut behind, mut edges) = (0, 0);
    let kinds = [SnapKind::Vertex, SnapKind::Midpoint, SnapKind::Edge];
    for number in 0..effort::size(2_000, 20_000, 200_000) {
        let mut scene = Scene::new();
        for id in 0..1 + random.below(6) as u32 {
            let mut place = || (random.cube() * DVec3::new(0.1, 0.1, 6.0)).as_vec3();
            let (from, to) = (place(), place());
            let place = if random.below(4) == 0 {
                DAffine3::from_scale_rotation_translation(
                    DVec3::new(1.0, 1.0, 1e-9),
                    DQuat::IDENTITY,
                    DVec3::Z * random.unit() * 6.0,
                )
            } else {
                DAffine3::IDENTITY
            };
            if random.below(2) == 0 {
                scene.insert(id, hitscan::wire::PointCloud::new(&[from, to]).unwrap(), place).unwrap();
            } else {
                let way = Vec3::new(random.unit() as f32, random.unit() as f32, 0.2 * random.unit() as f32);
                scene.insert(id, hitscan::wire::Polyline::new(&[from - way, from, to + way]).unwrap(), place).unwrap();
            }
        }
        let camera = Camera::orthographic(DAffine3::IDENTITY, 6.0).unwrap();
        let camera = camera.with_clip(random.pick(&[-10.0, -3.0, 0.0]), random.pick(&[1.0, 10.0])).unwrap();
        let cursor = Cursor::new(&camera, [800.0, 600.0], [400.0, 300.0], 8.0);
        let cursor = cursor.hidden(Hidden::Keep).depth_tolerance(random.pick(&[0.0, 0.5, 2.0]));
        let kinds = &kinds[random.below(3)..];
        let mut snaps = Vec::new();
        cursor.all(&scene, kinds, &mut snaps);
        assert_eq!(cursor.nearest(&scene, kinds).as_ref(), snaps.first(), "{number}: {snaps:?}");
        behind += usize::from(snaps.first().is_some_and(|snap| snap.depth < 0.0));
        edges += usize::from(snaps.first().is_some_and(|snap| snap.kind == SnapKind::Edge && kinds.len() > 1));
    }
    assert!(behind > 300 && edges > 30, "{behind} {edges}");
}

#[test]
fn logical_pixels_and_parts_of_a_window_give_the_same() {
    let mut scene = Scene::new();
    scene.insert(1, cube(), DVec3::ZERO).unwrap();
    let camera =
        Camera::perspective(Camera::look_at([4.0, 3.0, 6.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap(), 0.7).unwrap();
    for step in 0..400 {
        let at = Vec2::new((step % 20) as f32 * 40.0, (step / 20) as f32 * 30.0);
        let plain = Cursor::new(&camera, [800.0, 600.0], at, 12.0).nearest(&scene, &SnapKind::ALL);
        let scaled = Cursor::new(&camera, [1600.0, 1200.0], at * 2.0, 24.0).nearest(&scene, &SnapKind::ALL);
        let part = Viewport { origin: Vec2::new(640.0, 128.0), size: Vec2::new(800.0, 600.0) };
        let moved = Cursor::new(&camera, part, at + part.origin, 12.0).nearest(&scene, &SnapKind::ALL);
        let told = |snap: &Option<Snap<u32>>| snap.map(|snap| (snap.kind, snap.target));
        assert_eq!((told(&plain), told(&plain)), (told(&scaled), told(&moved)));
        if let (Some(plain), Some(scaled), Some(moved)) = (plain, scaled, moved) {
            assert!((plain.point - scaled.point).length() < 1e-5 && (plain.point - moved.point).length() < 1e-5);
            assert!((plain.distance * 2.0 - scaled.distance).abs() < 1e-3);
            assert!((plain.pixel + part.origin - moved.pixel).length() < 1e-3);
        }
    }
}

#[test]
fn far_from_the_origin_nothing_is_lost() {
    let place = DVec3::new(6.4e6, -3.2e6, 1.6e6);
    let mut scene = Scene::new();
    scene.insert(1, cube(), DAffine3::from_translation(place)).unwrap();
    let camera = front().relative_to(-place);
    let cursor = Cursor::new(&camera, [800.0, 600.0], [503.0, 204.0], 8.0);
    let snap = cursor.nearest(&scene, &SnapKind::ALL).unwrap();
    assert_eq!((snap.kind, snap.point, snap.distance), (SnapKind::Vertex, place + DVec3::ONE, 5.0));
    // Relative to an origin at this place, the camera is the same as near the world's origin.
    let snap = over(1.0, 1.0, [3.0, 4.0], 8.0).nearest(scene.relative_to(place), &SnapKind::ALL).unwrap();
    assert_eq!((snap.kind, snap.point, snap.distance), (SnapKind::Vertex, DVec3::ONE, 5.0));
    let foot = over(0.25, 1.0, [0.0, 3.0], 8.0).from_start([0.25, 4.0, 1.0]);
    let snap = foot.nearest(scene.relative_to(place), &[SnapKind::Perpendicular]).unwrap();
    assert_eq!(snap.point, DVec3::new(0.25, 1.0, 1.0));
}

#[test]
fn bad_input_finds_nothing() {
    let mut scene = Scene::new();
    scene.insert(1, cube(), DVec3::ZERO).unwrap();
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let at = [500.0, 200.0];
    for (viewport, pixel, radius) in [
        ([800.0, 600.0], [nan, 200.0], 8.0),
        ([800.0, 600.0], [inf, 200.0], 8.0),
        ([800.0, 600.0], at, nan),
        ([800.0, 600.0], at, inf),
        ([800.0, 600.0], at, -1.0),
        ([0.0, 600.0], at, 8.0),
        ([nan, 600.0], at, 8.0),
        ([inf, 600.0], at, 8.0),
    ] {
        let mut snaps = Vec::new();
        let cursor = Cursor::new(&front(), viewport, pixel, radius).from_start([0.0; 3]);
        cursor.all(&scene, &SnapKind::ALL, &mut snaps);
        assert_eq!((snaps, cursor.nearest(&scene, &SnapKind::ALL)), (vec![], None));
    }
    let kinds = [SnapKind::Axis, SnapKind::Perpendicular];
    assert_eq!(over(1.0, 1.0, [0.0, 0.0], 8.0).from_start([f64::NAN, 0.0, 0.0]).nearest(&scene, &kinds), None);
    assert_eq!(over(1.0, 1.0, [0.0, 0.0], 8.0).from_start([f64::MAX; 3]).nearest(&scene, &kinds), None);
    assert_eq!(over(1.0, 1.0, [0.0, 0.0], 8.0).nearest(&scene, &[]), None);
    assert_eq!(over(1.0, 1.0, [0.0, 0.0], 8.0).nearest(scene.relative_to([f64::NAN; 3]), &SnapKind::ALL), None);
    assert_eq!(over(1.0, 1.0, [0.0, 0.0], 8.0).nearest(&Scene::<u32>::new(), &SnapKind::ALL), None);
    // A radius of 0 finds the features exactly under the cursor.
    assert!(over(1.0, 1.0, [0.0, 0.0], 0.0).nearest(&scene, &[SnapKind::Vertex]).is_some());
}

#[test]
fn points_on_a_sloped_surface_are_seen_through_the_rounding_of_coordinates() {
    // The surface is y = 0.3 x, and its points are far from the origin.
    let corners = [[1000.0, 300.0, 0.0], [1010.0, 303.0, 0.0], [1000.0, 300.0, 10.0]];
    let mut scene = Scene::new();
    scene.insert(1, Mesh::from_soup(&corners).unwrap(), DVec3::ZERO).unwrap();
    let eye = DVec3::new(1003.0, 311.0, 2.0);
    for step in 1..60 {
        let y = 300.0 + step as f32 / 24.0;
        let point = [y / 0.3, y, 1.5];
        scene.insert(2, hitscan::wire::PointCloud::new(&[point]).unwrap(), DVec3::ZERO).unwrap();
        for eye in [eye, DVec3::new(1003.0, 291.0, 2.0)] {
            let transform = Camera::look_at(eye, [1003.0, 301.0, 2.0], [0.0, 0.0, 1.0]).unwrap();
            let camera = Camera::perspective(transform, 1.0).unwrap();
            let at = DVec3::from(point.map(f64::from));
            let pixel = camera.project(at, [800.0, 600.0]).unwrap().pixel;
            let found = ids(Cursor::new(&camera, [800.0, 600.0], pixel, 2.0), &scene);
            assert!(found.contains(&2), "{point:?} from {eye}");
        }
    }
    // A point that is behind by more than that is hidden.
    let below = [1_003.333_3, 300.995, 1.5];
    scene.insert(2, hitscan::wire::PointCloud::new(&[below]).unwrap(), DVec3::ZERO).unwrap();
    let transform = Camera::look_at(eye, [1003.0, 301.0, 2.0], [0.0, 0.0, 1.0]).unwrap();
    let camera = Camera::perspective(transform, 1.0).unwrap();
    let pixel = camera.project(DVec3::from(below.map(f64::from)), [800.0, 600.0]).unwrap().pixel;
    assert!(ids(Cursor::new(&camera, [800.0, 600.0], pixel, 2.0), &scene).is_empty());
}

#[test]
fn the_near_depth_of_parallel_rays_does_not_matter_to_what_is_hidden() {
    let mut scene = Scene::new();
    scene.insert(1, cube(), DVec3::new(-0.02, -0.02, -1.1)).unwrap();
    scene.insert(2, sheet(), DVec3::ZERO).unwrap();
    for near in [0.0, -1e3, -1e6, -1e9] {
        let camera = front().with_clip(near, 1e6).unwrap();
        let cursor = Cursor::new(&camera, [800.0, 600.0], [499.0, 201.0], 5.0);
        assert_eq!(ids(cursor, &scene), [2], "{near}");
    }
}

#[test]
fn the_nearer_end_stands_for_an_edge_that_is_seen_end_on() {
    let mut scene = Scene::new();
    scene.insert(1, sheet(), DVec3::ZERO).unwrap();
    let line = hitscan::wire::Polyline::new(&[[0.5, 0.25, -5.0], [0.5, 0.25, 5.0]]).unwrap();
    scene.insert(2, line, DVec3::ZERO).unwrap();
    let snap = over(0.5, 0.25, [3.0, 4.0], 8.0).nearest(&scene, &[SnapKind::Edge]).unwrap();
    assert_eq!((snap.point, snap.distance), (DVec3::new(0.5, 0.25, 5.0), 5.0));
}

#[test]
fn nothing_outside_of_the_viewport_is_found() {
    let mut scene = Scene::new();
    // The right side of the picture is at x = 4.
    scene.insert(1, hitscan::wire::PointCloud::new(&[[4.03, 0.0, 0.0]]).unwrap(), DVec3::ZERO).unwrap();
    let line = hitscan::wire::Polyline::new(&[[3.97, 1.0, 0.0], [4.07, 1.1, 0.0]]).unwrap();
    scene.insert(2, line, DVec3::ZERO).unwrap();
    assert_eq!(over(4.0, 0.0, [-1.0, 0.0], 8.0).nearest(&scene, &SnapKind::ALL), None);
    // The nearest point of the line would be at 805, and is cut off at 800.
    let snap = over(4.0, 1.1, [0.0, 0.0], 8.0).nearest(&scene, &[SnapKind::Edge]).unwrap();
    assert!(snap.pixel.x == 800.0 && (snap.distance - 7.0).abs() < 1e-4, "{snap:?}");
    scene.insert(3, cube(), DVec3::new(4.5, 0.0, 0.0)).unwrap();
    assert_eq!(over(4.0, 0.5, [10.0, 0.0], 8.0).nearest(&scene, &[SnapKind::Face]), None);
}

#[test]
fn an_axis_that_is_seen_end_on_is_its_start_and_does_not_measure_the_depth() {
    let mut scene = Scene::new();
    scene.insert(1, hitscan::wire::PointCloud::new(&[[0.02, 0.0, -5.0]]).unwrap(), DVec3::ZERO).unwrap();
    let start = DVec3::new(0.0, 0.0, 9.0);
    let cursor = over(0.0, 0.0, [0.0, 0.0], 8.0).from_start(start);
    let snap = cursor.nearest(&scene, &[SnapKind::Axis]).unwrap();
    assert_eq!(snap.point, start);
    let snap = cursor.depth_tolerance(1.0).nearest(&scene, &[SnapKind::Axis, SnapKind::Vertex]).unwrap();
    assert_eq!(snap.kind, SnapKind::Vertex);
    let mut snaps = Vec::new();
    cursor.depth_tolerance(1.0).all(&scene, &[SnapKind::Axis, SnapKind::Vertex], &mut snaps);
    assert_eq!(snaps[0].kind, SnapKind::Vertex);
    // A perspective eye sees a line through it as a point, up to rounding.
    let (eye, along) = (DVec3::new(0.3, 0.7, 10.1), DVec3::new(0.3, 0.7, 3.7));
    let transform = Camera::look_at(eye, [0.1, 0.2, 0.3], [0.0, 1.0, 0.0]).unwrap();
    let camera = Camera::perspective(transform, 1.0).unwrap();
    let pixel = camera.project(along, [800.0, 600.0]).unwrap().pixel;
    let cursor = Cursor::new(&camera, [800.0, 600.0], pixel, 8.0).from_start(along);
    cursor.all(&scene, &[SnapKind::Axis], &mut snaps);
    assert!(snaps.iter().any(|snap| snap.axis == Some(DVec3::Z) && snap.point == along), "{snaps:?}");
}

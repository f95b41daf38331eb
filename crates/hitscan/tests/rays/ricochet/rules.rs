//! A ray that leaves a surface. The tests state which other surfaces at its origin it hits, and which it does not hit.

use crate::common::Random;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Aabb, Geometry, Plane, Quad, Ray, RayQueries, Scene, Transform};

/// Bounces a ray in a scene. Returns the surfaces that it hits, and its last direction.
fn bounces(scene: &Scene<u32>, ray: Ray) -> (Vec<u32>, Vec3) {
    let (mut met, mut ray, mut hit) = (Vec::new(), ray, scene.cast(&ray));
    while let Some(last) = hit {
        met.push(last.id);
        assert!(met.len() < 20, "stuck: {met:?}");
        ray = last.bounce();
        hit = scene.after(&last).cast(&ray);
    }
    (met, ray.direction)
}

fn scene_of(things: impl IntoIterator<Item = Geometry>, at: impl Into<Transform>) -> Scene<u32> {
    let mut scene = Scene::new();
    let at = at.into();
    for (id, thing) in (0..).zip(things) {
        scene.insert(id, thing, at).unwrap();
    }
    scene
}

fn tile(x: f32) -> Quad {
    Quad::new([x, 0.0, -5.0], [0.0, 0.0, 10.0], [5.0, 0.0, 0.0])
}

/// A ray leaves a floor of two tiles once, also on the seam.
#[test]
fn a_seam_is_left_once() {
    let ray = Ray::new([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0]);
    let up = Ray::new([0.0; 3], [1.0, 1.0, 0.0]).direction;
    let quads = || [tile(-5.0).into(), tile(0.0).into()];
    let boxed = |low: f32, high: f32| Geometry::from(Aabb::new([low, -1.0, -5.0], [high, 0.0, 5.0]));
    assert_eq!(bounces(&scene_of(quads(), DVec3::ZERO), ray), (vec![0], up));
    assert_eq!(bounces(&scene_of([boxed(-5.0, 0.0), boxed(0.0, 5.0)], DVec3::ZERO), ray), (vec![0], up));
    assert_eq!(bounces(&scene_of([boxed(-5.0, 3.0), boxed(-3.0, 5.0)], DVec3::ZERO), ray), (vec![0], up));
    // A plane and a quad that faces down are in the same place.
    let down = Quad::new([-5.0, 0.0, -5.0], [10.0, 0.0, 0.0], [0.0, 0.0, 10.0]);
    let plane = Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    assert_eq!(bounces(&scene_of([down.into(), plane.into()], DVec3::ZERO), ray), (vec![0], up));
    // The surfaces are placed and rotated arbitrarily.
    let mut random = Random(2);
    for i in 0..300 {
        let placed = DAffine3::from_rotation_translation(random.rotation(), random.cube() * 100.0);
        let things: [Geometry; 2] = if i % 2 == 0 { quads() } else { [boxed(-5.0, 3.0), boxed(-3.0, 5.0)] };
        let from = placed.transform_point3(DVec3::new(-2.0, 2.0, random.unit()));
        let to = placed.transform_point3(DVec3::new(0.0, 0.0, random.unit()));
        let ray = Ray::new(from.as_vec3(), (to - from).as_vec3());
        let (met, _) = bounces(&scene_of(things, placed), ray);
        assert_eq!(met.len(), 1, "{i}: {met:?}");
    }
}

/// A surface that is ahead of the ray at its origin is hit at t = 0. The cases are a floor and a wall, and three walls
/// in a corner.
#[test]
fn a_corner_is_left_by_all_its_walls() {
    let wall = Quad::new([0.0, 0.0, -5.0], [0.0, 0.0, 10.0], [0.0, 10.0, 0.0]);
    let back = Quad::new([-5.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 5.0, 0.0]);
    let scene = scene_of([tile(-5.0).into(), wall.into()], DVec3::ZERO);
    let (met, direction) = bounces(&scene, Ray::with_direction([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0]));
    assert_eq!((met, direction), (vec![0, 1], Vec3::new(-1.0, 1.0, 0.0)));
    let scene = scene_of([tile(-5.0).into(), wall.into(), back.into()], DVec3::ZERO);
    let (met, direction) = bounces(&scene, Ray::with_direction([-2.0, 2.0, 2.0], [1.0, -1.0, -1.0]));
    assert_eq!((met, direction), (vec![0, 1, 2], Vec3::new(-1.0, 1.0, 1.0)));
    let solids = [([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), ([0.0, -1.0, -9.0], [1.0, 9.0, 9.0])];
    let scene = scene_of(solids.map(|(min, max)| Aabb::new(min, max).into()), DVec3::ZERO);
    let (met, direction) = bounces(&scene, Ray::with_direction([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0]));
    assert_eq!((met, direction), (vec![0, 1], Vec3::new(-1.0, 1.0, 0.0)));
    // The edge of a box that stands alone is not ahead of the ray that leaves its top.
    let scene = scene_of([Aabb::new([-2.0, -2.0, -2.0], [0.0, 0.0, 2.0]).into()], DVec3::ZERO);
    let (met, _) = bounces(&scene, Ray::with_direction([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0]));
    assert_eq!(met, [0]);
}

/// A continued ray hits each of several coincident surfaces once, in the order of their insertion.
#[test]
fn onward_meets_each_surface_once() {
    let boxed = |low: f32, high: f32| Geometry::from(Aabb::new([low, -1.0, -5.0], [high, 1.0, 5.0]));
    for (things, expected) in [
        ([boxed(0.0, 1.0), boxed(1.0, 2.0), tile(-5.0).into()], vec![(0, 2.0), (0, 3.0), (1, 3.0), (1, 4.0)]),
        ([boxed(1.0, 2.0), boxed(0.0, 1.0), tile(-5.0).into()], vec![(1, 2.0), (0, 3.0), (1, 3.0), (0, 4.0)]),
        (
            [boxed(1.0, 2.0), boxed(1.0, 2.0), boxed(1.0, 3.0)],
            vec![(0, 3.0), (1, 3.0), (2, 3.0), (0, 4.0), (1, 4.0), (2, 5.0)],
        ),
    ] {
        let scene = scene_of(things, DVec3::ZERO);
        let ray = Ray::new([-2.0, 0.5, 0.25], [1.0, 0.0, 0.0]);
        let (mut found, mut hit, mut way) = (Vec::new(), scene.cast(&ray), 0.0);
        while let Some(last) = hit {
            way += last.t;
            found.push((last.id, way));
            assert!(found.len() < 20);
            hit = scene.after(&last).cast(&last.onward());
        }
        assert_eq!(found, expected);
        let mut all = Vec::new();
        scene.cast_all(&ray, &mut all);
        assert_eq!(all.iter().map(|hit| (hit.id, hit.t)).collect::<Vec<_>>(), expected);
    }
}

/// A path into the edge of a wedge bounces no more often than the wedge's angle fits into half a turn.
#[test]
fn a_wedge_is_left_in_few_turns() {
    let mut random = Random(3);
    for i in 1..300 {
        let angle = f64::from(i) * 0.01;
        let floor = Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap();
        let slope = Plane::new([0.0; 3], DVec3::new(angle.sin(), -angle.cos(), 0.0).as_vec3()).unwrap();
        let scene = scene_of([floor.into(), slope.into()], DVec3::ZERO);
        let between = angle * (0.5 + 0.4 * random.unit());
        let from = DVec3::new(3.0 * between.cos(), 3.0 * between.sin(), random.unit()).as_vec3();
        let (mut ray, mut last, mut turns) = (Ray::with_direction(from, -from), None, 0);
        while let Some(hit) = scene.after(last.as_ref()).cast(&ray) {
            turns += 1;
            assert!(f64::from(turns) <= (core::f64::consts::PI / angle).ceil() + 1.0, "{angle}: {turns}");
            (ray, last) = (hit.bounce(), Some(hit));
        }
        assert!(turns > 0, "{angle}");
        assert!(ray.direction.y >= 0.0, "{angle}: leaves along {}", ray.direction);
    }
}

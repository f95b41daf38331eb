//! `RayQueries::after`. A ray continues from a hit without hitting the same surface again, and without passing through
//! the next surface.

use crate::common::{Random, grid_cube, icosphere, instance_transform};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Aabb, Ray, RayQueries, Scene, Side, Sphere};

/// Checks that a bullet inside a closed mesh stays inside, bounce after bounce, and never gets stuck on a wall.
fn bounce(scene: &Scene<&str>, start: Vec3, direction: Vec3, bounces: usize, context: &str) -> usize {
    let mut hit = scene.cast(&Ray::new(start, direction)).expect("the wall around");
    let mut stuck = 0;
    for bounce in 0..bounces {
        assert_eq!(hit.side, Side::Back, "{context}, bounce {bounce}: hit from outside {hit:?}");
        let ray = Ray::new(hit.point, hit.reflect());
        let Some(next) = scene.after(&hit).cast(&ray) else {
            panic!("{context}, bounce {bounce}: escaped with {ray:?} from {hit:?}");
        };
        stuck += usize::from(next.triangle == hit.triangle);
        hit = next;
    }
    stuck
}

#[test]
fn bullets_stay_inside_closed_meshes() {
    let mut random = Random(21);
    let shapes = [
        ("cube", grid_cube(6)),
        ("sphere", icosphere(3)),
        ("long", icosphere(3).map(|p| p * Vec3::new(4.0, 1.0, 0.3))),
    ];
    for (name, surface) in shapes {
        for i in 0..8 {
            let transform = if i == 0 { DAffine3::IDENTITY } else { instance_transform(&mut random, i, 50.0) };
            let mut scene = Scene::new();
            scene.insert(name, surface.mesh(), transform).unwrap();
            for shot in 0..20 {
                let start = transform.transform_point3(random.cube() * 0.1).as_vec3();
                let context = format!("{name}, transform {i}, shot {shot}");
                let stuck = bounce(&scene, start, random.direction().as_vec3(), 1_000, &context);
                assert_eq!(stuck, 0, "{context}: met the triangle it left");
            }
        }
    }
}

#[test]
fn a_ball_is_left_outwards_and_crossed_inwards() {
    let mut scene = Scene::new();
    let center = DVec3::new(3.3, -7.7, 120.1);
    scene.insert(1, Sphere::new(2.0), center).unwrap();
    let mut random = Random(22);
    for i in 0..20_000 {
        let from = (center + random.direction() * 9.0).as_vec3();
        let aim = (center + random.cube()).as_vec3();
        let Some(hit) = scene.cast(&Ray::new(from, aim - from)) else { panic!("shot {i} misses the ball") };
        let next = |direction: Vec3| scene.after(&hit).cast(&Ray::new(hit.point, direction));
        assert_eq!(next(hit.reflect()), None, "shot {i}: bounced into itself");
        let through = next(aim - from).unwrap_or_else(|| panic!("shot {i}: never came out"));
        assert_eq!(through.side, Side::Back);
        let chord = (through.point - hit.point).length();
        assert!(chord > 0.5, "shot {i}: came out where it went in, {chord} further");
    }
}

#[test]
fn every_face_of_a_box_is_left_in_both_directions() {
    let mut scene = Scene::new();
    scene.insert((), Aabb::new([0.1, 0.2, 0.3], [1.1, 1.3, 1.7]), DVec3::new(1e4, 1e4, -1e4)).unwrap();
    let mut random = Random(23);
    for i in 0..20_000 {
        let inside = DVec3::new(1e4 + 0.6, 1e4 + 0.7, -1e4 + 1.0);
        let from = (inside + random.direction() * 5.0).as_vec3();
        let hit = scene.cast(&Ray::new(from, inside.as_vec3() - from)).unwrap();
        let next = |direction: Vec3| scene.after(&hit).cast(&Ray::new(hit.point, direction));
        assert_eq!(next(hit.reflect()), None, "shot {i}");
        assert_eq!(next(inside.as_vec3() - from).map(|hit| hit.side), Some(Side::Back), "shot {i}");
    }
}

/// A ray that starts on the common edge of two coplanar triangles leaves both of them.
#[test]
fn a_bounce_on_a_shared_edge_meets_neither_side() {
    let mesh = grid_cube(4).mesh();
    let mut random = Random(24);
    for i in 0..5_000 {
        let mut scene = Scene::new();
        let transform = instance_transform(&mut random, i, 30.0);
        scene.insert((), &mesh, transform).unwrap();
        // The ray comes from above onto an inner vertex or edge of the top face.
        let top = DVec3::new((i % 3) as f64 / 2.0 - 0.5, 1.0, if i % 2 == 0 { 0.0 } else { random.unit() * 0.9 });
        let above = top + DVec3::new(random.unit(), 2.0, random.unit());
        let [from, to] = [above, top].map(|p| transform.transform_point3(p).as_vec3());
        let hit = scene.cast(&Ray::new(from, to - from)).unwrap();
        let bounced = scene.after(&hit).cast(&Ray::new(hit.point, hit.reflect()));
        assert_eq!(bounced, None, "{i}");
    }
}

//! No ray leaks through a closed mesh, wherever it is aimed: a ray from inside always hits.

use crate::common::{Random, Surface, grid_cube, icosphere, instance_transform};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Hit, Ray, RayQueries, Scene};
use hitscan_random::effort::size;

/// Returns a vertex, a point on an edge, or the middle of an edge, in f64.
fn target(surface: &Surface, random: &mut Random) -> DVec3 {
    let corners =
        surface.triangles[random.below(surface.triangles.len())].map(|i| surface.positions[i as usize].as_dvec3());
    let first = random.below(3);
    let (a, b) = (corners[first], corners[(first + 1) % 3]);
    match random.below(3) {
        0 => a,
        1 => a.lerp(b, random.unit().abs()),
        _ => (a + b) / 2.0,
    }
}

/// Returns star-shaped closed surfaces around the origin that contain the ball of radius 0.2.
fn surfaces() -> Vec<(&'static str, Surface)> {
    let bumpy = |p: Vec3| p * (1.0 + 0.3 * (7.0 * p.x).sin() * (5.0 * p.y).cos());
    let list = vec![
        ("sphere", icosphere(4)),
        ("bumpy sphere", icosphere(5).map(bumpy)),
        ("needle", icosphere(3).map(|p| p * Vec3::new(1.0, 40.0, 0.5))),
        ("grid cube", grid_cube(16)),
        ("tiny sphere", icosphere(3).map(|p| p * 1e-12)),
        ("huge sphere", icosphere(3).map(|p| p * 1e12)),
    ];
    list.iter().for_each(|(_, surface)| surface.assert_closed());
    list
}

/// Casts rays from inside a placed mesh at its features. Returns how many missed, or hit the mesh far from the target.
fn leaks(name: &str, surface: &Surface, transform: DAffine3, rays: usize, seed: u64) -> usize {
    let mut random = Random(seed);
    let mut scene = Scene::new();
    let mesh = surface.mesh();
    let size = f64::from(mesh.bounds().size().min_element());
    scene.insert((), mesh, transform).unwrap();
    let mut hits: Vec<Hit<()>> = Vec::new();
    let mut leaks = 0;
    for i in 0..rays {
        // The ray starts at the centre, at a point of the y axis, or anywhere in the inner ball.
        let from = match i % 4 {
            0 => DVec3::ZERO,
            1 => DVec3::new(0.0, 0.05, 0.0) * size,
            _ => random.cube() * 0.05 * size,
        };
        let to = target(surface, &mut random);
        let [from, to] = [from, to].map(|p| transform.transform_point3(p).as_vec3());
        let ray = Ray::with_direction(from, to - from);
        scene.cast_all(&ray, &mut hits);
        // A ray from inside crosses a closed surface an odd number of times, but at an edge or vertex
        // it hits each of the triangles there. So only the first hit is checked. It must exist, be from the inside, and be the same in every query.
        let closest = scene.cast(&ray);
        let sound = closest.is_some() && scene.is_blocked(&ray) && hits.first() == closest.as_ref();
        if !sound {
            leaks += 1;
            eprintln!("{name}, seed {seed}, ray {i}: {ray:?} answers {closest:?}");
        }
    }
    leaks
}

#[test]
fn rays_at_vertices_edges_and_midpoints() {
    let mut random = Random(7);
    let mut total = 0;
    let mut rays = 0;
    let each = size(6_000, 30_000, 1_000_000);
    for (name, surface) in surfaces() {
        total += leaks(name, &surface, DAffine3::IDENTITY, each, random.bits());
        rays += each;
        for i in 0..5 {
            let size = f64::from(surface.mesh().bounds().size().max_element());
            let (rotated, seed) = (instance_transform(&mut random, i, 4.0 * size), random.bits());
            total += leaks(name, &surface, rotated, each, seed);
            rays += each;
        }
    }
    assert!(rays > 30 * each, "{rays}");
    assert_eq!(total, 0, "leaks in {rays} rays");
}

/// The rays run along the axes and face diagonals through a grid of round coordinates, each along edges or through
/// vertices.
#[test]
fn aligned_rays_through_a_grid() {
    let mesh = grid_cube(8).mesh();
    let steps = || (-8..=8).map(|i| i as f32 / 8.0);
    for axis in 0..3 {
        for (x, y) in steps().flat_map(|x| steps().map(move |y| (x, y))) {
            for sign in [1.0, -1.0] {
                let mut origin = Vec3::ZERO;
                (origin[axis], origin[(axis + 1) % 3], origin[(axis + 2) % 3]) = (-3.0 * sign, x, y);
                let mut direction = Vec3::ZERO;
                direction[axis] = sign;
                let hit = mesh.cast(&Ray::new(origin, direction)).expect("the cube is hit");
                assert_eq!(hit.t, 2.0, "{origin} {direction}");
                assert!(mesh.is_blocked(&Ray::new(origin, direction)));
            }
        }
    }
}

/// Rays from far away are aimed at the features of the sphere's visible cap.
#[test]
fn far_origins_lose_nothing() {
    let surface = icosphere(4);
    let mesh = surface.mesh();
    let mut random = Random(11);
    for i in 0..20_000 {
        let aim = surface.positions[random.below(surface.positions.len())].as_dvec3();
        // The targets are in the middle third of the silhouette, so that rounding the origin cannot make the ray miss.
        let away = random.direction();
        let target = aim * 0.3;
        let origin = (target + away * 1e6).as_vec3();
        let ray = Ray::with_direction(origin, (target - origin.as_dvec3()).as_vec3());
        assert!(mesh.cast(&ray).is_some(), "ray {i}: {ray:?}");
    }
}

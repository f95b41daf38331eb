//! The work of rays in scenes that break trees: one far vertex, spikes, flat fans, and slivers. Work is counted in nodes and leaves, and not in time.

use core::f32::consts::{PI, TAU};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{HeightField, Mesh, MeshHit, Ray, RayQueries, Scene, debug};
use hitscan_random::Random;
use hitscan_random::effort::size;

/// Returns a ball of radius 1 with this many rows of 64 quads.
fn ball(rows: u32) -> Vec<Vec3> {
    let place = |row: u32, column: u32| {
        let (polar, azimuth) = (row as f32 / rows as f32 * PI, column as f32 / 64.0 * TAU);
        Vec3::new(polar.sin() * azimuth.cos(), polar.cos(), polar.sin() * azimuth.sin())
    };
    let cells = (0..rows).flat_map(|row| (0..64).map(move |column| (row, column)));
    cells
        .flat_map(|(row, column)| {
            let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| place(row + x, column + y));
            [a, b, c, a, c, d]
        })
        .collect()
}

/// Returns a ray from somewhere around the ball to a point in it.
fn ray(random: &mut Random) -> Ray {
    let reach = random.pick(&[1.5, 10.0, 1e4, 1e8]);
    let (from, to) = (random.cube().normalize() * reach, random.cube());
    Ray::between(from.as_vec3(), to.as_vec3())
}

fn compared(hit: Option<MeshHit>) -> Option<(u32, f32, Vec3)> {
    hit.map(|hit| (hit.triangle, hit.t, hit.point()))
}

/// One far triangle makes all others smaller than the error of f32 in the mesh's tree: rays take f64 for its boxes, and look at no more of them than without
/// it.
#[test]
fn one_far_vertex_costs_little() {
    let near = ball(32);
    let plain = Mesh::from_soup(&near).unwrap();
    for far in [1e6f32, 1e7, 1e9, 1e15, 1e30] {
        let mut soup = near.clone();
        soup.extend([Vec3::splat(far), Vec3::new(far, far * 1.1, far), Vec3::new(far, far, far * 1.2)]);
        let mut moved = plain.clone();
        let mesh = Mesh::from_soup(&soup).unwrap();
        let saved = Mesh::from_bytes(&mesh.to_bytes()).unwrap();
        let mut random = Random(far as u64);
        let (mut most, mut hits) = (0, 0);
        let mut scene = Scene::new();
        scene.insert(0, mesh.clone(), DVec3::new(3.0, -2.0, 1.0)).unwrap();
        let mut all = [Vec::new(), Vec::new()];
        for case in 0..size(300, 2_000, 200_000) {
            let ray = ray(&mut random);
            let (found, truth) = (compared(mesh.cast(&ray)), compared(plain.cast(&ray)));
            assert_eq!(found, truth, "{far:e} {case}: {ray:?}");
            assert_eq!(compared(saved.cast(&ray)), truth, "{far:e} {case}: {ray:?}, saved");
            assert_eq!(mesh.is_blocked(&ray), truth.is_some(), "{far:e} {case}: {ray:?}");
            mesh.cast_all(&ray, &mut all[0]);
            plain.cast_all(&ray, &mut all[1]);
            assert!(all[0].iter().map(|hit| (hit.triangle, hit.t)).eq(all[1].iter().map(|hit| (hit.triangle, hit.t))));
            let placed = Ray { origin: ray.origin + Vec3::new(3.0, -2.0, 1.0), ..ray };
            assert!(scene.cast(&placed).is_some() == scene.is_blocked(&placed), "{far:e} {case}: {placed:?}");
            most = most.max(debug::mesh_visits(&mesh, &ray).len());
            hits += usize::from(truth.is_some());
        }
        println!("{far:e}: at most {most} boxes, {hits} hits");
        assert!(hits > 100 && most < 120, "{far:e}: {most} of {} boxes", mesh.tree_stats().nodes);
        let mut positions = near.clone();
        positions[0] = Vec3::splat(far);
        moved.refit(&positions).unwrap();
        let visits = (0..100).map(|_| debug::mesh_visits(&moved, &self::ray(&mut random)).len()).max();
        assert!(visits.unwrap() < 200, "{far:e}: {visits:?} boxes after a vertex has moved");
    }
}

/// A height field with one spike answers as one without it, where the spike is not.
#[test]
fn one_spike_does_not_change_a_height_field() {
    let (side, mut random) = (65, Random(5));
    let heights: Vec<f32> = (0..side * side).map(|_| random.unit() as f32).collect();
    let plain = HeightField::new(side, side, [0.5, 0.5], &heights).unwrap();
    for far in [1e6f32, 1e9, 1e20] {
        let mut spiked = heights.clone();
        spiked[0] = far;
        let field = HeightField::new(side, side, [0.5, 0.5], &spiked).unwrap();
        let mut hits = 0;
        for case in 0..size(2_000, 20_000, 2_000_000) {
            let place = |random: &mut Random| DVec3::new(16.0, 0.0, 16.0) + random.cube() * DVec3::new(14.0, 3.0, 14.0);
            let ray = Ray::between(place(&mut random).as_vec3(), place(&mut random).as_vec3());
            let answer = |field: &HeightField| field.cast(&ray).map(|hit| (hit.triangle, hit.t));
            assert_eq!(answer(&field), answer(&plain), "{far:e} {case}: {ray:?}");
            assert_eq!(field.is_blocked(&ray), plain.is_blocked(&ray), "{far:e} {case}: {ray:?}");
            hits += usize::from(answer(&plain).is_some());
        }
        assert!(hits > 100, "{hits}");
    }
}

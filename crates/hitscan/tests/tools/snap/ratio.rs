//! The time of a snap relative to the time of a primary ray, measured alternately in the same process.

use crate::common::Random;
use hitscan::glam::Vec2;
use hitscan::prelude::*;
use hitscan::snap::{Cursor, Hidden, SnapKind};
use hitscan::wire::PointCloud;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Returns a bumpy sheet of `side` times `side` squares.
fn sheet(side: usize, random: &mut Random) -> Mesh {
    let scale = 20.0 / side as f64;
    let vertex = |number: usize, y: f64| {
        let (x, z) = ((number % (side + 1)) as f64, (number / (side + 1)) as f64);
        DVec3::new(x * scale - 10.0, y * scale, z * scale - 10.0).as_vec3()
    };
    let corners: Vec<Vec3> = (0..(side + 1) * (side + 1)).map(|number| vertex(number, random.unit())).collect();
    let square = |number: usize| {
        let first = (number / side * (side + 1) + number % side) as u32;
        let below = first + side as u32 + 1;
        [first, below, below + 1, first, below + 1, first + 1]
    };
    Mesh::new(&corners, &(0..side * side).flat_map(square).collect::<Vec<u32>>()).unwrap()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}

/// Returns the median time of snaps divided by the median time of casts of primary rays.
fn ratio(
    random: &mut Random,
    meshes: &Scene<u32>,
    snapped: &Scene<u32>,
    kinds: &[SnapKind],
    options: impl Fn(Cursor) -> Cursor,
) -> f64 {
    let (mut casts, mut snaps) = (Vec::new(), Vec::new());
    for _ in 0..4000 {
        let eye = random.direction() * 20.0;
        let camera = Camera::look_at(eye, random.cube() * 3.0, DVec3::Y).unwrap();
        let camera = Camera::perspective(camera, 0.8).unwrap();
        let pixel = Vec2::new(1280.0 * random.fraction() as f32, 720.0 * random.fraction() as f32);
        let cursor = options(Cursor::new(&camera, [1280.0, 720.0], pixel, 8.0));
        let start = Instant::now();
        black_box(meshes.cast(&camera.ray(pixel, [1280.0, 720.0])));
        casts.push(start.elapsed());
        let start = Instant::now();
        black_box(cursor.nearest(snapped, kinds));
        snaps.push(start.elapsed());
    }
    median(snaps) / median(casts)
}

/// Measures only in long runs, because a time has no meaning while other tests run.
#[test]
fn a_snap_takes_the_time_of_few_casts() {
    if !hitscan_random::effort::Effort::get().is_long() {
        return;
    }
    let mut random = Random(4);
    // 100,000 edges, and a million triangles.
    let scenes: [Scene<u32>; 2] = [182, 707].map(|side| {
        let mut scene = Scene::new();
        scene.insert(0, sheet(side, &mut random), DVec3::ZERO).unwrap();
        scene
    });
    // A scan has its points on a surface. In a filled cube, points behind one another are equally near to the cursor.
    let scanned = sheet(999, &mut random).positions().to_vec();
    let filled: Vec<Vec3> = (0..1_000_000).map(|_| (random.cube() * 10.0).as_vec3()).collect();
    let [scan, cube] = [scanned, filled].map(|points| {
        let mut scene = Scene::new();
        scene.insert(0, PointCloud::new(&points).unwrap(), DVec3::ZERO).unwrap();
        scene
    });
    let [edges, triangles] = &scenes;
    let mut worst: f64 = 0.0;
    let cases = [
        ("100,000 edges", edges, edges, true),
        ("1,000,000 triangles", triangles, triangles, true),
        ("1,000,000 points of a scan", triangles, &scan, true),
        ("1,000,000 points in a cube", triangles, &cube, false),
    ];
    for (name, meshes, snapped, is_limited) in cases {
        for kinds in
            [&[SnapKind::Vertex][..], &[SnapKind::Edge], &[SnapKind::Vertex, SnapKind::Midpoint, SnapKind::Edge]]
        {
            for hidden in [Hidden::Skip, Hidden::Keep] {
                let ratio = ratio(&mut random, meshes, snapped, kinds, |cursor| cursor.hidden(hidden));
                println!("{name}, {kinds:?}, {hidden:?}: a snap takes {ratio:.1} casts at the median");
                if is_limited && kinds.len() == 1 {
                    worst = worst.max(ratio);
                }
            }
        }
        let ratio = ratio(&mut random, meshes, snapped, &[SnapKind::Vertex], |cursor| cursor.depth_tolerance(0.5));
        println!("{name}, vertices with a depth tolerance: {ratio:.1} casts");
    }
    assert!(worst <= 20.0, "{worst}");
}

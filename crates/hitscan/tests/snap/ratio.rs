//! The time of a snap beside that of a ray. It is told, and decides nothing.

use crate::common::Random;
use hitscan::PointCloud;
use hitscan::glam::Vec2;
use hitscan::prelude::*;
use hitscan::snap::{Cursor, Hidden, SnapKind};
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

/// Runs with `HITSCAN_LONG=1`, and `--nocapture` to see the figures.
#[test]
fn the_ratio_to_casts_is_told() {
    if std::env::var_os("HITSCAN_LONG").is_none() {
        return;
    }
    let mut random = Random(4);
    let points: Vec<Vec3> = (0..1_000_000).map(|_| (random.cube() * 10.0).as_vec3()).collect();
    let mut cloud = Scene::new();
    cloud.insert(0, PointCloud::new(&points).unwrap(), DVec3::ZERO).unwrap();
    // 100,000 edges, and a million triangles.
    for (name, side, with_cloud) in
        [("100,000 edges", 182, false), ("1,000,000 triangles", 707, false), ("1,000,000 points", 707, true)]
    {
        let mut meshes = Scene::new();
        meshes.insert(0, sheet(side, &mut random), DVec3::ZERO).unwrap();
        let snapped = if with_cloud { &cloud } else { &meshes };
        for (kind, hidden) in
            [(SnapKind::Vertex, Hidden::Skip), (SnapKind::Edge, Hidden::Skip), (SnapKind::Vertex, Hidden::Keep)]
        {
            if with_cloud && kind == SnapKind::Edge {
                continue;
            }
            let (mut casts, mut snaps) = (Vec::new(), Vec::new());
            for _ in 0..20_000 {
                let eye = random.direction() * 20.0;
                let camera = Camera::look_at(eye, random.cube() * 3.0, DVec3::Y).unwrap();
                let camera = Camera::perspective(camera, 0.8).unwrap();
                let pixel = Vec2::new(1280.0 * random.fraction() as f32, 720.0 * random.fraction() as f32);
                let cursor = Cursor::new(&camera, [1280.0, 720.0], pixel, 8.0).hidden(hidden);
                let start = Instant::now();
                black_box(meshes.cast(&camera.ray(pixel, [1280.0, 720.0])));
                casts.push(start.elapsed());
                let start = Instant::now();
                black_box(cursor.nearest(snapped, &[kind]));
                snaps.push(start.elapsed());
            }
            println!(
                "{name}, {kind}, {hidden:?}: a snap takes {:.1} casts at the median",
                median(snaps) / median(casts)
            );
        }
    }
}

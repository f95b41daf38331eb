//! Triangles that are in several leaves of their tree, because it was built with splits.

use crate::common::Random;
use hitscan::Quality;
use hitscan::glam::Vec2;
use hitscan::prelude::*;
use hitscan::snap::{Cursor, Hidden, Snap, SnapKind};
use std::collections::BTreeSet;

/// Returns planks in any direction: each is a flat strip of a few long squares, whose triangles share their vertices.
fn planks(random: &mut Random) -> Mesh {
    const SQUARES: u32 = 3;
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for _ in 0..60 {
        let first = corners.len() as u32;
        // Numbers of few bits keep each plank exactly flat.
        let even = |place: DVec3| (place * 64.0).round() / 64.0;
        let [start, step] = [random.cube() * 4.0, random.cube() * 2.0].map(even);
        let across = even(random.cube() * 0.2);
        for row in 0..=SQUARES {
            let at = start + step * f64::from(row);
            corners.extend([at, at + across].map(|corner| corner.as_vec3()));
        }
        for a in (0..SQUARES).map(|square| first + 2 * square) {
            triangles.extend([[a, a + 1, a + 3], [a, a + 3, a + 2]]);
        }
    }
    Mesh::with_quality(&corners, triangles.as_flattened(), Quality::Best).unwrap()
}

#[test]
fn features_are_found_once_and_flat_edges_not_at_all() {
    let mut random = Random(81);
    let (mut found, mut snaps) = (0, Vec::new());
    for _ in 0..20 {
        let mesh = planks(&mut random);
        let mut scene = Scene::new();
        scene.insert(0, &mesh, DVec3::ZERO).unwrap();
        for _ in 0..40 {
            let transform = Camera::look_at(random.direction() * 14.0, random.cube(), DVec3::Y).unwrap();
            let camera = Camera::perspective(transform, 0.8).unwrap();
            let pixel = Vec2::new(800.0 * random.fraction() as f32, 600.0 * random.fraction() as f32);
            let cursor = Cursor::new(&camera, [800.0, 600.0], pixel, 120.0).hidden(Hidden::Keep);
            cursor.all(&scene, &[SnapKind::Vertex, SnapKind::Edge], &mut snaps);
            let features: BTreeSet<_> = snaps.iter().map(feature).collect();
            assert_eq!(features.len(), snaps.len(), "{snaps:?}");
            let diagonal = snaps.iter().filter_map(|snap| snap.target?.edge).find(|[a, b]| a.abs_diff(*b) == 3);
            assert_eq!(diagonal, None, "it is inside of a flat square");
            found += snaps.len();
        }
    }
    assert!(found > 10_000, "{found}");
}

fn feature(snap: &Snap<u32>) -> (Option<u32>, Option<[u32; 2]>) {
    snap.target.map_or((None, None), |target| (target.vertex, target.edge))
}

//! Pairs by boxes alone.

use crate::common::{Random, icosphere, instance_transform};
use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Aabb, PairQuery, PairTest, Plane, Scene};

/// Around a box in its own space that is placed.
fn around(own: Aabb, place: &DAffine3) -> (DVec3, DVec3) {
    let (low, high) = (own.min.as_dvec3(), own.max.as_dvec3());
    let corners = (0..8).map(|i| {
        place.transform_point3(DVec3::from_array(
            [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { low } else { high }[axis]),
        ))
    });
    corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), corner| (low.min(corner), high.max(corner)))
}

fn meet(a: &(DVec3, DVec3), b: &(DVec3, DVec3)) -> bool {
    a.0.cmple(b.1).all() && b.0.cmple(a.1).all()
}

/// In a tree that is built at once, in one that grew, and in one whose coordinates begin elsewhere.
#[test]
fn every_two_boxes_are_looked_at() {
    for (seed, far) in [(71, DVec3::ZERO), (72, DVec3::ZERO), (73, DVec3::new(1e6, 5e6, -3e6))] {
        let mut random = Random(seed);
        let mut scene = Scene::new();
        let mesh = icosphere(0).mesh();
        for i in 0..2_000 {
            let at = DAffine3::from_translation(far) * instance_transform(&mut random, i, 40.0);
            scene.insert(i, mesh.clone(), at).unwrap();
        }
        if seed == 72 {
            let moved: Vec<_> = (0..2_000).map(|i| (i, instance_transform(&mut random, i, 30.0))).collect();
            scene.set_transforms(moved).unwrap();
        }
        scene.insert(5_000, Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
        let everywhere = (DVec3::NEG_INFINITY, DVec3::INFINITY);
        let of = |key: usize| (key, around(mesh.bounds(), &scene.get(&key).unwrap().transform()));
        let boxes: Vec<_> = (0..2_000).map(of).chain([(5_000, everywhere)]).collect();
        let mut expected = Vec::new();
        for (index, (key, own)) in boxes.iter().enumerate() {
            let others = boxes[index + 1..].iter().filter(|(_, other)| meet(own, other));
            expected.extend(others.map(|(other, _)| (*key, *other)));
        }
        let mut found = Vec::new();
        scene.overlapping_pairs_with(&PairQuery::new().test(PairTest::Boxes), &mut found);
        assert!(found == expected, "seed {seed}: {} pairs, expected {}", found.len(), expected.len());
        assert!(found.len() > 4_000, "{}", found.len());
        // What overlaps has boxes that do.
        let mut shapes = Vec::new();
        scene.overlapping_pairs(&mut shapes);
        let mut boxes = found.iter();
        assert!(shapes.len() > 100 && shapes.iter().all(|pair| boxes.any(|other| other == pair)), "seed {seed}");
    }
}

//! Pairs of overlapping bounding boxes.

use crate::common::{Random, icosphere, instance_transform};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::pairs::{PairFilter, PairTest};
use hitscan::{Aabb, Plane, Scene};

type Ends = (DVec3, DVec3);

fn around(points: impl Iterator<Item = DVec3>) -> Ends {
    points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| (low.min(point), high.max(point)))
}

/// Returns the box around a placed box of local space.
fn around_box(own: Aabb, place: &DAffine3) -> Ends {
    let ends = [own.min.as_dvec3(), own.max.as_dvec3()];
    around((0..8).map(|i| place.transform_point3(DVec3::from_array([0, 1, 2].map(|axis| ends[i >> axis & 1][axis])))))
}

/// Returns a world box before and after it was rounded outwards.
fn rounded(Aabb { min, max }: Aabb) -> [Ends; 2] {
    let ends = |min: [f32; 3], max: [f32; 3]| (Vec3::from(min).as_dvec3(), Vec3::from(max).as_dvec3());
    let (low, high) = (min.to_array(), max.to_array());
    [ends(low.map(f32::next_up), high.map(f32::next_down)), ends(low, high)]
}

fn meet(a: &Ends, b: &Ends) -> bool {
    a.0.cmple(b.1).all() && b.0.cmple(a.1).all()
}

/// The pairs are right in a tree that is built at once, in one that grew, and in one with a distant origin.
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
        // Each entity has two boxes: around its local box, and in the world. Each box has an outer and an inner bound.
        // Two entities can be a pair only if the outer bounds of both boxes overlap. They must be a pair if the
        // inner bounds of either box overlap.
        let of = |key: usize| {
            let place = scene.get(&key).unwrap().transform();
            let vertices = mesh.positions().iter().map(|vertex| place.transform_point3(vertex.as_dvec3()));
            let [inner, outer] = rounded(scene.bounds_of(&key).unwrap());
            (key, [(around_box(mesh.bounds(), &place), around(vertices)), (outer, inner)])
        };
        let boxes: Vec<_> = (0..2_000).map(of).chain([(5_000, [(everywhere, everywhere); 2])]).collect();
        let mut found = Vec::new();
        scene.overlap_pairs(&PairFilter::new().test(PairTest::Boxes), &mut found);
        assert!(found.is_sorted() && found.windows(2).all(|pair| pair[0] != pair[1]), "seed {seed}");
        let mut undecided = 0;
        for (index, (key, own)) in boxes.iter().enumerate() {
            for (other, others) in &boxes[index + 1..] {
                let may = own.iter().zip(others).all(|((outer, _), (others, _))| meet(outer, others));
                let must = own.iter().zip(others).any(|((_, inner), (_, others))| meet(inner, others));
                let is_found = found.binary_search(&(*key, *other)).is_ok();
                assert!(may || !is_found && !must, "seed {seed}: {key}, {other}");
                assert!(is_found || !must, "seed {seed}: {key}, {other}");
                undecided += usize::from(may && !must);
            }
        }
        // f32 is coarse far away from the origin.
        assert!(
            found.len() > 2_500 && undecided < if far == DVec3::ZERO { 20 } else { 2_500 },
            "{} {undecided}",
            found.len()
        );
        // Two entities that overlap have boxes that overlap.
        let mut shapes = Vec::new();
        scene.overlap_pairs(&PairFilter::new(), &mut shapes);
        let mut boxes = found.iter();
        assert!(shapes.len() > 100 && shapes.iter().all(|pair| boxes.any(|other| other == pair)), "seed {seed}");
    }
}

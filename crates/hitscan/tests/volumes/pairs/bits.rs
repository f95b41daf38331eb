//! The pairs are the same with every instruction set and any number of threads, near the origin and far from it.

use crate::common::{Random, icosphere, instance_transform};
use hitscan::glam::{DAffine3, DVec3};
use hitscan::pairs::{PairFilter, PairTest};
use hitscan::{Capsule, Cone, Geometry, Plane, Scene, Sphere, Torus};
use hitscan_random::levels;

fn world(far: DVec3) -> Scene<usize> {
    let mut random = Random(61);
    let ball = icosphere(1).mesh();
    let mut scene = Scene::new();
    for i in 0..3_000 {
        let geometry: Geometry = match i % 4 {
            0 => ball.clone().into(),
            1 => Capsule::new(0.5, 2.0).into(),
            2 => Cone::new(0.7, 2.0).into(),
            // Tori are slow, so there are few.
            _ if i % 40 == 3 => Torus::new(1.0, 0.25).into(),
            _ => Sphere::new(1.25).into(),
        };
        scene.insert(i, geometry, DAffine3::from_translation(far) * instance_transform(&mut random, i, 40.0)).unwrap();
    }
    scene.insert(9_999, Plane::new([0.0; 3], [0.3, 1.0, 0.2]).unwrap(), far).unwrap();
    scene
}

fn all(scene: &Scene<usize>, test: PairTest) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    scene.overlap_pairs(&PairFilter::new().test(test), &mut pairs);
    pairs
}

#[test]
fn every_instruction_set_and_number_of_threads_gives_the_same() {
    for far in [DVec3::ZERO, DVec3::new(3e7, -2e7, 4e6)] {
        let scene = world(far);
        for test in [PairTest::Shapes, PairTest::Boxes] {
            let expected = all(&scene, test);
            assert!(expected.len() > 1_000, "{}", expected.len());
            for level in levels::each() {
                assert!(all(&scene, test) == expected, "{level:?}");
            }
            #[cfg(feature = "parallel")]
            for threads in [1, 2, 3, 8] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert!(pool.install(|| all(&scene, test)) == expected, "{threads} threads");
            }
        }
    }
}

/// The history of a scene has no effect on the pairs, except through the order of its entities.
#[test]
fn a_history_leaves_no_trace() {
    let mut random = Random(62);
    let (mut scene, fresh) = (world(DVec3::ZERO), world(DVec3::ZERO));
    let keys: Vec<usize> = scene.iter().map(|(key, _)| key).collect();
    let away = |random: &mut Random| (random.cube() * 900.0, random.rotation());
    for key in keys.iter().chain(&keys) {
        let (place, turn) = away(&mut random);
        scene.set_transform(key, DAffine3::from_rotation_translation(turn, place)).unwrap();
    }
    for (key, entity) in fresh.iter() {
        scene.set_transform(&key, entity.transform()).unwrap();
    }
    for test in [PairTest::Shapes, PairTest::Boxes] {
        assert!(all(&scene, test) == all(&fresh, test));
    }
}

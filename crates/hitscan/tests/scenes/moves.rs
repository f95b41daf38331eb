//! Many moves at once have the same result as the same moves one after the other, to the bit and on every instruction
//! set.

use crate::common;
use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DVec3};
use hitscan::{Aabb, Capsule, Compound, Geometry, Plane, Ray, RayQueries, Scene, Sphere};
use hitscan_random::levels;

const COUNT: u32 = 200;

fn geometry(random: &mut Random) -> Geometry {
    let at = random.cube().as_vec3();
    match random.below(40) {
        0 => Plane::new(at, [0.0, 1.0, 0.0]).unwrap().into(),
        1 => Compound::new([(Sphere::new(0.5).into(), DVec3::X.into()), (Aabb::new(at, at).into(), DVec3::Y.into())])
            .unwrap()
            .into(),
        2 => Compound::new([]).unwrap().into(),
        3..10 => Capsule::new(0.5, 2.0).into(),
        10..25 => Aabb::from_center_size(at, [0.5, 1.0, 2.0]).into(),
        _ => common::icosphere(1).mesh().into(),
    }
}

/// Returns mostly rotations and scales, but also mirrored, sheared, very uneven, tiny, huge and distant transforms.
fn transform(random: &mut Random) -> DAffine3 {
    let power = |random: &mut Random, most: f64| 10f64.powf(most * random.unit());
    let rotation = DMat3::from_quat(random.rotation());
    let scale = match random.below(12) {
        0 => DVec3::new(power(random, 8.0), 1.0, 1.0),
        1 => DVec3::new(-1.0, 2.0, 0.5),
        2 => DVec3::splat(power(random, 32.0)),
        _ => DVec3::splat(power(random, 1.0)),
    };
    let sheared = match random.below(12) {
        0 => DMat3::from_cols(DVec3::X, DVec3::new(2.0 * random.unit(), 1.0, 0.0), DVec3::new(0.3, 0.0, 1.0)),
        _ => DMat3::IDENTITY,
    };
    let reach = if random.below(12) == 0 { 1e9 } else { 20.0 };
    let matrix3 = rotation * DMat3::from_diagonal(scale) * sheared * DMat3::from_quat(random.rotation());
    DAffine3 { matrix3, translation: random.cube() * reach }
}

/// Returns the bits of everything that a caller can observe.
fn answers(scene: &Scene<u32>, random: &mut Random) -> String {
    let mut all = String::new();
    for key in 0..COUNT {
        let bounds = scene.bounds_of(&key).unwrap();
        all += &format!("{key}: {bounds:?} {:?}\n", scene.get(&key).unwrap().transform());
        let middle = bounds.center();
        let from = if middle.is_finite() { middle.as_dvec3() } else { DVec3::ZERO };
        for _ in 0..3 {
            let away = random.direction();
            let ray = Ray::new((away * 50.0).as_vec3(), (-away).as_vec3());
            all += &format!("{:?}\n", scene.relative_to(from).cast(&ray));
        }
    }
    all
}

#[test]
fn as_one_after_the_other() {
    for seed in 0..12 {
        let mut random = Random(seed);
        let things: Vec<(u32, Geometry)> = (0..COUNT).map(|key| (key, geometry(&mut random))).collect();
        let frames: Vec<Vec<(u32, DAffine3)>> =
            (0..2).map(|_| (0..COUNT).map(|key| (key, transform(&mut random))).collect()).collect();
        let placed = || {
            let mut scene = Scene::new();
            things.iter().for_each(|(key, thing)| drop(scene.insert(*key, thing.clone(), frames[0][*key as usize].1)));
            scene
        };
        let mut single = placed();
        for (key, place) in &frames[1] {
            single.set_transform(key, *place).unwrap().unwrap();
        }
        let expected = answers(&single, &mut Random(seed));
        for level in levels::each() {
            let mut bulk = placed();
            assert_eq!(bulk.set_transforms(frames[1].iter().copied()), Ok(COUNT as usize));
            assert!(answers(&bulk, &mut Random(seed)) == expected, "seed {seed}, {level}");
        }
    }
}

//! Pairs whose gap is near the rounding of f64: every question about pairs gives the same answer.

use crate::common::{Random, grid_cube};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::pairs::{PairFilter, PairTracker};
use hitscan::{Aabb, Capsule, ConvexHull, Cylinder, Geometry, OrientedBox, Plane, Scene, Sphere, Triangle};
use hitscan_random::effort;

/// Returns a geometry whose largest x is 0, about as large as `size`.
fn left_of_zero(random: &mut Random, size: f32) -> Geometry {
    let low = Vec3::new(-size, -0.5 * size, -0.5 * size);
    let high = Vec3::new(0.0, 0.5 * size, 0.5 * size);
    let corners: Vec<Vec3> =
        (0..8).map(|i| Vec3::from_array([0, 1, 2].map(|axis| [low, high][i >> axis & 1][axis]))).collect();
    match random.below(8) {
        0 => Aabb::new(low, high).into(),
        1 => ConvexHull::new(&corners).unwrap().into(),
        2 => grid_cube(2).map(|v| (v - Vec3::X) * 0.5 * size).mesh().into(),
        3 => Sphere { center: Vec3::X * (-0.5 * size), radius: 0.5 * size }.into(),
        4 => Triangle::new([0.0, 0.0, 0.0], [-size, size, 0.0], [-size, 0.0, size]).into(),
        5 => Capsule::between(Vec3::X * (-0.5 * size), [-0.5 * size, size, 0.0], 0.5 * size).into(),
        6 => Cylinder::between(Vec3::X * -size, Vec3::ZERO, size).into(),
        _ => OrientedBox::from_rotation([-0.5 * size, 0.0, 0.0], [0.5 * size; 3], DQuat::IDENTITY.as_quat())
            .unwrap()
            .into(),
    }
}

#[test]
fn every_question_about_a_pair_agrees() {
    let mut random = Random(40_709);
    let (mut together, mut apart, mut doubtful) = (0, 0, 0);
    for number in 0..effort::size(3_000, 30_000, 1_000_000) {
        let mut scene = Scene::new();
        let size = 2f32.powi(random.below(21) as i32 - 10);
        // The second is turned around, so that its least x is 0, and is moved apart by a gap.
        let gap = f64::from(size) * if random.below(8) == 0 { 0.0 } else { 10f64.powf(-9.0 - 8.0 * random.fraction()) };
        let far = random.pick(&[0.0, 0.0, 1.0, 100.0]) * f64::from(size);
        let place = random.direction() * far;
        let ratio = 2f32.powi(random.below(9) as i32 - 4);
        let (a, b) = (left_of_zero(&mut random, size), left_of_zero(&mut random, size * ratio));
        let turned = (place + DVec3::X * gap, DQuat::from_rotation_y(std::f64::consts::PI));
        let placed = if random.below(2) == 0 {
            (place, DQuat::IDENTITY)
        } else {
            (place, DQuat::from_rotation_x(random.unit() * 3.0))
        };
        if random.below(2) == 0 {
            scene.insert(1, a, placed).unwrap();
            scene.insert(2, b, turned).unwrap();
        } else {
            scene.insert(1, b, turned).unwrap();
            scene.insert(2, a, placed).unwrap();
        }
        // Others make the tree deeper, and move its origin.
        for id in 0..random.below(12) as u32 {
            let side = random.cube();
            let at =
                place + DVec3::new(side.x, 20.0 + 10.0 * side.y.abs(), side.z) * f64::from(size * (1.0 + ratio)) * 4.0;
            scene.insert(10 + id, Sphere::new(size), at).unwrap();
        }
        if random.below(8) == 0 {
            scene.insert(9, Plane::new([0.0, -1e6, 0.0], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
        }
        let pair = scene.pair(&1, &2);
        let overlaps = pair.overlaps();
        let what = format!("{number}: gap {gap:e} of {size} at {place}, {:?}", pair.distance());
        assert_eq!(pair.distance().unwrap().distance_f64() == 0.0, overlaps, "{what}");
        assert_eq!(pair.penetration().is_some(), overlaps, "{what}");
        let all = PairFilter::new();
        let mut pairs = Vec::new();
        scene.overlap_pairs(&all, &mut pairs);
        assert_eq!(pairs.contains(&(1, 2)), overlaps, "{what}");
        assert_eq!(
            PairTracker::new().update(&scene).iter().any(|event| (event.first, event.second) == (1, 2)),
            overlaps
        );
        let mut near = Vec::new();
        scene.distance_pairs(&all, 0.0, &mut near);
        assert_eq!(near.iter().any(|near| (near.first, near.second) == (1, 2)), overlaps, "{what}");
        let only = PairFilter::new().pairs(|a, b| (a, b) == (1, 2));
        let closest = scene.closest_pair(&only).unwrap();
        assert_eq!(closest.between.distance_f64() == 0.0, overlaps, "{what}");
        scene.against(&scene).overlap_pairs(&all, &mut pairs);
        assert_eq!(pairs.contains(&(1, 2)), overlaps, "{what}");
        together += usize::from(overlaps);
        apart += usize::from(!overlaps);
        doubtful += usize::from(overlaps && gap > 1e-13 * f64::from(size));
    }
    println!("{together} together, {apart} apart, {doubtful} together with a gap");
    assert!(together > 500 && apart > 500 && doubtful > 100, "{together} {apart} {doubtful}");
}

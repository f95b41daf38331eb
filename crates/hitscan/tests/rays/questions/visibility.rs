//! Sample points, and the number of them that are visible.

use super::common::Random;
use super::world::{meets, scattered};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, Cylinder, Disc, Filter, OrientedBox, Plane, Quad, Ray, RayQueries, RoundedBox, Scene, Shape,
    Sphere, Torus, Triangle,
};

/// Returns how far a point is outside of a shape.
type Outside = fn(DVec3) -> f64;

/// Returns each shape with a formula for how far a point is outside of it.
fn shapes() -> Vec<(Shape, Outside)> {
    let turned = DAffine3::from_quat(DQuat::from_rotation_z(0.5));
    vec![
        (Sphere::new(2.0).into(), |p| p.length() - 2.0),
        (Aabb::new([-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]).into(), |p| {
            (p.abs() - DVec3::new(1.0, 2.0, 3.0)).max_element()
        }),
        (OrientedBox::new(Aabb::new([-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]), turned).unwrap().into(), |p| {
            ((DQuat::from_rotation_z(-0.5) * p).abs() - DVec3::new(1.0, 2.0, 3.0)).max_element()
        }),
        (Capsule::between([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.5).into(), |p| {
            (p - DVec3::Y * p.y.clamp(-1.0, 1.0)).length() - 0.5
        }),
        (RoundedBox::new(Aabb::new([-1.0, -0.5, -0.25], [1.0, 0.5, 0.25]), 0.5).into(), |p| {
            (p.abs() - DVec3::new(1.0, 0.5, 0.25)).max(DVec3::ZERO).length() - 0.5
        }),
        (Cylinder::between([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.5).into(), |p| {
            (p.y.abs() - 1.0).max(p.x.hypot(p.z) - 0.5)
        }),
        (Cone::between([0.0, 0.0, 0.0], [0.0, 2.0, 0.0], 1.0).into(), |p| {
            (-p.y).max(p.x.hypot(p.z) - (1.0 - p.y / 2.0))
        }),
        (Torus::new(2.0, 0.5).into(), |p| (p.x.hypot(p.z) - 2.0).hypot(p.y) - 0.5),
        (Disc::new([0.0; 3], [0.0, 1.0, 0.0], 2.0).into(), |p| (p.x.hypot(p.z) - 2.0).max(p.y.abs())),
        (Quad::new([-1.0, -1.0, -1.0], [2.0, 1.0, 0.0], [0.0, 1.0, 2.0]).into(), |p| {
            let plane = p.y - p.x / 2.0 - p.z / 2.0;
            (p.x.abs() - 1.0).max(p.z.abs() - 1.0).max(plane.abs())
        }),
        (Triangle::new([0.0, 0.0, 0.0], [1.0, 1.0, 0.1], [2.0, 2.0, 0.0]).into(), |p| (p.x - p.y).abs()),
    ]
}

#[test]
fn points_are_in_the_shape_and_spread_evenly() {
    for (shape, outside) in shapes() {
        for seed in 0..20 {
            let points = shape.sample_points(400, seed);
            assert_eq!(points.len(), 400, "{shape:?}");
            assert!(points.iter().all(|p| outside(p.as_dvec3()) < 1e-6), "{shape:?}");
            if matches!(shape, Shape::Cone(_) | Shape::Triangle(_)) {
                continue;
            }
            // The other shapes are symmetric about the origin. So both of their halves get nearly equal numbers of
            // samples. The standard deviation of independent random samples would be 10.
            for axis in Vec3::AXES {
                let half = points.iter().filter(|p| p.dot(axis) < 0.0).count();
                let is_flat = points.iter().all(|p| p.dot(axis) == 0.0);
                assert!(is_flat || half.abs_diff(200) <= 25, "{shape:?}, seed {seed}, {axis}: {half}");
            }
        }
        assert_ne!(shape.sample_points(9, 1), shape.sample_points(9, 2));
    }
    assert!(Shape::from(Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap()).sample_points(9, 1).is_empty());
    assert!(Shape::from(Sphere::new(-1.0)).sample_points(9, 1).is_empty());
    assert!(Shape::from(Sphere::new(1.0)).sample_points(0, 1).is_empty());
    // The torus is as thin as f32 allows.
    assert!(Shape::from(Torus::new(1.0, 1e-7)).sample_points(9, 1).len() <= 9);
    assert_eq!(Shape::from(Aabb::new([1.0; 3], [1.0; 3])).sample_points(2, 1), [Vec3::ONE; 2]);
}

/// The points are the same on every platform.
#[test]
fn points_are_the_same_bits_everywhere() {
    let mix = |sum: u64, bits: u32| (sum ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3).rotate_left(7);
    // The digest is older than the rounded box.
    let first = shapes().into_iter().filter(|(shape, _)| !matches!(shape, Shape::RoundedBox(_)));
    let all = first.flat_map(|(shape, _)| shape.sample_points(100, 42));
    let digest = all.flat_map(|p| p.to_array()).map(f32::to_bits).fold(0, mix);
    assert_eq!(digest, DIGEST, "{digest:#x}");
}

const DIGEST: u64 = 0xbebc_7d9e_5ab6_03c9;

#[test]
fn what_is_seen_has_nothing_before_it() {
    let (mut seen_points, mut hidden) = (0, 0);
    for seed in 0..100 {
        let mut random = Random(seed);
        let (mut scene, things) = scattered(&mut random, 40);
        let place = (random.cube() * 4.0).as_vec3();
        scene.insert(500, Sphere::new(1.0), place.as_dvec3()).unwrap();
        let points: Vec<Vec3> =
            Shape::from(Sphere::new(1.0)).sample_points(50, seed).into_iter().map(|p| place + p).collect();
        let eye = (random.cube() * 8.0).as_vec3();
        let filter = Filter::new().exclude(500);
        let view = scene.with(&filter);
        let mut seen = vec![false; points.len()];
        hitscan::batch::batch(&points, &mut seen, |&point| !view.is_blocked(&Ray::between(eye, point))).unwrap();
        let visibility = view.visibility(eye, &points);
        assert_eq!(visibility.total, points.len());
        assert_eq!(visibility.seen, seen.iter().filter(|&&seen| seen).count());
        for (point, seen) in points.iter().zip(seen) {
            let way = point.as_dvec3() - eye.as_dvec3();
            let all = things.iter().flat_map(|thing| &thing.triangles).filter_map(|t| meets(eye.as_dvec3(), way, *t));
            let (mut is_blocked, mut is_sure) = (false, true);
            for (t, inside) in all {
                is_sure &= inside.abs() > 1e-5 && t.abs() > 1e-5 && (t - 1.0).abs() > 1e-5;
                is_blocked |= inside >= 0.0 && (0.0..=1.0).contains(&t);
            }
            assert!(!is_sure || seen != is_blocked, "seed {seed}: {eye} {point}");
            *(if seen { &mut seen_points } else { &mut hidden }) += 1;
        }
    }
    assert!(seen_points > 500 && hidden > 500, "{seen_points} {hidden}");
}

#[test]
fn odd_points_are_counted() {
    let scene: Scene<u32> = Scene::new();
    let eye = Vec3::ZERO;
    let visibility = scene.visibility(eye, &[eye, Vec3::NAN, Vec3::X, Vec3::splat(f32::INFINITY)]);
    assert_eq!((visibility.seen, visibility.total, visibility.fraction()), (2, 4, 0.5));
    assert_eq!(scene.visibility::<Vec3>(eye, &[]).fraction(), 0.0);
    assert_eq!(scene.visibility(Vec3::NAN, &[eye]).seen, 0);
    let is_seen = |point: &Vec3| scene.visibility(eye, &[*point]).seen == 1;
    let error = hitscan::batch::batch(&[Vec3::X; 3], &mut [false; 2], is_seen).unwrap_err();
    assert_eq!((error.questions, error.answers), (3, 2));
}

//! The answers are the same with every instruction set, and the first of equal distances is reported.

use crate::common::{Random, icosphere, instance_transform};
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::Feature;
use hitscan::{Aabb, Capsule, Filter, HeightField, Mesh, ProximityQueries, Scene, Sphere};
use hitscan_random::levels;

fn world() -> Scene<usize> {
    let mut random = Random(601);
    let mut scene = Scene::new();
    let ball = icosphere(2).mesh();
    let heights: Vec<f32> = (0..400).map(|_| random.unit() as f32).collect();
    scene
        .insert(1000, HeightField::new(20, 20, [2.0, 2.0], &heights).unwrap(), DVec3::new(-20.0, -15.0, -20.0))
        .unwrap();
    for i in 0..40 {
        scene.insert(i, ball.clone(), instance_transform(&mut random, i, 20.0)).unwrap();
        scene
            .insert(100 + i, Aabb::new([-0.5; 3], [0.5, 1.0, 0.25]), instance_transform(&mut random, i, 20.0))
            .unwrap();
    }
    scene
}

#[test]
fn every_instruction_set_answers_the_same() {
    let scene = world();
    let run = || {
        let mut random = Random(602);
        let (mut points, mut overlaps, mut all, mut keys) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut resting, mut contacts) = (Vec::new(), Vec::new());
        for _ in 0..300 {
            let at = random.cube() * 25.0;
            let found = scene.closest_point(at).unwrap();
            let bits = |v: DVec3| v.to_array().map(f64::to_bits);
            points.push((found, bits(found.point_f64()), found.distance_f64().to_bits()));
            let capsule = Capsule::new(1.0 + 0.9 * random.unit() as f32, 5.0);
            scene.overlap_all(capsule, (at, random.rotation()), &mut all);
            overlaps.extend(all.iter().copied());
            scene.overlap_entities(capsule, at, &mut keys);
            scene.contact_points(capsule, (at, random.rotation()), &mut resting);
            contacts.extend(resting.iter().map(|of| (*of, of.points_f64().map(bits))));
        }
        let distances: Vec<_> = (0..40).map(|i| scene.pair(&i, &(100 + (i + 7) % 40)).distance()).collect();
        let ways: Vec<_> = (0..40).map(|i| scene.pair(&i, &1000).penetration()).collect();
        (points, overlaps, distances, contacts, ways)
    };
    let expected = run();
    assert!(expected.1.len() > 50, "{}", expected.1.len());
    for level in levels::each() {
        assert!(run() == expected, "{level:?}");
    }
}

#[test]
fn trees_lose_nothing() {
    // There is one scene of all entities, and one of each alone.
    let scene = world();
    let alone: Vec<Scene<usize>> = scene
        .iter()
        .map(|(key, entity)| {
            let mut own = Scene::new();
            own.insert(key, entity.geometry().clone(), entity.transform()).unwrap();
            own
        })
        .collect();
    let mut random = Random(603);
    for case in 0..150 {
        let at = random.cube() * 30.0;
        let found = scene.closest_point(at);
        let each = alone.iter().filter_map(|own| own.closest_point(at));
        let nearest = each.min_by(|a, b| a.distance_f64().total_cmp(&b.distance_f64()));
        assert_eq!(found, nearest, "{case}: {at}");
        let ball = Sphere::new(4.0);
        let (mut keys, mut expected) = (Vec::new(), Vec::new());
        scene.overlap_entities(ball, at, &mut keys);
        expected
            .extend(alone.iter().filter(|own| own.overlaps(ball, at)).flat_map(|own| own.iter().map(|(key, _)| key)));
        keys.sort_unstable();
        expected.sort_unstable();
        assert_eq!(keys, expected, "{case}: {at}");
    }
}

#[test]
fn ties_go_to_the_first() {
    let mut scene = Scene::new();
    let wall =
        Mesh::new(&[[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]], &[0, 1, 2, 0, 2, 3])
            .unwrap();
    scene.insert("later", wall.clone(), DVec3::new(0.0, 0.0, 2.0)).unwrap();
    scene.insert("first", wall, DVec3::new(0.0, 0.0, -2.0)).unwrap();
    scene.insert("box", Aabb::new([-1.0, -1.0, 1.0], [1.0, 1.0, 1.0]), DVec3::new(0.0, 0.0, 1.0)).unwrap();
    let found = scene.closest_point([0.0; 3]).unwrap();
    assert_eq!((found.id, found.triangle, found.feature), ("later", Some(0), Feature::Edge(2)));
    let filter = Filter::new().exclude("later");
    assert_eq!(scene.with(&filter).closest_point_within([0.0; 3], 2.0).map(|found| found.id), Some("first"));
    let filter = Filter::new().hits(|candidate| candidate.triangle == Some(1) && candidate.t == 2.0);
    assert_eq!(scene.with(&filter).closest_point_within([0.0; 3], 9.0).and_then(|found| found.triangle), Some(1));
}

#[test]
fn an_origin_loses_nothing() {
    let far = DVec3::new(4e9, -3e9, 1e9);
    let mut scene = Scene::new();
    scene.insert("ball", icosphere(2).mesh(), far).unwrap();
    let view = scene.relative_to(far);
    let found = view.closest_point([0.0, 3.0, 0.1]).unwrap();
    let near = icosphere(2).mesh().closest_point([0.0, 3.0, 0.1]).unwrap();
    assert!(found.point.distance(near.point) < 1e-6 && (found.distance - near.distance).abs() < 1e-6, "{found:?}");
    assert!(view.overlaps(Sphere::new(0.5), [0.0, 1.25, 0.0]));
    assert!(found.normal.dot(Vec3::Y) > 0.9);
}

//! Cases by hand. They test which pairs are the nearest, in which order, and what the filter sees.

use crate::common::icosphere;
use hitscan::glam::DVec3;
use hitscan::pairs::{NearPair, PairFilter, PairTest, PairTracker};
use hitscan::{Aabb, Compound, Mesh, Plane, Scene, Sphere};
use std::sync::Mutex;

fn all() -> PairFilter<'static, &'static str> {
    PairFilter::new()
}

fn said(pair: &NearPair<&'static str>) -> (&'static str, &'static str, f32) {
    (pair.first, pair.second, pair.between.distance)
}

fn balls(places: &[(&'static str, f64)]) -> Scene<&'static str> {
    let mut scene = Scene::new();
    for &(id, x) in places {
        scene.insert(id, Sphere::new(1.0), DVec3::new(x, 0.0, 0.0)).unwrap();
    }
    scene
}

fn near(scene: &Scene<&'static str>, max_distance: f64) -> Vec<(&'static str, &'static str, f32)> {
    let mut pairs = scene.closest_pair(&all()).into_iter().collect();
    scene.distance_pairs(&all(), max_distance, &mut pairs);
    pairs.iter().map(said).collect()
}

#[test]
fn nothing_and_one_are_no_pair() {
    let mut scene = balls(&[]);
    assert_eq!(scene.closest_pair(&all()), None);
    assert_eq!(near(&scene, f64::INFINITY), []);
    let twins = [(Sphere::new(1.0).into(), DVec3::ZERO.into()), (Sphere::new(1.0).into(), DVec3::ZERO.into())];
    scene.insert("one", Compound::new(twins).unwrap(), DVec3::ZERO).unwrap();
    scene.insert("empty", Mesh::new::<[f32; 3]>(&[], &[]).unwrap(), DVec3::ZERO).unwrap();
    let flat = Mesh::from_soup(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).unwrap();
    scene.insert("flat", flat, DVec3::ZERO).unwrap();
    assert_eq!(scene.closest_pair(&all()), None, "parts of one entity, and what nothing touches");
    assert_eq!(near(&scene, f64::INFINITY), []);
    assert_eq!(scene.against(&Scene::new()).closest_pair(&all()), None);
    assert_eq!(Scene::new().against(&scene).closest_pair(&all()), None);
}

/// ```text
///   (d)  (b)  (a)  (c)
/// ```
#[test]
fn the_first_of_equally_near_pairs_counts() {
    let scene = balls(&[("a", 6.0), ("b", 3.0), ("c", 9.0), ("d", 0.0)]);
    assert_eq!(scene.closest_pair(&all()).as_ref().map(said), Some(("a", "b", 1.0)));
    assert_eq!(near(&scene, 1.0), [("a", "b", 1.0), ("a", "c", 1.0), ("b", "d", 1.0)]);
    assert_eq!(near(&scene, 0.999), []);
    let touching = balls(&[("a", 0.0), ("b", 9.0), ("c", 9.5), ("d", 1.0), ("e", 2.0)]);
    assert_eq!(touching.closest_pair(&all()).as_ref().map(said), Some(("a", "d", 0.0)));
    assert_eq!(near(&touching, 0.0), [("a", "d", 0.0), ("a", "e", 0.0), ("b", "c", 0.0), ("d", "e", 0.0)]);
}

/// The tree tells the boxes apart, and f64 does not.
#[test]
fn what_counts_as_touching_is_at_distance_0() {
    let mut scene = Scene::new();
    scene.insert("left", Aabb::new([-1.0; 3], [0.0, 1.0, 1.0]), DVec3::ZERO).unwrap();
    scene.insert("right", Aabb::new([0.0, -1.0, -1.0], [1.0; 3]), DVec3::new(1e-13, 0.0, 0.0)).unwrap();
    assert_eq!(scene.pair(&"left", &"right").distance().map(|between| between.distance), Some(0.0));
    assert_eq!(near(&scene, 0.0), [("left", "right", 0.0)]);
}

#[test]
fn hundreds_in_one_place() {
    let mut scene = Scene::new();
    for id in 0..200 {
        scene.insert(id, Sphere::new(1.0), DVec3::ZERO).unwrap();
    }
    let closest = scene.closest_pair(&PairFilter::new()).unwrap();
    assert_eq!((closest.first, closest.second, closest.between.distance), (0, 1, 0.0));
    let mut pairs = Vec::new();
    scene.distance_pairs(&PairFilter::new(), 0.0, &mut pairs);
    let expected: Vec<_> = (0..200).flat_map(|a| (a + 1..200).map(move |b| (a, b))).collect();
    assert!(pairs.iter().map(|pair| (pair.first, pair.second)).eq(expected), "{}", pairs.len());
}

#[test]
fn planes_are_near_everything() {
    let mut scene = balls(&[("ball", 1e9), ("far", -5e9)]);
    scene.insert("floor", Plane::new([0.0, -3.0, 0.0], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert("ceiling", Plane::new([0.0, 4.0, 0.0], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    assert_eq!(scene.closest_pair(&all()).as_ref().map(said), Some(("ball", "floor", 2.0)));
    let expected = [
        ("ball", "floor", 2.0),
        ("ball", "ceiling", 3.0),
        ("far", "floor", 2.0),
        ("far", "ceiling", 3.0),
        ("floor", "ceiling", 7.0),
    ];
    assert_eq!(near(&scene, 10.0), expected);
}

#[test]
fn a_mesh_is_a_surface() {
    let mut scene = Scene::new();
    scene.insert("shell", icosphere(3).map(|p| p * 4.0).mesh(), DVec3::ZERO).unwrap();
    scene.insert("cat", Aabb::new([-1.0; 3], [1.0; 3]), DVec3::ZERO).unwrap();
    let distance = scene.closest_pair(&all()).unwrap().between.distance;
    assert!(distance > 2.2 && distance < 2.3, "{distance}");
}

#[test]
fn two_scenes_may_have_the_same_keys_and_be_the_same() {
    let (robot, room) = (balls(&[("a", 0.0), ("b", 3.0)]), balls(&[("b", 5.5), ("a", 12.0)]));
    let both = robot.against(&room);
    assert_eq!(both.closest_pair(&all()).as_ref().map(said), Some(("b", "b", 0.5)));
    let mut pairs = Vec::new();
    both.distance_pairs(&all(), 9.0, &mut pairs);
    assert_eq!(pairs.iter().map(said).collect::<Vec<_>>(), [("a", "b", 3.5), ("b", "b", 0.5), ("b", "a", 7.0)]);
    assert_eq!(both.pair(&"a", &"a").distance().map(|between| between.distance), Some(10.0));
    assert!(!both.pair(&"b", &"b").overlaps() && both.pair(&"b", &"c").distance().is_none());
    let twice = robot.against(&robot);
    assert_eq!(twice.closest_pair(&all()).as_ref().map(said), Some(("a", "a", 0.0)));
    let mut pairs = Vec::new();
    twice.overlap_pairs(&all(), &mut pairs);
    assert_eq!(pairs, [("a", "a"), ("b", "b")]);
}

#[test]
fn a_filter_sees_the_keys_in_the_order_of_answers() {
    let scene = balls(&[("late", 0.0), ("early", 1.0), ("last", 2.0)]);
    let seen = Mutex::new(Vec::new());
    let note = |first: &'static str, second: &'static str| {
        seen.lock().unwrap().push((first, second));
        true
    };
    let filter = all().exclude("last", "early").pairs(note).pairs(|first, _| first == "late");
    let mut pairs = Vec::new();
    scene.distance_pairs(&filter, 9.0, &mut pairs);
    assert_eq!(pairs.iter().map(said).collect::<Vec<_>>(), [("late", "early", 0.0), ("late", "last", 0.0)]);
    let mut overlaps = Vec::new();
    scene.overlap_pairs(&filter, &mut overlaps);
    assert_eq!(overlaps, [("late", "early"), ("late", "last")]);
    let mut seen = seen.lock().unwrap().clone();
    seen.sort_unstable();
    assert_eq!(seen, [("late", "early"), ("late", "early"), ("late", "last"), ("late", "last")]);
}

#[test]
fn a_tracker_takes_a_filter_with_choices() {
    let scene = balls(&[("a", 0.0), ("b", 1.0), ("c", 2.0)]);
    let filter = all().exclude("a", "b").test(PairTest::Boxes);
    assert!(format!("{filter:?}").contains("excluded: 1"), "{filter:?}");
    let mut tracker = PairTracker::with(filter.pairs(|_, second| second == "c"));
    let pairs: Vec<_> = tracker.update(&scene).iter().map(|event| (event.first, event.second)).collect();
    assert_eq!(pairs, [("a", "c"), ("b", "c")]);
}

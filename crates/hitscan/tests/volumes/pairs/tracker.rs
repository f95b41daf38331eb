//! Cases by hand: the events of a tracker.

use PairChange::{Enter, Leave, Stay};
use hitscan::glam::DVec3;
use hitscan::pairs::{PairChange, PairEvent, PairTracker};
use hitscan::{Scene, Sphere};

fn update(tracker: &mut PairTracker<u32>, scene: &Scene<u32>) -> Vec<(u32, u32, PairChange)> {
    tracker.update(scene).iter().map(|&PairEvent { first, second, change, .. }| (first, second, change)).collect()
}

fn ball(scene: &mut Scene<u32>, key: u32) {
    scene.insert(key, Sphere::new(1.0), DVec3::ZERO).unwrap();
}

#[test]
fn keys_are_who_they_are() {
    let (mut scene, mut tracker) = (Scene::new(), PairTracker::new());
    ball(&mut scene, 1);
    ball(&mut scene, 2);
    assert_eq!(update(&mut tracker, &scene), [(1, 2, Enter)]);
    assert_eq!(update(&mut tracker, &scene), [(1, 2, Stay)]);
    // The entity is replaced.
    scene.insert(1, Sphere::new(0.5), DVec3::ZERO).unwrap();
    assert_eq!(update(&mut tracker, &scene), [(1, 2, Stay)]);
    // The entity is removed and inserted again, and is now the later entity of the pair.
    scene.remove(&1);
    ball(&mut scene, 1);
    assert_eq!(update(&mut tracker, &scene), [(2, 1, Stay)]);
    // Another entity takes its place.
    scene.remove(&1);
    ball(&mut scene, 3);
    assert_eq!(update(&mut tracker, &scene), [(2, 1, Leave), (2, 3, Enter)]);
    scene.remove(&2);
    assert_eq!(update(&mut tracker, &scene), [(2, 3, Leave)]);
    assert_eq!(update(&mut tracker, &scene), []);
    assert_eq!((tracker.pairs().len(), tracker.events().len()), (0, 0));
}

/// A scene that was cleared numbers its entities from the beginning again. So other keys get the same numbers.
#[test]
fn another_scene_is_told_by_its_keys() {
    let (mut scene, mut tracker) = (Scene::new(), PairTracker::new());
    [1, 2, 3].into_iter().for_each(|key| ball(&mut scene, key));
    assert_eq!(update(&mut tracker, &scene), [(1, 2, Enter), (1, 3, Enter), (2, 3, Enter)]);
    scene.clear();
    [4, 2, 1].into_iter().for_each(|key| ball(&mut scene, key));
    let expected = [(1, 3, Leave), (2, 3, Leave), (4, 2, Enter), (4, 1, Enter), (2, 1, Stay)];
    assert_eq!(update(&mut tracker, &scene), expected);
}

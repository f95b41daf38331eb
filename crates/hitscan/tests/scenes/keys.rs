//! Keys that are not `Copy`. Every question has the same answers as with integers, and clones keys only for its answer.

use hitscan::batch::HitColumns;
use hitscan::pairs::{PairFilter, PairTracker};
use hitscan::prelude::*;
use hitscan::{Pose, Quad, Trajectory, debug};
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A key that owns memory. It is displayed as the number that it was made from.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Name(String);

impl Name {
    fn new(number: u32) -> Self {
        Self(number.to_string())
    }
}

impl Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A key that counts how often it and its clones are cloned.
struct Counted<'a>(u32, &'a AtomicUsize);

impl Clone for Counted<'_> {
    fn clone(&self) -> Self {
        self.1.fetch_add(1, Ordering::Relaxed);
        Self(self.0, self.1)
    }
}

impl PartialEq for Counted<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Counted<'_> {}

impl Hash for Counted<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// Returns a floor, a row of balls, a mesh and a box, some of which overlap. All are on the ray along z.
fn scene<K: Clone + Eq + Hash>(key: impl Fn(u32) -> K) -> Scene<K> {
    let corners = [[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [0.0, 2.0, 0.0]];
    let mesh = Mesh::new(&corners, &[0, 1, 2]).unwrap();
    let mut scene = Scene::new();
    scene.insert(key(0), Quad::new([-9.0, -1.0, -30.0], [0.0, 0.0, 60.0], [18.0, 0.0, 0.0]), DVec3::ZERO).unwrap();
    scene.insert_all((1..6).map(|n| (key(n), Sphere::new(1.0), DVec3::new(0.0, 0.0, -1.5 * f64::from(n))))).unwrap();
    scene.insert(key(6), mesh, DVec3::new(0.0, 0.0, -12.0)).unwrap();
    scene.insert(key(7), Aabb::new([-1.0; 3], [1.0; 3]), DVec3::new(0.0, 0.0, -15.0)).unwrap();
    scene
}

fn forward() -> Ray {
    Ray::new([0.0, 0.0, 5.0], Vec3::NEG_Z)
}

/// Returns the answers to all questions, and the results of all changes, as text.
fn everything<K: Clone + Eq + Hash + Debug + Send + Sync>(key: impl Fn(u32) -> K + Send + Sync) -> Vec<String> {
    let mut scene = scene(&key);
    let mut said = Vec::new();
    let mut say = |answer: &dyn Debug| said.push(format!("{answer:?}"));
    let (leave_out, one) = (key(1), key(1));
    let entities = Filter::new().exclude(key(2)).entities(|key| key != leave_out).entities(|_| true);
    let hits = Filter::new().hits(|candidate| candidate.id != one).hits(|_| true);

    for filter in [&Filter::new(), &entities, &hits] {
        let view = scene.with(filter);
        let (ray, mut found) = (forward(), Vec::new());
        say(&view.cast(&ray));
        say(&view.is_blocked(&ray));
        view.cast_all(&ray, &mut found);
        say(&found);
        view.cast_first_n(&ray, 3, &mut found);
        say(&found);
        view.cast_entities(&ray, &mut found);
        say(&found);
        let rays = [ray, Ray::new([0.0, 5.0, 0.0], Vec3::NEG_Y), Ray::new([50.0, 0.0, 0.0], Vec3::Y)];
        let (mut batch, mut blocked, mut ids) = (vec![None; 3], [false; 3], vec![None; 3]);
        view.cast_batch(&rays, &mut batch).unwrap();
        view.is_blocked_batch(&rays, &mut blocked).unwrap();
        view.cast_columns(&rays, HitColumns::new(&mut ids)).unwrap();
        say(&(&batch, blocked, ids));
        say(&view.cast_path(&[[0.0, 9.0, 0.0], [0.0, 4.0, -4.0], [0.0, -4.0, -4.0]]));
        say(&view.cast_trajectory(&Trajectory::new([0.0, 3.0, 4.0], [0.0, 0.0, -4.0], [0.0, -9.8, 0.0]), 0.01));
        let mut intervals = Vec::new();
        view.solid_intervals(&ray, &mut intervals);
        say(&intervals);
        say(&view.line_of_sight((key(1), [0.0, 0.0, -1.5]), (key(2), [0.0, 0.0, -3.0])));
        say(&view.line_of_sight((key(1), [0.0, 0.0, -1.5]), (key(5), [0.0, 0.0, -7.5])));
        say(&(view.sees([0.0; 3], [0.0, 0.0, -20.0]), view.visibility([0.0; 3], &[[0.0, 0.0, -20.0]])));
        say(&view.ground_below([0.0, 4.0, -3.0], Vec3::Y, 20.0));
        say(&view.move_point([0.0, 0.0, 5.0], [0.0, 0.0, -9.0], 0.01));
        if let Some(hit) = view.cast(&ray) {
            say(&(view.surface(&hit), view.after(&hit).cast(&hit.onward()), view.after(&hit).cast(&hit.bounce())));
            say(&(debug::triangle(&scene, &hit), debug::hit(&hit, 1.0), hit.clone() == hit));
        }
        (0..9).for_each(|number| say(&view.explain(&ray, &key(number))));

        let (ball, motion, mut swept) = (Sphere::new(0.5), [0.0, 0.0, -30.0], Vec::new());
        say(&view.sweep(ball, [0.0, 0.0, 9.0], motion));
        say(&view.contact_filter(ContactFilter::Ahead).sweep(ball, [0.0, -0.5, 9.0], motion));
        view.sweep_all(ball, [0.0, 0.0, 9.0], motion, &mut swept);
        say(&swept);
        say(&view.sweep_rotating(Aabb::new([-1.0; 3], [1.0; 3]), Pose::from([0.0, 2.5, 9.0]), [0.0, 1.0, -9.0]));

        let (large, at) = (Sphere::new(2.0), [0.0, 0.0, -3.0]);
        let (mut ids, mut overlaps, mut depths, mut contacts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        view.overlap_entities(large, at, &mut ids);
        view.overlap_all(large, at, &mut overlaps);
        view.penetration_all(large, at, &mut depths);
        view.contact_points(large, at, &mut contacts);
        say(&(view.overlaps(large, at), ids, overlaps));
        say(&(view.penetration(large, at), depths, contacts));
        say(&(view.closest_point([0.5, 3.0, -4.0]), view.closest_point_within([0.5, 3.0, -4.0], 0.1)));
    }

    let (mut pairs, mut tracker) = (Vec::new(), PairTracker::new());
    scene.overlap_pairs(&PairFilter::new(), &mut pairs);
    say(&pairs);
    say(&tracker.update(&scene));
    for (one, other) in [(0, 1), (1, 2), (1, 4), (5, 5), (1, 99)] {
        let pair = scene.pair(&key(one), &key(other));
        say(&(pair.overlaps(), pair.distance(), pair.penetration()));
    }
    say(&scene.iter().map(|(key, entity)| (key, entity.transform())).collect::<Vec<_>>());
    let bytes = scene.to_bytes(|key| format!("{key:?}").into_bytes()).unwrap();
    let read = Scene::from_bytes(&bytes, |bytes| Some(key(std::str::from_utf8(bytes).ok()?.parse().ok()?))).unwrap();
    say(&(read.keys().collect::<Vec<_>>(), read.cast(&forward())));

    say(&scene.set_transforms((1..4).map(|number| (key(number), DVec3::new(0.0, 3.0, f64::from(number))))));
    say(&scene.set_transform(&key(4), DVec3::new(9.0, 0.0, 0.0)));
    say(&(scene.set_layers(&key(1), 2), scene.bounds_of(&key(4)), scene.get(&key(99)).is_none()));
    say(&scene.refit(&key(6), 0, &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap().map(Mesh::bounds));
    scene.insert(key(3), Sphere::new(0.1), DVec3::ZERO).unwrap();
    let again: Vec<_> = [2, 5].map(|number| (key(number), scene.remove(&key(number)).is_some())).into();
    say(&again);
    scene.insert(key(2), Sphere::new(1.0), DVec3::new(0.0, 0.0, -15.0)).unwrap();
    say(&tracker.update(&scene));
    say(&tracker.pairs().collect::<Vec<_>>());
    say(&scene.remove_all([key(0), key(99)]).into_iter().map(|(key, _)| key).collect::<Vec<_>>());
    say(&(scene.len(), scene.keys().collect::<Vec<_>>()));
    said
}

#[test]
fn strings_as_keys_give_the_answers_of_integers() {
    let (numbers, names) = (everything(|number| number), everything(Name::new));
    assert!(numbers.len() > 90);
    for (number, name) in numbers.iter().zip(&names) {
        assert_eq!(number, name);
    }
    assert_eq!(numbers.len(), names.len());
}

#[test]
fn hits_are_copy_where_keys_are() {
    fn is_copy<T: Copy>(_: T) {}
    let scene = scene(|number| number);
    is_copy(scene.cast(&forward()));
    is_copy(scene.sweep(Sphere::new(0.5), [0.0, 0.0, 9.0], [0.0, 0.0, -30.0]));
    is_copy(scene.closest_point([0.0; 3]));
    is_copy(scene.pair(&1, &2));
}

#[test]
fn a_question_clones_a_key_for_each_answer() {
    let clones = AtomicUsize::new(0);
    let scene = scene(|number| Counted(number, &clones));
    let filter = Filter::new().exclude(Counted(2, &clones)).layers(1);
    let view = scene.with(&filter);
    let cloned = |ask: &mut dyn FnMut()| {
        let before = clones.load(Ordering::Relaxed);
        ask();
        clones.load(Ordering::Relaxed) - before
    };
    let (ray, ball, at, motion) = (forward(), Sphere::new(2.0), [0.0, 0.0, -3.0], [0.0, 0.0, -30.0]);
    let (mut hits, mut swept, mut ids, mut overlaps) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    assert_eq!(cloned(&mut || assert!(view.cast(&ray).is_some())), 1);
    assert_eq!(cloned(&mut || assert!(view.is_blocked(&ray))), 0);
    assert_eq!(cloned(&mut || assert!(view.cast(&Ray::new([50.0; 3], Vec3::Y)).is_none())), 0);
    let count = cloned(&mut || view.cast_all(&ray, &mut hits));
    assert_eq!((count, hits.len()), (hits.len(), 11));
    assert_eq!(cloned(&mut || assert!(view.sweep(ball, [0.0, 0.0, 9.0], motion).is_some())), 1);
    let count = cloned(&mut || view.sweep_all(ball, [0.0, 0.0, 9.0], motion, &mut swept));
    assert_eq!((count, swept.len()), (swept.len(), 7));
    assert_eq!(cloned(&mut || assert!(view.overlaps(ball, at))), 0);
    let count = cloned(&mut || view.overlap_entities(ball, at, &mut ids));
    assert_eq!((count, ids.len()), (ids.len(), 4));
    let count = cloned(&mut || view.overlap_all(ball, at, &mut overlaps));
    assert_eq!((count, overlaps.len()), (overlaps.len(), 4));
    assert_eq!(cloned(&mut || assert!(view.closest_point([0.0, 3.0, 0.0]).is_some())), 1);
    assert_eq!(cloned(&mut || assert!(view.ground_below([0.0, 4.0, 0.0], Vec3::Y, 20.0).is_some())), 1);
}

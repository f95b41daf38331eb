//! The first few hits, the first hit of each entity, and the filter of entities.

use super::common::Random;
use super::world::{ray, scattered, soup};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Compound, Cull, Filter, Hit, Mesh, Ray, RayQueries, Sphere, View};
use std::collections::HashMap;
use std::sync::Mutex;

/// The first few hits are a prefix of `cast_all` with any filter, and the hits of distinct entities are the first hit
/// of each entity. The three questions have separate implementations.
#[test]
fn few_hits_and_entities_are_of_all_hits() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let (mut scene, _) = scattered(&mut random, 40);
        // The entities are inserted again, so that every hit occurs twice.
        for key in 0..10 {
            let twin = scene.get(&key).unwrap();
            scene.insert(100 + key, twin.geometry().clone(), twin.transform()).unwrap();
        }
        let parts = [
            (Mesh::from_soup(&soup(&mut random, 12)).unwrap().into(), DVec3::X.into()),
            (Sphere::new(0.7).into(), DVec3::Y.into()),
        ];
        scene.insert(200, Compound::new(parts).unwrap(), DVec3::ZERO).unwrap();
        for key in (0..40).filter(|key| key % 4 != 1) {
            scene.set_layers(&key, 1 << (key % 4)).unwrap();
        }
        for question in 0..100 {
            let ray = ray(&mut random);
            let cull = [Cull::None, Cull::Back, Cull::Front][question % 3];
            let n = random.below(12);
            let check = |filter: &Filter<'_, u32>, context: &str| check(scene.with(filter), &ray, n, context);
            check(&Filter::new().cull(cull), &format!("seed {seed}, question {question}"));
            check(&Filter::new().layers(0b101), &format!("seed {seed}, question {question}, layers"));
            let picky = Filter::new().entities(|key| key % 3 != 0).exclude(4);
            check(&picky, &format!("seed {seed}, question {question}, filtered"));
        }
    }
}

fn check(view: View<'_, u32>, ray: &Ray, n: usize, context: &str) {
    let (mut all, mut few, mut entities) = (Vec::new(), vec![], Vec::new());
    view.cast_all(ray, &mut all);
    assert_eq!(view.cast(ray), all.first().copied(), "closest, {context}, {ray:?}");
    assert_eq!(view.is_blocked(ray), !all.is_empty(), "any, {context}, {ray:?}");
    view.cast_first_n(ray, n, &mut few);
    assert_eq!(few, all[..n.min(all.len())], "first {n}, {context}, {ray:?}");
    view.cast_entities(ray, &mut entities);
    let mut first = HashMap::new();
    let expected: Vec<Hit<u32>> = all.into_iter().filter(|hit| first.insert(hit.id, ()).is_none()).collect();
    assert_eq!(entities, expected, "entities, {context}, {ray:?}");
}

#[test]
fn a_buffer_with_room_is_not_reallocated() {
    let (scene, _) = scattered(&mut Random(5), 60);
    let mut hits: Vec<Hit<u32>> = Vec::with_capacity(3);
    let place = hits.as_ptr();
    let mut full = 0;
    for seed in 0..200 {
        scene.cast_first_n(&ray(&mut Random(seed)), 3, &mut hits);
        full += usize::from(hits.len() == 3);
        assert_eq!((hits.as_ptr(), hits.capacity()), (place, 3));
    }
    assert!(full > 10, "{full}");
    scene.cast_first_n(&Ray::new(Vec3::NAN, Vec3::X), 3, &mut hits);
    assert!(hits.is_empty());
}

/// The filter is called at most once for each part, and never for entities that layers or exclusions leave out.
#[test]
fn entities_are_filtered_before_they_are_entered() {
    let (mut scene, _) = scattered(&mut Random(9), 60);
    for key in (0..60).step_by(4) {
        scene.set_layers(&key, 2);
    }
    let calls: Mutex<HashMap<u32, u32>> = Mutex::default();
    let hits_asked: Mutex<Vec<u32>> = Mutex::default();
    let filter = Filter::new()
        .layers(1)
        .exclude(7)
        .hits(|candidate| {
            hits_asked.lock().unwrap().push(candidate.id);
            true
        })
        .entities(|key| {
            *calls.lock().unwrap().entry(key).or_default() += 1;
            key % 2 == 1
        });
    let mut asked = 0;
    for seed in 0..300 {
        let ray = ray(&mut Random(seed));
        scene.with(&filter).cast(&ray);
        let calls = std::mem::take(&mut *calls.lock().unwrap());
        asked += calls.len();
        assert!(calls.iter().all(|(key, count)| *count == 1 && key % 4 != 0 && *key != 7), "seed {seed}: {calls:?}");
        let hits_asked = std::mem::take(&mut *hits_asked.lock().unwrap());
        assert!(hits_asked.iter().all(|key| key % 2 == 1 && *key != 7), "seed {seed}");
    }
    assert!(asked > 100, "{asked}");
}

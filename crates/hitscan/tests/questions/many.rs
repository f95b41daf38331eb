//! The first few hits, each entity once, and the filter of entities.

use super::common::Random;
use super::world::{ray, scattered, soup};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Compound, Cull, Hit, Mesh, Query, Ray, Scene, Sphere};
use std::cell::RefCell;
use std::collections::HashMap;

/// What `cast_all` begins with, whatever the query, and every entity's first of all. All are asked for in ways of their own.
#[test]
fn few_hits_and_entities_are_of_all_hits() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let (mut scene, _) = scattered(&mut random, 40);
        // The same again: every hit is there twice.
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
            check(&scene, &ray, n, &Query::new().cull(cull), &format!("seed {seed}, question {question}"));
            check(&scene, &ray, n, &Query::new().layers(0b101), &format!("seed {seed}, question {question}, layers"));
            let picky = Query::new().filter_entities(|key| key % 3 != 0).exclude(4);
            check(&scene, &ray, n, &picky, &format!("seed {seed}, question {question}, filtered"));
        }
    }
}

fn check<F: hitscan::Filter<u32>>(scene: &Scene<u32>, ray: &Ray, n: usize, query: &Query<u32, F>, context: &str) {
    let (mut all, mut few, mut entities) = (Vec::new(), vec![], Vec::new());
    scene.cast_all_with(ray, query, &mut all);
    assert_eq!(scene.cast_with(ray, query), all.first().copied(), "closest, {context}, {ray:?}");
    assert_eq!(scene.is_blocked_with(ray, query), !all.is_empty(), "any, {context}, {ray:?}");
    scene.cast_first_n_with(ray, n, query, &mut few);
    assert_eq!(few, all[..n.min(all.len())], "first {n}, {context}, {ray:?}");
    scene.cast_entities_with(ray, query, &mut entities);
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

/// At most once for each part, and never for what layers or exclusions left out.
#[test]
fn entities_are_filtered_before_they_are_entered() {
    let (mut scene, _) = scattered(&mut Random(9), 60);
    for key in (0..60).step_by(4) {
        scene.set_layers(&key, 2);
    }
    let calls: RefCell<HashMap<u32, u32>> = RefCell::default();
    let hits_asked: RefCell<Vec<u32>> = RefCell::default();
    let query = Query::new()
        .layers(1)
        .exclude(7)
        .filter(|candidate| {
            hits_asked.borrow_mut().push(candidate.id);
            true
        })
        .filter_entities(|key| {
            *calls.borrow_mut().entry(key).or_default() += 1;
            key % 2 == 1
        });
    let mut asked = 0;
    for seed in 0..300 {
        let ray = ray(&mut Random(seed));
        scene.cast_with(&ray, &query);
        let calls = calls.take();
        asked += calls.len();
        assert!(calls.iter().all(|(key, count)| *count == 1 && key % 4 != 0 && *key != 7), "seed {seed}: {calls:?}");
        assert!(hits_asked.take().iter().all(|key| key % 2 == 1 && *key != 7), "seed {seed}");
    }
    assert!(asked > 100, "{asked}");
}

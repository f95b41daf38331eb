//! Small scenes of all kinds of entities, changed step by step.

use crate::common::Random;
use crate::pairs::list::{Thing, changes, geometry, insert, pairs, quarters, said};
use hitscan::Scene;
use hitscan::pairs::{PairFilter, PairTracker};
use std::collections::BTreeMap;

struct Walk {
    random: Random,
    scene: Scene<u32>,
    things: BTreeMap<u32, Thing>,
    next_order: u64,
}

impl Walk {
    fn new(seed: u64) -> Self {
        Self { random: Random(seed), scene: Scene::new(), things: BTreeMap::new(), next_order: 0 }
    }

    fn some_key(&mut self) -> u32 {
        self.random.below(40) as u32
    }

    fn step(&mut self) {
        let key = self.some_key();
        match self.random.below(12) {
            0..=3 => self.insert(key),
            4 => self.remove(key),
            5 => {
                // The key is the same, but the entity moves to the end of the order.
                self.remove(key);
                self.insert(key);
            }
            6 => self.set_layers(key),
            7 if self.random.below(20) == 0 => {
                self.scene.clear();
                self.things.clear();
            }
            // All entities change at once.
            8 => {
                let by = quarters(&mut self.random, 1.0);
                self.things.values_mut().for_each(|thing| thing.place += by);
                self.scene.set_transforms(self.things.iter().map(|(&key, thing)| (key, thing.place))).unwrap();
            }
            _ => {
                let place = quarters(&mut self.random, 6.0);
                let was = self.scene.set_transform(&key, place).unwrap();
                assert_eq!(was.is_some(), self.things.contains_key(&key));
                self.things.entry(key).and_modify(|thing| thing.place = place);
            }
        }
    }

    fn insert(&mut self, key: u32) {
        let thing = geometry(&mut self.random);
        let place = quarters(&mut self.random, 6.0);
        insert(&mut self.scene, &mut self.things, key, thing, place, &mut self.next_order);
    }

    fn remove(&mut self, key: u32) {
        assert_eq!(self.scene.remove(&key).is_some(), self.things.remove(&key).is_some());
    }

    fn set_layers(&mut self, key: u32) {
        let layers = self.random.below(8) as u32;
        self.scene.set_layers(&key, layers);
        self.things.entry(key).and_modify(|thing| thing.layers = layers);
    }
}

/// Returns a filter of pairs by the layers of one entity and of the other.
fn counts([one, other]: [u32; 2]) -> impl Fn(u32, u32) -> bool {
    move |a, b| (a & one != 0 && b & other != 0) || (a & other != 0 && b & one != 0)
}

#[test]
fn every_change_of_a_scene_is_told() {
    let mut seen = 0;
    for seed in 0..24 {
        let mut walk = Walk::new(seed);
        let layers = [[u32::MAX; 2], [1, 1], [1, 2], [3, 4]][seed as usize % 4];
        let filter = PairFilter::new().layers(layers[0], layers[1]);
        let mut tracker = PairTracker::with(filter.clone());
        let mut before = Vec::new();
        let mut found = Vec::new();
        for update in 0..120 {
            for _ in 0..walk.random.below(12) {
                walk.step();
            }
            let now = pairs(&walk.things, counts(layers));
            walk.scene.overlap_pairs(&filter, &mut found);
            assert_eq!(found, now, "seed {seed}, update {update}: {:#?}", walk.things);
            // A clone gives the same answers.
            let scene = if update % 5 == 0 { walk.scene.clone() } else { std::mem::take(&mut walk.scene) };
            assert_eq!(said(tracker.update(&scene)), changes(&before, &now), "seed {seed}, update {update}");
            walk.scene = scene;
            seen += now.len();
            before = now;
        }
    }
    assert!(seen > 10_000, "{seen}");
}

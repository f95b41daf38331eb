//! The questions about two entities, of one scene or one of each of two scenes.
//!
//! Each question takes both scenes. If the pairs are pairs of one scene, `between` is false, and the second scene is the first.

use crate::answer::{self, Record, place, vector, vector_f64};
use crate::scene::Scene;
use hitscan::glam::Vec3;
use hitscan::pairs::{NearPair, Pair, PairFilter, PairPenetration, PairTest};
use std::collections::HashSet;
use wasm_bindgen::prelude::*;

/// Writes what all answers about two entities have: a length and a direction, and of each entity a point, a part and a triangle.
fn both(
    put: &mut impl FnMut(usize, f64),
    length: f32,
    normal: Vec3,
    points: [Vec3; 2],
    parts: [u32; 2],
    triangles: [Option<u32>; 2],
) {
    put(place::T, length.into());
    put(place::PART, parts[0].into());
    put(place::TRIANGLE, answer::index(triangles[0]));
    put(place::UV, parts[1].into());
    put(place::UV + 1, answer::index(triangles[1]));
    vector(put, place::POINT, points[0]);
    vector(put, place::NORMAL, normal);
    vector(put, place::SECOND, points[1]);
}

impl Record for PairPenetration {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        both(&mut put, self.depth, self.normal, self.points, self.parts, self.triangles);
        vector_f64(&mut put, place::THIRD, self.separation());
    }
}

impl Record for NearPair<u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        let between = &self.between;
        both(&mut put, between.distance, between.normal, between.points, between.parts, between.triangles);
        put(place::ID, self.first.into());
        put(place::EXTRA, self.second.into());
    }
}

/// Makes the filter of the pairs that count. `excluded` has two numbers for each pair that does not.
fn filter(layers: u32, other_layers: u32, excluded: &[u32], between: bool) -> PairFilter<'static, u32> {
    let filter = PairFilter::new().layers(layers, other_layers);
    let pairs = excluded.as_chunks::<2>().0.iter().map(|&[first, second]| (first, second));
    if pairs.len() == 0 {
        return filter;
    }
    if !between {
        return pairs.fold(filter, |filter, (first, second)| filter.exclude(first, second));
    }
    // Each scene has numbers of its own, so a pair must not be excluded in the other order.
    let excluded: HashSet<(u32, u32)> = pairs.collect();
    filter.pairs(move |first, second| !excluded.contains(&(first, second)))
}

#[wasm_bindgen]
impl Scene {
    fn pair<'a>(&'a self, other: &'a Self, between: bool, first: u32, second: u32) -> Pair<'a, u32> {
        if between { self.scene.against(&other.scene).pair(&first, &second) } else { self.scene.pair(&first, &second) }
    }

    /// Returns whether two entities overlap.
    pub fn pair_overlaps(&self, other: &Self, between: bool, first: u32, second: u32) -> bool {
        self.pair(other, between, first, second).overlaps()
    }

    /// Returns the distance between two entities and the nearest point on each; nothing if one of them does not exist.
    pub fn pair_distance(&self, other: &Self, between: bool, first: u32, second: u32) -> Option<Vec<f32>> {
        let found = self.pair(other, between, first, second).distance()?;
        let [a, b] = found.points;
        Some([&[found.distance][..], &a.to_array(), &b.to_array()].concat())
    }

    /// Finds the penetration depth of two entities, and the motion of the second that separates them.
    pub fn pair_penetration(&self, other: &Self, between: bool, first: u32, second: u32) -> bool {
        answer::one(self.pair(other, between, first, second).penetration())
    }

    /// Finds the penetration depths of every two convex pieces of two entities.
    pub fn pair_penetration_all(&self, other: &Self, between: bool, first: u32, second: u32) -> usize {
        let mut all = Vec::new();
        self.pair(other, between, first, second).penetration_all(&mut all);
        answer::many(&all)
    }

    /// Finds all pairs of entities that overlap, or whose boxes overlap, as two numbers for each pair. One entity is on `layers`, and the other on
    /// `other_layers`.
    pub fn overlap_pairs(
        &self,
        other: &Self,
        between: bool,
        layers: u32,
        other_layers: u32,
        excluded: &[u32],
        boxes: bool,
    ) -> usize {
        let test = if boxes { PairTest::Boxes } else { PairTest::Shapes };
        let filter = filter(layers, other_layers, excluded, between).test(test);
        let mut pairs = Vec::new();
        if between {
            self.scene.against(&other.scene).overlap_pairs(&filter, &mut pairs);
        } else {
            self.scene.overlap_pairs(&filter, &mut pairs);
        }
        answer::numbers(pairs.into_iter().flat_map(|(first, second)| [first, second]))
    }

    /// Finds the two entities that are nearest to each other.
    pub fn closest_pair(&self, other: &Self, between: bool, layers: u32, other_layers: u32, excluded: &[u32]) -> bool {
        let filter = filter(layers, other_layers, excluded, between);
        answer::one(if between {
            self.scene.against(&other.scene).closest_pair(&filter)
        } else {
            self.scene.closest_pair(&filter)
        })
    }

    /// Finds every two entities that are at most a distance apart.
    pub fn distance_pairs(
        &self,
        other: &Self,
        between: bool,
        layers: u32,
        other_layers: u32,
        excluded: &[u32],
        most: f64,
    ) -> usize {
        let filter = filter(layers, other_layers, excluded, between);
        let mut pairs = Vec::new();
        if between {
            self.scene.against(&other.scene).distance_pairs(&filter, most, &mut pairs);
        } else {
            self.scene.distance_pairs(&filter, most, &mut pairs);
        }
        answer::many(&pairs)
    }
}

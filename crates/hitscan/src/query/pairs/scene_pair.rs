//! Two scenes whose entities are paired, or one scene.

use super::PairFilter;
use super::near_search::{PairedScenes, PairsSearch, PartPair, PartSide};
use super::overlapping::passes;
use crate::scene::Scene;
use alloc::vec::Vec;
use core::hash::Hash;

/// Two scenes, for questions about pairs of an entity of each. It is the answer of [`Scene::against`].
#[derive(Debug)]
pub struct ScenePair<'a, K> {
    scenes: [&'a Scene<K>; 2],
    paired: PairedScenes,
}

impl<K> Clone for ScenePair<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for ScenePair<'_, K> {}

impl<K: Clone + Eq + Hash> Scene<K> {
    /// Selects two scenes, to ask about pairs of an entity of this one and an entity of the other one. Examples are a robot and its surroundings, two
    /// assemblies, or a level and the things in it. Both are in the same world space. A key may be in both scenes; it then names an entity of each. The layers
    /// and exclusions of a [`PairFilter`] apply in both directions here too. So `exclude(a, b)` excludes a of this scene with b of the other one, and b of this
    /// scene with a of the other one. A scene against itself pairs each entity with itself, too.
    ///
    /// ```
    /// use hitscan::pairs::PairFilter;
    /// use hitscan::{Aabb, Scene, Sphere, glam::DVec3};
    ///
    /// let (mut robot, mut room) = (Scene::new(), Scene::new());
    /// robot.insert(0, Sphere::new(0.5), DVec3::new(0.0, 1.0, 0.0))?;
    /// robot.insert(1, Sphere::new(0.5), DVec3::new(0.5, 1.0, 0.0))?;
    /// room.insert(0, Aabb::new([-4.0, -1.0, -4.0], [4.0, 0.0, 4.0]), DVec3::ZERO)?;
    /// let both = robot.against(&room);
    /// let mut hits = Vec::new();
    /// both.overlap_pairs(&PairFilter::new(), &mut hits);
    /// assert!(hits.is_empty());
    /// assert_eq!(both.closest_pair(&PairFilter::new()).map(|nearest| nearest.between.distance), Some(0.5));
    /// assert_eq!(both.pair(&1, &0).distance().map(|between| between.distance), Some(0.5));
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    pub fn against<'a>(&'a self, other: &'a Self) -> ScenePair<'a, K> {
        ScenePair { scenes: [self, other], paired: PairedScenes::Two }
    }
}

impl<'a, K: Clone + Eq + Hash> ScenePair<'a, K> {
    /// Pairs different entities of one scene.
    pub(super) fn within(scene: &'a Scene<K>) -> Self {
        Self { scenes: [scene; 2], paired: PairedScenes::One }
    }

    pub(super) fn is_one(&self) -> bool {
        self.paired == PairedScenes::One
    }

    pub(super) fn both(&self) -> [&'a Scene<K>; 2] {
        self.scenes
    }

    /// Returns the keys of the entities of two parts.
    pub(super) fn keys_of(&self, pair: &PartPair<'_>) -> Option<[&'a K; 2]> {
        let [first, second] = pair.parts();
        Some([self.scenes[0].owner(first)?.key, self.scenes[1].owner(second)?.key])
    }
}

impl<K: Clone + Eq + Hash + Send + Sync> ScenePair<'_, K> {
    /// Collects every pair of an entity of each scene that overlap or touch, once, into a buffer that is cleared first. Pairs are ordered by their entities of
    /// the first scene, then by their entities of the second. Everything else is as for [`Scene::overlap_pairs`].
    ///
    /// ```
    /// use hitscan::pairs::PairFilter;
    /// use hitscan::{Aabb, Scene, Sphere, glam::DVec3};
    ///
    /// let (mut balls, mut level) = (Scene::new(), Scene::new());
    /// for (id, y) in [("red", 0.25), ("blue", 0.75), ("green", 0.5)] {
    ///     balls.insert(id, Sphere::new(0.5), DVec3::new(0.0, y, 0.0))?;
    /// }
    /// level.insert("floor", Aabb::new([-4.0, -1.0, -4.0], [4.0, 0.0, 4.0]), DVec3::ZERO)?;
    /// let mut pairs = Vec::new();
    /// balls.against(&level).overlap_pairs(&PairFilter::new(), &mut pairs);
    /// assert_eq!(pairs, [("red", "floor"), ("green", "floor")]);
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("in_collision_other", "broad_phase", "collision_pairs"))]
    pub fn overlap_pairs(&self, filter: &PairFilter<'_, K>, pairs: &mut Vec<(K, K)>) {
        pairs.clear();
        let test = filter.test;
        self.search(filter, |search| {
            let found = search.tested(|parts| passes(parts, test));
            pairs.extend(found.iter().filter_map(|pair| {
                let [first, second] = self.keys_of(pair)?;
                Some((first.clone(), second.clone()))
            }));
        });
    }

    /// Calls `ask` with the search for pairs that the filter accepts.
    pub(super) fn search<A>(&self, filter: &PairFilter<'_, K>, ask: impl FnOnce(&PairsSearch<'_>) -> A) -> A {
        let accepts = |pair: &PartPair<'_>| {
            let [first, second] = pair.parts();
            filter.takes_layers(first.layers, second.layers)
                && (!filter.chooses_keys() || self.keys_of(pair).is_none_or(|keys| filter.takes_keys(keys)))
        };
        let numbers = self.scenes.map(|scene| move |entity: u32| scene.part_numbers(entity));
        let side = |side: usize| PartSide {
            tree: self.scenes[side].tree(),
            parts: self.scenes[side].part_tree(),
            count: self.scenes[side].parts().0,
            unbounded: self.scenes[side].unbounded(),
            slack: self.scenes[side].slack(),
            numbers_of: &numbers[side],
        };
        ask(&PairsSearch::new([side(0), side(1)], self.paired, &accepts))
    }
}

//! Two entities of a scene.

use crate::scene::{Part, Scene};
use core::hash::Hash;

/// Two entities of a scene, to be compared with each other: the answer of [`Scene::pair`].
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a, K> {
    scene: &'a Scene<K>,
    keys: [K; 2],
}

impl<K: Clone + Eq + Hash> Scene<K> {
    /// Selects two entities, to ask whether they overlap, how far apart they are, or how deep they are in each other. Layers do not matter. An absent key
    /// overlaps nothing, and has no distance.
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("crate", Aabb::new([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]), DVec3::ZERO)?;
    /// scene.insert("ball", Sphere::new(0.5), DVec3::new(4.0, 1.0, 0.0))?;
    /// let pair = scene.pair(&"crate", &"ball");
    /// assert!(!pair.overlaps());
    /// assert_eq!(pair.distance().map(|between| between.distance), Some(2.5));
    /// assert!(pair.penetration().is_none());
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn pair(&self, first: &K, second: &K) -> Pair<'_, K> {
        Pair { scene: self, keys: [first.clone(), second.clone()] }
    }
}

impl<'a, K: Clone + Eq + Hash> Pair<'a, K> {
    /// Returns whether the two are the same entity.
    pub(in crate::query) fn is_one(&self) -> bool {
        self.keys[0] == self.keys[1]
    }

    pub(in crate::query) fn first_parts(&self) -> impl Iterator<Item = &'a Part> {
        parts_of(self.scene, &self.keys[0])
    }

    pub(in crate::query) fn second_parts(&self) -> impl Iterator<Item = &'a Part> {
        parts_of(self.scene, &self.keys[1])
    }
}

fn parts_of<'a, K: Clone + Eq + Hash>(scene: &'a Scene<K>, key: &K) -> impl Iterator<Item = &'a Part> {
    scene.parts_of(key).iter().filter_map(|&part| scene.part(part))
}

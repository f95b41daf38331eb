//! Two entities of a scene, or of two.

use super::entity_parts::EntityParts;
use super::scene_pair::ScenePair;
use crate::scene::Scene;
use core::hash::Hash;

/// Two entities, to be compared with each other. This is the answer of [`Scene::pair`], and of [`ScenePair::pair`] for entities of two scenes.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a, K> {
    scenes: ScenePair<'a, K>,
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
        ScenePair::within(self).pair(first, second)
    }
}

impl<'a, K: Clone + Eq + Hash> ScenePair<'a, K> {
    /// Selects an entity of the first scene and one of the second; see [`Scene::pair`].
    ///
    /// ```
    /// use hitscan::{Scene, Sphere, glam::DVec3};
    ///
    /// let (mut robot, mut room) = (Scene::new(), Scene::new());
    /// robot.insert("hand", Sphere::new(0.5), DVec3::ZERO)?;
    /// room.insert("cup", Sphere::new(0.5), DVec3::new(0.0, 0.0, 0.75))?;
    /// let penetration = robot.against(&room).pair(&"hand", &"cup").penetration().unwrap();
    /// assert_eq!(penetration.depth, 0.25);
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    pub fn pair(&self, first: &K, second: &K) -> Pair<'a, K> {
        Pair { scenes: *self, keys: [first.clone(), second.clone()] }
    }
}

impl<'a, K: Clone + Eq + Hash> Pair<'a, K> {
    /// Returns whether the two are the same entity.
    pub(in crate::query) fn is_one(&self) -> bool {
        self.scenes.is_one() && self.keys[0] == self.keys[1]
    }

    pub(in crate::query) fn first_parts(&self) -> EntityParts<'a> {
        EntityParts::under(self.scenes.both()[0], &self.keys[0])
    }

    pub(in crate::query) fn second_parts(&self) -> EntityParts<'a> {
        EntityParts::under(self.scenes.both()[1], &self.keys[1])
    }
}

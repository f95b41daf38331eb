//! The nearest pairs of entities.

use super::near_search::FoundPair;
use super::scene_pair::ScenePair;
use super::{PairDistance, PairFilter};
use crate::scene::Scene;
use alloc::vec::Vec;
use core::hash::Hash;

/// Two entities, with the distance between them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NearPair<K> {
    /// The entity of the two that was inserted first, or the one in the first of two scenes.
    pub first: K,
    /// The other one.
    pub second: K,
    /// Their distance and nearest points, with the same bits as [`Pair::distance`](super::Pair::distance) of the first and the second.
    pub between: PairDistance,
}

impl<K: Clone + Eq + Hash + Send + Sync> Scene<K> {
    /// Returns the two entities that are nearest to each other, with their distance and nearest points in world space. Among equally near pairs, the pair whose
    /// first entity was inserted first wins, and then the pair whose second entity was inserted first.
    ///
    /// The distance and the points have the same bits as from [`Pair::distance`](crate::pairs::Pair::distance). The distance is 0 where two entities touch or
    /// overlap, and a mesh is only its surface. This measures only the few pairs that may be nearer than the nearest known pair. It runs on the calling thread.
    ///
    /// Parts of one entity are not a pair. An entity that nothing can touch, such as a mesh without triangles, is in no pair. Planes are infinite, so each is
    /// compared with every entity. Only layers, exclusions and choices of the filter matter, not its [`PairTest`](crate::pairs::PairTest).
    ///
    /// ```
    /// use hitscan::pairs::PairFilter;
    /// use hitscan::{Aabb, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("wall", Aabb::new([-1.0, 0.0, -1.0], [0.0, 2.0, 1.0]), DVec3::ZERO)?;
    /// scene.insert("arm", Sphere::new(0.5), DVec3::new(1.5, 1.0, 0.0))?;
    /// scene.insert("hand", Sphere::new(0.25), DVec3::new(2.0, 1.0, 0.0))?;
    /// let clearance = scene.closest_pair(&PairFilter::new().exclude("arm", "hand")).unwrap();
    /// assert_eq!((clearance.first, clearance.second), ("wall", "arm"));
    /// assert_eq!(clearance.between.distance, 1.0);
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("min_distance_internal", "clearance", "minimum_distance"))]
    pub fn closest_pair(&self, filter: &PairFilter<'_, K>) -> Option<NearPair<K>> {
        ScenePair::within(self).closest_pair(filter)
    }

    /// Collects every two entities that are no farther apart than `max_distance`, in world units, once, with their distance and nearest points, into a buffer
    /// that is cleared first. The first entity of a pair was inserted before the second. Pairs are ordered by their first entities, then by their second
    /// ones. This uses all threads with the feature `parallel`; the answers are the same on any number.
    ///
    /// The distance and the points are as in [`Pair::distance`](crate::pairs::Pair::distance), with the same bits: 0 where two entities touch or overlap. The
    /// limit is compared with the distance [before it was rounded](PairDistance::distance_f64). If it is infinite, all pairs are measured; if it is negative
    /// or NaN, there is no pair.
    ///
    /// The same pairs are treated as for [`closest_pair`](Self::closest_pair).
    ///
    /// ```
    /// use hitscan::pairs::PairFilter;
    /// use hitscan::{Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// for (id, x) in [("bolt", 0.0), ("nut", 1.25), ("plate", 2.5), ("box", 9.0)] {
    ///     scene.insert(id, Sphere::new(0.5), DVec3::new(x, 0.0, 0.0))?;
    /// }
    /// let mut pairs = Vec::new();
    /// scene.distance_pairs(&PairFilter::new(), 0.25, &mut pairs);
    /// let found: Vec<_> = pairs.iter().map(|pair| (pair.first, pair.second, pair.between.distance)).collect();
    /// assert_eq!(found, [("bolt", "nut", 0.25), ("nut", "plate", 0.25)]);
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("clearance", "proximity_pairs"))]
    pub fn distance_pairs(&self, filter: &PairFilter<'_, K>, max_distance: f64, pairs: &mut Vec<NearPair<K>>) {
        ScenePair::within(self).distance_pairs(filter, max_distance, pairs);
    }
}

impl<K: Clone + Eq + Hash + Send + Sync> ScenePair<'_, K> {
    /// Returns the entity of each scene that are nearest to each other, with their distance and nearest points in world space. Among equally near pairs, the
    /// entity of the first scene that was inserted first wins. Then the entity of the second scene that was inserted first wins. Everything else is as for
    /// [`Scene::closest_pair`].
    ///
    /// ```
    /// use hitscan::pairs::PairFilter;
    /// use hitscan::{Aabb, Scene, Sphere, glam::DVec3};
    ///
    /// let (mut robot, mut room) = (Scene::new(), Scene::new());
    /// robot.insert("hand", Sphere::new(0.25), DVec3::new(0.0, 1.0, 0.0))?;
    /// room.insert("floor", Aabb::new([-4.0, -1.0, -4.0], [4.0, 0.0, 4.0]), DVec3::ZERO)?;
    /// let nearest = robot.against(&room).closest_pair(&PairFilter::new()).unwrap();
    /// assert_eq!((nearest.first, nearest.second, nearest.between.distance), ("hand", "floor", 0.75));
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("min_distance_other", "clearance"))]
    pub fn closest_pair(&self, filter: &PairFilter<'_, K>) -> Option<NearPair<K>> {
        self.search(filter, |search| search.closest(f64::INFINITY).and_then(|found| self.near_pair(&found)))
    }

    /// Collects every pair of an entity of each scene that are no farther apart than `max_distance`, in world units, into a buffer that is cleared first. Pairs
    /// are ordered by their entities of the first scene, then by their entities of the second. Everything else is as for [`Scene::distance_pairs`].
    ///
    /// ```
    /// use hitscan::pairs::PairFilter;
    /// use hitscan::{Scene, Sphere, glam::DVec3};
    ///
    /// let (mut robot, mut room) = (Scene::new(), Scene::new());
    /// robot.insert("hand", Sphere::new(0.5), DVec3::ZERO)?;
    /// room.insert("cup", Sphere::new(0.5), DVec3::new(0.0, 0.0, 1.5))?;
    /// room.insert("lamp", Sphere::new(0.5), DVec3::new(0.0, 9.0, 0.0))?;
    /// let mut pairs = Vec::new();
    /// robot.against(&room).distance_pairs(&PairFilter::new(), 2.0, &mut pairs);
    /// assert_eq!(pairs.iter().map(|pair| (pair.first, pair.second)).collect::<Vec<_>>(), [("hand", "cup")]);
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("clearance", "proximity_pairs"))]
    pub fn distance_pairs(&self, filter: &PairFilter<'_, K>, max_distance: f64, pairs: &mut Vec<NearPair<K>>) {
        pairs.clear();
        if max_distance >= 0.0 {
            self.search(filter, |search| {
                pairs.extend(search.within(max_distance).iter().filter_map(|found| self.near_pair(found)));
            });
        }
    }

    fn near_pair(&self, found: &FoundPair<'_>) -> Option<NearPair<K>> {
        let [first, second] = self.keys_of(&found.pair)?;
        Some(NearPair { first: first.clone(), second: second.clone(), between: found.between })
    }
}

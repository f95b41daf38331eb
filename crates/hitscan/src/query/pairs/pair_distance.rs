//! The distance between two entities, and whether they overlap.

use super::Pair;
use super::part_distance::{PairDistance, of_entities, of_itself};
use crate::query::overlap::proximity_parts::parts_touch;
use core::hash::Hash;

impl<K: Clone + Eq + Hash> Pair<'_, K> {
    /// Returns the distance between two entities, in world units, and the nearest points. The distance is 0 where they touch or overlap, as far as f64 can
    /// tell. Returns `None` for an absent key, and for an entity that nothing can touch. Such an entity is a mesh without triangles, geometry that reaches
    /// beyond 1e70, or a custom shape that does not [say how far it reaches](crate::custom::CustomShape::farthest).
    ///
    /// An entity has distance 0 from itself. Both points are one of its own, and the normal is zero.
    ///
    /// Solids include their inside, as in [`overlaps`](crate::ProximityQueries::overlaps). A mesh is only its surface,
    /// so an entity that is wholly inside it has a distance from it. Layers do not matter. Among equal distances, the
    /// lower part of the first entity wins, then the lower part of the second, then the lower triangles. Triangles,
    /// balls and capsules are computed in closed form. Other convex shapes are iterated until bounds from both sides
    /// differ by 2^-40 of their sizes, or f64 resolves no more. The inner side of a ring (torus) is found to within
    /// 2^-20 of its radius. If more than 128 places around a ring are equally near, one of them is returned. Another
    /// may be nearer by at most 3e-4 of the radius. For a ring that is not round in the world the limits are 64 places
    /// and 1.2e-3 of the longest radius.
    ///
    /// ```
    /// use hitscan::{Aabb, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("crate", Aabb::new([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]), DVec3::ZERO)?;
    /// scene.insert("ball", Sphere::new(0.5), DVec3::new(4.0, 1.0, 0.0))?;
    /// let between = scene.pair(&"crate", &"ball").distance().unwrap();
    /// assert_eq!((between.distance, between.normal), (2.5, Vec3::X));
    /// assert_eq!(between.points, [Vec3::new(1.0, 1.0, 0.0), Vec3::new(3.5, 1.0, 0.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("separation", "gap"))]
    pub fn distance(&self) -> Option<PairDistance> {
        if self.is_one() {
            return self.itself();
        }
        of_entities(self.first_parts(), self.second_parts())
    }

    /// Returns the distance of an entity from itself, at its first part that anything can touch.
    fn itself(&self) -> Option<PairDistance> {
        self.first_parts().iter().filter_map(of_itself).next()
    }

    /// Returns whether two entities touch or overlap, as far as f64 can tell. Their [`distance`](Self::distance) is then 0, but this is faster. Returns `false`
    /// for an absent key. Layers do not matter. An entity overlaps itself, unless nothing can touch it.
    ///
    /// ```
    /// use hitscan::{Aabb, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("trigger", Aabb::new([-1.0; 3], [1.0; 3]), DVec3::ZERO)?;
    /// scene.insert("player", Sphere::new(0.5), DVec3::new(1.5, 0.0, 0.0))?;
    /// assert!(scene.pair(&"trigger", &"player").overlaps());
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("intersection_test", "collides"))]
    pub fn overlaps(&self) -> bool {
        if self.is_one() {
            return self.itself().is_some();
        }
        self.first_parts().iter().any(|ours| self.second_parts().iter().any(|theirs| parts_touch(ours, theirs)))
    }
}

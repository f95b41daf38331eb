//! All entities that a ray meets, each once.

use super::cast::{Found, Search};
use super::outset::Outset;
use super::{Filter, Hit, Query};
use crate::collect::{Closest, Every, Key};
use crate::ray::Ray;
use crate::scene::Scene;
use alloc::vec::Vec;
use core::hash::Hash;

impl<K: Copy + Eq + Hash> Scene<K> {
    /// Every entity that the ray hits, once, with its nearest hit, in the order of these hits, into a buffer that is cleared first.
    ///
    /// A mesh is left after its nearest hit, so that this costs far less than [`cast_all`](Self::cast_all) where entities have many
    /// surfaces. A buffer with room for as many hits as parts are hit is not reallocated. Nothing for an unusable ray.
    ///
    /// ```
    /// use hitscan::{Ray, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// let mut hits = Vec::new();
    /// scene.cast_entities(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]), &mut hits);
    /// assert_eq!(hits.iter().map(|hit| (hit.id, hit.t)).collect::<Vec<_>>(), [("near", 4.0), ("far", 8.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_entities(&self, ray: &Ray, hits: &mut Vec<Hit<K>>) {
        self.cast_entities_with(ray, &Query::new(), hits);
    }

    /// Every entity once with its nearest hit that the query lets count, as [`cast_entities`](Self::cast_entities).
    pub fn cast_entities_with<F: Filter<K>>(&self, ray: &Ray, query: &Query<K, F>, hits: &mut Vec<Hit<K>>) {
        hits.clear();
        if let Some(outset) = Outset::new(self, ray, query) {
            let search = Search::new(self, query, &outset);
            let _ = search.at_start(&mut Every(|key, found| hits.extend(search.report(ray, &key, &found))));
            search.each_part(|part, from, _| {
                let closest = search.closest_of(part, from);
                hits.extend(closest.and_then(|(key, found)| search.report(ray, &key, &found)));
            });
        }
        // Several parts of an entity may be hit: the first of them stays.
        hits.sort_unstable_by(|a, b| a.key.order.cmp(&b.key.order).then_with(|| a.key.cmp(&b.key)));
        hits.dedup_by_key(|hit| hit.key.order);
        hits.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    }
}

impl<'a, K: Copy + Eq + Hash, F: Filter<K>> Search<'a, K, F> {
    /// The closest hit on one part. Above 0, `from` is a t before which there is none.
    pub(super) fn closest_of(&self, part: u32, from: f64) -> Option<(Key, Found<'a>)> {
        let mut closest = Closest(None);
        let _ = self.visit(part, from, self.ray.t_max, &mut closest);
        closest.0
    }
}

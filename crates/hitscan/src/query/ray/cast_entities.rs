//! All entities that a ray hits, each once.

use super::cast::RaySearch;
use super::hit::Hit;
use super::part_hit::FoundPart;
use super::query_ray::QueryRay;
use crate::collections::sort::SharedSort;
use crate::geom::ray::Ray;
use crate::query::collect::{ClosestHit, EveryHit, HitKey};
use crate::query::view::RayView;
use alloc::vec::Vec;
use core::hash::Hash;

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Collects the first hit on each entity, in order, into a buffer that is cleared first.
    pub(in crate::query) fn first_of_each_entity(&self, ray: &Ray, hits: &mut Vec<Hit<K>>) {
        hits.clear();
        if let Some(query_ray) = QueryRay::new(self, ray) {
            let search = RaySearch::new(self, &query_ray);
            let _ =
                search.offer_ahead_of_start(&mut EveryHit(|key, found| hits.extend(search.report(ray, &key, &found))));
            search.each_part(|part, from, _| {
                let closest = search.closest_of(part, from);
                hits.extend(closest.and_then(|(key, found)| search.report(ray, &key, &found)));
            });
        }
        // The ray may hit several parts of an entity; the first hit on them stays.
        hits.sort_shared_by(|a, b| a.key.order.cmp(&b.key.order).then_with(|| a.key.cmp(&b.key)));
        hits.dedup_by_key(|hit| hit.key.order);
        hits.sort_shared_by(|a, b| a.key.cmp(&b.key));
    }
}

impl<'a, K: Clone + Eq + Hash> RaySearch<'a, K> {
    /// Returns the closest hit on one part. If `from` is above 0, there is no hit before it.
    pub(in crate::query) fn closest_of(&self, part: u32, from: f64) -> Option<(HitKey, FoundPart<'a>)> {
        let mut closest = ClosestHit(None);
        let _ = self.visit_part_number(part, from, self.ray.t_max, &mut closest);
        closest.0
    }
}

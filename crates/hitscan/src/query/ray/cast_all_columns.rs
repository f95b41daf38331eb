//! All hits of many rays against a scene, in columns.

use super::cast::RaySearch;
use super::hit_sink::{ForColumns, HitRow};
use super::query_ray::QueryRay;
use crate::collections::sort::SharedSort;
use crate::error::BatchError;
use crate::geom::hit_lists::AllHitColumns;
use crate::geom::ray::Ray;
use crate::geom::ray_columns::RayBatch;
use crate::parallel::Threads;
use crate::query::RayView;
use crate::query::collect::EveryHit;
use alloc::vec::Vec;
use core::hash::Hash;

impl<K: Clone + Eq + Hash + Send + Sync> RayView<'_, K> {
    /// Finds all hits of every ray, and writes them into columns.
    pub(in crate::query) fn every_in_columns(
        &self,
        rays: RayBatch<'_>,
        threads: Threads,
        hits: AllHitColumns<'_, K>,
    ) -> Result<(), BatchError> {
        rays.check()?;
        hits.fill(rays.len(), threads, &|range, columns| {
            let (mut rows, form) = (Vec::new(), ForColumns { wants_place: columns.want_place() });
            for ray in range.map(|number| rays.get(number)) {
                rows.clear();
                if let Some(ray) = ray {
                    self.collect_rows(&ray, form, &mut rows);
                }
                columns.add(&rows);
            }
        });
        Ok(())
    }

    /// Collects the same hits as [`cast_every`](Self::cast_every), in the same order.
    fn collect_rows(&self, ray: &Ray, form: ForColumns, rows: &mut Vec<HitRow<K>>) {
        let Some(query_ray) = QueryRay::new(self, ray) else { return };
        let search = RaySearch::new(self, &query_ray);
        search.search_part_by_part(&mut EveryHit(|key, found| rows.extend(form.row(&search, key, &found))));
        rows.sort_shared_by(|a, b| a.key.cmp(&b.key));
        // A triangle may be in several leaves of its mesh's tree.
        rows.dedup_by_key(|row| row.key);
    }
}

//! Many rays in columns against a scene.

use super::hit_form::ForColumns;
use super::view::RayView;
use crate::error::BatchError;
use crate::geom::ray_columns::{GATHERED, GatheredRays, HitColumns, RayBatch};
use crate::parallel;
use core::hash::Hash;

impl<K: Clone + Eq + Hash + Send + Sync> RayView<'_, K> {
    /// Finds the closest hit of every ray, and writes it into columns.
    pub(super) fn closest_in_columns(&self, rays: RayBatch<'_>, hits: HitColumns<'_, K>) -> Result<(), BatchError> {
        rays.check()?;
        hits.check(rays.len())?;
        parallel::answer_range(0..rays.len(), hits, &|range, mut hits: HitColumns<'_, K>| {
            let (mut gathered, mut found) = (GatheredRays::new(), [const { None }; GATHERED]);
            let form = ForColumns { wants_place: hits.want_place() };
            for start in range.clone().step_by(GATHERED) {
                let found = &mut found[..GATHERED.min(range.end - start)];
                self.closest_of_rows(form, rays.gather(start, found.len(), &mut gathered), found);
                for (place, hit) in (start - range.start..).zip(found) {
                    hits.put(place, hit.as_ref());
                }
            }
        });
        Ok(())
    }
}

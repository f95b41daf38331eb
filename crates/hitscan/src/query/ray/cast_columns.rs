//! Many rays in columns against a scene.

use crate::error::BatchError;
use crate::geom::ray_columns::{HitColumns, RayBatch};
use crate::parallel;
use crate::query::view::RayView;
use core::hash::Hash;

impl<K: Clone + Eq + Hash + Send + Sync> RayView<'_, K> {
    /// Finds the closest hit of every ray, and writes it into columns.
    pub(in crate::query) fn closest_in_columns(
        &self,
        rays: RayBatch<'_>,
        hits: HitColumns<'_, K>,
    ) -> Result<(), BatchError> {
        rays.check()?;
        hits.check(rays.len())?;
        parallel::answer_range(0..rays.len(), hits, &|range, mut hits: HitColumns<'_, K>| {
            self.closest_of_range(&rays, range, &mut hits);
        });
        Ok(())
    }
}

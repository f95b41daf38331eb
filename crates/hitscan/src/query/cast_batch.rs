//! Many rays against a scene at once.

use super::hit::Hit;
use super::view::RayView;
use crate::error::BatchError;
use crate::geom::ray_columns::RayBatch;
use crate::parallel;
use core::hash::Hash;

impl<K: Clone + Eq + Hash + Send + Sync> RayView<'_, K> {
    /// Finds the closest hit of every ray.
    pub(super) fn closest_of_each(&self, rays: RayBatch<'_>, hits: &mut [Option<Hit<K>>]) -> Result<(), BatchError> {
        match rays {
            RayBatch::Rows(rays) => parallel::answer(rays, hits, &|rays, hits| {
                for (ray, hit) in rays.iter().zip(hits) {
                    self.closest_into(ray, hit);
                }
            }),
            RayBatch::Columns(rays) => {
                rays.check()?;
                parallel::check_count("places for answers", rays.len(), hits.len())?;
                parallel::answer_range(0..rays.len(), hits, &|range, hits: &mut [Option<Hit<K>>]| {
                    for (number, hit) in range.zip(hits) {
                        *hit = rays.get(number).and_then(|ray| self.closest(&ray));
                    }
                });
                Ok(())
            }
        }
    }

    /// Finds out for every ray whether there is any hit.
    pub(super) fn any_of_each(&self, rays: RayBatch<'_>, blocked: &mut [bool]) -> Result<(), BatchError> {
        match rays {
            RayBatch::Rows(rays) => parallel::answer(rays, blocked, &|rays, blocked| {
                for (ray, blocked) in rays.iter().zip(blocked) {
                    *blocked = self.any(ray);
                }
            }),
            RayBatch::Columns(rays) => {
                rays.check()?;
                parallel::check_count("places for answers", rays.len(), blocked.len())?;
                parallel::answer_range(0..rays.len(), blocked, &|range, blocked: &mut [bool]| {
                    for (number, blocked) in range.zip(blocked) {
                        *blocked = rays.get(number).is_some_and(|ray| self.any(&ray));
                    }
                });
                Ok(())
            }
        }
    }
}

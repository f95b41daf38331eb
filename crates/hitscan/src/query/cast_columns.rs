//! Many rays in columns against a scene.

use super::hit::Hit;
use super::view::RayView;
use crate::error::BatchError;
use crate::geom::hit::Side;
use crate::geom::ray_columns::{ColumnHit, GATHERED, GatheredRays, HitColumns, RayBatch};
use crate::parallel;
use core::hash::Hash;
use glam::{Vec2, Vec3};

impl<K: Clone> ColumnHit<K> for Hit<K> {
    fn id(&self) -> K {
        self.id.clone()
    }

    fn t(&self) -> f32 {
        self.t
    }

    fn part(&self) -> u32 {
        self.part
    }

    fn triangle(&self) -> Option<u32> {
        self.triangle
    }

    fn side(&self) -> Side {
        self.side
    }

    fn uv(&self) -> Option<Vec2> {
        self.uv
    }

    fn point(&self) -> Vec3 {
        self.point
    }

    fn normal(&self) -> Vec3 {
        self.normal
    }
}

impl<K: Clone + Eq + Hash + Send + Sync> RayView<'_, K> {
    /// Finds the closest hit of every ray, and writes it into columns.
    pub(super) fn closest_in_columns(&self, rays: RayBatch<'_>, hits: HitColumns<'_, K>) -> Result<(), BatchError> {
        rays.check()?;
        hits.check(rays.len())?;
        parallel::answer_range(0..rays.len(), hits, &|range, mut hits: HitColumns<'_, K>| {
            let (mut gathered, mut found) = (GatheredRays::new(), [const { None }; GATHERED]);
            for start in range.clone().step_by(GATHERED) {
                let found = &mut found[..GATHERED.min(range.end - start)];
                let rows = match &rays {
                    RayBatch::Rows(rays) => &rays[start..start + found.len()],
                    RayBatch::Columns(rays) => rays.gather(start, found.len(), &mut gathered),
                };
                self.closest_of_rows(rows, found);
                for (place, hit) in (start - range.start..).zip(found) {
                    hits.put(place, hit.as_ref());
                }
            }
        });
        Ok(())
    }
}

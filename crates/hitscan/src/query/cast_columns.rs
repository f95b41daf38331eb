//! Many rays in columns against a scene.

use super::hit::Hit;
use super::view::RayView;
use crate::error::BatchError;
use crate::geom::hit::Side;
use crate::geom::ray_columns::{ColumnHit, HitColumns, RayBatch};
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
            for (place, number) in range.enumerate() {
                let hit = rays.get(number).and_then(|ray| self.closest(&ray));
                hits.put(place, hit.as_ref());
            }
        });
        Ok(())
    }
}

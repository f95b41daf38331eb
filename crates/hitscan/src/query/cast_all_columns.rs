//! All hits of many rays against a scene, in columns.

use super::RayView;
use super::cast::{FoundPart, RaySearch};
use super::hit_collector::{EveryHit, HitKey};
use super::hit_report::{self, HitPlace};
use super::query_ray::QueryRay;
use crate::collections::sort::SharedSort;
use crate::error::BatchError;
use crate::geom::hit::Side;
use crate::geom::hit_lists::AllHitColumns;
use crate::geom::ray::Ray;
use crate::geom::ray_columns::{ColumnHit, RayBatch};
use crate::parallel::Threads;
use crate::scene::Owner;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{Vec2, Vec3};

/// The values of a hit that go into columns.
struct Row<K> {
    key: HitKey,
    id: K,
    side: Side,
    triangle: Option<u32>,
    place: Place,
}

/// The values of a hit that are computed only if a column needs them; they are empty otherwise.
#[derive(Default)]
struct Place {
    uv: Option<Vec2>,
    point: Vec3,
    normal: Vec3,
}

impl<K: Clone> ColumnHit<K> for Row<K> {
    fn id(&self) -> K {
        self.id.clone()
    }

    fn t(&self) -> f32 {
        self.key.t
    }

    fn part(&self) -> u32 {
        self.key.part
    }

    fn triangle(&self) -> Option<u32> {
        self.triangle
    }

    fn side(&self) -> Side {
        self.side
    }

    fn uv(&self) -> Option<Vec2> {
        self.place.uv
    }

    fn point(&self) -> Vec3 {
        self.place.point
    }

    fn normal(&self) -> Vec3 {
        self.place.normal
    }
}

impl<K: Clone + Eq + Hash + Send + Sync> RayView<'_, K> {
    /// Finds all hits of every ray, and writes them into columns.
    pub(super) fn every_in_columns(
        &self,
        rays: RayBatch<'_>,
        threads: Threads,
        hits: AllHitColumns<'_, K>,
    ) -> Result<(), BatchError> {
        rays.check()?;
        hits.fill(rays.len(), threads, &|range, columns| {
            let (mut rows, wants_place) = (Vec::new(), columns.want_place());
            for ray in range.map(|number| rays.get(number)) {
                rows.clear();
                if let Some(ray) = ray {
                    self.collect_rows(&ray, wants_place, &mut rows);
                }
                columns.add(&rows);
            }
        });
        Ok(())
    }

    /// Collects the hits that [`every`](Self::every) does, in the same order.
    fn collect_rows(&self, ray: &Ray, wants_place: bool, rows: &mut Vec<Row<K>>) {
        let Some(query_ray) = QueryRay::new(self, ray) else { return };
        let search = RaySearch::new(self, &query_ray);
        search.run(&mut EveryHit(|key, found| rows.extend(self.row(&search, key, &found, wants_place))));
        rows.sort_shared_by(|a, b| a.key.cmp(&b.key));
        // A triangle may be in several leaves of its mesh's tree.
        rows.dedup_by_key(|row| row.key);
    }

    fn row(
        &self,
        search: &RaySearch<'_, K>,
        key: HitKey,
        (part, part_hit): &FoundPart<'_>,
        wants_place: bool,
    ) -> Option<Row<K>> {
        let place = if wants_place {
            let HitPlace { uv, point, normal, .. } = hit_report::on_any(part, search.ray, self.view.origin, part_hit)?;
            Place { uv, point, normal }
        } else {
            Place::default()
        };
        let Owner { key: id, .. } = self.view.scene.owner(part)?;
        Some(Row { key, id: id.clone(), side: part_hit.side(), triangle: part_hit.triangle(), place })
    }
}

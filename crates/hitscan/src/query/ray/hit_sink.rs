//! The destinations of a batch's answers: complete hits, or columns.

use super::cast::RaySearch;
use super::hit::Hit;
use super::hit_report::{self, HitPlace};
use super::part_hit::FoundPart;
use crate::geom::hit::Side;
use crate::geom::ray::Ray;
use crate::geom::ray_columns::{ColumnHit, HitColumns};
use crate::query::collect::HitKey;
use crate::scene::Owner;
use core::hash::Hash;
use glam::{Vec2, Vec3};

/// The places for the answers of a batch, in some form.
pub(in crate::query) trait HitSink<K> {
    /// Writes a miss to a place.
    fn put_miss(&mut self, place: usize);

    /// Writes to a place the hit that a search has found for a ray.
    fn put_hit(&mut self, place: usize, search: &RaySearch<'_, K>, ray: &Ray, key: &HitKey, found: &FoundPart<'_>);
}

/// Complete hits are built in their places, because a hit is large and would otherwise be moved.
impl<K: Clone + Eq + Hash> HitSink<K> for &mut [Option<Hit<K>>] {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn put_miss(&mut self, place: usize) {
        self[place] = None;
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn put_hit(&mut self, place: usize, search: &RaySearch<'_, K>, ray: &Ray, key: &HitKey, found: &FoundPart<'_>) {
        let hit = &mut self[place];
        *hit = None;
        search.report_into(ray, key, found, hit);
    }
}

impl<K: Clone + Eq + Hash> HitSink<K> for HitColumns<'_, K> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn put_miss(&mut self, place: usize) {
        self.put(place, None::<&HitRow<K>>);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn put_hit(&mut self, place: usize, search: &RaySearch<'_, K>, _: &Ray, key: &HitKey, found: &FoundPart<'_>) {
        let form = ForColumns { wants_place: self.want_place() };
        self.put(place, form.row(search, *key, found).as_ref());
    }
}

/// The choice of the values of hits that columns need.
#[derive(Clone, Copy)]
pub(in crate::query) struct ForColumns {
    /// True if a column needs the hit's place on its surface. The place is computed only then.
    pub(in crate::query) wants_place: bool,
}

impl ForColumns {
    #[inline]
    pub(in crate::query) fn row<K: Clone + Eq + Hash>(
        self,
        search: &RaySearch<'_, K>,
        key: HitKey,
        (part, part_hit): &FoundPart<'_>,
    ) -> Option<HitRow<K>> {
        let view = &search.query.view;
        let place = if self.wants_place {
            let HitPlace { uv, point, normal, .. } = hit_report::on_any(part, search.ray, view.origin, part_hit)?;
            Place { uv, point, normal }
        } else {
            Place::default()
        };
        let Owner { key: id, .. } = view.scene.owner(part)?;
        Some(HitRow { key, id: id.clone(), side: part_hit.side(), triangle: part_hit.triangle(), place })
    }
}

/// The values of a hit that go into columns.
pub(in crate::query) struct HitRow<K> {
    pub(in crate::query) key: HitKey,
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

impl<K: Clone> ColumnHit<K> for HitRow<K> {
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

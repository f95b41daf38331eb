//! A hit that a search has found, in full.

use super::cast::RaySearch;
use super::hit_report::{self, HitPlace};
use super::part_hit::{FoundPart, PartHit};
use super::query_ray::Past;
use crate::geom::ray::Ray;
use crate::query::Hit;
use crate::query::collect::HitKey;
use crate::scene::{Owner, Part};
use core::hash::Hash;
use glam::Vec2;

impl<K: Clone + Eq + Hash> RaySearch<'_, K> {
    /// Returns the hit in full.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn report(&self, ray: &Ray, key: &HitKey, found: &FoundPart<'_>) -> Option<Hit<K>> {
        let (part, part_hit) = found;
        match part_hit {
            PartHit::Triangle(surface, found) if !matches!(self.past, Past::Leaving(_)) => {
                let spot = hit_report::on_triangle(part, self.ray, self.query.view.origin, *surface, found);
                self.build_hit(ray, key, part, part_hit, &spot)
            }
            _ => self.report_other(ray, key, part, part_hit),
        }
    }

    /// Does the same as [`report`](Self::report), but writes the answer in place.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn report_into(
        &self,
        ray: &Ray,
        key: &HitKey,
        found: &FoundPart<'_>,
        hit: &mut Option<Hit<K>>,
    ) {
        let (part, part_hit) = found;
        match part_hit {
            PartHit::Triangle(surface, found) if !matches!(self.past, Past::Leaving(_)) => {
                let spot = hit_report::on_triangle(part, self.ray, self.query.view.origin, *surface, found);
                // Each field of the hit is written directly in its final place. This works because nothing else is written there on this path.
                if let Some(built) = self.build_hit(ray, key, part, part_hit, &spot) {
                    *hit = Some(built);
                }
            }
            _ => *hit = self.report_other(ray, key, part, part_hit),
        }
    }

    #[inline(never)]
    fn report_other(&self, ray: &Ray, key: &HitKey, part: &Part, part_hit: &PartHit<'_>) -> Option<Hit<K>> {
        let spot = hit_report::on_any(part, self.ray, self.query.view.origin, part_hit)?;
        let hit = self.build_hit(ray, key, part, part_hit, &spot)?;
        let corner = match (self.past, part_hit) {
            (Past::Leaving(leaving), PartHit::Ahead(_)) => Some(leaving.corner()),
            (Past::Leaving(leaving), _) => leaving.corner_at(spot.exact_point),
            (Past::Nothing | Past::UpTo(_), _) => None,
        };
        Some(Hit { corner, ..hit })
    }

    /// Builds the hit; `None` if the part has no owner. The values are passed by reference. A copy would load them with other widths than they were stored
    /// with, so store forwarding would fail.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn build_hit<U: Copy + Into<Option<Vec2>>>(
        &self,
        ray: &Ray,
        key: &HitKey,
        part: &Part,
        part_hit: &PartHit<'_>,
        spot: &HitPlace<U>,
    ) -> Option<Hit<K>> {
        let Owner { key: id, revision } = self.scene.owner(part)?;
        Some(Hit {
            id: id.clone(),
            part: key.part,
            t: part_hit.t(),
            point: spot.point,
            normal: spot.normal,
            side: part_hit.side(),
            triangle: part_hit.triangle(),
            feature: part_hit.feature(),
            uv: spot.uv.into(),
            key: *key,
            revision,
            exact_point: spot.exact_point,
            origin: ray.origin,
            direction: ray.direction,
            exact_origin: self.ray.origin,
            corner: None,
            relative_to: self.query.view.origin,
        })
    }
}

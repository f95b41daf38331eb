//! Many rays against a scene at once.

use super::hit::Hit;
use super::hit_sink::HitSink;
use crate::error::BatchError;
use crate::geom::eight_rays::LANES;
use crate::geom::ray::Ray;
use crate::geom::ray_columns::{GATHERED, GatheredRays, RayBatch, RayColumns};
use crate::parallel;
use crate::query::view::RayView;
use core::hash::Hash;
use core::ops::Range;

impl<K: Clone + Eq + Hash + Send + Sync> RayView<'_, K> {
    /// Finds the closest hit of every ray.
    pub(in crate::query) fn closest_of_each(
        &self,
        rays: RayBatch<'_>,
        hits: &mut [Option<Hit<K>>],
    ) -> Result<(), BatchError> {
        match rays {
            // For a batch of one ray, this is faster than the code for columns.
            RayBatch::Rows(rays) => parallel::answer(rays, hits, &|rays, mut hits: &mut [Option<Hit<K>>]| {
                self.closest_of_rows(rays, 0, &mut hits);
            }),
            RayBatch::Columns(rays) => {
                rays.check()?;
                parallel::check_count("places for answers", rays.len(), hits.len())?;
                parallel::answer_range(0..rays.len(), hits, &|range, mut hits: &mut [Option<Hit<K>>]| {
                    self.closest_of_columns(&rays, range, &mut hits);
                });
                Ok(())
            }
        }
    }

    /// Finds for every ray whether there is any hit.
    pub(in crate::query) fn any_of_each(&self, rays: RayBatch<'_>, blocked: &mut [bool]) -> Result<(), BatchError> {
        match rays {
            RayBatch::Rows(rays) => parallel::answer(rays, blocked, &|rays, blocked| {
                self.any_of_rows(rays, &mut None, blocked);
            }),
            RayBatch::Columns(rays) => {
                rays.check()?;
                parallel::check_count("places for answers", rays.len(), blocked.len())?;
                parallel::answer_range(0..rays.len(), blocked, &|range, blocked: &mut [bool]| {
                    let (mut gathered, mut occluder) = (GatheredRays::new(), None);
                    for (start, blocked) in range.step_by(GATHERED).zip(blocked.chunks_mut(GATHERED)) {
                        self.any_of_rows(rays.gather(start, blocked.len(), &mut gathered), &mut occluder, blocked);
                    }
                });
                Ok(())
            }
        }
    }

    /// Finds the closest hits of a range of a batch's rays on one thread, and writes them to consecutive places.
    pub(in crate::query) fn closest_of_range(
        &self,
        rays: &RayBatch<'_>,
        range: Range<usize>,
        hits: &mut impl HitSink<K>,
    ) {
        match rays {
            RayBatch::Rows(rays) => self.closest_of_rows(&rays[range], 0, hits),
            RayBatch::Columns(rays) => self.closest_of_columns(rays, range, hits),
        }
    }

    fn closest_of_columns(&self, rays: &RayColumns<'_>, range: Range<usize>, hits: &mut impl HitSink<K>) {
        let mut gathered = GatheredRays::new();
        for start in range.clone().step_by(GATHERED) {
            let count = GATHERED.min(range.end - start);
            self.closest_of_rows(rays.gather(start, count, &mut gathered), start - range.start, hits);
        }
    }

    /// Finds the closest hits of rays one after the other, on one thread, and writes them to consecutive places.
    fn closest_of_rows(&self, rays: &[Ray], start: usize, hits: &mut impl HitSink<K>) {
        let (packets, rest) = self.packets(rays);
        let end = start + packets.len() * LANES;
        for (place, rays) in (start..end).step_by(LANES).zip(packets) {
            self.closest_of_packet(rays, place, hits);
        }
        for (place, ray) in (end..).zip(rest) {
            self.cast_closest_into(ray, place, hits);
        }
    }

    /// Returns the rays that may be cast as packets, and the others.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn packets<'r>(&self, rays: &'r [Ray]) -> (&'r [[Ray; LANES]], &'r [Ray]) {
        if rays.len() >= LANES && self.takes_packets() { rays.as_chunks() } else { (&[], rays) }
    }

    fn any_of_rows(&self, rays: &[Ray], occluder: &mut Option<u32>, blocked: &mut [bool]) {
        let (packets, rest) = self.packets(rays);
        let (packet_answers, rest_answers) = blocked.split_at_mut(packets.len() * LANES);
        for (rays, blocked) in packets.iter().zip(packet_answers.as_chunks_mut().0) {
            self.any_of_packet(occluder, rays, blocked);
        }
        for (ray, blocked) in rest.iter().zip(rest_answers) {
            *blocked = self.cast_any(ray);
        }
    }
}

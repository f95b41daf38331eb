//! Many rays against a scene at once.

use super::hit::Hit;
use super::hit_form::{HitForm, InFull};
use super::view::RayView;
use crate::error::BatchError;
use crate::geom::eight_rays::LANES;
use crate::geom::ray::Ray;
use crate::geom::ray_columns::{GATHERED, GatheredRays, RayBatch};
use crate::parallel;
use core::hash::Hash;

impl<K: Clone + Eq + Hash + Send + Sync> RayView<'_, K> {
    /// Finds the closest hit of every ray.
    pub(super) fn closest_of_each(&self, rays: RayBatch<'_>, hits: &mut [Option<Hit<K>>]) -> Result<(), BatchError> {
        match rays {
            RayBatch::Rows(rays) => parallel::answer(rays, hits, &|rays, hits| {
                self.closest_of_rows(InFull, rays, hits);
            }),
            RayBatch::Columns(rays) => {
                rays.check()?;
                parallel::check_count("places for answers", rays.len(), hits.len())?;
                parallel::answer_range(0..rays.len(), hits, &|range, hits: &mut [Option<Hit<K>>]| {
                    let mut gathered = GatheredRays::new();
                    for (start, hits) in range.step_by(GATHERED).zip(hits.chunks_mut(GATHERED)) {
                        self.closest_of_rows(InFull, rays.gather(start, hits.len(), &mut gathered), hits);
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
                self.any_of_rows(rays, blocked);
            }),
            RayBatch::Columns(rays) => {
                rays.check()?;
                parallel::check_count("places for answers", rays.len(), blocked.len())?;
                parallel::answer_range(0..rays.len(), blocked, &|range, blocked: &mut [bool]| {
                    let mut gathered = GatheredRays::new();
                    for (start, blocked) in range.step_by(GATHERED).zip(blocked.chunks_mut(GATHERED)) {
                        self.any_of_rows(rays.gather(start, blocked.len(), &mut gathered), blocked);
                    }
                });
                Ok(())
            }
        }
    }

    /// Finds the closest hits of rays one after the other, on one thread.
    pub(super) fn closest_of_rows<F: HitForm<K>>(&self, form: F, rays: &[Ray], hits: &mut [Option<F::Answer>]) {
        let (packets, rest) = if self.takes_packets() { rays.as_chunks() } else { (&[][..], rays) };
        let (packet_hits, rest_hits) = hits.split_at_mut(packets.len() * LANES);
        for (rays, hits) in packets.iter().zip(packet_hits.as_chunks_mut().0) {
            self.closest_of_packet(form, rays, hits);
        }
        for (ray, hit) in rest.iter().zip(rest_hits) {
            self.closest_into(form, ray, hit);
        }
    }

    fn any_of_rows(&self, rays: &[Ray], blocked: &mut [bool]) {
        let (packets, rest) = if self.takes_packets() { rays.as_chunks() } else { (&[][..], rays) };
        let mut occluder = None;
        let (packet_answers, rest_answers) = blocked.split_at_mut(packets.len() * LANES);
        for (rays, blocked) in packets.iter().zip(packet_answers.as_chunks_mut().0) {
            self.any_of_packet(&mut occluder, rays, blocked);
        }
        for (ray, blocked) in rest.iter().zip(rest_answers) {
            *blocked = self.any(ray);
        }
    }
}

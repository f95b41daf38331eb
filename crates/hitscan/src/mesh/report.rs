//! The hits of several rays in full, four at a time.

use super::bundle::NONE;
use super::kernel::Found;
use super::packet::{self, ManyDetails, Packet, Verdicts};
use super::{MeshHit, Shared};
use crate::bvh::take_lowest;
use crate::float::{inverse_power_of_two, largest, power_of_two};
use crate::ray::{LocalRay, Ray};
use crate::shape::Determinants;
use crate::simd::{Axes, Simd, SimdBase, f64x4};
use glam::DVec3;

/// How many at a time.
const FOUR: usize = 4;

impl Shared {
    /// Of rays, at most eight, that hit triangles at these places for sure, and first; `None` at those that have no place.
    #[inline(always)]
    pub(super) fn hits_at<S: Simd>(&self, simd: S, rays: &[Ray], places: &[u32], hits: &mut [Option<MeshHit>]) {
        hits.fill(None);
        let rays = rays.chunks(FOUR).zip(places.chunks(FOUR)).zip(hits.chunks_mut(FOUR));
        for ((rays, places), hits) in rays {
            let mut lanes = 0;
            for (lane, &place) in places.iter().enumerate().take(rays.len()) {
                lanes |= u64::from(place != NONE) << lane;
            }
            if self.packets_are_exact && lanes != 0 {
                lanes = self.four_hits(simd, rays, places, lanes, hits);
            }
            while let Some(lane) = take_lowest(&mut lanes) {
                hits[lane] = self.hit_at(simd, &rays[lane], places[lane]);
            }
        }
    }

    /// Answers the lanes whose t f64 cannot tell.
    #[inline(always)]
    fn four_hits<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray],
        places: &[u32],
        lanes: u64,
        hits: &mut [Option<MeshHit>],
    ) -> u64 {
        let mut four = Four::new();
        let mut left = lanes;
        while let Some(lane) = take_lowest(&mut left) {
            four.set(
                lane,
                &rays[lane],
                self.frame.scale,
                &self.packets[places[lane] as usize / packet::SIZE],
                places[lane],
            );
        }
        let corners = [four.corner(simd, 0), four.corner(simd, 1), four.corner(simd, 2)];
        let (origin, direction) = (load(simd, &four.origin), load(simd, &four.direction));
        let determinants = Determinants::new(origin, direction, corners);
        let reach = f64x4::from_slice(simd, &four.reach);
        let verdicts = Verdicts::new(simd, &determinants, reach, f64x4::from_slice(simd, &four.factor));
        let [x, y, z] = [direction[0].abs(), direction[1].abs(), direction[2].abs()];
        let details = ManyDetails::new(&determinants, x.max(y).max(z));
        let unit = inverse_power_of_two(self.frame.scale);
        let (mut left, mut doubtful) = (lanes, 0);
        while let Some(lane) = take_lowest(&mut left) {
            let Some(verdict) = verdicts.get(lane) else {
                doubtful |= 1 << lane;
                continue;
            };
            let packet = &self.packets[places[lane] as usize / packet::SIZE];
            let at = places[lane] as usize % packet::SIZE;
            let found = Found { triangle: packet.triangles[at], verdict, place: places[lane] };
            let ray = framed(&rays[lane], self.frame.scale);
            hits[lane] = Some(MeshHit::new(&ray, packet.corners(at), &details.get(lane), unit, found));
        }
        doubtful
    }
}

#[inline(always)]
fn framed(ray: &Ray, scale: f64) -> LocalRay {
    let (origin, direction) = (ray.origin.as_dvec3() * scale, ray.direction.as_dvec3() * scale);
    LocalRay { origin, direction, t_min: ray.t_min, t_max: ray.t_max }
}

/// Rays and triangles, one a lane, in the frame's coordinates.
struct Four {
    origin: Axes<[f64; FOUR]>,
    /// As [`FramedRay::unit_direction`](crate::bvh::FramedRay).
    direction: Axes<[f64; FOUR]>,
    corners: [Axes<[f64; FOUR]>; 3],
    reach: [f64; FOUR],
    /// The t in one distance.
    factor: [f64; FOUR],
}

impl Four {
    /// Of numbers that do no harm where there is no ray.
    #[inline(always)]
    fn new() -> Self {
        let ones = [1.0; FOUR];
        Self { origin: [ones; 3], direction: [ones; 3], corners: [[ones; 3]; 3], reach: ones, factor: ones }
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, ray: &Ray, scale: f64, packet: &Packet, place: u32) {
        let at = place as usize % packet::SIZE;
        let ray = framed(ray, scale);
        let factor = inverse_power_of_two(2.0 * power_of_two(largest(ray.direction)));
        put(&mut self.origin, lane, ray.origin);
        put(&mut self.direction, lane, ray.direction * factor);
        let [a, b, c] = packet.corners(at);
        put(&mut self.corners[0], lane, a);
        put(&mut self.corners[1], lane, b);
        put(&mut self.corners[2], lane, c);
        self.reach[lane % FOUR] = packet.reach[at].into();
        self.factor[lane % FOUR] = factor;
    }

    #[inline(always)]
    fn corner<S: Simd>(&self, simd: S, corner: usize) -> Axes<f64x4<S>> {
        load(simd, &self.corners[corner])
    }
}

#[inline(always)]
fn put(axes: &mut Axes<[f64; FOUR]>, lane: usize, v: DVec3) {
    axes[0][lane % FOUR] = v.x;
    axes[1][lane % FOUR] = v.y;
    axes[2][lane % FOUR] = v.z;
}

#[inline(always)]
fn load<S: Simd>(simd: S, [x, y, z]: &Axes<[f64; FOUR]>) -> Axes<f64x4<S>> {
    crate::simd::load(simd, [x, y, z])
}

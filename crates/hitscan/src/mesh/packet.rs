//! Four triangles, tested at once for whether a ray may hit them.

use crate::bvh::{FramedRay, LEAF_SIZE};
use crate::float::{UNIT_ROUNDOFF, round_up};
use crate::hit::Side;
use crate::shape::Verdict;
use crate::simd::{Axes, Simd, SimdBase, SimdFloat, SimdMask, cross, difference, dot, f32x4, load, splat};
use glam::DVec3;

pub(super) const SIZE: usize = LEAF_SIZE;

/// By corner, axis and triangle, in the frame's coordinates.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Packet {
    corners: [[[f32; SIZE]; 3]; 3],
    /// The largest coordinate of two edges; NaN where there is no triangle, so that no comparison holds.
    reach: [f32; SIZE],
    pub(super) triangles: [u32; SIZE],
}

const ROUNDOFF: f32 = f32::EPSILON / 2.0;
/// Below this the products of the tests below might underflow.
const LEAST_REACH: f32 = 1e-16;

/// Without triangles.
impl Default for Packet {
    fn default() -> Self {
        Self { corners: [[[0.0; SIZE]; 3]; 3], reach: [f32::NAN; SIZE], triangles: [u32::MAX; SIZE] }
    }
}

impl Packet {
    pub(super) fn new(triangles: impl Iterator<Item = (u32, [DVec3; 3])>) -> Self {
        let mut packet = Self::default();
        for (lane, (number, corners)) in triangles.take(SIZE).enumerate() {
            packet.triangles[lane] = number;
            for (corner, axis) in (0..3).flat_map(|corner| (0..3).map(move |axis| (corner, axis))) {
                packet.corners[corner][axis][lane] = corners[corner][axis] as f32;
            }
            let [a, b, c] = corners;
            let reach = (b - a).abs().max((c - a).abs()).max_element();
            packet.reach[lane] = round_up(reach).max(LEAST_REACH);
        }
        packet
    }

    /// The corners of one triangle, in the frame's coordinates.
    #[inline(always)]
    pub(super) fn corners(&self, lane: usize) -> [DVec3; 3] {
        // Not by `map`, which is not inlined here.
        let corner = |[x, y, z]: &[[f32; SIZE]; 3]| {
            DVec3::new(x[lane % SIZE].into(), y[lane % SIZE].into(), z[lane % SIZE].into())
        };
        let [a, b, c] = &self.corners;
        [corner(a), corner(b), corner(c)]
    }

    /// Which triangles the ray may hit within `limit`: all that it does hit are among them. And which it hits for sure.
    ///
    /// The determinants of Möller and Trumbore in f32, without a division, compared with bounds on their errors that
    /// docs/robustness.md derives.
    #[inline(always)]
    pub(super) fn test<S: Simd>(&self, test: &PacketTest<S>, limit: f32) -> Lanes {
        let simd = test.simd;
        let [a, b, c] = &self.corners;
        let a = load(simd, a.each_ref());
        let e1 = difference(&load(simd, b.each_ref()), &a);
        let e2 = difference(&load(simd, c.each_ref()), &a);
        let s = difference(&test.origin, &a);

        let p = cross(&test.direction, &e2);
        let q = cross(&s, &e1);
        let det = dot(&e1, &p);
        let sign = f32x4::splat(simd, 1.0).copysign(det);
        let u = dot(&s, &p) * sign;
        let v = dot(&test.direction, &q) * sign;
        let t = dot(&e2, &q) * sign;
        let det = det.abs();
        let w = det - u - v;

        let reach = f32x4::from_slice(simd, &self.reach);
        let edge_error = reach * reach.mul_add(f32x4::splat(simd, DET_ERROR), test.edge_error);
        let t_error = reach * reach * test.t_error;
        let least = u.min(v).min(w);
        let in_range = t.simd_ge(-t_error) & t.simd_le(det.mul_add(f32x4::splat(simd, limit), t_error));
        let possible = (least.simd_ge(-edge_error) & in_range).to_bitmask();
        let certain = least.simd_gt(edge_error);
        let surely_in_range =
            t.simd_ge(det.mul_add(test.first_for_sure, t_error)) & t.simd_le(det.mul_sub(test.limit_for_sure, t_error));
        Lanes { possible, certain: certain.to_bitmask(), counts: (certain & surely_in_range).to_bitmask() }
    }

    /// The t of a triangle that is known to be hit, if that is certain in f64, and the side.
    #[inline(always)]
    pub(super) fn verdict(&self, ray: &FramedRay, lane: usize) -> Option<Verdict> {
        let [a, b, c] = self.corners(lane);
        let (e1, e2, s) = (b - a, c - a, ray.exact.origin - a);
        let det = e1.dot(ray.unit_direction.cross(e2));
        let numerator = e2.dot(s.cross(e1));
        let inverse = 1.0 / det;
        let distance = numerator * inverse;
        // As Bounded::new has it, with components of the direction below 1.
        let reach = f64::from(self.reach[lane % SIZE]);
        let span = s.x.abs() + s.y.abs() + s.z.abs();
        let error = 16.0 * UNIT_ROUNDOFF * reach * reach * (2.0 * span + 6.0 * distance.abs()) * inverse.abs();
        round_between(distance, 1.01 * error + 2.0 * f64::EPSILON * distance.abs(), ray.t_per_distance)
            .map(|t| Verdict { t, side: if det > 0.0 { Side::Front } else { Side::Back } })
    }
}

/// Of the triangles of a packet, a bit each.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    pub(super) possible: u64,
    /// Hit, whether in range or not.
    pub(super) certain: u64,
    /// Hit, and within the range that the ray had at first.
    pub(super) counts: u64,
}

/// `(value +- error) * factor` rounded to f32, if that is one number.
#[inline(always)]
fn round_between(value: f64, error: f64, factor: f64) -> Option<f32> {
    let (low, high) = (((value - error) * factor) as f32, ((value + error) * factor) as f32);
    // Adding +0 turns -0 into +0.
    (low == high && low.is_finite()).then_some(low + 0.0)
}

const DET_ERROR: f32 = 128.0 * ROUNDOFF;

/// A ray prepared for packets.
pub(super) struct PacketTest<S: Simd> {
    simd: S,
    origin: Axes<f32x4<S>>,
    direction: Axes<f32x4<S>>,
    edge_error: f32x4<S>,
    t_error: f32x4<S>,
    first_for_sure: f32x4<S>,
    limit_for_sure: f32x4<S>,
}

impl<S: Simd> PacketTest<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, ray: &FramedRay) -> Self {
        let [x, y, z, _] = ray.origin;
        // No corner is farther than this from the origin, by the sum of coordinates.
        let distance = x.abs() + y.abs() + z.abs() + 3.0;
        Self {
            simd,
            origin: splat(simd, ray.origin),
            direction: splat(simd, ray.direction),
            first_for_sure: f32x4::splat(simd, ray.first_for_sure),
            limit_for_sure: f32x4::splat(simd, ray.limit_for_sure(ray.exact.t_max)),
            edge_error: f32x4::splat(simd, 48.0 * ROUNDOFF * distance + 16.0 * ray.origin_error),
            t_error: f32x4::splat(
                simd,
                24.0 * ROUNDOFF * distance + 8.0 * ray.origin_error + 72.0 * ROUNDOFF * ray.farthest,
            ),
        }
    }
}

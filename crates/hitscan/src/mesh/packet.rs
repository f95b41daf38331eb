//! Four triangles, tested at once for whether a ray may hit them.

use crate::bvh::{FramedRay, LEAF_SIZE};
use crate::float::{UNIT_ROUNDOFF, largest, round_up};
use crate::hit::Side;
use crate::shape::{Details, Determinants, Number, RELATIVE_ERROR, Sizes, Verdict};
use crate::simd::{Axes, Simd, SimdBase, SimdFloat, SimdMask, cross, difference, dot, f32x4, f64x4, load, splat};
use core::ops::{Add, Mul};
use glam::DVec3;

pub(super) const SIZE: usize = LEAF_SIZE;

/// By corner, axis and triangle, in the frame's coordinates.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Packet {
    pub(super) corners: [[[f32; SIZE]; 3]; 3],
    /// The largest coordinate of two edges; NaN where there is no triangle, so that no comparison holds.
    pub(super) reach: [f32; SIZE],
    pub(super) triangles: [u32; SIZE],
}

pub(super) const ROUNDOFF: f32 = f32::EPSILON / 2.0;
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
    pub(super) fn test<S: Simd>(&self, simd: S, test: &PacketTest, limit: f32) -> Lanes {
        let [a, b, c] = &self.corners;
        let a: Axes<f32x4<S>> = load(simd, a.each_ref());
        let e1 = difference(&load(simd, b.each_ref()), &a);
        let e2 = difference(&load(simd, c.each_ref()), &a);
        let s = difference(&splat(simd, test.origin), &a);
        let direction = splat(simd, test.direction);

        let Tested { det, t, least, .. } = Tested::new(simd, &s, &direction, &e1, &e2);
        let reach = f32x4::from_slice(simd, &self.reach);
        let edge_error = reach * reach.mul_add(f32x4::splat(simd, DET_ERROR), f32x4::splat(simd, test.edge_error));
        let t_error = reach * reach * f32x4::splat(simd, test.t_error);
        let in_range = t.simd_ge(-t_error) & t.simd_le(det.mul_add(f32x4::splat(simd, limit), t_error));
        let possible = (least.simd_ge(-edge_error) & in_range).to_bitmask();
        let certain = least.simd_gt(edge_error);
        let surely_in_range = t.simd_ge(det.mul_add(f32x4::splat(simd, test.first_for_sure), t_error))
            & t.simd_le(det.mul_sub(f32x4::splat(simd, test.limit_for_sure), t_error));
        Lanes { possible, certain: certain.to_bitmask(), counts: (certain & surely_in_range).to_bitmask() }
    }

    /// All that a ray has to do with the four triangles, in f64.
    #[inline(always)]
    fn determinants<S: Simd>(&self, simd: S, ray: &FramedRay) -> Determinants<f64x4<S>> {
        let [a, b, c] = &self.corners;
        let (origin, direction) = (splat_f64(simd, ray.exact.origin), splat_f64(simd, ray.unit_direction));
        Determinants::new(origin, direction, [load_f64(simd, a), load_f64(simd, b), load_f64(simd, c)])
    }

    /// From what a hit of a triangle is reported, times powers of two.
    #[inline(always)]
    pub(super) fn details<S: Simd>(&self, simd: S, ray: &FramedRay, lane: usize) -> Details {
        let pace = f64x4::splat(simd, largest(ray.unit_direction));
        ManyDetails::new(&self.determinants(simd, ray), pace).get(lane)
    }

    /// What is reported of triangles that are hit for sure.
    #[inline(always)]
    pub(super) fn verdicts<S: Simd>(&self, simd: S, ray: &FramedRay) -> Verdicts {
        let factor = f64x4::splat(simd, ray.t_per_distance);
        Verdicts::new(simd, &self.determinants(simd, ray), load_one(simd, &self.reach), factor)
    }
}

/// From what hits are reported, one a lane.
pub(super) struct ManyDetails<S: Simd> {
    determinants: Determinants<f64x4<S>>,
    sizes: Sizes<f64x4<S>>,
    reach: f64x4<S>,
    normal: Axes<f64x4<S>>,
}

impl<S: Simd> ManyDetails<S> {
    /// `pace` is the largest component of each direction.
    #[inline(always)]
    pub(super) fn new(determinants: &Determinants<f64x4<S>>, pace: f64x4<S>) -> Self {
        let reach = determinants.reach();
        let (sizes, normal) = (determinants.sizes(reach, pace), determinants.normal());
        Self { determinants: *determinants, sizes, reach, normal }
    }

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Details {
        let [x, y, z] = self.normal;
        Details {
            det: extract(self.determinants.det, lane),
            u: extract(self.determinants.u, lane),
            v: extract(self.determinants.v, lane),
            det_size: extract(self.sizes.det, lane),
            edge_size: extract(self.sizes.edge, lane),
            normal: DVec3::new(extract(x, lane), extract(y, lane), extract(z, lane)),
            reach: extract(self.reach, lane),
        }
    }
}

/// Between which ts triangles are hit, one a lane, and det.
#[derive(Clone, Copy)]
pub(super) struct Verdicts {
    low: [f64; SIZE],
    high: [f64; SIZE],
    det: [f64; SIZE],
}

impl Verdicts {
    /// Of triangles that are hit for sure and whose edges have coordinates of at most `reach`, given the t in one distance.
    #[inline(always)]
    pub(super) fn new<S: Simd>(
        simd: S,
        determinants: &Determinants<f64x4<S>>,
        reach: f64x4<S>,
        factor: f64x4<S>,
    ) -> Self {
        let sizes = determinants.sizes(reach, f64x4::splat(simd, 1.0));
        let inverse = f64x4::splat(simd, 1.0) / determinants.det;
        let distance = determinants.t * inverse;
        // |n/d - N/D| <= (err n + |n/d| err d) / (|d| - err d), where err d is below a hundredth of d, or the triangle were not hit for
        // sure; and a little for the roundings here.
        let error = (sizes.t + distance.abs() * sizes.det) * inverse.abs();
        let error = error.times(1.02 * RELATIVE_ERROR) + distance.abs().times(4.0 * UNIT_ROUNDOFF);
        let mut verdicts = Self { low: [0.0; SIZE], high: [0.0; SIZE], det: [0.0; SIZE] };
        ((distance - error) * factor).store_slice(&mut verdicts.low);
        ((distance + error) * factor).store_slice(&mut verdicts.high);
        determinants.det.store_slice(&mut verdicts.det);
        verdicts
    }

    /// If t is certain.
    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Option<Verdict> {
        let (low, high) = (self.low[lane % SIZE] as f32, self.high[lane % SIZE] as f32);
        let side = if self.det[lane % SIZE] > 0.0 { Side::Front } else { Side::Back };
        // Adding +0 turns -0 into +0.
        (low == high && low.is_finite()).then_some(Verdict { t: low + 0.0, side })
    }
}

impl<S: Simd> Number for f64x4<S> {
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.max(other)
    }

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self * factor
    }
}

#[inline(always)]
fn load_f64<S: Simd>(simd: S, [x, y, z]: &[[f32; SIZE]; 3]) -> Axes<f64x4<S>> {
    [load_one(simd, x), load_one(simd, y), load_one(simd, z)]
}

#[inline(always)]
fn load_one<S: Simd>(simd: S, &[a, b, c, d]: &[f32; SIZE]) -> f64x4<S> {
    f64x4::from_slice(simd, &[f64::from(a), f64::from(b), f64::from(c), f64::from(d)])
}

#[inline(always)]
fn splat_f64<S: Simd>(simd: S, v: DVec3) -> Axes<f64x4<S>> {
    [f64x4::splat(simd, v.x), f64x4::splat(simd, v.y), f64x4::splat(simd, v.z)]
}

#[inline(always)]
fn extract<S: Simd>(v: f64x4<S>, lane: usize) -> f64 {
    let mut values = [0.0; SIZE];
    v.store_slice(&mut values);
    values[lane % SIZE]
}

/// The determinants of rays and triangles in f32, times det's sign, but for the side that is met.
pub(super) struct Tested<V> {
    pub(super) signed_det: V,
    pub(super) det: V,
    pub(super) t: V,
    /// Of u, v and w = det - u - v.
    pub(super) least: V,
}

impl<V> Tested<V> {
    /// Of s = o - a, d, and the edges from a.
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, s: &Axes<V>, direction: &Axes<V>, e1: &Axes<V>, e2: &Axes<V>) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let p = cross(direction, e2);
        let q = cross(s, e1);
        let signed_det = dot(e1, &p);
        let sign = V::splat(simd, 1.0).copysign(signed_det);
        let u = dot(s, &p) * sign;
        let v = dot(direction, &q) * sign;
        let t = dot(e2, &q) * sign;
        let det = signed_det.abs();
        let w = det - u - v;
        Self { signed_det, det, t, least: u.min(v).min(w) }
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

pub(super) const DET_ERROR: f32 = 128.0 * ROUNDOFF;

/// What the errors of an edge and of t grow with, of rays from origins with this sum of coordinates' magnitudes.
#[inline(always)]
pub(super) fn errors<T>(origin: T, farthest: T, origin_error: f32) -> [T; 2]
where
    T: Copy + Add<f32, Output = T> + Mul<f32, Output = T> + Add<Output = T>,
{
    // No corner is farther than this from the origin, by the sum of coordinates.
    let distance = origin + 3.0;
    let edge_error = distance * (48.0 * ROUNDOFF) + 16.0 * origin_error;
    let t_error = distance * (24.0 * ROUNDOFF) + 8.0 * origin_error + farthest * (72.0 * ROUNDOFF);
    [edge_error, t_error]
}

/// A ray prepared for packets.
#[derive(Clone, Copy)]
pub(super) struct PacketTest {
    origin: [f32; 4],
    direction: [f32; 4],
    edge_error: f32,
    t_error: f32,
    first_for_sure: f32,
    limit_for_sure: f32,
}

impl PacketTest {
    #[inline(always)]
    pub(super) fn new(ray: &FramedRay) -> Self {
        let [x, y, z, _] = ray.origin;
        let [edge_error, t_error] = errors(x.abs() + y.abs() + z.abs(), ray.farthest, ray.origin_error);
        Self {
            origin: ray.origin,
            direction: ray.direction,
            edge_error,
            t_error,
            first_for_sure: ray.first_for_sure,
            limit_for_sure: ray.limit_for_sure(ray.exact.t_max),
        }
    }
}

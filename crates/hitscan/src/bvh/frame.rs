//! The tree's own coordinates, and rays in them.

use super::probe::{Slack, first_touch};
use crate::aabb::Aabb;
use crate::float::{inverse_power_of_two, larger, largest, power_of_two};
use crate::ray::{LocalRay, Ray};
use crate::simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x4};
use glam::{DVec3, Vec3};

/// Coordinates times a power of two, such that none is above 1: at any scale, f32 neither overflows nor underflows where it matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Of what is in it, in its own coordinates.
    low: DVec3,
    high: DVec3,
    /// Frame units in one of its own.
    pub(crate) scale: f64,
}

/// Unit roundoff of f32.
pub(super) const ROUNDOFF: f32 = f32::EPSILON / 2.0;
/// Rays that start farther away than this are moved to where they may first touch the bounds, since every bound on an error in f32 grows
/// with the distance.
pub(super) const FARTHEST_ORIGIN: f64 = 4.0;
/// Components of a direction below this, of a largest one of at least a half, are taken as this in the box test: within the frame nothing is so
/// far away that it would make a difference of more than the box test allows for.
pub(super) const LEAST_DIRECTION: f32 = 1.0 / (1u64 << 60) as f32;
/// Added to every bound on the error of a position, in place of what underflows.
pub(super) const LEAST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;
/// Distance in one t up to which what rounds to t = 0 is nearer than [`LEAST_ERROR`].
const MOST_STEPS: f64 = (1u128 << 100) as f64;
/// Directions up to about this size have a power of two above them whose inverse is a normal number.
const MOST_PACE: f64 = 1e300;
/// An error of a position that no longer says anything, and the one that stands for it.
const MOST_ERROR: f64 = 1e6;
const LOST: f64 = 1e20;
/// Directions of about this length, up and down, are scaled in f32.
pub(super) const ORDINARY_SIZE: f32 = 1e30;
/// Nothing in a frame is so far away, and its product with any determinant is finite.
pub(super) const LARGEST_DISTANCE: f32 = 1e30;
/// What a box test's distances are widened by.
pub(super) const WIDENING: f32 = 1.0 + 8.0 * f32::EPSILON;
/// Widens a distance by more than two roundings to f32.
pub(super) const WIDER: f64 = 1.0 + 2.0 * f32::EPSILON as f64;
const NARROWER: f64 = 1.0 - 2.0 * f32::EPSILON as f64;

/// A ray in a frame: as it is in f64, and from near the frame in f32, with what f32 is off by.
///
/// Distances are from `origin`, in multiples of `direction`. No hit in the range has a negative one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FramedRay {
    /// With the t of the ray that it was made of.
    pub(crate) exact: LocalRay,
    /// Its direction, divided by a power of two as `direction` is.
    pub(crate) unit_direction: DVec3,
    /// The fourth means nothing, here and below.
    pub(crate) origin: [f32; 4],
    /// Its largest component is at least a half and below 1.
    pub(crate) direction: [f32; 4],
    /// At least how far `origin` is from a point of the exact ray, in each coordinate.
    pub(crate) origin_error: f32,
    /// Of the direction, for the box test.
    pub(crate) inverse: [f32; 4],
    /// -origin * inverse, by more than all errors of the box test less and more.
    pub(crate) near_offset: [f32; 4],
    pub(crate) far_offset: [f32; 4],
    /// Widens a distance by more than its relative error, on both ends of an interval: three roundings each, and the slack.
    pub(crate) widening: f32,
    /// At least the distance of the least t that counts.
    pub(crate) first_for_sure: f32,
    /// At least the distance from the origin to anything in the frame that the ray goes towards.
    pub(crate) farthest: f32,
    /// The exact ray's t at the origin.
    start: f64,
    /// Distance in one t; a power of two.
    steps: f64,
    pub(crate) t_per_distance: f64,
    distance_error: f64,
}

impl Frame {
    /// For things in these finite bounds.
    pub(crate) fn new(bounds: Aabb) -> Self {
        let largest = bounds.min.abs().max(bounds.max.abs()).max_element();
        // The power of two below or at the largest, doubled, is above it.
        let unit = if largest > 0.0 && largest.is_finite() { 2.0 * power_of_two(f64::from(largest)) } else { 1.0 };
        Self { low: bounds.min.as_dvec3(), high: bounds.max.as_dvec3(), scale: 1.0 / unit }
    }

    /// For things none of whose coordinates is above this power of two.
    pub(super) fn of_reach(reach: f64) -> Self {
        Self { low: DVec3::splat(-reach), high: DVec3::splat(reach), scale: inverse_power_of_two(reach) }
    }

    /// `None` for a ray that does not touch the bounds in its range, or comes from so far that its t were no f32, or that an instance's
    /// scale took beyond f64.
    ///
    /// Above 0, `from` is a t before which the ray is known to hit nothing: it saves to find out.
    #[inline(always)]
    pub(crate) fn ray<S: Simd>(&self, simd: S, ray: &LocalRay, from: f64, slack: Slack) -> Option<FramedRay> {
        let exact = LocalRay { origin: ray.origin * self.scale, direction: ray.direction * self.scale, ..*ray };
        let pace = largest(exact.direction);
        let steps = 2.0 * power_of_two(pace);
        // Which an infinite pace is not.
        let is_near = largest(exact.origin) <= FARTHEST_ORIGIN && ray.t_min == 0.0 && pace < MOST_STEPS;
        let start = if is_near {
            Start { t: 0.0, origin: exact.origin, error: LEAST_ERROR + slack.padding * self.scale }
        } else {
            let known = self.start_at(&exact, from, slack);
            let is_usable = from > 0.0 && largest(known.origin) <= FARTHEST_ORIGIN && known.origin.is_finite();
            if is_usable && known.error < MOST_ERROR && pace < MOST_PACE {
                known
            } else {
                self.start(ray, &exact, slack)?
            }
        };
        let unit_direction = exact.direction * inverse_power_of_two(steps);
        let padded = |v: DVec3| [v.x as f32, v.y as f32, v.z as f32, 0.0];
        let [x, y, z, _] = padded(start.origin);
        let rounding = largest(start.origin - DVec3::new(x.into(), y.into(), z.into()));
        let [origin, direction] = [padded(start.origin), padded(unit_direction)].map(|v| f32x4::from_slice(simd, &v));
        let widening = WIDENING + (2.0 * slack.relative) as f32;
        Some(FramedRay::new(simd, exact, steps, start.t, [origin, direction], rounding + start.error, widening))
    }

    /// [`ray`](Self::ray) of a ray in the mesh's own space, which most often is near, so that all can be done in f32 at once. `None` also for
    /// a ray that hits nothing.
    #[inline(always)]
    pub(crate) fn own_ray<S: Simd>(&self, simd: S, ray: &Ray) -> Option<FramedRay> {
        let padded = |v: Vec3| [v.x, v.y, v.z, 0.0];
        let origin = f32x4::from_slice(simd, &padded(ray.origin)) * f32x4::splat(simd, self.scale as f32);
        let direction = f32x4::from_slice(simd, &padded(ray.direction));
        let size = larger(larger(ray.direction.x.abs(), ray.direction.y.abs()), ray.direction.z.abs());
        // None of which is true of a NaN.
        let is_near = origin.abs().simd_le(f32x4::splat(simd, FARTHEST_ORIGIN as f32));
        let is_ordinary = direction.abs().simd_le(f32x4::splat(simd, ORDINARY_SIZE));
        let is_usable = (is_near & is_ordinary).all_true() && size >= 1.0 / ORDINARY_SIZE;
        // Its exponent alone: a power of two, as above.
        let power = 2.0 * f32::from_bits(size.to_bits() & f32::INFINITY.to_bits());
        let steps = f64::from(power) * self.scale;
        if !(is_usable && ray.t_min == 0.0 && ray.t_max >= 0.0 && steps <= MOST_STEPS) {
            return self.ray(simd, &LocalRay::new(ray)?, 0.0, Slack::NONE);
        }
        let exact = LocalRay {
            origin: ray.origin.as_dvec3() * self.scale,
            direction: ray.direction.as_dvec3() * self.scale,
            t_min: ray.t_min,
            t_max: ray.t_max,
        };
        let direction = direction * f32x4::splat(simd, 1.0 / power);
        Some(FramedRay::new(simd, exact, steps, 0.0, [origin, direction], LEAST_ERROR, WIDENING))
    }

    #[inline(always)]
    fn start_at(&self, exact: &LocalRay, t: f64, slack: Slack) -> Start {
        let way = exact.direction * t;
        let lengths = largest(exact.origin.abs() + way.abs());
        // The product and the sum round.
        let error = (2.0 * f64::EPSILON + slack.relative) * lengths + (LEAST_ERROR + slack.padding * self.scale);
        Start { t, origin: exact.origin + way, error }
    }

    #[cold]
    fn start(&self, ray: &LocalRay, exact: &LocalRay, slack: Slack) -> Option<Start> {
        let t = first_touch(ray, slack, self.low, self.high)?;
        if !(exact.origin.is_finite() && exact.direction.is_finite() && largest(exact.direction) < MOST_PACE) {
            return None;
        }
        let start = self.start_at(exact, t, slack);
        // Where the origin is lost, everything may be hit.
        Some(if start.error < MOST_ERROR { start } else { Start { t, origin: DVec3::ZERO, error: LOST } })
    }
}

/// Where distances are counted from, in a frame.
struct Start {
    /// Of the exact ray.
    t: f64,
    origin: DVec3,
    /// How far that may be from the exact ray's point, in each coordinate.
    error: f64,
}

impl FramedRay {
    /// From origin and direction in f32; the origin may be off by `position_error`.
    #[inline(always)]
    fn new<S: Simd>(
        simd: S,
        exact: LocalRay,
        steps: f64,
        start: f64,
        [o, d]: [f32x4<S>; 2],
        position_error: f64,
        widening: f32,
    ) -> Self {
        let t_per_distance = inverse_power_of_two(steps);
        let origin_error = (WIDER * position_error) as f32;
        let least = f32x4::splat(simd, LEAST_DIRECTION);
        let inverse = f32x4::splat(simd, 1.0) / d.abs().simd_lt(least).select(least.copysign(d), d);
        let offset = -o * inverse;
        // The roundings of the offset and of its slack, and, where multiplication and addition are not fused, of a product with a
        // coordinate of at most 1.
        let slack = inverse.abs()
            * ((o.abs() + f32x4::splat(simd, 1.0)) * f32x4::splat(simd, 4.0 * ROUNDOFF)
                + f32x4::splat(simd, 2.0 * origin_error));
        // A distance is off by what a position is, where the direction's largest component is a half.
        let distance_error = 4.0 * position_error;
        let first_for_sure = if exact.t_min == 0.0 && start == 0.0 {
            0.0
        } else {
            first_distance_for_sure(exact.t_min, start, steps, distance_error)
        };
        let mut framed = Self {
            exact,
            unit_direction: exact.direction * t_per_distance,
            origin: [0.0; 4],
            direction: [0.0; 4],
            origin_error,
            inverse: [0.0; 4],
            near_offset: [0.0; 4],
            far_offset: [0.0; 4],
            widening,
            first_for_sure,
            farthest: 0.0,
            start,
            steps,
            t_per_distance,
            distance_error,
        };
        o.store_slice(&mut framed.origin);
        d.store_slice(&mut framed.direction);
        let [x, y, z, _] = framed.origin;
        let farthest = larger(larger(x.abs(), y.abs()), z.abs()) + 1.0 + origin_error;
        let farthest = 2.0 * WIDER as f32 * farthest;
        framed.farthest = if farthest < LARGEST_DISTANCE { farthest } else { LARGEST_DISTANCE };
        inverse.store_slice(&mut framed.inverse);
        (offset - slack).store_slice(&mut framed.near_offset);
        (offset + slack).store_slice(&mut framed.far_offset);
        framed
    }

    /// The same ray, for boxes in the coordinates of which the frame's are this many times, a power of two.
    #[inline(always)]
    pub(super) fn for_boxes_scaled_by(mut self, scale: f32) -> Self {
        let [x, y, z, w] = self.inverse;
        self.inverse = [x * scale, y * scale, z * scale, w];
        self
    }

    /// A t before which nothing is hit in a box that the ray enters at this distance.
    #[inline(always)]
    pub(crate) fn t_before(&self, distance: f32) -> f64 {
        let least = f64::from(distance) * f64::from(2.0 - self.widening) - self.distance_error;
        self.start + least * self.t_per_distance
    }

    /// A distance beyond which there is no hit of a reported t up to this one.
    #[inline(always)]
    pub(crate) fn limit(&self, t: f32) -> f32 {
        // At least the next number after t.
        let t = f64::from(t);
        let above = t + t.abs() * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE);
        let distance = ((above - self.start) * self.steps * WIDER + self.distance_error) as f32;
        if distance < self.farthest { distance } else { self.farthest }
    }

    /// A distance up to which every hit has a reported t of at most this one.
    #[inline(always)]
    pub(crate) fn limit_for_sure(&self, t: f32) -> f32 {
        // What is beyond f32 is not reported.
        let t = if t < f32::MAX { t } else { f32::MAX };
        ((f64::from(t) - self.start) * self.steps * NARROWER - self.distance_error) as f32
    }
}

/// At least the distance of the least t that counts.
#[cold]
fn first_distance_for_sure(t_min: f32, start: f64, steps: f64, error: f64) -> f32 {
    // What is beyond f32 is not reported.
    let distance = (f64::from(t_min.max(f32::MIN)) - start) * steps;
    (distance.max(0.0) * WIDER + error) as f32
}

//! A ray in a tree's coordinates, in f32, with its errors.

use super::ray_limits::{ABOVE_TWO_ROUNDINGS, DISTANCE_ERROR, HALF_ROUNDING, MOST_ERROR, MOST_SLACK};
use crate::math::float::{UNIT_ROUNDOFF_F32, inverse_power_of_two, larger, smaller};
use crate::simd::{FloatLanes, NearFarPlanes, Simd, SimdBase, f32x4};
use glam::DVec3;

/// These factors differ from 1 by more than two roundings to f32 and the step from a t to the next f32.
pub(in crate::bvh) const FURTHER: f32 = 1.0 + 4.0 * f32::EPSILON;
pub(in crate::bvh) const NEARER: f32 = 1.0 - 4.0 * f32::EPSILON;
/// Twice the bias of f32's exponents.
pub(in crate::bvh) const TWICE_THE_BIAS: u32 = (2 * 127) << 23;
/// A factor that shortens a distance by more than two roundings to f32.
const BELOW_STEP_ROUNDINGS: f64 = 1.0 - 2.0 * f32::EPSILON as f64;

/// A ray in a frame, in f32, that starts near the frame, with the errors of f32.
///
/// Distances are measured from `origin`, in units of `direction`. No hit in the range has a negative distance.
// It is in as few cache lines as possible.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct BvhRay {
    /// The range of t of the ray from which this ray was made.
    pub(crate) t_min: f32,
    pub(crate) t_max: f32,
    /// The fourth lane has no meaning, here and below.
    pub(crate) origin: [f32; 4],
    /// Its largest component is at least a half and below 1.
    pub(crate) direction: [f32; 4],
    /// An upper bound of the distance of `origin` from a point of the exact ray, in each coordinate.
    pub(crate) origin_error: f32,
    /// The planes of each axis that are entered. They are the upper planes where the inverse is negative.
    pub(in crate::bvh) near: NearFarPlanes,
    /// The inverse of the direction, for the box test.
    pub(crate) inverse: [f32; 4],
    /// -origin * inverse, decreased here and increased in `far_offset` by more than all errors of the box test.
    pub(crate) near_offset: [f32; 4],
    pub(crate) far_offset: [f32; 4],
    /// An upper bound of the relative error of a distance to a box, with the slack.
    pub(crate) box_error: f32,
    /// An upper bound of the distance at the least t of the range.
    pub(crate) first_for_sure: f32,
    /// An upper bound of the distance from the origin to anything in the frame that the ray may hit.
    pub(crate) farthest: f32,
    /// The rounding of a reported t is relative to two distances. One is the distance of the hit. The other is this
    /// distance, from the ray's own origin to `origin`. Unless the ray is near, the distance in a t of
    /// [`f32::MIN_POSITIVE`] is added.
    pub(crate) reported: f32,
    /// The t of the exact ray at `origin`. It is rounded to f32 if the ray comes from a packet.
    start: f64,
    pub(in crate::bvh) steps: RayScale,
    /// The error of distances.
    distance_error: f32,
    /// The error of limits.
    pub(in crate::bvh) limit_error: f32,
}

/// The distance per unit of t, a power of two.
// This is not an enum of an exact and an ordinary scale. Fields that begin at the same byte would be stored in pieces
// and loaded as a whole, so store forwarding would fail.
#[derive(Clone, Copy, Debug)]
pub(in crate::bvh) struct RayScale {
    pub(in crate::bvh) exact: f64,
    pub(in crate::bvh) ordinary: Option<OrdinaryScale>,
}

/// The distance per unit of t, which is from 1 / `ORDINARY_STEPS` to `ORDINARY_STEPS`, and the origin's t, rounded to
/// f32. The distance from the place where t is 0 to the origin is at most `LONGEST_WAY`.
#[derive(Clone, Copy, Debug)]
pub(in crate::bvh) struct OrdinaryScale {
    pub(in crate::bvh) steps: f32,
    pub(in crate::bvh) start: f32,
}

/// The parts of a framed ray, beside origin and direction.
pub(in crate::bvh) struct BvhRayParts {
    pub(in crate::bvh) t_min: f32,
    pub(in crate::bvh) t_max: f32,
    pub(in crate::bvh) start: f64,
    pub(in crate::bvh) steps: RayScale,
    pub(in crate::bvh) first_for_sure: f32,
    /// The error of the origin.
    pub(in crate::bvh) position_error: f32,
    pub(in crate::bvh) reported: f32,
    pub(in crate::bvh) limit_error: f32,
    pub(in crate::bvh) box_error: f32,
    pub(in crate::bvh) farthest: f32,
}

impl BvhRayParts {
    /// Makes the framed ray, given the offsets at which planes are entered and left.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn framed<S: Simd>(
        self,
        simd: S,
        [origin, direction, inverse]: [f32x4<S>; 3],
        [near_offset, far_offset]: [f32x4<S>; 2],
    ) -> BvhRay {
        let Self { t_min, t_max, start, steps, first_for_sure, position_error, .. } = self;
        let Self { reported, limit_error, box_error, farthest, .. } = self;
        let mut framed = BvhRay {
            t_min,
            t_max,
            origin: [0.0; 4],
            direction: [0.0; 4],
            origin_error: position_error,
            near: NearFarPlanes::by_sign(simd, inverse),
            inverse: [0.0; 4],
            near_offset: [0.0; 4],
            far_offset: [0.0; 4],
            box_error,
            first_for_sure,
            farthest,
            reported,
            start,
            steps,
            distance_error: DISTANCE_ERROR * position_error,
            limit_error,
        };
        origin.store_slice(&mut framed.origin);
        direction.store_slice(&mut framed.direction);
        inverse.store_slice(&mut framed.inverse);
        near_offset.store_slice(&mut framed.near_offset);
        far_offset.store_slice(&mut framed.far_offset);
        framed
    }
}

impl BvhRay {
    /// Returns the increase of the ray's own t over a distance of 1 from the point where distances begin.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn t_per_distance(&self) -> f64 {
        match self.steps.ordinary {
            // This is a normal number, as its inverse is.
            Some(OrdinaryScale { steps, .. }) => f32::from_bits(TWICE_THE_BIAS - steps.to_bits()).into(),
            None => inverse_power_of_two(self.steps.exact),
        }
    }

    /// Returns the same ray for boxes whose coordinates are the frame's coordinates divided by this power of two.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn for_boxes_scaled_by(mut self, scale: f32) -> Self {
        let [x, y, z, w] = self.inverse;
        self.inverse = [x * scale, y * scale, z * scale, w];
        self
    }

    /// Returns the same ray with boxes enlarged by `half` only. Its position error was computed with `thickest`
    /// instead of `half`.
    ///
    /// The rest of the position's error results from a subtraction in f32, whose rounding 8 u of that error cover.
    /// [`HALF_ROUNDING`] covers the roundings of the enlargement, which other rays do not have.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn thickened<S: Simd>(mut self, simd: S, half: DVec3, thickest: f32) -> Self {
        // If the origin is lost, the ray may hit everything.
        if f64::from(self.origin_error) >= MOST_ERROR {
            return self;
        }
        let own_error = larger(self.origin_error - thickest, 0.0) + 8.0 * UNIT_ROUNDOFF_F32 * self.origin_error;
        let half = f32x4::from_slice(simd, &[half.x as f32, half.y as f32, half.z as f32, 0.0]);
        let (o, inverse) = (f32x4::from_slice(simd, &self.origin), f32x4::from_slice(simd, &self.inverse));
        let widening = half * f32x4::splat(simd, HALF_ROUNDING) + f32x4::splat(simd, 2.0 * own_error);
        let position_slack = o.abs() * f32x4::splat(simd, 4.0 * UNIT_ROUNDOFF_F32)
            + (f32x4::splat(simd, 4.0 * UNIT_ROUNDOFF_F32) + widening);
        let slack = inverse.abs() * position_slack + f32x4::splat(simd, self.box_error * self.farthest);
        let slack = slack.smaller(f32x4::splat(simd, MOST_SLACK));
        let offset = -o * inverse;
        (offset - slack).store_slice(&mut self.near_offset);
        (offset + slack).store_slice(&mut self.far_offset);
        self.origin_error = own_error;
        (self.distance_error, self.limit_error) = (DISTANCE_ERROR * own_error, DISTANCE_ERROR * own_error);
        self
    }

    /// Returns a t before which the ray hits nothing in a box that it enters at this distance.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn t_before(&self, distance: f32) -> f64 {
        // This takes two operations after the distance is known, because the contents of the box wait for it. The
        // other operands are the same for all boxes.
        let (pace, error) = (self.t_per_distance(), f64::from(self.distance_error));
        f64::from(distance) * (f64::from(1.0 - self.box_error) * pace) + (self.start - error * pace)
    }

    /// Returns a lower bound of the distances of the exact ray's points from this t on.
    pub(in crate::bvh) fn distance_before(&self, t: f64) -> f64 {
        let distance = (t - self.start) * self.steps.exact;
        distance - distance.abs() * f64::from(2.0 * f32::EPSILON) - f64::from(self.distance_error)
    }

    /// Returns a distance beyond which no hit has a reported t of at most this one.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn limit(&self, t: f32) -> f32 {
        let distance = match self.steps.ordinary {
            Some(OrdinaryScale { steps, start }) => (t - start) * (steps * FURTHER) + self.limit_error,
            None => {
                // This is at least the next f32 number after t.
                let t = f64::from(t);
                let above = t + t.abs() * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE);
                ((above - self.start) * self.steps.exact * ABOVE_TWO_ROUNDINGS + f64::from(self.limit_error)) as f32
            }
        };
        smaller(distance, self.farthest)
    }

    /// Returns a distance up to which every hit has a reported t of at most this one.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn limit_for_sure(&self, t: f32) -> f32 {
        // A t beyond f32 is not reported.
        let t = smaller(t, f32::MAX);
        match self.steps.ordinary {
            Some(OrdinaryScale { steps, start }) => (t - start) * (steps * NEARER) - self.limit_error,
            None => {
                ((f64::from(t) - self.start) * self.steps.exact * BELOW_STEP_ROUNDINGS - f64::from(self.limit_error))
                    as f32
            }
        }
    }
}

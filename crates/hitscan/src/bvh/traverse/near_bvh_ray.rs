//! Rays that start near the frame, in most cases at their t = 0. So everything can be computed in f32 at once.

use super::bvh_ray::{BvhRay, BvhRayParts, FURTHER, OrdinaryScale, RayScale, TWICE_THE_BIAS};
use super::ray_box_f64::Slack;
use super::ray_limits::{
    ABOVE_TWO_ROUNDINGS, BOX_ERROR, DISTANCE_ERROR, FARTHEST, FARTHEST_ORIGIN, LEAST_ERROR, OrdinaryLimits,
    bounded_inverse, position_slack,
};
use crate::math::dvec3_lanes::InLanes;
use crate::math::float::UNIT_ROUNDOFF_F32;
use crate::simd::{Bytes, Simd, SimdBase, SimdFloat, SimdMask, f32x4, i32x4};

/// The largest distance, in each coordinate, between the place of t = 0 and the start of a near ray. The f64 error at
/// that distance is a sixtieth of the error of rounding to f32, so it is assumed for every ray. If the error depended
/// on a ray's own distance, box tests would wait for the distance.
pub(in crate::bvh) const LONGEST_WAY: f32 = (1u32 << 20) as f32;
/// The largest error of a near ray, including the enlargement of boxes. Up to this error, [`FARTHEST`] is far enough.
pub(in crate::bvh) const MOST_NEAR_ERROR: f32 = 1.0;
/// The enlargement for boxes that are not enlarged. Compilers omit the addition of -0, but not of +0.
const NOT_LARGER: f32 = -0.0;
/// The limits of rays that are already in the frame.
pub(in crate::bvh) const IN_FRAME: OrdinaryLimits = OrdinaryLimits::new(1.0);
/// The limits of the magnitudes in [`NearRay::origin`]: of the origin, and of the least t, which must be 0.
const FARTHEST_PLACE: [f32; 4] = [FARTHEST_ORIGIN as f32, FARTHEST_ORIGIN as f32, FARTHEST_ORIGIN as f32, 0.0];

/// The parts of the [`BvhRay`] of a ray that starts near.
pub(in crate::bvh) struct NearRay<'a, S: Simd> {
    /// The origin in the frame; the fourth lane is a least t that must be 0.
    pub(in crate::bvh) origin: f32x4<S>,
    /// The direction as given, not normalised; the fourth lane is the largest t.
    pub(in crate::bvh) direction: f32x4<S>,
    /// The magnitude of the direction's largest component, in the first three lanes.
    pub(in crate::bvh) size: f32x4<S>,
    pub(in crate::bvh) range: [f32; 2],
    /// The t of the origin.
    pub(in crate::bvh) start: f64,
    /// The limits of the space in which the ray is given.
    pub(in crate::bvh) ordinary: &'a OrdinaryLimits,
    /// The errors of the place where the ray starts. One is the error of that place itself, and the other the error of
    /// rounding it to f32.
    pub(in crate::bvh) start_error: f32,
    pub(in crate::bvh) rounding: f32,
    pub(in crate::bvh) box_error: f32,
}

impl<'a, S: Simd> NearRay<'a, S> {
    /// Makes the parts of a ray in the frame from a t on, with the error there. Everything is computed in as few steps
    /// as possible, because box tests wait for it.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn new(
        [origin, direction]: [InLanes<S>; 2],
        range: [f32; 2],
        start: Option<f64>,
        slack: Slack,
    ) -> Self {
        let [t_min, t_max] = range;
        let place = match start {
            Some(start) => origin + direction * start,
            None => origin,
        };
        let start_error = start_error(start.is_some(), slack);
        let start = start.unwrap_or(0.0);
        // A least t that is before the start does not matter.
        let before = if start == 0.0 { t_min } else { 0.0 };
        let at = with_fourth(place.narrowed(), before);
        let direction = with_fourth(direction.narrowed(), t_max);
        let size = largest_of_three(direction);
        Self {
            origin: at,
            direction,
            size,
            range,
            start,
            ordinary: &IN_FRAME,
            start_error,
            // The error is at most this part of a component.
            rounding: UNIT_ROUNDOFF_F32 * first(largest_of_three(at)),
            box_error: BOX_ERROR + (2.0 * slack.relative) as f32,
        }
    }

    /// Returns whether the ray is near and ordinary.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn is_usable(&self, simd: S) -> bool {
        // The comparisons are false for NaN, here and below.
        let is_near = self.origin.abs().simd_le(f32x4::from_slice(simd, &FARTHEST_PLACE));
        let &[.., t_max] = self.direction.as_slice() else { unreachable!("there are four") };
        let sizes = with_fourth(self.size, t_max);
        let is_ordinary = sizes.simd_ge(f32x4::from_slice(simd, &self.ordinary.least))
            & sizes.simd_le(f32x4::from_slice(simd, &self.ordinary.most));
        (is_near & is_ordinary).to_bitmask() == 0b1111
            && self.start_error <= MOST_NEAR_ERROR
            && (self.start == 0.0
                || f64::from(self.range[0]) <= self.start && self.start as f32 * self.steps() <= LONGEST_WAY)
    }

    /// Returns the power of two above the direction's largest component, in the first three lanes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn power(&self) -> i32x4<S> {
        let simd = self.size.simd;
        let exponent = self.size.bitcast::<i32x4<S>>() & i32x4::splat(simd, f32::INFINITY.to_bits().cast_signed());
        exponent + i32x4::splat(simd, f32::MIN_POSITIVE.to_bits().cast_signed())
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn steps(&self) -> f32 {
        first(self.power().bitcast()) * self.ordinary.scale[0]
    }

    /// Returns the ray if it is usable, for boxes that are not enlarged.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn if_usable(self, simd: S) -> Option<BvhRay> {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                if self.is_usable(simd) { Some(self.framed(simd, f32x4::splat(simd, NOT_LARGER))) } else { None }
            },
        )
    }

    /// Returns the ray, which must be usable, for boxes that are enlarged by `half`.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn framed(self, simd: S, half: f32x4<S>) -> BvhRay {
        let Self { origin, direction, range: [t_min, t_max], start_error, rounding, box_error, .. } = self;
        let position_error = rounding + start_error;
        let (steps, start) = (self.steps(), self.start as f32);
        let distance_error = DISTANCE_ERROR * position_error;
        let (first_for_sure, reported, limit_error) = if self.start == 0.0 {
            (0.0, 0.0, distance_error)
        } else {
            // This is the error of rounding the origin's t, and of using the next number after a t.
            let reported = start * (steps * FURTHER);
            (distance_error, reported, distance_error + 8.0 * UNIT_ROUNDOFF_F32 * reported)
        };
        let draft = BvhRayParts {
            t_min,
            t_max,
            start: self.start,
            steps: RayScale { exact: steps.into(), ordinary: Some(OrdinaryScale { steps, start }) },
            first_for_sure,
            position_error,
            reported,
            limit_error,
            box_error,
            farthest: FARTHEST,
        };
        let power = self.power();
        // It has the direction's sign, so that the magnitude of the inverse needs no separate step.
        let signed_power = power.bitcast::<f32x4<S>>().copysign(direction);
        let size = f32x4::splat(simd, 1.0) / direction * signed_power;
        // This is the inverse of a power of two, and both are normal numbers.
        let direction = direction * (i32x4::splat(simd, TWICE_THE_BIAS.cast_signed()) - power).bitcast::<f32x4<S>>();
        let inverse = bounded_inverse(size, direction);
        // No component is above 4, and rounding changes it by at most this fraction.
        let farthest = position_slack(FARTHEST_ORIGIN as f32, UNIT_ROUNDOFF_F32 * FARTHEST_ORIGIN as f32 + start_error);
        // No inverse is below 1, so an error relative to a distance is no larger than the same error as a shift of
        // the planes. Therefore the planes can be moved before the inverse is known.
        let moved = (half + f32x4::splat(simd, farthest + box_error * FARTHEST)).copysign(direction);
        // The sum is negated, not the origin. Otherwise, the distance of a sum of 0 to a plane at +0 would be -0, which
        // would be sorted after all others.
        let offsets = [-(origin + moved) * inverse, (moved - origin) * inverse];
        draft.framed(simd, [origin, direction, inverse], offsets)
    }
}

/// Returns the error of the place where a ray starts, at its own origin or at a later t.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn start_error(is_later: bool, slack: Slack) -> f32 {
    // This bounds the sum of the magnitudes of two coordinates, for each axis. One is of the ray's origin, and the
    // other of the vector from there to the start. The start is near, so the first is at most [`FARTHEST_ORIGIN`]
    // larger than the second.
    let lengths = if is_later { 2.0 * f64::from(LONGEST_WAY) + FARTHEST_ORIGIN } else { FARTHEST_ORIGIN };
    // The product and the sum round.
    let error = (2.0 * f64::EPSILON + slack.relative) * (lengths + 1.0) + (LEAST_ERROR + slack.padding);
    (ABOVE_TWO_ROUNDINGS * error) as f32
}

/// Returns the largest magnitude of the first three lanes, in each of these lanes. Returns NaN if one of them is NaN.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn largest_of_three<S: Simd>(v: f32x4<S>) -> f32x4<S> {
    // Compared as integers, magnitudes have the same order, with NaN last.
    let sizes = v.abs().bitcast::<i32x4<S>>();
    let &[x, y, z, w] = sizes.as_slice() else { unreachable!("there are four") };
    sizes.max(i32x4::from_slice(v.simd, &[y, z, x, w])).max(i32x4::from_slice(v.simd, &[z, x, y, w])).bitcast()
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn with_fourth<S: Simd>(v: f32x4<S>, fourth: f32) -> f32x4<S> {
    let &[x, y, z, _] = v.as_slice() else { unreachable!("there are four") };
    f32x4::from_slice(v.simd, &[x, y, z, fourth])
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn first<S: Simd>(v: f32x4<S>) -> f32 {
    v.as_slice()[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::normalized_space::NormalizedSpace;
    use crate::geom::aabb::Aabb;
    use crate::geom::ray::{LocalRay, Ray};
    use crate::math::float::power_of_two;
    use crate::simd::dispatch;
    use glam::{DVec3, Vec3};

    /// The rays start at any distance from their own origins, up to where the f64 test takes over. The rounding error is computed exactly.
    #[test]
    fn near_rays_start_where_they_say() {
        let frame = NormalizedSpace::new(Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) });
        assert_eq!(frame.scale, 1.0);
        let (mut near, mut inexact) = ([0; 24], 0);
        for i in 0..4000u32 {
            let part = |n: f64| (f64::from(i) * n).fract();
            let irregular = |n: f64| 2.0 * DVec3::new(part(n), part(n * 1.3), part(n * 1.7)) - 1.0;
            let exponent = i as usize % near.len();
            let direction = irregular(0.754_877_666_246_692_7);
            let start = power_of_two((1u64 << exponent) as f64) * (1.0 + part(0.618_033_988_749_894_9));
            let ray = LocalRay {
                origin: irregular(0.569_840_290_998_053_2) - direction * start,
                direction,
                t_min: 0.0,
                t_max: f32::INFINITY,
            };
            let Some(framed) = dispatch!(simd => frame.near_ray(simd, &ray, Some(start), Slack::NONE)) else {
                continue;
            };
            near[exponent] += 1;
            for axis in 0..3 {
                let (o, d) = (ray.origin[axis], ray.direction[axis]);
                let way = d * start;
                let lost_of_way = d.mul_add(start, -way);
                let place = o + way;
                // This is D. Knuth's sum without an error.
                let other = place - o;
                let lost_of_place = (o - (place - other)) + (way - other);
                let off = (place - f64::from(framed.origin[axis])) + (lost_of_way + lost_of_place);
                assert!(off.abs() <= framed.origin_error.into(), "{ray:?} from {start}, axis {axis}: {off}");
                inexact += usize::from(lost_of_way != 0.0);
            }
        }
        assert!(near[..20].iter().all(|&rays| rays > 100) && near[22..] == [0; 2], "{near:?}");
        assert!(inexact > 1000, "f64 lost nothing");
    }

    /// The origin is exactly as far from the plane as planes are moved.
    #[test]
    fn no_distance_is_negative_zero() {
        let frame = NormalizedSpace::new(Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) });
        assert_eq!(frame.scale, 1.0);
        let error = UNIT_ROUNDOFF_F32 * FARTHEST_ORIGIN as f32 + LEAST_ERROR as f32;
        let moved = position_slack(FARTHEST_ORIGIN as f32, error) + BOX_ERROR * FARTHEST;
        let mut zeros = 0;
        for signs in 0..8 {
            let sign = |axis: u32| if signs >> axis & 1 == 1 { -1.0f32 } else { 1.0 };
            let sign = Vec3::new(sign(0), sign(1), sign(2));
            for steps in -4i32..=4 {
                let away = f32::from_bits(moved.to_bits().wrapping_add_signed(steps));
                let ray = Ray::with_direction(-sign * away, sign * Vec3::new(1.0, 0.7, 0.3));
                let framed = dispatch!(simd => frame.own_ray(simd, &ray)).unwrap();
                for axis in 0..3 {
                    let distance = 0.0 * framed.inverse[axis] + framed.near_offset[axis];
                    assert!(distance.to_bits() != (-0.0f32).to_bits(), "{ray:?}, axis {axis}");
                    zeros += usize::from(distance == 0.0);
                }
            }
        }
        assert!(zeros > 0, "no such origin was met");
    }
}

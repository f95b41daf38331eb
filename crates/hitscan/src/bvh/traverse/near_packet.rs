//! Packets of rays that start near a frame, at their t = 0 or later. They are rays of a scene, or their images
//! in an instance.
//!
//! All lanes get the numbers that [`NearRay`](super::near_bvh_ray::NearRay) gives a single ray. Only the error bounds
//! differ: each is the largest of all lanes.

use super::bvh_ray::{FURTHER, NEARER, TWICE_THE_BIAS};
use super::near_bvh_ray::{IN_FRAME, LONGEST_WAY, MOST_NEAR_ERROR, start_error};
use super::packet_traversal::{RayPacket, STRONG, STRONGEST, falling, far_along};
use super::ray_box_f64::Slack;
use super::ray_limits::{
    BOX_ERROR, DISTANCE_ERROR, FARTHEST, FARTHEST_ORIGIN, LARGEST_INVERSE, OrdinaryLimits, position_slack,
};
use crate::bvh::normalized_space::NormalizedSpace;
use crate::geom::affine::ColumnAffine;
use crate::geom::eight_rays::{EightImages, EightRays, FEWEST, LANES, by_lane};
use crate::math::float::UNIT_ROUNDOFF_F32;
use crate::simd::{
    Axes, Bytes, FloatLanes, Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8, f64x8, mask32x8, u32x8,
};
use glam::DVec3;

/// The lanes in use of eight rays, the ts before which they have no hits, and their largest ts.
#[derive(Clone, Copy)]
pub(crate) struct LaneRanges<'a> {
    pub(crate) lanes: u64,
    /// `None` if the rays begin at t = 0.
    pub(crate) from: Option<&'a [f64; LANES]>,
    pub(crate) t_max: &'a [f32; LANES],
}

impl NormalizedSpace {
    /// Does the same as [`near_ray`](Self::near_ray) for the images of eight rays in the space of an instance. Returns `None` if too few are near.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn packet_of_images<S: Simd>(
        &self,
        simd: S,
        rays: &EightRays,
        to_local: &ColumnAffine,
        ranges: LaneRanges<'_>,
    ) -> Option<RayPacket<S>> {
        let images = rays.images(simd, to_local, self.near_scale);
        RayPacket::near(simd, images, &rays.t_min, ranges, Slack::NONE)
    }

    /// Does the same as [`packet_of_images`](Self::packet_of_images) for the rays themselves, relative to an origin.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn packet_relative_to<S: Simd>(
        &self,
        simd: S,
        rays: &EightRays,
        origin: DVec3,
        ranges: LaneRanges<'_>,
        slack: Slack,
    ) -> Option<RayPacket<S>> {
        let relative = rays.relative_to(simd, origin, self.scale);
        RayPacket::near(simd, relative, &rays.t_min, ranges, self.framed(slack))
    }
}

/// Returns the places of the rays at these ts.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn places<S: Simd>([origin, direction]: &EightImages<S>, start: f64x8<S>) -> Axes<f64x8<S>> {
    [origin[0] + direction[0] * start, origin[1] + direction[1] * start, origin[2] + direction[2] * start]
}

/// Rounds to f32.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn narrowed<S: Simd>(numbers: f64x8<S>) -> f32x8<S> {
    let simd = numbers.simd;
    let (first, last) = simd.split_f64x8(numbers);
    simd.narrow_f64x4(first, last)
}

/// Returns the largest number in these lanes. No number is negative.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn largest_of<S: Simd>(lanes: mask32x8<S>, numbers: f32x8<S>) -> f32 {
    lanes.select(numbers, f32x8::splat(numbers.simd, 0.0)).reduce_max()
}

impl<S: Simd> RayPacket<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn near(
        simd: S,
        images: EightImages<S>,
        t_min: &[f32; LANES],
        LaneRanges { lanes, from, t_max }: LaneRanges<'_>,
        slack: Slack,
    ) -> Option<Self> {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let all = |x: f32| f32x8::splat(simd, x);
                let bits = |x: u32| u32x8::splat(simd, x);
                let (t_min, t_max) = (f32x8::from_slice(simd, t_min), f32x8::from_slice(simd, t_max));
                let start_error = start_error(from.is_some(), slack);
                let (places, start) = match from {
                    Some(from) => {
                        let start = f64x8::from_slice(simd, from).max(f64x8::splat(simd, 0.0));
                        (places(&images, start), narrowed(start))
                    }
                    None => (images[0], all(0.0)),
                };
                let origin = [narrowed(places[0]), narrowed(places[1]), narrowed(places[2])];
                let [dx, dy, dz] = images[1];
                let (dx, dy, dz) = (narrowed(dx), narrowed(dy), narrowed(dz));

                // Compared as integers, magnitudes have the same order, with NaN last.
                let size = |d: f32x8<S>| d.abs().bitcast::<u32x8<S>>();
                let size = size(dx).max(size(dy)).max(size(dz));
                let power = (size & bits(f32::INFINITY.to_bits())) + bits(f32::MIN_POSITIVE.to_bits());
                let inverse_power = (bits(TWICE_THE_BIAS) - power).bitcast::<f32x8<S>>();
                let (steps, size) = (power.bitcast::<f32x8<S>>(), size.bitcast::<f32x8<S>>());

                let OrdinaryLimits { least: [least, .., least_t], most: [most, .., most_t], .. } = IN_FRAME;
                let farthest_origin = all(FARTHEST_ORIGIN as f32);
                let distance = origin[0].abs().larger(origin[1].abs()).larger(origin[2].abs());
                let is_near = origin[0].abs().simd_le(farthest_origin)
                    & origin[1].abs().simd_le(farthest_origin)
                    & origin[2].abs().simd_le(farthest_origin);
                let is_ordinary = size.simd_ge(all(least))
                    & size.simd_le(all(most))
                    & t_max.simd_ge(all(least_t))
                    & t_max.simd_le(all(most_t));
                // The start is rounded here. A t below the rounded start is not above the exact one, because the t is an f32
                // itself.
                let starts_later = start.simd_gt(all(0.0));
                let is_later = starts_later & t_min.simd_lt(start) & (start * steps).simd_le(all(LONGEST_WAY));
                let begins_there = t_min.simd_eq(all(0.0)) & start.simd_eq(all(0.0));
                let usable = mask32x8::from_bitmask(simd, lanes) & is_near & is_ordinary & (is_later | begins_there);
                let usable_lanes = usable.to_bitmask();
                if usable_lanes.count_ones() < FEWEST || !(start_error <= MOST_NEAR_ERROR) {
                    return None;
                }

                let position_error = UNIT_ROUNDOFF_F32 * largest_of(usable, distance) + start_error;
                let distance_error = all(DISTANCE_ERROR * position_error);
                let box_error = BOX_ERROR + (2.0 * slack.relative) as f32;
                // This is the error of rounding the start, and of taking the next number after a t.
                let reported = start * (steps * all(FURTHER));
                let limit_error = distance_error + all(8.0 * UNIT_ROUNDOFF_F32) * reported;
                let limit = (t_max - start) * (steps * all(FURTHER)) + limit_error;
                let limit = limit.smaller(all(FARTHEST)).larger(all(-1.0));
                // A t beyond f32 is not reported.
                let limit_for_sure = (t_max.smaller(all(f32::MAX)) - start) * (steps * all(NEARER)) - limit_error;

                let direction = [dx * inverse_power, dy * inverse_power, dz * inverse_power];
                let inverse = [inverse(dx, steps), inverse(dy, steps), inverse(dz, steps)];
                let error = UNIT_ROUNDOFF_F32 * FARTHEST_ORIGIN as f32 + start_error;
                let moved = position_slack(FARTHEST_ORIGIN as f32, error) + box_error * FARTHEST;
                let x = offsets(origin[0], inverse[0], moved);
                let y = offsets(origin[1], inverse[1], moved);
                let z = offsets(origin[2], inverse[2], moved);
                Some(Self {
                    simd,
                    origin,
                    direction,
                    inverse,
                    near_offset: [x.0, y.0, z.0],
                    far_offset: [x.1, y.1, z.1],
                    steps: by_lane(steps),
                    start: by_lane(start),
                    limit_error: by_lane(limit_error),
                    origin_error: position_error,
                    box_error,
                    reported: largest_of(usable, reported),
                    first_for_sure: starts_later.select(distance_error, all(0.0)),
                    // The values of the other lanes must be numbers.
                    limit: usable.select(limit, all(-1.0)),
                    limit_for_sure: usable.select(limit_for_sure, all(-1.0)),
                    usable: usable_lanes,
                    falling: falling(&inverse),
                    strong: far_along(&direction, STRONG),
                    strongest: far_along(&direction, STRONGEST),
                })
            },
        )
    }
}

/// Returns a component of the inverse of a direction that is divided by a power of two.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn inverse<S: Simd>(direction: f32x8<S>, power: f32x8<S>) -> f32x8<S> {
    let size = f32x8::splat(direction.simd, 1.0) / direction.abs() * power;
    size.smaller(f32x8::splat(direction.simd, LARGEST_INVERSE)).copysign(direction)
}

/// Returns the offsets at which planes are entered and left. The origin is moved by this amount.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn offsets<S: Simd>(origin: f32x8<S>, inverse: f32x8<S>, moved: f32) -> (f32x8<S>, f32x8<S>) {
    let moved = f32x8::splat(origin.simd, moved).copysign(inverse);
    (-(origin + moved) * inverse, (moved - origin) * inverse)
}

#[cfg(test)]
mod tests {
    use super::super::bvh_ray::BvhRay;
    use super::*;
    use crate::geom::aabb::Aabb;
    use crate::geom::ray::{LocalRay, RayInput};
    use crate::geom::transform::InstanceRay;
    use crate::math::random::Random;
    use crate::simd::dispatch;
    use alloc::format;
    use glam::{DAffine3, DQuat, Vec3};

    fn ray(random: &mut Random) -> LocalRay {
        LocalRay {
            origin: random.cube() * 3.0,
            direction: random.direction() * 10f64.powi(random.below(7) as i32 - 3),
            t_min: [0.0, 0.0, 0.0, 0.5, -1.0][random.below(5)],
            t_max: [f32::INFINITY, 1.0, 1e-3, 1e30, f32::NAN][random.below(5)],
        }
    }

    /// Lanes that are near have the bits of near rays, and bounds on errors that are no smaller.
    #[test]
    fn lanes_are_framed_as_they_are_alone() {
        let seed = 20261128;
        let mut random = Random(seed);
        let mut framed_lanes = 0;
        for round in 0..4000 {
            let half = 2f32.powi(random.below(5) as i32 - 2);
            let frame = NormalizedSpace::new(Aabb { min: Vec3::splat(-half), max: Vec3::splat(half) });
            let turn = DQuat::from_axis_angle(random.direction(), random.unit() * 3.0);
            let to_local = ColumnAffine::from(DAffine3::from_rotation_translation(turn, random.cube()));
            let rays: [LocalRay; LANES] = [(); LANES].map(|()| ray(&mut random));
            let by_axis = EightRays::of_rows(&rays);
            let from = [(); LANES].map(|()| [0.0, 0.0, -0.3, 1e-60, 0.7, 40.0][random.below(6)]);
            let (t_max, lanes) = (rays.map(|ray| ray.t_max), 255 & !(1 << random.below(8)));
            let ranges = LaneRanges { lanes, from: Some(&from), t_max: &t_max };
            framed_lanes += dispatch!(simd => {
                let packet = frame.packet_of_images(simd, &by_axis, &to_local, ranges);
                if let Some(packet) = &packet {
                    let limits = packet.limits_at(&t_max);
                    let is_right = |lane: usize| match packet.usable >> lane & 1 {
                        0 => limits[lane] == -1.0,
                        _ => limits[lane] == packet.limit_at(lane, t_max[lane]).max(-1.0),
                    };
                    assert!((0..LANES).all(is_right), "seed {seed}, round {round}: {:?}", by_lane(limits));
                }
                for lane in 0..LANES {
                    let Some(packet) = packet.as_ref().filter(|packet| packet.usable >> lane & 1 == 1) else { continue };
                    let image = InstanceRay { ray: &rays[lane], to_local: &to_local, t_max: t_max[lane] };
                    let context = format!("seed {seed}, round {round}, lane {lane}: {:?} from {}", image.local(), from[lane]);
                    assert!(lanes >> lane & 1 == 1, "{context}");
                    let alone = frame.near_ray(simd, image, Some(from[lane]), Slack::NONE).expect(&context);
                    let numbers = |v: &Axes<f32x8<_>>| [v[0][lane], v[1][lane], v[2][lane]].map(f32::to_bits);
                    let first = |[x, y, z, _]: [f32; 4]| [x, y, z].map(f32::to_bits);
                    assert_eq!(numbers(&packet.origin), first(alone.origin), "{context}");
                    assert_eq!(numbers(&packet.direction), first(alone.direction), "{context}");
                    assert_eq!(numbers(&packet.inverse), first(alone.inverse), "{context}");
                    assert_eq!(numbers(&packet.near_offset), first(alone.near_offset), "{context}");
                    assert_eq!(numbers(&packet.far_offset), first(alone.far_offset), "{context}");
                    assert!(packet.origin_error >= alone.origin_error && packet.reported >= alone.reported, "{context}");
                    assert_eq!((packet.box_error, packet.t_per_distance(lane)), (alone.box_error, alone.t_per_distance()));
                    assert!(packet.limit[lane] >= alone.limit(t_max[lane]).max(-1.0), "{context}");
                    assert!(packet.limit_at(lane, 0.8) >= alone.limit(0.8), "{context}");
                    assert!(packet.limit_for_sure[lane] <= alone.limit_for_sure(t_max[lane]), "{context}");
                    let lone = packet.lone_ray(lane, [rays[lane].t_min, t_max[lane]]);
                    let line = |ray: &BvhRay| [ray.origin, ray.direction, ray.inverse, ray.near_offset, ray.far_offset].map(first);
                    assert_eq!(line(&lone), line(&alone), "{context}");
                    assert!(lone.limit(0.8) >= alone.limit(0.8) && lone.t_before(0.5) <= alone.t_before(0.5), "{context}");
                    assert!(lone.limit_for_sure(t_max[lane]) <= alone.limit_for_sure(t_max[lane]), "{context}");
                    // A start that rounds to 0 is no later than a least t of 0.
                    let first = if from[lane] as f32 == 0.0 { 0.0 } else { alone.first_for_sure };
                    assert!(packet.first_for_sure[lane] >= first, "{context}");
                }
                packet.map_or(0, |packet| packet.usable.count_ones())
            });
        }
        assert!(framed_lanes > 4000, "only {framed_lanes} lanes were near");
    }
}

//! The tree's own coordinates, and rays in them.

use super::probe::{Slack, first_touch};
use crate::aabb::Aabb;
use crate::float::{inverse_power_of_two, larger, largest, power_of_two, smaller, sqrt};
use crate::ray::{Given, LocalRay, Ray};
use crate::simd::{Bytes, Halves, Simd, SimdBase, SimdFloat, SimdMask, f32x4, i32x4};
use crate::vector::InLanes;
use glam::DVec3;

/// Coordinates times a power of two, such that none is above 1: at any scale, f32 neither overflows nor underflows where it matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Of what is in it, in its own coordinates.
    low: DVec3,
    high: DVec3,
    /// Frame units in one of its own.
    pub(crate) scale: f64,
    pub(super) ordinary: Ordinary,
}

/// Which rays of the frame's own space are scaled in f32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ordinary {
    /// The frame's, and 1 for what is no coordinate.
    pub(super) scale: [f32; 4],
    /// Bounds on the size of the direction, by axis, and on the largest t.
    pub(super) least: [f32; 4],
    pub(super) most: [f32; 4],
}

impl Ordinary {
    /// None are.
    const NONE: Self = Self { scale: [0.0; 4], least: [f32::INFINITY; 4], most: [0.0; 4] };

    /// Where what has a length of 1 has this one in the frame, a power of two.
    #[inline(always)]
    const fn new(scale: f64) -> Self {
        const LEAST: f32 = f32::from_bits(*ORDINARY_SIZES.start());
        const MOST: f32 = f32::from_bits(*ORDINARY_SIZES.end());
        // Times the scale, the power of two above a size, which is at most twice as large, is a distance in one t.
        let (least, most) = (0.5 / (ORDINARY_STEPS as f64 * scale), ORDINARY_STEPS as f64 / scale);
        let (least, most) = ((least as f32).max(LEAST), (most as f32).next_down().min(MOST));
        let scale = scale as f32;
        // Beyond f32 there are none.
        let most = if scale > 0.0 && scale.is_finite() { most } else { 0.0 };
        Self {
            scale: [scale, scale, scale, 1.0],
            least: [least, least, least, 0.0],
            most: [most, most, most, f32::INFINITY],
        }
    }
}

/// Unit roundoff of f32.
pub(super) const ROUNDOFF: f32 = f32::EPSILON / 2.0;
/// Rays that start farther away than this are moved to where they may first touch the bounds, since every bound on an error in f32 grows
/// with the distance.
pub(super) const FARTHEST_ORIGIN: f64 = 4.0;
/// Components of a direction whose inverse is above this, of a largest one of at least a half, are taken as its inverse in the box test: within
/// the frame nothing is so far away that it would make a difference of more than the box test allows for.
pub(super) const LARGEST_INVERSE: f32 = (1u64 << 60) as f32;
/// Added to every bound on the error of a position, in place of what underflows.
pub(super) const LEAST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;
/// In each coordinate, how far from its t = 0 a near ray starts at most. What f64 is off by that far out is a sixtieth of what rounding to f32 costs, so it is
/// taken for every ray: boxes would wait for how far it is.
const LONGEST_WAY: f32 = (1u32 << 20) as f32;
/// Distance in one t up to which what rounds to t = 0 is nearer than [`LEAST_ERROR`].
const MOST_STEPS: f64 = (1u128 << 100) as f64;
/// Directions up to about this size have a power of two above them whose inverse is a normal number.
const MOST_PACE: f64 = 1e300;
/// Contacts are told up to 64 u of a motion: up to this many units of the frame, that is at most [`LEAST_ERROR`].
const LONGEST_NEAR_WAY: f32 = 128.0;
/// More is as much, and infinite must it not be: the infinite planes of empty places in nodes would be NaN, which are hit.
const MOST_SLACK: f32 = f32::MAX / 2.0;
/// An error of a position that no longer says anything, and the one that stands for it.
const MOST_ERROR: f64 = 1e6;
const LOST: f64 = 1e19;
/// Of a ray that is near, with what boxes are made larger by, if they are: with it [`FARTHEST`] is far enough.
const MOST_NEAR_ERROR: f32 = 1.0;
/// What boxes are made larger by that are not: unlike that of +0, compilers leave out the sum.
const NOT_LARGER: f32 = -0.0;
/// Above 1 by more than the roundings of what boxes are made larger by (docs/robustness.md).
const HALF_ROUNDING: f32 = 1.0 + 8.0 * ROUNDOFF;
/// At least as far as anything in the frame, or in boxes that are made larger, is from an origin that is not moved, in distances.
pub(super) const FARTHEST: f32 = 2.5 * (FARTHEST_ORIGIN as f32 + 1.0);
/// The bits of sizes of directions that are scaled in f32: 1e-30 to 1e30, and a little more.
const ORDINARY_SIZES: core::ops::RangeInclusive<u32> = 27 << 23..=227 << 23;
/// Distances in one t up to this, and down to one by it, are scaled in f32.
const ORDINARY_STEPS: f32 = (1u128 << 100) as f32;
/// Of rays that are in the frame already.
const IN_FRAME: Ordinary = Ordinary::new(1.0);
/// Of the origin, and what a least t is that is at the origin.
const FARTHEST_PLACE: [f32; 4] = [FARTHEST_ORIGIN as f32, FARTHEST_ORIGIN as f32, FARTHEST_ORIGIN as f32, 0.0];
/// Above 1 by more than two roundings to f32 and the next number after a t, or below it.
pub(super) const FURTHER: f32 = 1.0 + 4.0 * f32::EPSILON;
pub(super) const NEARER: f32 = 1.0 - 4.0 * f32::EPSILON;
/// Of f32's exponents.
pub(super) const TWICE_THE_BIAS: u32 = (2 * 127) << 23;
/// Nothing in a frame is so far away, and its product with any determinant is finite.
const LARGEST_DISTANCE: f32 = 1e30;
/// A distance is off by what a position is, where the direction's largest component is a half; and more.
const DISTANCE_ERROR: f32 = 4.0;
/// At least the relative error of a box test's distances, with that of the offset they are made with.
pub(super) const BOX_ERROR: f32 = 4.0 * ROUNDOFF;
/// Widens a distance by more than two roundings to f32.
const WIDER: f64 = 1.0 + 2.0 * f32::EPSILON as f64;
const NARROWER: f64 = 1.0 - 2.0 * f32::EPSILON as f64;

/// A ray in a frame, in f32, from near the frame, with what f32 is off by.
///
/// Distances are from `origin`, in multiples of `direction`. No hit in the range has a negative one.
// In as few cache lines as there can be.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct FramedRay {
    /// The range of the ray that it was made of.
    pub(crate) t_min: f32,
    pub(crate) t_max: f32,
    /// The fourth means nothing, here and below.
    pub(crate) origin: [f32; 4],
    /// Its largest component is at least a half and below 1.
    pub(crate) direction: [f32; 4],
    /// At least how far `origin` is from a point of the exact ray, in each coordinate.
    pub(crate) origin_error: f32,
    /// Which planes of each axis are entered: the upper ones where the inverse is negative.
    pub(super) near: Halves,
    /// Of the direction, for the box test.
    pub(crate) inverse: [f32; 4],
    /// -origin * inverse, by more than all errors of the box test less and more.
    pub(crate) near_offset: [f32; 4],
    pub(crate) far_offset: [f32; 4],
    /// At least the relative error of a distance to a box, with the slack.
    pub(crate) box_error: f32,
    /// At least the distance of the least t that counts.
    pub(crate) first_for_sure: f32,
    /// At least the distance from the origin to anything in the frame that the ray goes towards.
    pub(crate) farthest: f32,
    /// In distances, what the rounding of reported ts is relative to beside the distance: that of the ray's own origin, and of the least t.
    pub(crate) reported: f32,
    /// The exact ray's t at the origin.
    start: f64,
    steps: Steps,
    /// Of distances.
    distance_error: f32,
    /// Of limits.
    limit_error: f32,
}

/// Distance in one t; a power of two.
// Not an enum of both: what begins at the same byte would be stored in pieces and read as a whole.
#[derive(Clone, Copy, Debug)]
struct Steps {
    exact: f64,
    ordinary: Option<OrdinarySteps>,
}

/// Distance in one t within [`ORDINARY_STEPS`]; that from where t is 0 to the origin, whose t is rounded here, is within [`LONGEST_WAY`].
#[derive(Clone, Copy, Debug)]
struct OrdinarySteps {
    steps: f32,
    start: f32,
}

impl Frame {
    /// For things in these finite bounds.
    pub(crate) fn new(bounds: Aabb) -> Self {
        let largest = bounds.min.abs().max(bounds.max.abs()).max_element();
        // The power of two below or at the largest, doubled, is above it.
        let unit = if largest > 0.0 && largest.is_finite() { 2.0 * power_of_two(f64::from(largest)) } else { 1.0 };
        let scale = 1.0 / unit;
        Self { low: bounds.min.as_dvec3(), high: bounds.max.as_dvec3(), scale, ordinary: Ordinary::new(scale) }
    }

    /// The same frame for what is in these bounds, none of which is above 1 in it.
    pub(crate) fn with_bounds(self, bounds: Aabb) -> Self {
        Self { low: bounds.min.as_dvec3(), high: bounds.max.as_dvec3(), ..self }
    }

    /// Two powers of two in f32 whose product is the scale: one has not enough exponents for the largest and the smallest meshes.
    pub(crate) fn factors(&self) -> [f32; 2] {
        let most = f64::from(1.0 / f32::MIN_POSITIVE);
        if (1.0 / most..=most).contains(&self.scale) {
            return [self.scale as f32, 1.0];
        }
        let root = power_of_two(sqrt(self.scale));
        [root as f32, (self.scale * inverse_power_of_two(root)) as f32]
    }

    /// For things none of whose coordinates is above this power of two. Not for rays of its own space: what they need would be computed for each ray.
    #[inline(always)]
    pub(super) fn of_reach(reach: f32) -> Self {
        // By its exponent alone, not by a conversion: rays wait for it.
        const BOTH_BIASES: u64 = (127 + 1023) << 52;
        let scale = f64::from_bits(BOTH_BIASES - (u64::from(reach.to_bits()) << 29));
        let reach = f64::from(reach);
        Self { low: DVec3::splat(-reach), high: DVec3::splat(reach), scale, ordinary: Ordinary::NONE }
    }

    /// A ray in these coordinates.
    #[inline(always)]
    pub(crate) fn exact(&self, ray: &LocalRay) -> LocalRay {
        ray.times(self.scale)
    }

    /// `None` for a ray that does not touch the bounds in its range, or comes from so far that its t were no f32, or that an instance's
    /// scale took beyond f64.
    ///
    /// Above 0, `from` is a t before which the ray is known to hit nothing: it saves to find out.
    #[inline(always)]
    pub(crate) fn ray<S: Simd>(&self, simd: S, ray: impl Given, from: f64, slack: Slack) -> Option<FramedRay> {
        match self.near_ray(simd, ray, Some(from), slack) {
            Some(framed) => Some(framed),
            None => self.ray_from_afar(simd, &ray.local(), slack),
        }
    }

    /// [`ray`](Self::ray) of one that is near and ordinary; `None` of all others. The bounds on errors are constants here: without the others compilers know them.
    /// Of a ray that starts at its own t = 0 they are smaller: without `from`, which may be 0 too.
    #[inline(always)]
    pub(crate) fn near_ray<S: Simd>(
        &self,
        simd: S,
        ray: impl Given,
        from: Option<f64>,
        slack: Slack,
    ) -> Option<FramedRay> {
        // From there even if its own origin is near: that would be known later.
        let start = from.map(|from| larger(from, 0.0));
        Near::new(ray.scaled(simd, self.scale), ray.range(), start, self.framed(slack)).if_usable(simd)
    }

    #[inline(always)]
    fn framed(&self, slack: Slack) -> Slack {
        // A product with 0 is not left out by compilers.
        let padding = if slack.padding == 0.0 { 0.0 } else { slack.padding * self.scale };
        Slack { padding, ..slack }
    }

    /// [`ray`](Self::ray) of a ray in the mesh's own space. `None` also for a ray that hits nothing.
    #[inline(always)]
    pub(crate) fn own_ray<S: Simd>(&self, simd: S, ray: &Ray) -> Option<FramedRay> {
        match self.own_near_ray(simd, ray) {
            Some(framed) => Some(framed),
            None => self.ray_from_afar(simd, &LocalRay::new(ray)?, Slack::NONE),
        }
    }

    /// As [`near_ray`](Self::near_ray) of [`own_ray`](Self::own_ray).
    #[inline(always)]
    pub(crate) fn own_near_ray<S: Simd>(&self, simd: S, ray: &Ray) -> Option<FramedRay> {
        let ([origin, direction], ordinary) = (ray.in_lanes(simd), &self.ordinary);
        let near = Near {
            origin: origin * f32x4::from_slice(simd, &ordinary.scale),
            direction,
            size: largest_of_three(direction),
            range: [ray.t_min, ray.t_max],
            start: 0.0,
            ordinary,
            start_error: LEAST_ERROR as f32,
            rounding: 0.0,
            box_error: BOX_ERROR,
        };
        near.if_usable(simd)
    }

    /// [`ray`](Self::ray) of one that starts where it may first touch the bounds. Inlined, as what is returned by a call is copied in pieces.
    #[inline(always)]
    pub(crate) fn ray_from_afar<S: Simd>(&self, simd: S, ray: &LocalRay, slack: Slack) -> Option<FramedRay> {
        let exact = self.exact(ray);
        let pace = largest(exact.direction);
        let steps = 2.0 * power_of_two(pace);
        // Which an infinite pace is not.
        let is_near = largest(exact.origin) <= FARTHEST_ORIGIN && ray.t_min == 0.0 && pace < MOST_STEPS;
        let start = if is_near { self.start_at(&exact, 0.0, slack) } else { self.start(ray, &exact, slack)? };
        // Where the origin is lost, everything may be hit.
        let start = if start.error < MOST_ERROR { start } else { Start { origin: DVec3::ZERO, error: LOST, ..start } };
        let unit_direction = exact.direction * inverse_power_of_two(steps);
        let padded = |v: DVec3| [v.x as f32, v.y as f32, v.z as f32, 0.0];
        let [x, y, z, _] = padded(start.origin);
        let rounding = largest(start.origin - DVec3::new(x.into(), y.into(), z.into()));
        let [origin, direction] = [padded(start.origin), padded(unit_direction)].map(|v| f32x4::from_slice(simd, &v));
        let position_error = (WIDER * (rounding + start.error)) as f32;
        let reach = larger(larger(x.abs(), y.abs()), z.abs()) + 1.0 + position_error;
        let draft = Draft {
            t_min: ray.t_min,
            t_max: ray.t_max,
            start: start.t,
            steps: Steps { exact: steps, ordinary: None },
            first_for_sure: first_distance_for_sure(ray.t_min, start.t, steps, DISTANCE_ERROR * position_error),
            position_error,
            reported: ((start.t.abs() + f64::from(f32::MIN_POSITIVE)) * steps * WIDER) as f32,
            limit_error: DISTANCE_ERROR * position_error,
            box_error: BOX_ERROR + (2.0 * slack.relative) as f32,
            farthest: smaller(2.5 * reach, LARGEST_DISTANCE),
        };
        let inverse = bounded_inverse((f32x4::splat(simd, 1.0) / direction).abs(), direction);
        // And what is relative to a distance that matters. The first is far below the most, even of an origin that is lost.
        let relative = smaller(draft.box_error * draft.farthest, MOST_SLACK);
        let position_slack = f32x4::splat(simd, position_slack(reach, position_error));
        let slack = inverse.abs().mul_add(position_slack, f32x4::splat(simd, relative));
        let offset = -origin * inverse;
        Some(draft.framed(simd, [origin, direction, inverse], [offset - slack, offset + slack]))
    }

    /// The ray of a volume's middle, for boxes that it touches as soon as the box around the volume does, which reaches as far as `half` from the middle.
    /// The bounds of what it meets there are the frame's. Of the slacks the first is for a way that starts within [`FARTHEST_ORIGIN`] and is not longer than
    /// [`LONGEST_NEAR_WAY`].
    #[inline(always)]
    pub(crate) fn thick_ray<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        (near, slack): (Slack, impl FnOnce() -> Slack),
        half: DVec3,
    ) -> Option<FramedRay> {
        let framed_half = half * self.scale;
        // Of any way that starts there, so that the first boxes need not wait for how far this one does.
        let error = near.relative * FARTHEST_ORIGIN + (LEAST_ERROR + near.padding * self.scale);
        let (start_error, rounding) = ((WIDER * error) as f32, ROUNDOFF * FARTHEST_ORIGIN as f32);
        let scaled = ray.scaled(simd, self.scale);
        let near = Near { start_error, rounding, ..Near::new(scaled, ray.range(), None, self.framed(near)) };
        let is_near = largest(framed_half) + f64::from(start_error + rounding) <= MOST_NEAR_ERROR.into();
        if is_near && first(near.size) <= LONGEST_NEAR_WAY && near.is_usable(simd) {
            let DVec3 { x, y, z } = framed_half;
            let half = f32x4::from_slice(simd, &[x as f32, y as f32, z as f32, 0.0]);
            return Some(near.framed(simd, half * f32x4::splat(simd, HALF_ROUNDING)));
        }
        self.thick_ray_from_afar(simd, ray, slack(), half)
    }

    #[inline(always)]
    fn thick_ray_from_afar<S: Simd>(&self, simd: S, ray: &LocalRay, slack: Slack, half: DVec3) -> Option<FramedRay> {
        let thickest = largest(half);
        let ray = self.ray_from_afar(simd, ray, Slack { padding: slack.padding + thickest, ..slack })?;
        Some(ray.thickened(simd, half * self.scale, (thickest * self.scale) as f32))
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
        Some(self.start_at(exact, t, slack))
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

/// A ray that most often starts near the frame, at its t = 0, so that all can be done in f32 at once.
struct Near<'a, S: Simd> {
    /// In the frame; the fourth is a least t that is to be 0.
    origin: f32x4<S>,
    /// As it is; the fourth is the largest t.
    direction: f32x4<S>,
    /// Of the direction, its largest component's magnitude, in the first three lanes.
    size: f32x4<S>,
    range: [f32; 2],
    /// The t of the origin.
    start: f64,
    /// Of the space in which it is given.
    ordinary: &'a Ordinary,
    /// Of the place where it starts, and of that in f32.
    start_error: f32,
    rounding: f32,
    box_error: f32,
}

/// The largest magnitude of the first three, in all of these; NaN if one is.
#[inline(always)]
fn largest_of_three<S: Simd>(v: f32x4<S>) -> f32x4<S> {
    // As integers they are in order, NaN last.
    let sizes = v.abs().bitcast::<i32x4<S>>();
    let &[x, y, z, w] = sizes.as_slice() else { unreachable!("there are four") };
    sizes.max(i32x4::from_slice(v.simd, &[y, z, x, w])).max(i32x4::from_slice(v.simd, &[z, x, y, w])).bitcast()
}

#[inline(always)]
fn with_fourth<S: Simd>(v: f32x4<S>, fourth: f32) -> f32x4<S> {
    let &[x, y, z, _] = v.as_slice() else { unreachable!("there are four") };
    f32x4::from_slice(v.simd, &[x, y, z, fourth])
}

#[inline(always)]
fn first<S: Simd>(v: f32x4<S>) -> f32 {
    v.as_slice()[0]
}

impl<'a, S: Simd> Near<'a, S> {
    /// Of a ray in the frame from a t on, with what it is off by there. All of it follows from the ray by as few steps as there can be, as boxes wait
    /// for it.
    #[inline(always)]
    fn new([origin, direction]: [InLanes<S>; 2], range: [f32; 2], start: Option<f64>, slack: Slack) -> Self {
        let [t_min, t_max] = range;
        // Of its way and its origin, from which it goes to where it starts: if that is near, the origin is no farther from there than the way is long.
        let (place, lengths) = match start {
            Some(start) => (origin + direction * start, 2.0 * f64::from(LONGEST_WAY) + FARTHEST_ORIGIN),
            None => (origin, FARTHEST_ORIGIN),
        };
        let start = start.unwrap_or(0.0);
        // A least t that is not at the origin is no reason against it if it is before the start.
        let before = if start == 0.0 { t_min } else { 0.0 };
        let at = with_fourth(place.narrowed(), before);
        let direction = with_fourth(direction.narrowed(), t_max);
        let size = largest_of_three(direction);
        // Product and sum round.
        let start_error = (2.0 * f64::EPSILON + slack.relative) * (lengths + 1.0) + (LEAST_ERROR + slack.padding);
        Self {
            origin: at,
            direction,
            size,
            range,
            start,
            ordinary: &IN_FRAME,
            start_error: (WIDER * start_error) as f32,
            // At most this part of a component.
            rounding: ROUNDOFF * first(largest_of_three(at)),
            box_error: BOX_ERROR + (2.0 * slack.relative) as f32,
        }
    }

    /// Whether it is near, and ordinary.
    #[inline(always)]
    fn is_usable(&self, simd: S) -> bool {
        // Not true of a NaN, as neither are those below.
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

    /// The power of two above the direction's largest component, in the first three lanes.
    #[inline(always)]
    fn power(&self) -> i32x4<S> {
        let simd = self.size.simd;
        let exponent = self.size.bitcast::<i32x4<S>>() & i32x4::splat(simd, f32::INFINITY.to_bits().cast_signed());
        exponent + i32x4::splat(simd, f32::MIN_POSITIVE.to_bits().cast_signed())
    }

    #[inline(always)]
    fn steps(&self) -> f32 {
        first(self.power().bitcast()) * self.ordinary.scale[0]
    }

    /// For boxes that are not made larger.
    #[inline(always)]
    fn if_usable(self, simd: S) -> Option<FramedRay> {
        simd.shared(
            #[inline(always)]
            || {
                if self.is_usable(simd) { Some(self.framed(simd, f32x4::splat(simd, NOT_LARGER))) } else { None }
            },
        )
    }

    /// If it is usable; for boxes that are made larger by so much.
    #[inline(always)]
    fn framed(self, simd: S, half: f32x4<S>) -> FramedRay {
        let Self { origin, direction, range: [t_min, t_max], start_error, rounding, box_error, .. } = self;
        let position_error = rounding + start_error;
        let (steps, start) = (self.steps(), self.start as f32);
        let distance_error = DISTANCE_ERROR * position_error;
        let (first_for_sure, reported, limit_error) = if self.start == 0.0 {
            (0.0, 0.0, distance_error)
        } else {
            // What rounding the origin's t costs, and that of the next number after a t.
            let reported = start * (steps * FURTHER);
            (distance_error, reported, distance_error + 8.0 * ROUNDOFF * reported)
        };
        let draft = Draft {
            t_min,
            t_max,
            start: self.start,
            steps: Steps { exact: steps.into(), ordinary: Some(OrdinarySteps { steps, start }) },
            first_for_sure,
            position_error,
            reported,
            limit_error,
            box_error,
            farthest: FARTHEST,
        };
        let power = self.power();
        // Of the direction's sign, so that what is the inverse's size needs no step of its own.
        let signed_power = power.bitcast::<f32x4<S>>().copysign(direction);
        let size = f32x4::splat(simd, 1.0) / direction * signed_power;
        // Of a power of two that is a normal number, as its inverse is.
        let direction = direction * (i32x4::splat(simd, TWICE_THE_BIAS.cast_signed()) - power).bitcast::<f32x4<S>>();
        let inverse = bounded_inverse(size, direction);
        // No component is above 4, and rounded by more than this part of that.
        let farthest = position_slack(FARTHEST_ORIGIN as f32, ROUNDOFF * FARTHEST_ORIGIN as f32 + start_error);
        // No inverse is below 1, so what is relative to a distance is at most as much of it: the planes are moved before there is an inverse.
        let moved = (half + f32x4::splat(simd, farthest + box_error * FARTHEST)).copysign(direction);
        // The sum is negated, not the origin: where it is 0 no distance to a plane at +0 is -0, which would come after all others.
        let offsets = [-(origin + moved) * inverse, (moved - origin) * inverse];
        draft.framed(simd, [origin, direction, inverse], offsets)
    }
}

/// With the direction's sign, of its size.
#[inline(always)]
fn bounded_inverse<S: Simd>(size: f32x4<S>, direction: f32x4<S>) -> f32x4<S> {
    size.min(f32x4::splat(size.simd, LARGEST_INVERSE)).copysign(direction)
}

/// What boxes are made larger by for an origin of such a size that is off by so much: its own roundings, of the offset and of its slack, and where
/// multiplication and addition are not fused, of a product with a coordinate of at most 1.
#[inline(always)]
fn position_slack(size: f32, error: f32) -> f32 {
    4.0 * ROUNDOFF * (size + 1.0) + 2.0 * error
}

/// What a framed ray is made of, beside origin and direction.
struct Draft {
    t_min: f32,
    t_max: f32,
    start: f64,
    steps: Steps,
    first_for_sure: f32,
    /// Of the origin.
    position_error: f32,
    reported: f32,
    limit_error: f32,
    box_error: f32,
    farthest: f32,
}

impl Draft {
    /// Given the offsets at which planes are entered and left.
    #[inline(always)]
    fn framed<S: Simd>(
        self,
        simd: S,
        [origin, direction, inverse]: [f32x4<S>; 3],
        [near_offset, far_offset]: [f32x4<S>; 2],
    ) -> FramedRay {
        let Self { t_min, t_max, start, steps, first_for_sure, position_error, .. } = self;
        let Self { reported, limit_error, box_error, farthest, .. } = self;
        let mut framed = FramedRay {
            t_min,
            t_max,
            origin: [0.0; 4],
            direction: [0.0; 4],
            origin_error: position_error,
            near: Halves::by_sign(simd, inverse),
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

/// At least the distance of the least t that counts.
fn first_distance_for_sure(t_min: f32, start: f64, steps: f64, error: f32) -> f32 {
    // What is beyond f32 is not reported.
    let distance = (f64::from(t_min.max(f32::MIN)) - start) * steps;
    (distance.max(0.0) * WIDER + f64::from(error)) as f32
}

impl FramedRay {
    /// Its own t at a distance of 1 from where distances are counted from, less that at 0.
    #[inline(always)]
    pub(crate) fn t_per_distance(&self) -> f64 {
        match self.steps.ordinary {
            // A normal number, as its inverse is.
            Some(OrdinarySteps { steps, .. }) => f32::from_bits(TWICE_THE_BIAS - steps.to_bits()).into(),
            None => inverse_power_of_two(self.steps.exact),
        }
    }

    /// The same ray, for boxes in the coordinates of which the frame's are this many times, a power of two.
    #[inline(always)]
    pub(super) fn for_boxes_scaled_by(mut self, scale: f32) -> Self {
        let [x, y, z, w] = self.inverse;
        self.inverse = [x * scale, y * scale, z * scale, w];
        self
    }

    /// The same ray, whose position was taken to be off by as much as `thickest`, with boxes made larger by `half` alone in its place.
    ///
    /// What is left of the position's error is rounded by what the subtraction of f32s is, and so is `half`; a product, a sum, and that of the offset are
    /// rounded beside what other rays pay for.
    #[inline(always)]
    fn thickened<S: Simd>(mut self, simd: S, half: DVec3, thickest: f32) -> Self {
        // Where the origin is lost, everything may be hit.
        if f64::from(self.origin_error) >= MOST_ERROR {
            return self;
        }
        let own_error = larger(self.origin_error - thickest, 0.0) + 8.0 * ROUNDOFF * self.origin_error;
        let half = f32x4::from_slice(simd, &[half.x as f32, half.y as f32, half.z as f32, 0.0]);
        let (o, inverse) = (f32x4::from_slice(simd, &self.origin), f32x4::from_slice(simd, &self.inverse));
        let widening = half * f32x4::splat(simd, HALF_ROUNDING) + f32x4::splat(simd, 2.0 * own_error);
        let position_slack =
            o.abs() * f32x4::splat(simd, 4.0 * ROUNDOFF) + (f32x4::splat(simd, 4.0 * ROUNDOFF) + widening);
        let slack = inverse.abs() * position_slack + f32x4::splat(simd, self.box_error * self.farthest);
        let slack = slack.min(f32x4::splat(simd, MOST_SLACK));
        let offset = -o * inverse;
        (offset - slack).store_slice(&mut self.near_offset);
        (offset + slack).store_slice(&mut self.far_offset);
        self.origin_error = own_error;
        (self.distance_error, self.limit_error) = (DISTANCE_ERROR * own_error, DISTANCE_ERROR * own_error);
        self
    }

    /// A t before which nothing is hit in a box that the ray enters at this distance.
    #[inline(always)]
    pub(crate) fn t_before(&self, distance: f32) -> f64 {
        // Of the distance by two steps, as what is in the box waits for it; of one box after the other the rest stays as it is.
        let (pace, error) = (self.t_per_distance(), f64::from(self.distance_error));
        f64::from(distance) * (f64::from(1.0 - self.box_error) * pace) + (self.start - error * pace)
    }

    /// A distance beyond which there is no hit of a reported t up to this one.
    #[inline(always)]
    pub(crate) fn limit(&self, t: f32) -> f32 {
        let distance = match self.steps.ordinary {
            Some(OrdinarySteps { steps, start }) => (t - start) * (steps * FURTHER) + self.limit_error,
            None => {
                // At least the next number after t.
                let t = f64::from(t);
                let above = t + t.abs() * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE);
                ((above - self.start) * self.steps.exact * WIDER + f64::from(self.limit_error)) as f32
            }
        };
        smaller(distance, self.farthest)
    }

    /// A distance up to which every hit has a reported t of at most this one.
    #[inline(always)]
    pub(crate) fn limit_for_sure(&self, t: f32) -> f32 {
        // What is beyond f32 is not reported.
        let t = smaller(t, f32::MAX);
        match self.steps.ordinary {
            Some(OrdinarySteps { steps, start }) => (t - start) * (steps * NEARER) - self.limit_error,
            None => ((f64::from(t) - self.start) * self.steps.exact * NARROWER - f64::from(self.limit_error)) as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch;
    use glam::Vec3;

    /// However far from their own origins, up to where the f64 test takes over. What rounding loses is told without an error.
    #[test]
    fn near_rays_start_where_they_say() {
        let frame = Frame::new(Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) });
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
                // D. Knuth's sum without an error.
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

    /// Where the origin is exactly as far from the plane as planes are moved.
    #[test]
    fn no_distance_is_negative_zero() {
        let frame = Frame::new(Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) });
        assert_eq!(frame.scale, 1.0);
        let error = ROUNDOFF * FARTHEST_ORIGIN as f32 + LEAST_ERROR as f32;
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

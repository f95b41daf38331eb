//! The tree's own coordinates, and the conversion of rays to them.

use super::bvh8::Bvh8;
use super::traverse::bvh_ray::{BvhRay, BvhRayParts, RayScale};
use super::traverse::near_bvh_ray::{MOST_NEAR_ERROR, NearRay, first, largest_of_three};
use super::traverse::ray_box_f64::{Slack, first_touch};
use super::traverse::ray_limits::{
    ABOVE_TWO_ROUNDINGS, BOX_ERROR, DISTANCE_ERROR, FARTHEST_ORIGIN, HALF_ROUNDING, LEAST_ERROR, MOST_ERROR,
    MOST_SLACK, OrdinaryLimits, bounded_inverse, position_slack,
};
use crate::geom::aabb::Aabb;
use crate::geom::ray::{LocalRay, Ray, RayInput};
use crate::math::float::{UNIT_ROUNDOFF_F32, inverse_power_of_two, larger, largest, power_of_two, smaller, sqrt};
use crate::simd::{Simd, SimdBase, SimdFloat, f32x4};
use glam::DVec3;

/// Coordinates multiplied by a power of two, such that none is above 1. So at any scale, f32 neither overflows nor underflows where it matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormalizedSpace {
    /// The bounds of the contents, in the contents' own coordinates, which are not scaled yet.
    low: DVec3,
    high: DVec3,
    /// The length in the frame of a length of 1 in the contents.
    pub(crate) scale: f64,
    /// The scale for near rays, which start near the frame's origin. It is NaN in a crowded space, so that no ray is near there. Near rays therefore need
    /// no separate test for crowded spaces.
    pub(super) near_scale: f64,
    pub(super) ordinary: OrdinaryLimits,
}

/// The largest distance per unit of t at which everything whose t rounds to 0 is nearer than [`LEAST_ERROR`].
const MOST_STEPS: f64 = (1u128 << 100) as f64;
/// Directions up to about this size have a power of two above them whose inverse is a normal number.
const MOST_PACE: f64 = 1e300;
/// Contacts are computed to within 64 u of the length of a motion. If this length is at most this many units of the
/// frame, the error is at most [`LEAST_ERROR`].
const LONGEST_NEAR_WAY: f32 = 128.0;
const LOST: f64 = 1e19;
/// All distances in a frame are below this, and its product with any determinant is finite.
const LARGEST_DISTANCE: f32 = 1e30;

impl NormalizedSpace {
    /// Makes a frame for things in these finite bounds.
    pub(crate) fn new(bounds: Aabb) -> Self {
        let largest = bounds.min.abs().max(bounds.max.abs()).max_element();
        // Twice the largest power of two that is not above the largest coordinate is above that coordinate.
        let unit = if largest > 0.0 && largest.is_finite() { 2.0 * power_of_two(f64::from(largest)) } else { 1.0 };
        let scale = 1.0 / unit;
        let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        Self { low, high, scale, near_scale: scale, ordinary: OrdinaryLimits::new(scale) }
    }

    /// Returns the same space for the contents of a tree; it is crowded if the tree [is](Bvh8::is_crowded). No ray is near in a crowded space.
    pub(crate) fn holding(self, tree: &Bvh8) -> Self {
        self.crowded(tree.is_crowded())
    }

    /// Returns the same space for contents that are crowded or not.
    pub(crate) fn crowded(self, is_crowded: bool) -> Self {
        if is_crowded {
            Self { near_scale: f64::NAN, ordinary: OrdinaryLimits::NONE, ..self }
        } else {
            Self { near_scale: self.scale, ordinary: OrdinaryLimits::new(self.scale), ..self }
        }
    }

    pub(crate) fn is_crowded(&self) -> bool {
        self.near_scale.is_nan()
    }

    /// Returns the ray with which the boxes of a crowded space are tested in f64. Returns `None` if the space is not
    /// crowded.
    pub(crate) fn crowded_ray(&self, ray: &LocalRay) -> Option<LocalRay> {
        self.is_crowded().then(|| self.exact(ray))
    }

    /// Returns the same frame for contents in these bounds, whose coordinates must not be above 1 in the frame.
    pub(crate) fn with_bounds(self, bounds: Aabb) -> Self {
        Self { low: bounds.min.as_dvec3(), high: bounds.max.as_dvec3(), ..self }
    }

    /// Returns two f32 powers of two whose product is the scale. A single f32 has not enough exponents for the largest and the smallest meshes.
    pub(crate) fn factors(&self) -> [f32; 2] {
        let most = f64::from(1.0 / f32::MIN_POSITIVE);
        if (1.0 / most..=most).contains(&self.scale) {
            return [self.scale as f32, 1.0];
        }
        let root = power_of_two(sqrt(self.scale));
        [root as f32, (self.scale * inverse_power_of_two(root)) as f32]
    }

    /// Makes a frame for things whose coordinates are at most this power of two. It has no limits for
    /// [`own_ray`](Self::own_ray), because this frame is made again for each ray, and computing the limits takes time.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn of_reach(reach: f32) -> Self {
        // This uses only the exponent, without a conversion, because rays wait for it.
        const BOTH_BIASES: u64 = (127 + 1023) << 52;
        let scale = f64::from_bits(BOTH_BIASES - (u64::from(reach.to_bits()) << 29));
        let reach = f64::from(reach);
        Self {
            low: DVec3::splat(-reach),
            high: DVec3::splat(reach),
            scale,
            near_scale: scale,
            ordinary: OrdinaryLimits::NONE,
        }
    }

    /// Returns a ray in these coordinates.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn exact(&self, ray: &LocalRay) -> LocalRay {
        ray.times(self.scale)
    }

    /// Converts a ray to these coordinates. Returns `None` in three cases. The ray does not touch the bounds in its
    /// range. Or it comes from so far that its t would not be an f32. Or its image in an instance is beyond f64.
    ///
    /// If `from` is above 0, it is a t before which the ray is known to hit nothing. Then no such t has to be computed.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn ray<S: Simd>(&self, simd: S, ray: impl RayInput, from: f64, slack: Slack) -> Option<BvhRay> {
        match self.near_ray(simd, ray, Some(from), slack) {
            Some(framed) => Some(framed),
            None => self.ray_from_afar(simd, &ray.local(), slack),
        }
    }

    /// Does the same as [`ray`](Self::ray) for a near ray with a direction of ordinary length, and returns `None` for
    /// all others. The error bounds of such rays are constants, which compilers know here. The error bounds are smaller
    /// for a ray that starts at its own t = 0, which has no `from`.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn near_ray<S: Simd>(
        &self,
        simd: S,
        ray: impl RayInput,
        from: Option<f64>,
        slack: Slack,
    ) -> Option<BvhRay> {
        // The ray starts at `from` even if its own origin is near, because testing that would take time.
        let start = from.map(|from| larger(from, 0.0));
        NearRay::new(ray.scaled(simd, self.near_scale), ray.range(), start, self.framed(slack)).if_usable(simd)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn framed(&self, slack: Slack) -> Slack {
        // Compilers do not leave out a product with 0.
        let padding = if slack.padding == 0.0 { 0.0 } else { slack.padding * self.scale };
        Slack { padding, ..slack }
    }

    /// Returns whether a ray that starts at this place is near.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn is_near(&self, place: DVec3) -> bool {
        largest(place) * self.scale <= FARTHEST_ORIGIN
    }

    /// Does the same as [`ray`](Self::ray) for a ray in the mesh's own space. Also returns `None` for a ray that hits nothing.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn own_ray<S: Simd>(&self, simd: S, ray: &Ray) -> Option<BvhRay> {
        match self.own_near_ray(simd, ray) {
            Some(framed) => Some(framed),
            None => self.ray_from_afar(simd, &LocalRay::new(ray)?, Slack::NONE),
        }
    }

    /// Does the same as [`near_ray`](Self::near_ray) for the rays of [`own_ray`](Self::own_ray).
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn own_near_ray<S: Simd>(&self, simd: S, ray: &Ray) -> Option<BvhRay> {
        let ([origin, direction], ordinary) = (ray.in_lanes(simd), &self.ordinary);
        let near = NearRay {
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

    /// Does the same as [`ray`](Self::ray) for a ray that starts where it may first touch the bounds. It is inlined,
    /// because the result of a call would be copied in pieces.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn ray_from_afar<S: Simd>(&self, simd: S, ray: &LocalRay, slack: Slack) -> Option<BvhRay> {
        let exact = self.exact(ray);
        let pace = largest(exact.direction);
        let steps = 2.0 * power_of_two(pace);
        // A ray with an infinite pace is not near.
        let is_near = largest(exact.origin) <= FARTHEST_ORIGIN && ray.t_min == 0.0 && pace < MOST_STEPS;
        let start = if is_near { self.start_at(&exact, 0.0, slack) } else { self.start(ray, &exact, slack)? };
        // If the origin is lost, the ray may hit everything.
        let start =
            if start.error < MOST_ERROR { start } else { FrameStart { origin: DVec3::ZERO, error: LOST, ..start } };
        let unit_direction = exact.direction * inverse_power_of_two(steps);
        let padded = |v: DVec3| [v.x as f32, v.y as f32, v.z as f32, 0.0];
        let [x, y, z, _] = padded(start.origin);
        let rounding = largest(start.origin - DVec3::new(x.into(), y.into(), z.into()));
        let [origin, direction] = [padded(start.origin), padded(unit_direction)].map(|v| f32x4::from_slice(simd, &v));
        let position_error = (ABOVE_TWO_ROUNDINGS * (rounding + start.error)) as f32;
        let reach = larger(larger(x.abs(), y.abs()), z.abs()) + 1.0 + position_error;
        let draft = BvhRayParts {
            t_min: ray.t_min,
            t_max: ray.t_max,
            start: start.t,
            steps: RayScale { exact: steps, ordinary: None },
            first_for_sure: first_distance_for_sure(ray.t_min, start.t, steps, DISTANCE_ERROR * position_error),
            position_error,
            reported: ((start.t.abs() + f64::from(f32::MIN_POSITIVE)) * steps * ABOVE_TWO_ROUNDINGS) as f32,
            limit_error: DISTANCE_ERROR * position_error,
            box_error: BOX_ERROR + (2.0 * slack.relative) as f32,
            farthest: smaller(2.5 * reach, LARGEST_DISTANCE),
        };
        let inverse = bounded_inverse((f32x4::splat(simd, 1.0) / direction).abs(), direction);
        // The slack includes the errors that are relative to a distance. At the largest distance that matters, these
        // are far below the largest slack, even if the origin is lost.
        let relative = smaller(draft.box_error * draft.farthest, MOST_SLACK);
        let position_slack = f32x4::splat(simd, position_slack(reach, position_error));
        let slack = inverse.abs().mul_add(position_slack, f32x4::splat(simd, relative));
        let offset = -origin * inverse;
        Some(draft.framed(simd, [origin, direction, inverse], [offset - slack, offset + slack]))
    }

    /// Returns the ray of a volume's middle, with boxes enlarged so that the ray touches a box as soon as the box
    /// around the volume does. `half` is half the size of that box. The obstacles are within the bounds of the frame.
    /// The first slack is for a path that starts within [`FARTHEST_ORIGIN`] and is no longer than [`LONGEST_NEAR_WAY`].
    /// The second slack is for any path.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn thick_ray<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        (near, slack): (Slack, impl FnOnce() -> Slack),
        half: DVec3,
    ) -> Option<BvhRay> {
        let framed_half = half * self.scale;
        // This bounds the error of any near path. So the first box tests need not wait for the length of this
        // path.
        let error = near.relative * FARTHEST_ORIGIN + (LEAST_ERROR + near.padding * self.scale);
        let (start_error, rounding) =
            ((ABOVE_TWO_ROUNDINGS * error) as f32, UNIT_ROUNDOFF_F32 * FARTHEST_ORIGIN as f32);
        let scaled = ray.scaled(simd, self.scale);
        let near = NearRay { start_error, rounding, ..NearRay::new(scaled, ray.range(), None, self.framed(near)) };
        let is_near = largest(framed_half) + f64::from(start_error + rounding) <= MOST_NEAR_ERROR.into();
        if is_near && first(near.size) <= LONGEST_NEAR_WAY && near.is_usable(simd) {
            let DVec3 { x, y, z } = framed_half;
            let half = f32x4::from_slice(simd, &[x as f32, y as f32, z as f32, 0.0]);
            return Some(near.framed(simd, half * f32x4::splat(simd, HALF_ROUNDING)));
        }
        self.thick_ray_from_afar(simd, ray, slack(), half)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn thick_ray_from_afar<S: Simd>(&self, simd: S, ray: &LocalRay, slack: Slack, half: DVec3) -> Option<BvhRay> {
        let thickest = largest(half);
        let ray = self.ray_from_afar(simd, ray, Slack { padding: slack.padding + thickest, ..slack })?;
        Some(ray.thickened(simd, half * self.scale, (thickest * self.scale) as f32))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn start_at(&self, exact: &LocalRay, t: f64, slack: Slack) -> FrameStart {
        let way = exact.direction * t;
        let lengths = largest(exact.origin.abs() + way.abs());
        // The product and the sum round.
        let error = (2.0 * f64::EPSILON + slack.relative) * lengths + (LEAST_ERROR + slack.padding * self.scale);
        FrameStart { t, origin: exact.origin + way, error }
    }

    #[cold]
    fn start(&self, ray: &LocalRay, exact: &LocalRay, slack: Slack) -> Option<FrameStart> {
        let t = first_touch(ray, slack, self.low, self.high)?;
        if !(exact.origin.is_finite() && exact.direction.is_finite() && largest(exact.direction) < MOST_PACE) {
            return None;
        }
        Some(self.start_at(exact, t, slack))
    }
}

/// The point in a frame from which distances are measured.
struct FrameStart {
    /// The t of the exact ray there.
    t: f64,
    origin: DVec3,
    /// A bound on the distance of `origin` from the exact ray's point at `t`, in each coordinate.
    error: f64,
}

/// Returns an upper bound of the distance at the least t of the range.
fn first_distance_for_sure(t_min: f32, start: f64, steps: f64, error: f32) -> f32 {
    // A t beyond f32 is not reported.
    let distance = (f64::from(t_min.max(f32::MIN)) - start) * steps;
    (distance.max(0.0) * ABOVE_TWO_ROUNDINGS + f64::from(error)) as f32
}

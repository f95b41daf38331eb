//! The first touch of a ray and a box, in f64.

use crate::geom::ray::LocalRay;
use crate::math::float::gamma;
use glam::DVec3;

/// The power of two above the largest f32.
const BEYOND_F32: f64 = (1u128 << 127) as f64 * 2.0;

/// The errors of a ray that is tested against the contents of a tree's boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slack {
    /// The error of distances along the ray, relative to them.
    pub(crate) relative: f64,
    /// The error of the ray's origin, in each coordinate.
    pub(crate) padding: f64,
}

impl Slack {
    /// The slack of a test with the ray itself.
    pub(crate) const NONE: Self = Self { relative: 0.0, padding: 0.0 };

    /// Returns the slack of tests with images of a ray from `origin`: see [`affine::Inverse`](crate::geom::affine::Inverse).
    pub(crate) fn of_images(relative: f64, origin: DVec3) -> Self {
        Self { relative, padding: relative * origin.abs().max_element() }
    }
}

/// Returns a t, not rounded, before which nothing in the box has a reported t in the ray's range. Returns `None` if
/// nothing in the box has a reported t in the range.
///
/// Rounding to f32 is monotone. So a bound on t that is rounded in the same way as a reported t bounds the reported t.
pub(in crate::bvh) fn first_touch(ray: &LocalRay, slack: Slack, low: DVec3, high: DVec3) -> Option<f64> {
    let (near, far) = interval(ray, slack, low, high);
    // A reported t is finite, and rounding changes it by less than one step of f32.
    let first = f64::from(ray.t_min.next_down()).max(-BEYOND_F32);
    let last = f64::from(ray.t_max.next_up()).min(BEYOND_F32);
    let start = if near > first { near } else { first };
    (near <= far && start <= last && first <= far).then_some(start)
}

/// Returns the interval of the ray's line in the box, or a little more; the ends are in the wrong order if it misses.
pub(crate) fn interval(ray: &LocalRay, slack: Slack, low: DVec3, high: DVec3) -> (f64, f64) {
    // The slack is added to the test's own errors. These are four roundings, three in a distance and one in its
    // widening, and one more for the products of these errors.
    let widening = gamma(5) + slack.relative;
    let (outwards, inwards) = (1.0 + widening, 1.0 - widening);
    let padding = DVec3::splat(slack.padding);
    let (for_low, for_high) = (ray.origin + padding, ray.origin - padding);
    let (mut near, mut far) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        let inverse = 1.0 / ray.direction[axis];
        let to_low = (low[axis] - for_low[axis]) * inverse;
        let to_high = (high[axis] - for_high[axis]) * inverse;
        let (a, b) = if inverse.is_sign_negative() { (to_high, to_low) } else { (to_low, to_high) };
        // 0 * infinity occurs if the origin is on the plane of a slab that the ray runs along. It is NaN, which max and min
        // ignore.
        near = near.max(a);
        far = far.min(b);
    }
    let near = near * if near > 0.0 { inwards } else { outwards };
    let far = far * if far > 0.0 { outwards } else { inwards };
    (near, far)
}

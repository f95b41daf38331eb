//! The tree's own coordinates, and rays in them.

use super::Probe;
use crate::aabb::Aabb;
use crate::float::power_of_two;
use crate::ray::LocalRay;
use glam::{DVec3, Vec3};

/// Coordinates times a power of two, such that none is above 1: at any scale of a mesh, f32 neither overflows nor underflows
/// where it matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// In the mesh's coordinates.
    bounds: Aabb,
    /// Frame units in one unit of the mesh.
    pub(crate) scale: f64,
}

/// Unit roundoff of f32.
const ROUNDOFF: f32 = f32::EPSILON / 2.0;
/// Rays that start farther away than this are moved to where they may first touch the bounds, since every bound on an error in f32 grows
/// with the distance.
const FARTHEST_ORIGIN: f64 = 4.0;
/// Components of a direction below this, of a largest one of at least a half, are taken as this in the box test: within the frame nothing is so
/// far away that it would make a difference of more than the box test allows for.
const LEAST_DIRECTION: f32 = 1.0 / (1u64 << 60) as f32;
/// Added to every bound on the error of a position, in place of what underflows.
const LEAST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;
/// Nothing in a frame is so far away, and its product with any determinant is finite.
const LARGEST_DISTANCE: f32 = 1e30;
/// Widens a distance by more than two roundings to f32.
const WIDER: f64 = 1.0 + 2.0 * f32::EPSILON as f64;
const NARROWER: f64 = 1.0 - 2.0 * f32::EPSILON as f64;

/// A ray in a frame: as it is in f64, and from near the frame in f32, with what f32 is off by.
///
/// Distances are from `origin`, in multiples of `direction`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FramedRay {
    /// With the t of the ray that it was made of.
    pub(crate) exact: LocalRay,
    /// Its direction, divided by a power of two as `direction` is.
    pub(crate) unit_direction: DVec3,
    pub(crate) origin: [f32; 3],
    /// Its largest component is at least a half and below 1.
    pub(crate) direction: [f32; 3],
    /// At least how far `origin` is from a point of the exact ray, in each coordinate.
    pub(crate) origin_error: f32,
    /// Of the direction, for the box test.
    pub(crate) inverse: [f32; 3],
    /// -origin * inverse, by more than all errors of the box test less and more.
    pub(crate) near_offset: [f32; 3],
    pub(crate) far_offset: [f32; 3],
    /// At most the distance of the least t that counts.
    pub(crate) first: f32,
    /// At least the distance of the least t that counts.
    pub(crate) first_for_sure: f32,
    /// At least the distance from the origin to anything in the frame that the ray goes towards.
    pub(crate) farthest: f32,
    /// The exact ray's t at the origin.
    start: f64,
    /// Distance in one t; a power of two.
    pub(crate) steps: f64,
    distance_error: f64,
}

impl Frame {
    /// For things in these finite bounds.
    pub(crate) fn new(bounds: Aabb) -> Self {
        let largest = bounds.min.abs().max(bounds.max.abs()).max_element();
        // The power of two below or at the largest, doubled, is above it.
        let unit = if largest > 0.0 && largest.is_finite() { 2.0 * power_of_two(f64::from(largest)) } else { 1.0 };
        Self { bounds, scale: 1.0 / unit }
    }

    /// `None` for a ray that does not touch the bounds in its range.
    #[inline(always)]
    pub(crate) fn ray(&self, ray: &LocalRay) -> Option<FramedRay> {
        let exact = LocalRay { origin: ray.origin * self.scale, direction: ray.direction * self.scale, ..*ray };
        let steps = 2.0 * power_of_two(exact.direction.abs().max_element());
        if exact.origin.abs().max_element() <= FARTHEST_ORIGIN && ray.t_min >= 0.0 {
            return Some(FramedRay::new(exact, steps, 0.0, exact.origin, 0.0));
        }
        let start = self.first_touch(ray)?;
        let way = exact.direction * start;
        // The product and the sum round.
        let moved_by = 2.0 * f64::EPSILON * (exact.origin.abs() + way.abs()).max_element();
        Some(FramedRay::new(exact, steps, start, exact.origin + way, moved_by))
    }

    /// A t before the ray touches the bounds, and not much before its range.
    #[cold]
    fn first_touch(&self, ray: &LocalRay) -> Option<f64> {
        let first = Probe::new(ray, 0.0).enter(&self.bounds, ray.t_max)?;
        // Rounded to f32, perhaps upwards.
        Some(f64::from(first) * if first > 0.0 { NARROWER } else { WIDER })
    }
}

impl FramedRay {
    #[inline(always)]
    fn new(exact: LocalRay, steps: f64, start: f64, from: DVec3, moved_by: f64) -> Self {
        let origin = from.as_vec3();
        let position_error = (from - origin.as_dvec3()).abs().max_element() + moved_by + LEAST_ERROR;
        let origin_error = (WIDER * position_error) as f32;
        let unit_direction = exact.direction * (1.0 / steps);
        let direction = unit_direction.as_vec3();
        let least = Vec3::splat(LEAST_DIRECTION).copysign(direction);
        let inverse = 1.0 / Vec3::select(direction.abs().cmplt(least.abs()), least, direction);
        let offset = -origin * inverse;
        // The roundings of the offset and of its slack, and, where multiplication and addition are not fused, of a product with a
        // coordinate of at most 1.
        let slack = inverse.abs() * (4.0 * ROUNDOFF * (origin.abs() + 1.0) + 2.0 * origin_error);
        // A distance is off by what a position is, where the direction's largest component is a half.
        let distance_error = 4.0 * position_error;
        let (first, first_for_sure) = if exact.t_min == 0.0 && start == 0.0 {
            (0.0, 0.0)
        } else {
            let distance = |t: f32| (f64::from(t) - start) * steps;
            let first = distance(exact.t_min.next_down()) * NARROWER - distance_error;
            let first_for_sure = distance(exact.t_min).max(0.0) * WIDER + distance_error;
            (first.max(0.0) as f32, first_for_sure as f32)
        };
        let farthest = 2.0 * WIDER as f32 * (origin.abs().max_element() + 1.0 + origin_error);
        Self {
            exact,
            unit_direction,
            origin: origin.to_array(),
            direction: direction.to_array(),
            origin_error,
            inverse: inverse.to_array(),
            near_offset: (offset - slack).to_array(),
            far_offset: (offset + slack).to_array(),
            first,
            first_for_sure,
            farthest: farthest.min(LARGEST_DISTANCE),
            start,
            steps,
            distance_error,
        }
    }

    /// A distance beyond which there is no hit of a reported t up to this one.
    #[inline(always)]
    pub(crate) fn limit(&self, t: f32) -> f32 {
        // At least the next number after t.
        let t = f64::from(t);
        let above = t + t.abs() * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE);
        (((above - self.start) * self.steps * WIDER + self.distance_error) as f32).min(self.farthest)
    }

    /// A distance up to which every hit has a reported t of at most this one.
    #[inline(always)]
    pub(crate) fn limit_for_sure(&self, t: f32) -> f32 {
        ((f64::from(t) - self.start) * self.steps * NARROWER - self.distance_error) as f32
    }
}

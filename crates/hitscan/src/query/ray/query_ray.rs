//! The start of a query: its ray in the world, and the surfaces that it skips.

use super::hit::Hit;
use super::self_hit::LeavingRay;
use crate::geom::ray::{LocalRay, Ray};
use crate::query::collect::HitKey;
use crate::query::view::RayView;
use alloc::boxed::Box;
use core::hash::Hash;
use glam::DVec3;

/// The ray of a query, and the surfaces that it skips. A [`RaySearch`](super::cast::RaySearch) only borrows this value, so
/// that the search, which is moved often, stays small.
pub(in crate::query) struct QueryRay<'a> {
    pub(in crate::query) ray: LocalRay,
    pub(in crate::query) past: Past<'a>,
}

/// The hits that [`RayQueries::after`](crate::query::RayQueries::after) skips.
pub(in crate::query) enum Past<'a> {
    Nothing,
    /// The same ray continues, and every hit up to this one is skipped.
    UpTo(HitKey),
    /// Another ray starts at the hit, and leaves these surfaces. They are boxed. So a ray that leaves no surface does not copy their data.
    Leaving(Box<LeavingRay<'a>>),
}

impl<'a> QueryRay<'a> {
    /// Returns `None` for a ray that hits nothing.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn new<K: Clone + Eq + Hash>(query: &RayView<'a, K>, ray: &Ray) -> Option<Self> {
        Self::along(query, ray, LocalRay::new(ray)?)
    }

    /// Makes the ray of a query from a ray in f64 relative to the query's origin; `ray` is the same ray in f32.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn along<K: Clone + Eq + Hash>(
        query: &RayView<'a, K>,
        ray: &Ray,
        relative: LocalRay,
    ) -> Option<Self> {
        let world = query.view.origin + relative.origin;
        let (past, origin) = match query.after {
            None => (Past::Nothing, world),
            Some(hit) => Self::after(query, hit, ray, &LocalRay { origin: world, ..relative }),
        };
        // Multiplying a number that is not finite by zero gives NaN.
        let is_finite = origin.x * 0.0 + origin.y * 0.0 + origin.z * 0.0 == 0.0;
        is_finite.then_some(Self { ray: LocalRay { origin, ..relative }, past })
    }

    /// Finds the surfaces that are skipped after a hit, and where a ray in the world continues.
    fn after<K: Clone + Eq + Hash>(
        query: &RayView<'a, K>,
        hit: &Hit<K>,
        given: &Ray,
        ray: &LocalRay,
    ) -> (Past<'a>, DVec3) {
        let is_relative_to_same = hit.relative_to == query.view.origin;
        // The ray continues exactly as it was cast.
        if is_relative_to_same && (hit.origin, hit.direction) == (given.origin, given.direction) {
            return (Past::UpTo(hit.key), hit.exact_origin);
        }
        // Rounding may have moved the point behind a neighbour of the surface.
        let starts_at_hit = is_relative_to_same && hit.point == given.origin;
        let origin = if starts_at_hit { hit.exact_point } else { ray.origin };
        // Half a unit in the last place is at most this fraction of a number.
        let relative = given.origin.as_dvec3().abs() * (f64::from(f32::EPSILON) / 2.0);
        let rounding = if starts_at_hit { DVec3::ZERO } else { relative };
        let leaving = LeavingRay::new(query, hit, &LocalRay { origin, ..*ray }, rounding);
        (leaving.map_or(Past::Nothing, |leaving| Past::Leaving(Box::new(leaving))), origin)
    }
}

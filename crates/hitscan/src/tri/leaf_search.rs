//! The searches of rays through the leaves of a tree of triangles. Meshes and height fields use them.
//!
//! The suffix `_from_afar` marks functions for a ray that does not start near the tree, and is converted to the frame in f64.

use super::leaf_visitors::{FoundTriangle, Offer, TriangleSearch};
use super::leaves::Leaves;
use crate::bvh::Slack;
use crate::geom::culling::{Cull, CulledSides};
use crate::geom::ray::{LocalRay, Ray, RayInput};
use crate::simd::Simd;
use core::ops::ControlFlow;

/// Leaves that rays search.
pub(crate) trait LeafSearch: Leaves {
    /// Returns the hit with the smallest t in a ray's range. If several triangles have this t, it is the hit on the triangle with the lowest number. If `from`
    /// is above 0, there is no hit before it.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn closest<S: Simd>(&self, simd: S, ray: impl RayInput, from: f64, cull: Cull) -> Option<FoundTriangle> {
        let Some(framed) = self.frame().near_ray(simd, ray, Some(from), Slack::NONE) else {
            return self.closest_from_afar(simd, ray.local(), cull);
        };
        let search = TriangleSearch::new(self, simd, ray, &framed);
        search.found(search.nearest(None, cull)?)
    }

    /// Does the same as [`closest`](Self::closest) for a ray that is not near. It is separate, so that the compiler knows the common properties of near rays
    /// in the other function.
    #[cold]
    #[inline(never)]
    fn closest_from_afar<S: Simd>(&self, simd: S, ray: LocalRay, cull: Cull) -> Option<FoundTriangle> {
        simd.vectorize(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let framed = self.frame().ray_from_afar(simd, &ray, Slack::NONE)?;
                let search = TriangleSearch::new(self, simd, &ray, &framed);
                search.found(search.nearest(self.frame().crowded_ray(&ray).as_ref(), cull)?)
            },
        )
    }

    /// Returns whether there is a hit in a ray's range.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn has_any<S: Simd>(&self, simd: S, ray: impl RayInput, from: f64, cull: Cull) -> bool {
        let Some(framed) = self.frame().near_ray(simd, ray, Some(from), Slack::NONE) else {
            return self.has_any_from_afar(simd, ray.local(), cull);
        };
        TriangleSearch::new(self, simd, ray, &framed).has_any(None, cull)
    }

    /// Does the same as [`has_any`](Self::has_any) for a ray in its own space.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn has_any_hit<S: Simd>(&self, simd: S, ray: &Ray, sides: impl CulledSides) -> bool {
        let Some(framed) = self.frame().own_near_ray(simd, ray) else {
            return LocalRay::new(ray).is_some_and(|ray| self.has_any_from_afar(simd, ray, sides.cull()));
        };
        TriangleSearch::new(self, simd, ray, &framed).has_any(None, sides)
    }

    /// Does the same as [`has_any`](Self::has_any) for a ray that is not near.
    #[cold]
    #[inline(never)]
    fn has_any_from_afar<S: Simd>(&self, simd: S, ray: LocalRay, cull: Cull) -> bool {
        simd.vectorize(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let Some(framed) = self.frame().ray_from_afar(simd, &ray, Slack::NONE) else { return false };
                let search = TriangleSearch::new(self, simd, &ray, &framed);
                search.has_any(self.frame().crowded_ray(&ray).as_ref(), cull)
            },
        )
    }

    /// Calls `offer` with every hit in the range of a ray that may still matter. Some hits are offered more than once, because a triangle may be in several
    /// leaves.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn each<S: Simd>(
        &self,
        simd: S,
        (ray, from): (&LocalRay, f64),
        skipped: &[u32],
        offer: &mut Offer<'_>,
    ) -> ControlFlow<()> {
        let Some(framed) = self.frame().ray(simd, ray, from, Slack::NONE) else { return ControlFlow::Continue(()) };
        TriangleSearch::new(self, simd, ray, &framed).each(self.frame().crowded_ray(ray).as_ref(), skipped, offer)
    }
}

impl<L: Leaves> LeafSearch for L {}

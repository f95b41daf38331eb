//! The traversal of the tree by a volume.

use super::{DynamicBvh, ItemAdapter, ItemLeaves, Visit};
use crate::bvh::normalized_space::NormalizedSpace;
use crate::bvh::traverse::ray_box_f64::Slack;
use crate::bvh::traverse::single_ray::traverse_changing;
use crate::bvh::traverse::visitor::Order;
use crate::bvh::traverse::visitor::Subtree;
use crate::geom::ray::LocalRay;
use crate::simd::{Simd, dispatch};
use core::ops::ControlFlow;
use glam::DVec3;

impl DynamicBvh {
    /// Does the same as [`traverse`](Self::traverse) for a volume whose middle moves along the ray, and which extends by `half` from it.
    pub(crate) fn traverse_thick(
        &self,
        ray: &LocalRay,
        (slack, half): (Slack, DVec3),
        order: Order,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        // Skipping the tree if it has a single item gained nothing.
        dispatch!(simd => self.traverse_thick_with(simd, ray, (slack, half), order, visit))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn traverse_thick_with<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        (slack, half): (Slack, DVec3),
        order: Order,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let frame = NormalizedSpace::of_reach(self.unit());
        let near = LocalRay { origin: ray.origin - self.origin, ..*ray };
        let Some(ray) = frame.thick_ray(simd, &near, (slack, || slack), half) else { return ControlFlow::Continue(()) };
        let ray = ray.for_boxes_scaled_by(frame.scale as f32);
        let mut shown = ItemAdapter { order, prefetch: |_| (), visit };
        let mut items = ItemLeaves { simd, ray: &ray, t_max: near.t_max, visitor: &mut shown };
        traverse_changing(&self.nodes, simd, (&ray, Subtree::ROOT), ray.limit(near.t_max), &mut items)
    }
}

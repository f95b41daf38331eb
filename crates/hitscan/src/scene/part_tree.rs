//! The tree of a scene with the parts that are its items. It does not know keys, so code that traverses it is compiled
//! in this crate.

use super::slot_map::{Numbered, SlotMap};
use super::{Part, VISITED_OF_PART};
use crate::bvh::{DynamicBvh, ItemVisitor, PacketItemVisitor};
use crate::geom::eight_rays::{EightRays, LANES};
use crate::geom::ray::LocalRay;
use crate::simd::prefetch;
use core::ops::ControlFlow;

#[derive(Clone, Copy)]
pub(crate) struct PartTree<'a> {
    pub(super) tree: &'a DynamicBvh,
    pub(super) parts: &'a SlotMap<Part>,
    /// A bound on the relative inaccuracy of the placements in the tree.
    pub(super) slack: f64,
}

impl<'a> PartTree<'a> {
    /// Calls the visitor with every part in the tree that the ray may touch in its range up to `t_max`.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn traverse(&self, ray: &LocalRay, t_max: f32, visitor: &mut impl ItemVisitor) -> ControlFlow<()> {
        self.tree.traverse(ray, t_max, self.slack, visitor)
    }

    /// Does the same as [`traverse`](Self::traverse) for the rays in `lanes` that can be traversed together. Returns the lanes of these rays.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn traverse_together(
        &self,
        rays: &EightRays,
        lanes: u64,
        t_max: &[f32; LANES],
        visitor: &mut impl PacketItemVisitor,
    ) -> u64 {
        self.tree.traverse_together(rays, lanes, t_max, self.slack, visitor)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn part(&self, number: u32) -> Option<&'a Part> {
        self.parts.get(number)
    }

    /// Prefetches the data of a part that every visit needs.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn prefetch(&self, number: u32) {
        prefetch::<VISITED_OF_PART>(self.parts.address(number));
    }
}

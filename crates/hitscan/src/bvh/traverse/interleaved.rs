//! Interleaved traversals: while one ray waits for memory, the others are traversed (O. Kocberber, B. Falsafi, B. Grot,
//! "Asynchronous Memory Access Chaining", 2015). Eight rays begin and end together: no new ray starts when one of them
//! is finished.

use super::bvh_ray::BvhRay;
use super::ray_box8::RayLanes;
use super::single_ray::{Next, prefetch_child, step};
use super::traversal_stack::{ROOM, TraversalStack};
use super::visitor::{LeafRow, Subtree, Visitor};
use crate::bvh::builder::WIDTH;
use crate::bvh::bvh8::Bvh8;
use crate::bvh::half_area;
use crate::bvh::node::Node;
use crate::collections::sort;
use crate::math::float::larger;
use crate::simd::{Simd, Stack};
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// More leaves than this, with the nodes above them, do not fit into a processor's own cache.
const MOST_NEAR_LEAVES: usize = 1 << 14;
/// One node in this many is sampled.
const SAMPLED: usize = 64;

/// The state of the traversal of one ray.
pub(crate) struct RayState<S: Simd> {
    lanes: RayLanes<S>,
    limit: f32,
    next: Next,
    pending: [u64; ROOM],
    len: usize,
    // It always stays empty, because there is room for all subtrees. Without this field, the rays of a batch that
    // are traversed alone, compiled in the same function, take 2.5 % more instructions and 1.5 % more time.
    beyond: Vec<u64>,
}

/// The result of one step.
pub(crate) enum StepResult {
    /// The ray has further steps.
    Going,
    /// The ray has no further steps.
    Ended,
    /// The visitor stopped the ray.
    Broken,
}

impl<S: Simd> RayState<S> {
    pub(crate) fn new(simd: S) -> Self {
        Self {
            lanes: RayLanes::none(simd),
            limit: 0.0,
            next: Next { child: 0, distance: 0.0 },
            pending: [0; ROOM],
            len: 0,
            beyond: Vec::new(),
        }
    }

    /// Starts a ray at the root. Each part is stored in its final place. Copies would be loaded with other widths than
    /// they were stored with, so store forwarding would fail.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn begin(&mut self, simd: S, ray: &BvhRay) {
        self.lanes = RayLanes::new(simd, ray);
        self.limit = ray.limit(ray.t_max);
        self.next = Next { child: Subtree::ROOT.0, distance: 0.0 };
        self.len = 0;
    }
}

impl Bvh8 {
    /// Returns whether unrelated rays wait for memory at most steps, so that interleaving is worth it. That is so if
    /// the leaves that make up nine tenths of the total area do not fit into a cache. In a room these are a few hundred
    /// walls and floors, however many triangles the room has. In a scan they are nearly all leaves.
    pub(crate) fn is_far_from_cache(&self) -> bool {
        if self.nodes.len() <= MOST_NEAR_LEAVES / WIDTH {
            return false;
        }
        let nodes = self.nodes.iter().step_by(SAMPLED);
        // The bits of positive numbers are in the order of the numbers.
        let mut areas: Vec<u64> =
            nodes.flat_map(Node::leaves).map(|bounds| larger(half_area(&bounds), 0.0).to_bits()).collect();
        sort::sort(&mut areas);
        let areas: Vec<f64> = areas.into_iter().rev().map(f64::from_bits).collect();
        let mut left = 0.9 * areas.iter().sum::<f64>();
        let is_met = |area: &&f64| {
            let is_met = left > 0.0;
            left -= **area;
            is_met
        };
        areas.iter().take_while(is_met).count() * SAMPLED > MOST_NEAR_LEAVES
    }

    /// Makes one step of a ray in a tree that is not empty. It tests the boxes of a node, or visits a leaf. Prefetches
    /// the data for the next step.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn take_turn<S: Simd>(
        &self,
        walk: &mut RayState<S>,
        row: LeafRow,
        visitor: &mut impl Visitor,
    ) -> StepResult {
        let nodes = self.nodes.as_slice();
        let mut pending = TraversalStack::unbounded(Stack::resumed(&mut walk.pending, walk.len), &mut walk.beyond);
        let found = step(nodes, &walk.lanes, None, walk.next, &mut pending, &mut walk.limit, visitor);
        walk.len = pending.stack.len();
        match found {
            ControlFlow::Continue(Some(found)) => {
                walk.next = found;
                prefetch_child(nodes, row, found.child);
                StepResult::Going
            }
            ControlFlow::Continue(None) => StepResult::Ended,
            ControlFlow::Break(()) => StepResult::Broken,
        }
    }
}

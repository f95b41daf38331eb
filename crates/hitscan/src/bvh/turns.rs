//! Rays that go through a tree in turns: while what one of them needs comes from memory, the others go on
//! (O. Kocberber, B. Falsafi, B. Grot, "Asynchronous Memory Access Chaining", 2015).

use super::frame::FramedRay;
use super::wide::{INLINE_STACK, Pending, RayLanes, Subtree, Visitor, WideBvh, announce, step};
use crate::simd::Simd;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// As many nodes, with their leaves, are so much more than a processor's caches that turns are worth it. With half as many it was the scene: rays through a
/// scan took 0.6 to 0.7 of the time, those through an atrium 1.1 to 1.3 times as long.
const MOST_NEAR_NODES: usize = 1 << 15;

/// How far a ray has come.
pub(crate) struct Walk<S: Simd> {
    lanes: RayLanes<S>,
    limit: f32,
    next: u64,
    stack: [u64; INLINE_STACK],
    len: usize,
    spilled: Vec<u64>,
}

/// What came of a turn.
pub(crate) enum Turn {
    /// Something is left.
    Going,
    /// Nothing is left.
    Ended,
    /// The visitor ended it.
    Broken,
}

impl<S: Simd> Walk<S> {
    pub(crate) fn new(simd: S) -> Self {
        Self { lanes: RayLanes::none(simd), limit: 0.0, next: 0, stack: [0; INLINE_STACK], len: 0, spilled: Vec::new() }
    }

    /// A ray at the root. Each part is stored where it stays: what is moved would be read back in other pieces.
    #[inline(always)]
    pub(crate) fn begin(&mut self, simd: S, ray: &FramedRay) {
        self.lanes = RayLanes::new(simd, ray);
        self.limit = ray.limit(ray.t_max);
        self.next = Subtree::ROOT.0.into();
        self.len = 0;
        self.spilled.clear();
    }
}

impl WideBvh {
    /// Whether most rays have to wait for memory, so that turns are worth it.
    pub(crate) fn is_far_from_cache(&self) -> bool {
        self.nodes.len() > MOST_NEAR_NODES
    }

    /// One step of a ray: a node or a leaf. Has what it needs next brought.
    #[inline(always)]
    pub(crate) fn take_turn<S: Simd>(&self, walk: &mut Walk<S>, visitor: &mut impl Visitor) -> Turn {
        let nodes = self.nodes.as_slice();
        let Walk { lanes, limit, next, stack, len, spilled } = walk;
        match step(nodes, lanes, false, *next, Pending { stack, len, spilled }, limit, visitor) {
            ControlFlow::Continue(Some(key)) => {
                *next = key;
                announce(nodes, visitor.leaves(), key as u32);
                Turn::Going
            }
            ControlFlow::Continue(None) => Turn::Ended,
            ControlFlow::Break(()) => Turn::Broken,
        }
    }
}

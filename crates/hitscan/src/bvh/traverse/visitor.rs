//! The visitor of the leaves in the traversal of a tree by a ray, and its order.

use crate::bvh::builder::WIDTH;
use crate::simd::LaneMask;
use core::ops::ControlFlow;

/// The order in which leaves are visited.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Leaves are visited approximately from near to far.
    NearToFar,
    /// Leaves are visited in any order, which is faster if the limit does not change.
    Any,
    /// Works as `Any`, but the distances that the visitor gets are meaningless.
    Blind,
}

impl Order {
    /// Returns two children's keys in the order in which they are visited.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn of(self, a: u64, b: u64) -> [u64; 2] {
        match self {
            Self::NearToFar => [a.min(b), a.max(b)],
            Self::Any | Self::Blind => [a, b],
        }
    }

    /// Removes the place that is pushed onto the stack next. In a search for any hit, this is the last place. So
    /// children are visited in the order of the node, which the builder has chosen for this purpose.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn take(self, places: &mut LaneMask) -> Option<usize> {
        match self {
            Self::NearToFar => places.take_first(),
            Self::Any | Self::Blind => places.take_last(),
        }
    }

    /// Returns the key of a place, which consists of the distance and the child. The offsets prevent distances that are
    /// negative or -0, so the bits of distances have the order of the distances.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn key(self, distances: &[f32; WIDTH], children: &[u32; WIDTH], place: usize) -> u64 {
        let place = place % WIDTH;
        let child = u64::from(children[place]);
        match self {
            Self::NearToFar | Self::Any => u64::from(distances[place].to_bits()) << 32 | child,
            Self::Blind => child,
        }
    }
}

/// A node with everything below it, or a leaf.
#[derive(Clone, Copy)]
pub(crate) struct Subtree(pub(in crate::bvh) u32);

impl Subtree {
    pub(crate) const ROOT: Self = Self(0);
}

/// The address of the leaves, and how many bytes each has.
pub(crate) type LeafRow = (*const u8, usize);

/// The row for leaves that are not contiguous.
pub(in crate::bvh) const NO_ROW: LeafRow = (core::ptr::null(), 0);

/// The work at the leaves. Its function must be `#[inline(always)]`, or it is not compiled for the instruction set in use.
pub(crate) trait Visitor {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    /// Prefetches a leaf that will be visited soon, if the leaves are not contiguous.
    fn prefetch(&self, _leaf: u32) {}

    /// Is called before the ray tests a subtree, with the distance at which the ray enters it. If leaves are visited
    /// from near to far, it is not called for the nearest child of a node. Returns the largest distance that matters
    /// from now on, at most `limit`.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn before(&mut self, _distance: f32, limit: f32) -> f32 {
        limit
    }

    /// Visits a leaf. Returns the largest distance that matters from now on, at most `limit`, or stops. `distance` is a
    /// lower bound of the distance at which the ray enters the leaf's box.
    fn visit(&mut self, leaf: u32, distance: f32, limit: f32) -> ControlFlow<(), f32>;
}

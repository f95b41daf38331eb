//! What is done at the leaves on the way of a ray through a tree, and in which order.

use super::builder::WIDTH;
use crate::simd::LaneSet;
use core::ops::ControlFlow;

/// In which order leaves are visited.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Roughly.
    NearToFar,
    /// Which is faster where the limit does not change.
    Any,
    /// As `Any`, without being told how far leaves are: distances mean nothing.
    Blind,
}

impl Order {
    /// Of two children's keys, in the order in which they are visited.
    #[inline(always)]
    pub(super) fn of(self, a: u64, b: u64) -> [u64; 2] {
        match self {
            Self::NearToFar => [a.min(b), a.max(b)],
            Self::Any | Self::Blind => [a, b],
        }
    }

    /// Takes the place that goes onto the stack next off these. For any hit it is the last one, so that they are visited in the order of the
    /// node, which the builder has chosen for that.
    #[inline(always)]
    pub(super) fn take(self, places: &mut LaneSet) -> Option<usize> {
        match self {
            Self::NearToFar => places.take_first(),
            Self::Any | Self::Blind => places.take_last(),
        }
    }

    /// Distance and child of a place. Distances are not negative, nor -0, which offsets keep every sum from being: so their bits are
    /// ordered as they are.
    #[inline(always)]
    pub(super) fn key(self, distances: &[f32; WIDTH], children: &[u32; WIDTH], place: usize) -> u64 {
        let place = place % WIDTH;
        let child = u64::from(children[place]);
        match self {
            Self::NearToFar | Self::Any => u64::from(distances[place].to_bits()) << 32 | child,
            Self::Blind => child,
        }
    }
}

/// A node with all that is below it, or a leaf.
#[derive(Clone, Copy)]
pub(crate) struct Subtree(pub(super) u32);

impl Subtree {
    pub(super) const ROOT: Self = Self(0);
}

/// Where leaves are in memory, and how many bytes each has.
pub(crate) type LeafRow = (*const u8, usize);

/// What is done at the leaves. Its function must be `#[inline(always)]`, or it is not compiled for the instruction set in use.
pub(crate) trait Visitor {
    fn order(&self) -> Order;

    /// Where the leaves are in memory, if they lie in one row.
    #[inline(always)]
    fn leaves(&self) -> LeafRow {
        (core::ptr::null(), 0)
    }

    /// Has a leaf brought that will be visited soon, if they do not.
    fn announce(&self, _leaf: u32) {}

    /// Called before what the ray enters at this distance is looked at, unless it is the nearest child of a node, if nearer leaves come first: the largest
    /// distance that matters from now on, at most `limit`.
    #[inline(always)]
    fn before(&mut self, _distance: f32, limit: f32) -> f32 {
        limit
    }

    /// The largest distance that matters from now on, at most `limit`; or the end. `distance` is where the ray may enter the leaf's box, or
    /// before.
    fn visit(&mut self, leaf: u32, distance: f32, limit: f32) -> ControlFlow<(), f32>;
}

//! The test whether triangles are near a point, through a tree with triangles in its leaves, in f32.

use super::leaves::Leaves;
use crate::bvh::{TreePoint, Visitor};
use crate::simd::{Axes, Simd, f32x8};
use core::ops::ControlFlow;

/// Returns whether every triangle is certainly farther than `distance` from a point. Both are in the tree's coordinates.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn is_clear<S: Simd, L: Leaves>(simd: S, leaves: &L, (point, distance): (&TreePoint, f64)) -> bool {
    let reach = point.reach_of(distance);
    let mut search = ClearanceSearch { leaves, simd, place: point.in_lanes(simd), reach };
    leaves.tree().around(simd, point, || leaves.row(), TreePoint::limit(reach), &mut search).is_continue()
}

struct ClearanceSearch<'a, L, S: Simd> {
    leaves: &'a L,
    simd: S,
    place: Axes<f32x8<S>>,
    /// The distance from the rounded point within which there must be no triangle.
    reach: f32,
}

impl<L: Leaves, S: Simd> Visitor for ClearanceSearch<'_, L, S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        // A bound that is NaN is no bound, so its triangle is treated as near.
        match self.leaves.distances(self.simd, leaf, &self.place, self.reach).which {
            0 => ControlFlow::Continue(limit),
            _ => ControlFlow::Break(()),
        }
    }
}

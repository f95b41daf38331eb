//! A lower bound on the distance from a point to triangles, through a tree with triangles in its leaves, in f32.

use super::leaf_visitors::{Leaves, take_lowest};
use crate::bvh::{LeafRow, Order, TreePoint, Visitor};
use crate::math::float::smaller;
use crate::simd::{Axes, Simd};
use core::ops::ControlFlow;

/// Returns a lower bound on the distance from a point to every triangle, in the tree's coordinates. It is not much above `limit`, and may be negative for a
/// point that is on a triangle.
#[inline(always)]
pub(crate) fn clearance<S: Simd, L: Leaves<S, N>, const N: usize>(
    simd: S,
    leaves: L,
    (point, limit): (&TreePoint, f64),
) -> f64 {
    let reach = point.reach_of(limit);
    let mut search = ClearanceSearch::<_, _, N> { leaves, simd, place: point.in_lanes(simd), reach };
    let _ = leaves.tree().around(simd, point, TreePoint::limit(reach), &mut search);
    point.least_distance(search.reach)
}

struct ClearanceSearch<L: Leaves<S, N>, S: Simd, const N: usize> {
    leaves: L,
    simd: S,
    place: Axes<L::Vector>,
    /// The distance from the rounded point within which no triangle was found.
    reach: f32,
}

impl<L: Leaves<S, N>, S: Simd, const N: usize> Visitor for ClearanceSearch<L, S, N> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    #[inline(always)]
    fn leaves(&self) -> LeafRow {
        self.leaves.leaves()
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        let bounds = self.leaves.distances(self.simd, leaf, &self.place, self.reach);
        let mut which = bounds.which;
        if which == 0 {
            return ControlFlow::Continue(limit);
        }
        while let Some(lane) = take_lowest::<N>(&mut which) {
            let low = bounds.low[lane];
            // A bound that is NaN says nothing.
            self.reach = if low > 0.0 { smaller(low, self.reach) } else { 0.0 };
        }
        if self.reach == 0.0 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(smaller(TreePoint::limit(self.reach), limit))
    }
}

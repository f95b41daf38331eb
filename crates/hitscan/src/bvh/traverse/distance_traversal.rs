//! Searches for things near a box, through any tree: lower bounds of the distances of boxes, in f64.
//!
//! Rays and the nearest triangles of points are tested in f32 near the tree. Here the query may be anywhere, and the square of a distance must distinguish
//! neighbours. Products and sums are written out, so that every instruction set rounds alike.

use super::single_ray::NodeSource;
use super::traversal_stack::{StackSlots, TraversalStack};
use crate::bvh::builder::{Link, WIDTH};
use crate::bvh::bvh8::{Bvh8, root};
use crate::bvh::dynamic::DynamicBvh;
use crate::bvh::node::{Node, decode};
use crate::collections::sort::SharedSort;
use crate::math::float::larger;
use crate::simd::dispatch;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// A box in a tree's coordinates, and the factors between distances there and in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueryBox {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
    /// The factors of the distances along the axes. The square of a world distance is at least the sum of the squares
    /// of the products.
    pub(crate) weight: DVec3,
}

/// Handles each leaf that may be as near as the limit, given its number. Returns the largest square of a distance that matters from now on, or stops.
pub(crate) type VisitNear<'a> = dyn FnMut(u32) -> ControlFlow<(), f64> + 'a;

/// A computed square of a distance has seven roundings. Multiplied by this, it is not above the exact square.
pub(in crate::bvh) const BELOW_SQUARE_ROUNDINGS: f64 = 1.0 - 8.0 * f64::EPSILON;

impl QueryBox {
    /// Returns lower bounds of the squared distances from each child of a node to this box, in the world. They are infinite for a place without a child.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn squares(&self, node: &Node) -> [f64; WIDTH] {
        let mut squares = [0.0; WIDTH];
        for (axis, planes) in node.bounds.iter().enumerate() {
            let (low, high, weight) = (self.low[axis], self.high[axis], self.weight[axis]);
            for (place, square) in squares.iter_mut().enumerate() {
                let below = f64::from(planes[place]) - high;
                let above = low - f64::from(planes[WIDTH + place]);
                let gap = larger(larger(below, above), 0.0) * weight;
                *square += gap * gap;
            }
        }
        for square in &mut squares {
            *square *= BELOW_SQUARE_ROUNDINGS;
        }
        squares
    }
}

impl Bvh8 {
    /// Calls `visit` with every leaf whose box may be as near as the square root of `limit`, nearer ones first.
    pub(crate) fn approach(&self, around: &QueryBox, limit: f64, visit: &mut VisitNear<'_>) -> ControlFlow<()> {
        dispatch!(simd => {
            let _ = simd;
            approach(&self.nodes[..], around, limit, visit)
        })
    }

    /// Calls `visit` with every leaf for whose box `bound` returns at most `limit`.
    pub(crate) fn approach_by(
        &self,
        bound: &dyn Fn(DVec3, DVec3) -> f64,
        mut limit: f64,
        visit: &mut VisitNear<'_>,
    ) -> ControlFlow<()> {
        let mut open: Vec<(f64, Link)> = Vec::new();
        open.extend(root(&self.nodes[..]).map(|_| (0.0, Link::Node(0))));
        while let Some((least, link)) = open.pop() {
            if least > limit {
                continue;
            }
            match link {
                Link::Leaf(leaf) => limit = visit(leaf)?,
                Link::Node(node) => {
                    let start = open.len();
                    let node = &self.nodes[node as usize];
                    for (place, link) in (0..WIDTH).filter_map(|place| Some((place, node.link(place)?))) {
                        let bounds = node.child_bounds(place);
                        open.push((bound(bounds.min.as_dvec3(), bounds.max.as_dvec3()), link));
                    }
                    open[start..].sort_shared_stable_by(|a, b| b.0.total_cmp(&a.0));
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl DynamicBvh {
    /// Calls `visit` with every item whose box may be as near as the square root of `limit` to a box in the world, approximately
    /// the nearest first.
    pub(crate) fn approach(&self, low: DVec3, high: DVec3, limit: f64, visit: &mut VisitNear<'_>) -> ControlFlow<()> {
        let (nodes, origin) = self.rows();
        // Each difference is rounded; the error is relative to the larger operand.
        let padding = DVec3::splat(f64::EPSILON) * low.abs().max(high.abs()).max(origin.abs());
        let around = QueryBox {
            low: low - origin - padding,
            high: high - origin + padding,
            weight: DVec3::splat(BELOW_SQUARE_ROUNDINGS),
        };
        dispatch!(simd => {
            let _ = simd;
            approach(nodes, &around, limit, visit)
        })
    }
}

/// A lower bound of the squared distance to a child, and the child, which is a node or a leaf.
type QueueEntry = (f64, u32);

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn approach<'a, N: NodeSource<'a>>(
    nodes: N,
    around: &QueryBox,
    mut limit: f64,
    visit: &mut VisitNear<'_>,
) -> ControlFlow<()> {
    let (mut room, mut beyond) = (StackSlots::<QueueEntry>::new(), Vec::new());
    let mut pending = TraversalStack::unbounded(room.stack(), &mut beyond);
    if root(nodes).is_some() {
        pending.stack.push((0.0, 0));
    }
    while let Some((square, child)) = pending.pop() {
        if square > limit {
            continue;
        }
        match decode(child) {
            Link::Leaf(leaf) => limit = visit(leaf)?,
            Link::Node(node) => {
                let node = nodes.node(node);
                pending.make_room();
                let stack = &mut pending.stack;
                let (base, squares) = (stack.len(), around.squares(node));
                for (place, &square) in squares.iter().enumerate() {
                    // An empty place is infinitely far, and a place whose distance is NaN may be anywhere.
                    if !(square > limit) && node.link(place).is_some() {
                        stack.push((square, node.children[place]));
                        stack.sink(base);
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

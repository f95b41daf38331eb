//! Searches for what may be in all of some half-spaces, such as the pyramid behind a square of pixels, in f64.

use super::builder::{Link, WIDTH};
use super::bvh8::{Bvh8, root};
use super::dynamic::DynamicBvh;
use super::node::{Node, decode, planes};
use super::traversal_stack::{StackSlots, TraversalStack};
use super::traverse::NodeSource;
use crate::simd::dispatch;
use alloc::vec::Vec;
use glam::DVec3;

/// The points p with `normal` · p + `offset` <= 0, in a tree's coordinates. The caller lowers the offset by what rounding may add to the sum for a point of the
/// tree's contents: boxes are kept if any of their corners is inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
}

impl HalfSpace {
    /// Adds, for each child of a node, the least value in its box.
    #[inline(always)]
    fn least(&self, node: &Node) -> [f64; WIDTH] {
        let mut least = [self.offset; WIDTH];
        for (axis, bounds) in node.bounds.iter().enumerate() {
            let normal = self.normal[axis];
            let nearest = planes(bounds, if normal > 0.0 { 0 } else { WIDTH });
            for (value, &plane) in least.iter_mut().zip(nearest) {
                *value += normal * f64::from(plane);
            }
        }
        least
    }
}

impl Bvh8 {
    /// Shows every leaf whose box may have a point in all of the half-spaces.
    pub(crate) fn inside(&self, spaces: &[HalfSpace], show: &mut dyn FnMut(u32)) {
        dispatch!(simd => {
            let _ = simd;
            inside(&self.nodes[..], spaces, show)
        });
    }
}

impl DynamicBvh {
    /// Returns the origin that the boxes of the nodes are relative to.
    pub(crate) fn origin(&self) -> DVec3 {
        self.rows().1
    }

    /// Shows every item whose box may have a point in all of the half-spaces, which are relative to the tree's [origin](Self::origin).
    pub(crate) fn inside(&self, spaces: &[HalfSpace], show: &mut dyn FnMut(u32)) {
        let (nodes, _) = self.rows();
        dispatch!(simd => {
            let _ = simd;
            inside(nodes, spaces, show)
        });
    }
}

#[inline(always)]
fn inside<'a, N: NodeSource<'a>>(nodes: N, spaces: &[HalfSpace], show: &mut dyn FnMut(u32)) {
    let (mut room, mut beyond) = (StackSlots::<u32>::new(), Vec::new());
    let mut pending = TraversalStack::unbounded(room.stack(), &mut beyond);
    if root(nodes).is_some() {
        pending.stack.push(0);
    }
    while let Some(child) = pending.pop() {
        match decode(child) {
            Link::Leaf(leaf) => show(leaf),
            Link::Node(node) => {
                let node = nodes.node(node);
                let mut is_outside = [false; WIDTH];
                for space in spaces {
                    for (outside, least) in is_outside.iter_mut().zip(space.least(node)) {
                        // A sum that is NaN says nothing.
                        *outside |= least > 0.0;
                    }
                }
                pending.make_room();
                for (place, outside) in is_outside.iter().enumerate() {
                    if !outside && node.link(place).is_some() {
                        pending.stack.push(node.children[place]);
                    }
                }
            }
        }
    }
}

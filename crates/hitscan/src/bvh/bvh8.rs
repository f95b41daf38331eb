//! The tree that rays traverse: each node has eight boxes, tested at once, conservatively, in f32.
//!
//! It is in the coordinates of a [frame](super::normalized_space). These are the mesh's coordinates multiplied by a
//! power of two, so that none is above 1.

use super::builder::{self, Child, Link, Output, Primitives, Quality, WIDTH, WideTree};
use super::node::Node;
use super::traverse::bvh_ray::BvhRay;
use super::traverse::point_traversal::{PointLanes, TreePoint};
use super::traverse::ray_box8::BoxTest;
use super::traverse::ray_box8::RayLanes;
use super::traverse::single_ray::{CACHED_NODES, Next, NodeSource, finish};
use super::traverse::traversal_stack::{StackSlots, TraversalStack};
use super::traverse::visitor::{LeafRow, Subtree, Visitor};
use super::{TreeStats, half_area};
use crate::simd::Simd;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::ControlFlow;

/// The tree; the first node is the root, if there is any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bvh8 {
    pub(super) nodes: Vec<Node>,
}

impl Bvh8 {
    /// Builds the tree over primitives in a frame's coordinates. Also returns the results of `make_leaf` for the items
    /// of each leaf, in the order of the leaves' numbers.
    pub(crate) fn build<L: Send>(
        primitives: &impl Primitives,
        quality: Quality,
        make_leaf: impl Fn(&[u32]) -> L + Sync,
    ) -> (Self, Vec<L>) {
        let WideTree { nodes, leaves } =
            builder::build(primitives, quality, &NodePacker { primitives, make_leaf, leaf: PhantomData });
        (Self { nodes }, leaves)
    }

    /// Returns whether there is no leaf.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the number of nodes, without the leaves.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn stats(&self) -> TreeStats {
        stats(&self.nodes[..], size_of_val(&self.nodes[..]))
    }

    /// Calls the visitor with each leaf in a part of the tree, if the ray may touch the leaf's box before the limit.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn traverse<S: Simd, V: Visitor>(
        &self,
        simd: S,
        (ray, top): (&BvhRay, Subtree),
        row: impl FnOnce() -> LeafRow,
        limit: f32,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        if self.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        self.walk(&RayLanes::new(simd, ray), top, row, limit, visitor)
    }

    /// Calls the visitor with each leaf whose box may be as near to a point as the square root of `limit`,
    /// approximately the nearest first. The distances that the visitor gets are squared.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn around<S: Simd, V: Visitor>(
        &self,
        simd: S,
        point: &TreePoint,
        row: impl FnOnce() -> LeafRow,
        limit: f32,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        if self.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        self.walk(&PointLanes::new(simd, point), Subtree::ROOT, row, limit, visitor)
    }

    /// Traverses a part of the tree, which is not empty.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn walk<T: BoxTest, V: Visitor>(
        &self,
        lanes: &T,
        top: Subtree,
        row: impl FnOnce() -> LeafRow,
        limit: f32,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let nodes = &self.nodes[..];
        let next = Next { child: top.0, distance: 0.0 };
        let mut room = StackSlots::new();
        let pending = TraversalStack::bounded(room.stack());
        // There is one loop for trees that fit into the cache, and one that prefetches. So no step has to test
        // whether the tree fits. Nor does a step test whether there is room for pending subtrees. Leaving out both
        // tests makes rays 2 to 4 % faster; leaving out only one of them, 0 to 2 %.
        if nodes.len() > CACHED_NODES {
            finish(nodes, lanes, Some(row()), next, pending, limit, visitor)
        } else {
            finish(nodes, lanes, None, next, pending, limit, visitor)
        }
    }
}

/// Returns `None` for an empty tree.
pub(super) fn root<'a>(nodes: impl NodeSource<'a>) -> Option<&'a Node> {
    if nodes.len() > 0 { Some(nodes.node(0)) } else { None }
}

/// Returns the figures of a tree that takes this many bytes.
pub(super) fn stats<'a>(nodes: impl NodeSource<'a>, bytes: usize) -> TreeStats {
    let mut stats = TreeStats { bytes, ..TreeStats::default() };
    let mut area = 0.0;
    let mut stack = Vec::new();
    stack.extend(root(nodes).map(|root| (root, 0)));
    while let Some((node, depth)) = stack.pop() {
        stats.nodes += 1;
        for child in (0..WIDTH).map(|place| node.child(place)).filter(|child| !child.bounds.is_empty()) {
            area += half_area(&child.bounds);
            stats.depth = stats.depth.max(depth + 1);
            match child.link {
                Link::Leaf(_) => stats.leaves += 1,
                Link::Node(below) => stack.push((nodes.node(below), depth + 1)),
            }
        }
    }
    let root = root(nodes).map_or(0.0, |root| half_area(&root.bounds()));
    stats.expected_visits = if root > 0.0 { 1.0 + area / root } else { (stats.nodes + stats.leaves) as f64 };
    stats
}

/// The output that stores the builder's nodes and leaves.
struct NodePacker<'a, P, L, F> {
    primitives: &'a P,
    make_leaf: F,
    leaf: PhantomData<fn() -> L>,
}

impl<P: Primitives, L: Send, F: Fn(&[u32]) -> L + Sync> Output for NodePacker<'_, P, L, F> {
    type Node = Node;
    type Leaf = L;
    const LEAF_SIZE: usize = builder::LEAF_SIZE;

    fn node(&self, children: &[Child]) -> Node {
        let mut node = Node::default();
        for (place, child) in children.iter().enumerate().take(WIDTH) {
            node.set_child(place, child);
        }
        node
    }

    fn prefetch(&self, items: &[u32]) {
        items.iter().for_each(|&item| self.primitives.prefetch(item));
    }

    fn prefetch_rest(&self, items: &[u32]) {
        items.iter().for_each(|&item| self.primitives.prefetch_rest(item));
    }

    fn leaf(&self, items: &[u32]) -> L {
        (self.make_leaf)(items)
    }
}

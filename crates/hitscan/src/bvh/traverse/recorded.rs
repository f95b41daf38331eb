//! The traversal of a tree by a ray, recorded node by node for display.

use super::bvh_ray::BvhRay;
use super::ray_box8::RayLanes;
use super::single_ray::{Next, NodeSource, finish};
use super::traversal_stack::{StackSlots, TraversalStack};
use super::visitor::{LeafRow, Subtree, Visitor};
use crate::bvh::Bvh8;
use crate::bvh::builder::{Link, WIDTH};
use crate::bvh::node::{Node, decode};
use crate::geom::aabb::Aabb;
use crate::geom::ray::LocalRay;
use crate::simd::Simd;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::RefCell;

/// A node or leaf that a ray visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisitedBox {
    /// The number of edges from the root.
    pub(crate) depth: usize,
    /// Its box, in the tree's coordinates.
    pub(crate) bounds: Aabb,
    pub(crate) is_leaf: bool,
}

/// Nodes that record which of them, and which leaves, are visited.
#[derive(Clone, Copy)]
struct RecordedNodes<'a> {
    nodes: &'a [Node],
    seen: &'a RefCell<Vec<u32>>,
}

impl<'a> NodeSource<'a> for RecordedNodes<'a> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn len(self) -> usize {
        self.nodes.len()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn node(self, number: u32) -> &'a Node {
        &self.nodes[number as usize]
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn get(self, child: u32) -> Option<&'a Node> {
        self.seen.borrow_mut().push(child);
        self.nodes.get(child as usize)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(self, _: u32, _: LeafRow, _: impl Fn(u32)) {}
}

impl Bvh8 {
    /// Does the same as [`traverse`](Self::traverse), to the end, and returns the visited nodes and leaves in order. In a [crowded](Self::is_crowded) tree, the
    /// exact ray in its coordinates must be given.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn traverse_recorded<S: Simd, V: Visitor>(
        &self,
        simd: S,
        (ray, crowded): (&BvhRay, Option<&LocalRay>),
        limit: f32,
        visitor: &mut V,
    ) -> Vec<VisitedBox> {
        if self.nodes.is_empty() {
            return Vec::new();
        }
        let seen = RefCell::new(Vec::new());
        let _ = match crowded {
            Some(exact) => self.traverse_crowded((exact, ray), limit, visitor, |child| seen.borrow_mut().push(child)),
            None => {
                let nodes = RecordedNodes { nodes: &self.nodes, seen: &seen };
                let next = Next { child: Subtree::ROOT.0, distance: 0.0 };
                let mut room = StackSlots::new();
                let pending = TraversalStack::bounded(room.stack());
                finish(nodes, &RayLanes::new(simd, ray), None, next, pending, limit, visitor)
            }
        };
        self.visited(&seen.into_inner())
    }

    /// Returns the boxes of nodes and leaves in the order of the visits: each after the node above it.
    fn visited(&self, seen: &[u32]) -> Vec<VisitedBox> {
        let Some(root) = self.nodes.first() else { return Vec::new() };
        let mut known = BTreeMap::from([(Subtree::ROOT.0, (0, root.bounds()))]);
        let look_up = |&child: &u32| {
            let (depth, bounds) = *known.get(&child)?;
            let link = decode(child);
            if let Link::Node(number) = link {
                let node = &self.nodes[number as usize];
                let places = (0..WIDTH).filter(|&place| node.link(place).is_some());
                known.extend(places.map(|place| (node.children[place], (depth + 1, node.child_bounds(place)))));
            }
            Some(VisitedBox { depth, bounds, is_leaf: matches!(link, Link::Leaf(_)) })
        };
        seen.iter().filter_map(look_up).collect()
    }
}

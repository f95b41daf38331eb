//! A tree over boxes, which knows no shape: an item is a number with a box.
//!
//! Binary, one item a leaf. A mesh builds it once; a scene inserts, removes and moves items one by one.

mod build;
mod builder;
mod dynamic;
mod frame;
mod traverse;
#[cfg(test)]
mod validate;
mod wide;

pub use builder::Quality;
pub(crate) use builder::{LEAF_SIZE, Primitives};
pub(crate) use frame::{Frame, FramedRay};
pub(crate) use traverse::Probe;
pub(crate) use wide::{Order, Visitor, WideBvh};

use crate::aabb::Aabb;
use alloc::vec::Vec;

/// The tree. An empty one has no root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    root: Option<u32>,
    /// Unused places in `nodes`.
    free: Vec<u32>,
    /// The leaf of each item, for the items that are in the tree.
    leaf_of: Vec<Option<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    parent: Option<u32>,
    /// Edges to its lowest leaf.
    height: u32,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Inner([u32; 2]),
    Leaf(u32),
}

/// The figures of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeStats {
    /// Items (triangles, or parts of entities).
    pub leaves: usize,
    /// Inner nodes and leaves.
    pub nodes: usize,
    /// The longest way from the root, in edges.
    pub depth: usize,
    /// Expected number of nodes that a random line through the root's box visits (surface area heuristic).
    pub expected_visits: f64,
    /// Memory of the tree alone.
    pub bytes: usize,
}

impl Bvh {
    /// The box around everything; empty for an empty tree.
    pub(crate) fn bounds(&self) -> Aabb {
        self.root.map_or(Aabb::EMPTY, |root| self.node(root).bounds)
    }

    /// How many items.
    pub(crate) fn len(&self) -> usize {
        // Every inner node has two children, so there is one leaf more than inner nodes.
        (self.nodes.len() - self.free.len()).div_ceil(2)
    }

    /// All items with their boxes, in the order of their numbers.
    pub(crate) fn items(&self) -> impl Iterator<Item = (u32, Aabb)> {
        (0..).zip(&self.leaf_of).filter_map(|(item, leaf)| Some((item, self.node((*leaf)?).bounds)))
    }

    pub(crate) fn stats(&self) -> TreeStats {
        let mut stats = TreeStats { bytes: self.bytes(), ..TreeStats::default() };
        let mut stack: Vec<(u32, usize)> = self.root.map(|root| (root, 0)).into_iter().collect();
        let mut area = 0.0;
        while let Some((index, depth)) = stack.pop() {
            let node = self.node(index);
            stats.nodes += 1;
            stats.depth = stats.depth.max(depth);
            area += half_area(&node.bounds);
            match node.kind {
                Kind::Inner(children) => stack.extend(children.map(|child| (child, depth + 1))),
                Kind::Leaf(_) => stats.leaves += 1,
            }
        }
        let root_area = half_area(&self.bounds());
        stats.expected_visits = if root_area > 0.0 { area / root_area } else { stats.nodes as f64 };
        stats
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.free.capacity() * size_of::<u32>()
            + self.leaf_of.capacity() * size_of::<Option<u32>>()
    }

    fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    fn node_mut(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }
}

/// Half the surface area, in f64 because f32 overflows from edges of 1e19; 0 for an empty box.
fn half_area(aabb: &Aabb) -> f64 {
    if aabb.is_empty() {
        return 0.0;
    }
    let size = aabb.max.as_dvec3() - aabb.min.as_dvec3();
    size.x * size.y + size.y * size.z + size.z * size.x
}

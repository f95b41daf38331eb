//! The binary tree between references and wide nodes.

use super::LEAF_SIZE;
use super::bounds::Bounds;
use super::lbvh_clusters::Groups;
use crate::geom::aabb::Aabb;
use alloc::vec::Vec;
use glam::Vec4;

/// A binary tree, which may be empty. Its root is the first node.
pub(super) struct Tree {
    pub(super) nodes: Vec<BinaryNode>,
    /// The items of the leaves, in the order of the leaves. In a tree with groups, they are in the order of the
    /// space-filling curve.
    pub(super) items: Vec<u32>,
    /// The groups to which some of the nodes refer.
    pub(super) groups: Groups,
}

/// A node, in depth-first order: an inner node's first child comes right after it. Links are relative, so that a subtree can be moved as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct BinaryNode {
    low: [f32; 3],
    /// The offset of the second child of an inner node. For a group it is [`BinaryNode::GROUP`], and for a leaf [`BinaryNode::GROUP`] minus the number of
    /// items.
    second: u32,
    high: [f32; 3],
    /// The index of the first item of a leaf, the number of a group, or the note of an inner node.
    data: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A leaf with a range of the tree's items.
    Leaf { first: usize, count: usize },
    /// One of the tree's groups, a wide node.
    Group(u32),
    /// An inner node, with the offset of the second child.
    Inner { second: usize },
}

impl BinaryNode {
    const GROUP: u32 = u32::MAX;
    const LARGEST_LEAF: u32 = Self::GROUP - LEAF_SIZE as u32;

    /// Makes a leaf of 1 to [`LEAF_SIZE`] items.
    pub(super) fn leaf(bounds: &Bounds, first: usize, count: usize) -> Self {
        Self::new(bounds, Self::GROUP - count as u32, first as u32)
    }

    pub(super) fn group(bounds: &Bounds, number: u32) -> Self {
        Self::new(bounds, Self::GROUP, number)
    }

    pub(super) fn inner(bounds: &Bounds, second: usize) -> Self {
        Self::new(bounds, second as u32, 0)
    }

    fn new(bounds: &Bounds, second: u32, data: u32) -> Self {
        let Aabb { min, max } = bounds.aabb();
        Self { low: min.to_array(), second, high: max.to_array(), data }
    }

    /// Sets the offset of the second child of an inner node.
    pub(super) fn set_second(&mut self, second: usize) {
        self.second = second as u32;
    }

    pub(super) fn kind(&self) -> NodeKind {
        match self.second {
            Self::GROUP => NodeKind::Group(self.data),
            second @ Self::LARGEST_LEAF.. => {
                NodeKind::Leaf { first: self.data as usize, count: (Self::GROUP - second) as usize }
            }
            second => NodeKind::Inner { second: second as usize },
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn bounds(&self) -> Bounds {
        let ([a, b, c], [x, y, z]) = (self.low, self.high);
        Bounds { low: Vec4::new(a, b, c, 0.0), high: Vec4::new(x, y, z, 0.0) }
    }

    pub(super) fn set_bounds(&mut self, bounds: &Bounds) {
        let Aabb { min, max } = bounds.aabb();
        (self.low, self.high) = (min.to_array(), max.to_array());
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn half_area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|axis| self.high[axis] - self.low[axis]);
        x * (y + z) + y * z
    }

    /// Returns the note that is stored in an inner node. It is the plan of its collapse, or its first child.
    pub(super) fn note(&self) -> u32 {
        self.data
    }

    /// Stores a note in an inner node.
    pub(super) fn set_note(&mut self, note: u32) {
        self.data = note;
    }
}

//! A wide tree, and the traits of its input and output.

use crate::geom::aabb::Aabb;
use alloc::vec::Vec;

/// The largest number of children of a node.
pub(crate) const WIDTH: usize = 8;

/// The largest number of subtrees that are still to be visited at any point of a traversal, whatever the tree's items
/// are. On the path from the root, each node adds one less than its number of children. Ordinary trees have 40 to 100.
pub(crate) const MOST_PENDING: usize = 128;

/// The largest number of items of a leaf.
pub(crate) const LEAF_SIZE: usize = 8;

/// The items that a tree is built over. No coordinate is above 1 in magnitude, so that areas in f32 do not overflow.
pub(crate) trait Primitives: Sync {
    /// Returns the number of items; at most [`MAX_ITEMS`].
    fn len(&self) -> usize;

    /// Returns the box around an item, finite and not empty.
    fn bounds(&self, item: u32) -> Aabb;

    /// Prefetches an item of a leaf that will be made soon.
    fn prefetch(&self, _item: u32) {}

    /// Prefetches data whose address is in the data that `prefetch` has loaded.
    fn prefetch_rest(&self, _item: u32) {}

    /// Returns a box around the part of an item inside `cell`. The box contains that part, and may be larger because of rounding. It is empty if there is no
    /// such part.
    fn clipped(&self, item: u32, cell: &Aabb) -> Aabb;
}

/// The largest number of items, including spatial splits. Twice this number is finite when read as the bits of an f32. Even if each item had a leaf of its own,
/// the numbers of all places in leaves would fit in a u32.
pub(crate) const MAX_ITEMS: usize = 500_000_000;

const _: () = assert!(MAX_ITEMS <= u32::MAX as usize / LEAF_SIZE);

/// The type that stores the tree's nodes and leaves.
pub(crate) trait Output: Sync {
    type Node: Send;
    type Leaf: Send;

    /// The largest number of items of a leaf, which is at most [`LEAF_SIZE`].
    const LEAF_SIZE: usize;

    /// Makes the node that has these 1 to [`WIDTH`] children.
    fn node(&self, children: &[Child]) -> Self::Node;

    /// Announces that a leaf of these items will be made soon.
    fn prefetch(&self, _items: &[u32]) {}

    /// Announces the same leaf when the data that `prefetch` requested has arrived.
    fn prefetch_rest(&self, _items: &[u32]) {}

    /// Makes the leaf that has these 1 to `LEAF_SIZE` different items.
    fn leaf(&self, items: &[u32]) -> Self::Leaf;
}

/// A child of a wide node. The box of a node contains the boxes of the node's children. The box of a leaf contains the
/// leaf's items, or the part of each item that other leaves do not have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Child {
    pub(crate) bounds: Aabb,
    pub(crate) link: Link,
}

/// The number of a node or of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    Node(u32),
    Leaf(u32),
}

/// A wide tree. The root is the first node, if there is any; only the root may have a single child, which is a leaf.
/// Children come after their parents. The nodes among a node's children are side by side, and so are its leaves. Nodes
/// and leaves below one child come before the nodes and leaves below the next. So neighbours in space are neighbours in
/// memory. A backward pass visits every child before its parent, as is needed to refit boxes to moved items.
#[derive(Clone, Debug)]
pub(crate) struct WideTree<N, L> {
    pub(crate) nodes: Vec<N>,
    pub(crate) leaves: Vec<L>,
}

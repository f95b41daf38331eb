//! Trees of eight boxes for each node, built at once from the boxes of items.
//!
//! All ways of building end in a binary tree, from which [`collapse`] and [`layout`] make the wide one; the lower nodes of `Fast` are wide from the start.
//! Threads only change who does the work: the same input gives the same tree, bit for bit, on every platform.

mod binary;
mod bounds;
mod collapse;
mod layout;
mod lbvh_clusters;
mod morton;
mod negated_min_box;
mod presplit;
mod reference;
mod reinsert;
mod run_partition;
mod sah_bins;
#[cfg(test)]
mod tests;
mod top_down;
mod wide_children;

use crate::geom::aabb::Aabb;
use crate::parallel;
use alloc::vec::Vec;

/// The trade-off between the time of a build and the speed of its tree.
///
/// The answers are the same with each quality.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Quality {
    /// The fastest build, for meshes that are built again and again.
    Fast,
    /// A balance of both, for everything else.
    #[default]
    Balanced,
    /// The fastest tree, for meshes that are built once and queried for a long time.
    Best,
}

/// The largest number of children of a node.
pub(crate) const WIDTH: usize = 8;
/// The largest number of subtrees that are still to be visited when a ray is anywhere in a tree, whatever its items: on the way there, each node adds one less
/// than it has children. Ordinary trees have 40 to 100.
pub(crate) const MOST_PENDING: usize = 128;
/// The largest number of items of a leaf.
pub(crate) const LEAF_SIZE: usize = 8;

/// The items that a tree is built over, in coordinates none of which is above 1 in magnitude, so that areas in f32 do not overflow.
pub(crate) trait Primitives: Sync {
    /// Returns the number of items; at most [`MAX_ITEMS`].
    fn len(&self) -> usize;

    /// Returns the box around an item, finite and not empty.
    fn bounds(&self, item: u32) -> Aabb;

    /// Prefetches an item that a leaf will be made of soon.
    fn prefetch(&self, _item: u32) {}

    /// Prefetches data that is found by what `prefetch` has brought.
    fn prefetch_rest(&self, _item: u32) {}

    /// Returns a box around the part of an item inside `cell`: it contains that part, and may be larger because of rounding. It is empty if there is no such
    /// part.
    fn clipped(&self, item: u32, cell: &Aabb) -> Aabb;
}

/// The largest number of items, including spatial splits. Twice this number is finite as the bits of an f32, and if each item had a leaf of its own, all places
/// in leaves would have numbers.
pub(crate) const MAX_ITEMS: usize = 500_000_000;
const _: () = assert!(MAX_ITEMS <= u32::MAX as usize / LEAF_SIZE);

/// The largest number of references that spatial splits add, as a fraction of the number of items.
const MOST_SPLITS: f64 = 0.2;

/// The output that the tree's nodes and leaves are made into.
pub(crate) trait Output: Sync {
    type Node: Send;
    type Leaf: Send;

    /// The largest number of items of a leaf, which is at most [`LEAF_SIZE`].
    const LEAF_SIZE: usize;

    /// Makes the node of these 1 to [`WIDTH`] children.
    fn node(&self, children: &[Child]) -> Self::Node;

    /// Announces that a leaf of these items will be made soon.
    fn prefetch(&self, _items: &[u32]) {}

    /// Announces the same when the data that `prefetch` requested has arrived.
    fn prefetch_rest(&self, _items: &[u32]) {}

    /// Makes the leaf of these 1 to `LEAF_SIZE` different items.
    fn leaf(&self, items: &[u32]) -> Self::Leaf;
}

/// A child of a wide node. Its box contains its own children's boxes; a leaf's box contains its items, or that part of each which other leaves do not have.
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

/// A wide tree. The root is the first node, if there is any; only the root may have a single child, which is a leaf. Children come after their parents. The
/// nodes among a node's children are side by side, and so are its leaves. Nodes and leaves below one child come before those below the next. So near things lie
/// near in memory, and going backwards meets every child before its parent, as is needed to fit boxes to moved items.
#[derive(Clone, Debug)]
pub(crate) struct WideTree<N, L> {
    pub(crate) nodes: Vec<N>,
    pub(crate) leaves: Vec<L>,
}

/// Returns whether a tree over this many items is built in the pool of threads from the start, because more steps are divided than the build from the top.
pub(crate) fn is_worth_threads(items: usize, quality: Quality) -> bool {
    items
        > match quality {
            Quality::Fast | Quality::Balanced => 4096,
            // This quality divides each round of reinsertion.
            Quality::Best => 768,
        }
}

/// Builds the tree over all items.
pub(crate) fn build<O: Output>(
    primitives: &impl Primitives,
    quality: Quality,
    output: &O,
) -> WideTree<O::Node, O::Leaf> {
    parallel::together(is_worth_threads(primitives.len(), quality), || build_here(primitives, quality, output))
}

fn build_here<O: Output>(primitives: &impl Primitives, quality: Quality, output: &O) -> WideTree<O::Node, O::Leaf> {
    let mut tree = match quality {
        Quality::Fast => lbvh_clusters::build(primitives, O::LEAF_SIZE),
        // The collapse decides better which items belong in a leaf.
        Quality::Balanced => optimized(6, 100, || top_down::build(reference::all(primitives), O::LEAF_SIZE.min(4))),
        Quality::Best => {
            optimized(16, 20, || top_down::build(presplit::split(primitives, MOST_SPLITS), O::LEAF_SIZE.min(2)))
        }
    };
    // Leaves of `Best` begin with two items, so that a city of long thin ones takes no more memory than others. With a third, rays are as fast.
    let thrift = if quality == Quality::Best { 3.0 } else { 1.0 };
    collapse::plan(&mut tree, O::LEAF_SIZE, thrift);
    layout::emit(tree, primitives.len(), output)
}

/// Builds a tree and moves subtrees to better places, in rounds of one out of this many. Returns the tree as it was built if that made it too deep.
fn optimized(rounds: usize, one_of: usize, build: impl Fn() -> binary::Tree) -> binary::Tree {
    reinsert::optimize(build(), rounds, one_of).unwrap_or_else(build)
}

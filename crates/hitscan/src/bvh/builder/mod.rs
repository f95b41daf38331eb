//! Trees of eight boxes a node, built at once from the boxes of items.
//!
//! All ways of building end in a binary tree, from which [`collapse`] and [`emit`] make the wide one; below `Fast`'s are nodes that were wide from the start. Threads only change who
//! does the work: the same input gives the same tree, bit for bit, on every platform.

mod binary;
mod bins;
mod bounds;
mod collapse;
mod emit;
mod groups;
mod members;
mod morton;
mod presplit;
mod reach;
mod reference;
mod reinsert;
mod runs;
#[cfg(test)]
mod tests;
mod top_down;

use crate::aabb::Aabb;
use crate::parallel;
use alloc::vec::Vec;

/// How much time a build may take for how fast a tree.
///
/// The answers are the same with each of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Quality {
    /// For what is built anew all the time.
    Fast,
    /// For everything else.
    #[default]
    Balanced,
    /// For what is built once and asked for a long time.
    Best,
}

/// Children of a node.
pub(crate) const WIDTH: usize = 8;
/// How many subtrees are still to be visited at most when a ray is anywhere in a tree, whatever its items: on the way there, one less than each node has
/// children. Ordinary trees have 40 to 100.
pub(crate) const MOST_PENDING: usize = 128;
/// Items of a leaf at most.
pub(crate) const LEAF_SIZE: usize = 8;

/// What a tree is built over, in coordinates none of which is above 1 in magnitude, so that areas in f32 do not overflow.
pub(crate) trait Primitives: Sync {
    /// How many; at most [`MAX_ITEMS`].
    fn len(&self) -> usize;

    /// The box around an item, finite and not empty.
    fn bounds(&self, item: u32) -> Aabb;

    /// Has an item brought that a leaf will be made of soon.
    fn announce(&self, _item: u32) {}

    /// And what is found by what `announce` has brought.
    fn announce_rest(&self, _item: u32) {}

    /// A box around the part of an item inside `cell`: it contains that part, and may be larger by what rounding costs. Empty if
    /// there is no such part.
    fn clipped(&self, item: u32, cell: &Aabb) -> Aabb;
}

/// The largest number of items, spatial splits included. Twice as many are finite as the bits of an f32, and if each had a leaf of its own, all places in leaves
/// would have numbers.
pub(crate) const MAX_ITEMS: usize = 500_000_000;
const _: () = assert!(MAX_ITEMS <= u32::MAX as usize / LEAF_SIZE);

/// Of the number of items: more references than that are not made by spatial splits.
const MOST_SPLITS: f64 = 0.2;

/// What the tree's nodes and leaves are made into.
pub(crate) trait Output: Sync {
    type Node: Send;
    type Leaf: Send;

    /// How many items a leaf has at most, which is at most [`LEAF_SIZE`].
    const LEAF_SIZE: usize;

    /// The node of these from 1 to [`WIDTH`] children.
    fn node(&self, children: &[Child]) -> Self::Node;

    /// A leaf of these items will be made soon.
    fn announce(&self, _items: &[u32]) {}

    /// The same, when what `announce` asked for is there.
    fn announce_rest(&self, _items: &[u32]) {}

    /// The leaf of these from 1 to `LEAF_SIZE` different items.
    fn leaf(&self, items: &[u32]) -> Self::Leaf;
}

/// A child of a wide node. Its box contains its own children's boxes; a leaf's contains its items, or that part of each which
/// other leaves do not have.
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

/// The root is the first node, if there is any; it alone may have a single child, which is a leaf. Children come after their parents, the nodes among a node's children
/// side by side, and so its leaves, nodes and leaves below one of them before those below the next: near things lie near in memory, and going backwards meets every child
/// before its parent, as is needed to fit boxes to moved items.
#[derive(Clone, Debug)]
pub(crate) struct WideTree<N, L> {
    pub(crate) nodes: Vec<N>,
    pub(crate) leaves: Vec<L>,
}

/// Returns whether a tree over so many items is built in the pool of threads from the start: where more steps are divided than the tree from the top.
pub(crate) fn is_worth_threads(items: usize, quality: Quality) -> bool {
    items
        > match quality {
            Quality::Fast | Quality::Balanced => 4096,
            // Where each round of reinsertion is.
            Quality::Best => 768,
        }
}

/// The tree over all items.
pub(crate) fn build<O: Output>(
    primitives: &impl Primitives,
    quality: Quality,
    output: &O,
) -> WideTree<O::Node, O::Leaf> {
    parallel::together(is_worth_threads(primitives.len(), quality), || build_here(primitives, quality, output))
}

fn build_here<O: Output>(primitives: &impl Primitives, quality: Quality, output: &O) -> WideTree<O::Node, O::Leaf> {
    let mut tree = match quality {
        Quality::Fast => groups::build(primitives, O::LEAF_SIZE),
        // The collapse knows better which items belong in a leaf.
        Quality::Balanced => optimized(6, 100, || top_down::build(reference::all(primitives), O::LEAF_SIZE.min(4))),
        Quality::Best => {
            optimized(16, 20, || top_down::build(presplit::split(primitives, MOST_SPLITS), O::LEAF_SIZE.min(2)))
        }
    };
    // Of `Best`, whose leaves begin with two items, so that a city of long thin ones takes no more memory than others. With a third rays are as fast.
    let thrift = if quality == Quality::Best { 3.0 } else { 1.0 };
    collapse::plan(&mut tree, O::LEAF_SIZE, thrift);
    emit::emit(tree, primitives.len(), output)
}

/// With subtrees moved to better places, in rounds of one out of so many. As it was built, if that made it too deep.
fn optimized(rounds: usize, one_of: usize, build: impl Fn() -> binary::Tree) -> binary::Tree {
    reinsert::optimize(build(), rounds, one_of).unwrap_or_else(build)
}

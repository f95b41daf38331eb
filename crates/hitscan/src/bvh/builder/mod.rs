//! Trees of eight boxes for each node, built at once from the boxes of items.
//!
//! All builds end in a binary tree, from which [`collapse`] and [`layout`] make the wide one. The lower nodes of `Fast`
//! are wide from the start. Threads only divide the work. So the same input gives the same tree, bit for bit, on
//! every platform.

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
mod wide_tree;

pub(crate) use wide_tree::{Child, LEAF_SIZE, Link, MAX_ITEMS, MOST_PENDING, Output, Primitives, WIDTH, WideTree};

use crate::parallel;

/// The trade-off between the time of a build and the speed of its tree.
///
/// The answers are the same with each quality.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Quality {
    /// The fastest build, for meshes that are built again and again.
    Fast,
    /// A balance of build time and speed, for everything else.
    #[default]
    Balanced,
    /// The fastest tree, for meshes that are built once and queried for a long time.
    Best,
}

/// The largest number of references that spatial splits add, as a fraction of the number of items.
const MOST_SPLITS: f64 = 0.2;

/// Returns whether a tree over this many items is built in the thread pool from the start. Starting there is worth it
/// if threads share other steps besides the top-down build.
pub(crate) fn is_worth_threads(items: usize, quality: Quality) -> bool {
    items
        > match quality {
            Quality::Fast | Quality::Balanced => 4096,
            // Threads also share each round of reinsertion with this quality.
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
        // The collapse decides which items belong in a leaf, with better information.
        Quality::Balanced => optimized(6, 100, || top_down::build(reference::all(primitives), O::LEAF_SIZE.min(4))),
        Quality::Best => {
            optimized(16, 20, || top_down::build(presplit::split(primitives, MOST_SPLITS), O::LEAF_SIZE.min(2)))
        }
    };
    // Leaves of `Best` begin with two items, so without this price a city of long thin triangles would take more memory than other meshes. With
    // a third of this price, rays are as fast.
    let thrift = if quality == Quality::Best { 3.0 } else { 1.0 };
    collapse::plan(&mut tree, O::LEAF_SIZE, thrift);
    layout::emit(tree, primitives.len(), output)
}

/// Builds a tree and moves subtrees to better places, in rounds that each move one in `one_of` nodes. Returns the
/// tree without this optimisation if the optimised one would be too deep.
fn optimized(rounds: usize, one_of: usize, build: impl Fn() -> binary::Tree) -> binary::Tree {
    reinsert::optimize(build(), rounds, one_of).unwrap_or_else(build)
}

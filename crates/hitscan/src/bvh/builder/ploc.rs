//! From the bottom: items that follow each other along a curve become leaves, and clusters that are each other's nearest are
//! merged (D. Meister, J. Bittner, "Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction", 2018).

use super::binary::{Node, Tree};
use super::bounds::Bounds;
use super::reference::{self, Reference};
use super::{LEAF_SIZE, Primitives, morton};
use crate::parallel;
use crate::simd::in_huge_pages;
use alloc::vec;
use alloc::vec::Vec;

/// How many clusters on both sides a nearest one is looked for among. With more, large boxes find each other too early: with 6,
/// sponza's tree is a third worse.
const RADIUS: usize = 3;
/// Leaves are made of so many items at a time, and do not reach beyond them.
const PIECE: usize = 2048;
/// Clusters handed to another thread at a time.
const GRAIN: usize = 2048;

/// The tree over all items.
pub(super) fn build(primitives: &impl Primitives, leaf_size: usize) -> Tree {
    let references = reference::all(primitives);
    let order = morton::order(&references);
    let leaves = leaves(&references, &order, leaf_size);
    drop(references);
    Tree { nodes: flatten(&merge_all(leaves)), items: order }
}

/// A node whose place among all nodes is not yet known.
#[derive(Clone, Copy)]
struct Cluster {
    node: Node,
    /// Of an inner node: its clusters, both of them earlier.
    children: [u32; 2],
}

/// The leaves over the references in this order, with room for the inner nodes.
fn leaves(references: &[Reference], order: &[u32], leaf_size: usize) -> Vec<Cluster> {
    let mut pieces = vec![Vec::new(); order.len().div_ceil(PIECE)];
    parallel::fill(&mut pieces, 1, &|start, pieces| {
        for (piece, leaves) in (start..).zip(pieces) {
            let first = piece * PIECE;
            let row = order[first..].iter().take(PIECE).map(|&place| references[place as usize].bounds);
            *leaves = best_leaves(&row.collect::<Vec<_>>(), first, leaf_size);
        }
    });
    let count = pieces.iter().map(Vec::len).sum::<usize>();
    let mut leaves = in_huge_pages(Vec::with_capacity((2 * count).saturating_sub(1)));
    pieces.into_iter().for_each(|piece| leaves.extend(piece));
    leaves
}

/// The division of a row into leaves that costs the least: of a leaf its area, and three times that divided by how full it is, which is
/// for the node above it and for memory.
/// `first` is the number of the row's first item in the tree.
fn best_leaves(row: &[Bounds], first: usize, leaf_size: usize) -> Vec<Cluster> {
    // Of the first 0, 1, ... items: the least cost, and how many items the last leaf then has. In f64, so that a large area before
    // them does not swallow small ones.
    let mut best = vec![(0f64, 0usize); row.len() + 1];
    for end in 1..best.len() {
        let mut leaf = Bounds::EMPTY;
        let mut least = (f64::INFINITY, 0);
        for (size, weight) in (1..=leaf_size.min(end)).zip(FULLNESS) {
            leaf = leaf.union(&row[end - size]);
            let cost = best[end - size].0 + f64::from(leaf.half_area() * weight);
            // Without a jump, which nothing could predict.
            let is_less = cost <= least.0;
            least = (if is_less { cost } else { least.0 }, if is_less { size } else { least.1 });
        }
        best[end] = least;
    }
    let mut leaves = Vec::with_capacity(row.len() / 2);
    let mut end = row.len();
    while end > 0 {
        let count = best[end].1;
        end -= count;
        let bounds = row[end..end + count].iter().fold(Bounds::EMPTY, |all, own| all.union(own));
        leaves.push(Cluster { node: Node::leaf(&bounds, first + end, count), children: [0; 2] });
    }
    leaves.reverse();
    leaves
}

/// By which the area of a leaf of 1, 2, 3, 4 is weighed.
const FULLNESS: [f32; LEAF_SIZE] = [4.0, 2.5, 2.0, 1.75];

/// Merges until one is left, which is the last.
fn merge_all(mut clusters: Vec<Cluster>) -> Vec<Cluster> {
    let own = |(cluster, place): (&Cluster, u32)| Reference::new(place, Bounds::new(&cluster.node.aabb()));
    let mut active: Vec<Reference> = clusters.iter().zip(0..).map(own).collect();
    let mut keys = vec![u64::MAX; active.len()];
    while active.len() > 1 {
        keys.truncate(active.len());
        parallel::fill(&mut keys, GRAIN, &|start, piece| find_nearest(&active, start, piece));
        let kept = merge_pairs(&mut active, &keys, &mut clusters);
        // Chains of ever nearer ones merge only at their ends: then neighbours do, so that there are not too many rounds.
        let is_slow = kept > active.len() - active.len() / 8;
        active.truncate(kept);
        if is_slow {
            keys.truncate(kept);
            keys.fill(1);
            let kept = merge_pairs(&mut active, &keys, &mut clusters);
            active.truncate(kept);
        }
    }
    clusters
}

/// Puts one cluster in the place of those that have the same key, moves all to the front, and answers how many there are.
fn merge_pairs(active: &mut [Reference], keys: &[u64], clusters: &mut Vec<Cluster>) -> usize {
    let mut kept = 0;
    for (i, &key) in keys.iter().enumerate() {
        let other = i ^ (key as u32 as usize);
        let is_mutual = keys.get(other) == Some(&key);
        if is_mutual && other < i {
            continue;
        }
        let mut own = active[i];
        if is_mutual {
            let bounds = own.bounds.union(&active[other].bounds);
            let children = [own.item(), active[other].item()];
            own = Reference::new(clusters.len() as u32, bounds);
            clusters.push(Cluster { node: Node::inner(&bounds, 0), children });
        }
        active[kept] = own;
        kept += 1;
    }
    kept
}

/// For each of `keys`, which belong to the clusters from `start` on, the smallest key of its pairs with clusters nearby: the area
/// around both, then the bits in which their places differ. It is the same for both, and no two pairs of a cluster have the same:
/// so the least of all pairs is always mutual, and of equal distances those two by two beside each other.
fn find_nearest(active: &[Reference], start: usize, keys: &mut [u64]) {
    keys.fill(u64::MAX);
    let end = start + keys.len();
    for i in start.saturating_sub(RADIUS)..end {
        let own = active[i].bounds;
        let first = (i + 1).max(start);
        let mut least = u64::MAX;
        for (j, other) in (first..).zip(&active[first..(i + RADIUS + 1).min(active.len())]) {
            let key = u64::from(own.union(&other.bounds).half_area().to_bits()) << 32 | (i ^ j) as u64;
            least = least.min(key);
            if let Some(other) = keys.get_mut(j - start) {
                *other = key.min(*other);
            }
        }
        if i >= start {
            keys[i - start] = least.min(keys[i - start]);
        }
    }
}

/// The clusters in depth-first order, from the last one.
fn flatten(clusters: &[Cluster]) -> Vec<Node> {
    let mut nodes: Vec<Node> = in_huge_pages(Vec::with_capacity(clusters.len()));
    // Clusters still to come, and whose second child they are.
    let mut pending: Vec<(usize, Option<usize>)> =
        clusters.len().checked_sub(1).map(|root| (root, None)).into_iter().collect();
    while let Some((cluster, parent)) = pending.pop() {
        let Cluster { node, children: [first, second] } = clusters[cluster];
        let index = nodes.len();
        if let Some(parent) = parent {
            nodes[parent].set_second(index - parent);
        }
        nodes.push(node);
        if first != second {
            pending.push((second as usize, Some(index)));
            pending.push((first as usize, None));
        }
    }
    nodes
}

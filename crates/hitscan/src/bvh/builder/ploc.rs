//! From the bottom: items that follow each other along a curve become leaves, and clusters that are each other's nearest are
//! merged (D. Meister, J. Bittner, "Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction", 2018).

use super::binary::{Node, Tree};
use super::bounds::{Bounds, half_areas};
use super::reference::{self, Reference};
use super::{LEAF_SIZE, Primitives, morton};
use crate::parallel;
use crate::simd::in_huge_pages;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use glam::Vec4;

/// How many clusters on both sides a nearest one is looked for among. With more, large boxes find each other too early: with 6,
/// sponza's tree is a third worse.
const RADIUS: usize = 3;
/// So many items at a time become leaves, and these are merged, while all of that is in a processor's own cache. More do not make a better tree.
const PIECE: usize = 8192;
/// A piece's clusters are merged by themselves until so many are left, which are then merged with those of other pieces.
const MOST_ROOTS: usize = 128;
/// Clusters handed to another thread at a time.
const GRAIN: usize = 2048;

/// The tree over all items.
pub(super) fn build(primitives: &impl Primitives, leaf_size: usize) -> Tree {
    let references = reference::all(primitives);
    let order = morton::order(&references);
    let mut pieces = vec![Piece::default(); order.len().div_ceil(PIECE)];
    parallel::fill(&mut pieces, 1, &|start, pieces| {
        for (piece, first) in pieces.iter_mut().zip((start * PIECE..).step_by(PIECE)) {
            let row = order[first..].iter().take(PIECE).map(|&place| references[place as usize].bounds);
            *piece = Piece::new(row, first, leaf_size);
        }
    });
    drop(references);
    Tree { nodes: joined(&pieces), items: order }
}

/// What items in a row become.
#[derive(Clone, Default)]
struct Piece {
    /// Of several trees, one after the other, each in depth-first order.
    nodes: Vec<Node>,
    /// Where each begins.
    roots: Vec<u32>,
}

impl Piece {
    /// `first` is the number of the row's first item in the tree.
    fn new(row: impl Iterator<Item = Bounds>, first: usize, leaf_size: usize) -> Self {
        let Merged { clusters, roots } = merged(best_leaves(row, first, leaf_size), MOST_ROOTS);
        let mut piece = Self { nodes: Vec::with_capacity(clusters.len()), roots: Vec::with_capacity(roots.len()) };
        for root in roots {
            piece.roots.push(piece.nodes.len() as u32);
            flatten(&clusters, root, &mut piece.nodes, |_, leaf, nodes| nodes.push(leaf));
        }
        piece
    }

    /// Its trees.
    fn trees(&self) -> impl Iterator<Item = &[Node]> {
        let ends = self.roots.iter().skip(1).copied().chain([self.nodes.len() as u32]);
        self.roots.iter().zip(ends).map(|(&start, end)| &self.nodes[start as usize..end as usize])
    }
}

/// The tree over all pieces.
fn joined(pieces: &[Piece]) -> Vec<Node> {
    let trees: Vec<&[Node]> = pieces.iter().flat_map(Piece::trees).collect();
    let roots = trees.iter().map(|tree| Cluster { node: tree[0], children: None });
    let Merged { clusters, roots } = merged(roots.collect(), 1);
    let count = pieces.iter().map(|piece| piece.nodes.len()).sum::<usize>();
    let mut nodes = in_huge_pages(Vec::with_capacity(count + trees.len()));
    for root in roots {
        flatten(&clusters, root, &mut nodes, |tree, _, nodes| nodes.extend_from_slice(trees[tree]));
    }
    nodes
}

/// A node whose place among all nodes is not yet known.
#[derive(Clone, Copy)]
struct Cluster {
    node: Node,
    /// The clusters, both of them earlier, that it was merged of.
    children: Option<[u32; 2]>,
}

/// The division of a row into leaves that costs the least: of a leaf its area, and three times that divided by how full it is, which is
/// for the node above it and for memory.
/// `first` is the number of the row's first item in the tree.
fn best_leaves(row: impl Iterator<Item = Bounds>, first: usize, leaf_size: usize) -> Vec<Cluster> {
    let weights = Vec4::from_array(from_fn(|i| if i < leaf_size { LEAF_WEIGHTS[i] } else { f32::INFINITY }));
    // As if others came before them, so that every leaf could be full.
    let mut boxes = vec![Bounds::EMPTY; LEAF_SIZE];
    boxes.extend(row.map(|Bounds { low, high }| Bounds { low: low.with_w(0.0), high }));
    // Up to each of them the least cost, and how many items the last leaf then lacks, as bits: costs are not negative. In f64, so that a
    // large area before them does not swallow small ones.
    // No leaf begins among those before the row, nor is larger than it may be: that costs infinitely much, or, without an area, what is
    // not a number, whose bits are above all costs.
    let mut best = vec![f64::INFINITY.to_bits(); boxes.len() + 1];
    best[LEAF_SIZE] = 0;
    for end in LEAF_SIZE + 1..best.len() {
        let one = boxes[end - 1];
        let two = one.union(&boxes[end - 2]);
        let three = two.union(&boxes[end - 3]);
        let costs = half_areas([one, two, three, three.union(&boxes[end - 4])]) * weights;
        let key = |size: usize, cost: f32| {
            let before = f64::from_bits(best[end - size] & !LACKING);
            (before + f64::from(cost)).to_bits() & !LACKING | (LEAF_SIZE - size) as u64
        };
        best[end] = key(1, costs.x).min(key(2, costs.y)).min(key(3, costs.z)).min(key(4, costs.w));
    }
    let mut leaves = Vec::with_capacity(boxes.len() / 2);
    let mut end = boxes.len();
    while end > LEAF_SIZE {
        let count = LEAF_SIZE - (best[end] & LACKING) as usize;
        end -= count;
        let bounds = boxes[end..end + count].iter().fold(Bounds::EMPTY, |all, own| all.union(own));
        leaves.push(Cluster { node: Node::leaf(&bounds, first + end - LEAF_SIZE, count), children: None });
    }
    leaves.reverse();
    leaves
}

/// The bits that say how many items a leaf lacks.
const LACKING: u64 = LEAF_SIZE as u64 - 1;

// What is written out below.
const _: () = assert!(RADIUS == 3 && LEAF_SIZE == 4);

/// By which the area of a leaf of 1, 2, 3, 4 is weighed.
const LEAF_WEIGHTS: [f32; LEAF_SIZE] = [4.0, 2.5, 2.0, 1.75];

struct Merged {
    clusters: Vec<Cluster>,
    /// Those that are not part of another one, in their order.
    roots: Vec<usize>,
}

/// Merges clusters in a row until at most so many are left.
fn merged(mut clusters: Vec<Cluster>, most_roots: usize) -> Merged {
    let own = |(cluster, place): (&Cluster, u32)| Reference::new(place, cluster.node.bounds());
    let mut active: Vec<Reference> = clusters.iter().zip(0..).map(own).collect();
    let mut keys = vec![u64::MAX; active.len()];
    while active.len() > most_roots {
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
    let roots = active.iter().map(|cluster| cluster.item() as usize).collect();
    Merged { clusters, roots }
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
            clusters.push(Cluster { node: Node::inner(&bounds, 0), children: Some(children) });
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
        let with = |k: usize| active.get(i + k).map_or(own, |other| own.union(&other.bounds));
        let areas = half_areas([with(1), with(2), with(3), own]).to_array();
        let mut least = u64::MAX;
        for (j, area) in (i + 1..active.len()).zip(&areas[..RADIUS]) {
            let key = u64::from(area.to_bits()) << 32 | (i ^ j) as u64;
            least = least.min(key);
            if let Some(other) = j.checked_sub(start).and_then(|other| keys.get_mut(other)) {
                *other = key.min(*other);
            }
        }
        if i >= start {
            keys[i - start] = least.min(keys[i - start]);
        }
    }
}

/// Adds a cluster and all below it in depth-first order; `add` is given what was not merged of others.
fn flatten(clusters: &[Cluster], root: usize, nodes: &mut Vec<Node>, add: impl Fn(usize, Node, &mut Vec<Node>)) {
    // Clusters still to come, and whose second child they are.
    let mut pending = vec![(root, None)];
    while let Some((cluster, parent)) = pending.pop() {
        let index = nodes.len();
        if let Some(parent) = parent {
            nodes[parent as usize].set_second(index - parent as usize);
        }
        let Cluster { node, children } = clusters[cluster];
        if let Some([first, second]) = children {
            nodes.push(node);
            pending.push((second as usize, Some(index as u32)));
            pending.push((first as usize, None));
        } else {
            add(cluster, node, nodes);
        }
    }
}

//! Top-down builds: the references are split in two, recursively.

use super::binary::{BinaryNode, Tree};
use super::bounds::Bounds;
use super::lbvh_clusters::Groups;
use super::reference::{self, Reference};
use super::{LEAF_SIZE, sah_bins};
use crate::parallel;
use crate::simd::in_huge_pages;
use alloc::vec;
use alloc::vec::Vec;
use core::mem::replace;

/// Below this depth, references are halved by number. So no input makes the tree deeper than this plus log2 of their number.
const MAX_SAH_DEPTH: usize = 64;
/// Leaves with more items than this are divided if they are large. A leaf is large if its area is more than `LARGE`
/// times the area around all references, divided by their number. In rooms, these few leaves (walls and floors) get
/// most of the visits; scans have none.
const MOST_OF_LARGE: usize = 2;
const LARGE: f32 = 16.0;
/// Fewer references than this are not worth another thread.
const GRAIN: usize = 1024;

/// Builds the tree over these references. A leaf has at most `leaf_size` items, and a large one at most
/// `MOST_OF_LARGE`.
pub(super) fn build(mut references: Vec<Reference>, leaf_size: usize) -> Tree {
    let mut items = in_huge_pages(vec![0; references.len()]);
    let mut nodes = NodePieces::for_references(references.len(), leaf_size);
    if !references.is_empty() {
        let bounds = reference::bounds_of(&references);
        let large = LARGE / references.len() as f32 * bounds.half_area();
        let all = Range { references: &mut references, items: &mut items, first: 0, depth: 0, large };
        all.build(&bounds, leaf_size, &mut nodes);
    }
    drop(references);
    Tree { nodes: nodes.joined(), items, groups: Groups::default() }
}

/// Nodes in depth-first order, in pieces that different threads made. Joining them at every level of the tree took longer.
struct NodePieces {
    done: Vec<Vec<BinaryNode>>,
    last: Vec<BinaryNode>,
    len: usize,
}

impl NodePieces {
    /// Reserves memory for the likely number of nodes over this many references, or over the first piece of them.
    fn for_references(references: usize, leaf_size: usize) -> Self {
        let is_divided = references > GRAIN && parallel::is_available();
        let references = if is_divided { GRAIN } else { references };
        let last = in_huge_pages(Vec::with_capacity(likely_nodes(references, leaf_size)));
        Self { done: Vec::new(), last, len: 0 }
    }

    fn push(&mut self, node: BinaryNode) {
        self.last.push(node);
        self.len += 1;
    }

    /// Adds an inner node, whose second child is known later.
    fn open(&mut self, bounds: &Bounds) -> Parent {
        let parent = Parent { piece: self.done.len(), index: self.last.len(), number: self.len };
        self.push(BinaryNode::inner(bounds, 0));
        parent
    }

    /// Records that the next node will be the second child.
    fn close_first(&mut self, Parent { piece, index, number }: Parent) {
        let piece = self.done.get_mut(piece).unwrap_or(&mut self.last);
        piece[index].set_second(self.len - number);
    }

    fn append(&mut self, other: Self) {
        self.done.push(replace(&mut self.last, other.last));
        self.done.extend(other.done);
        self.len += other.len;
    }

    fn joined(self) -> Vec<BinaryNode> {
        let Self { mut done, last, len } = self;
        if done.is_empty() {
            return last;
        }
        done.push(last);
        let mut nodes = in_huge_pages(Vec::with_capacity(len));
        // Each piece is freed after it is copied.
        done.into_iter().for_each(|piece| nodes.extend_from_slice(&piece));
        nodes
    }
}

/// An inner node of [`NodePieces`]: where it is, and its number.
struct Parent {
    piece: usize,
    index: usize,
    number: usize,
}

/// Returns the likely number of nodes for this many references. Leaves of at most 4 items have 2.4 items on
/// average, and leaves of at most 2 items have 1.5. If there are more nodes, the Vec grows.
fn likely_nodes(references: usize, leaf_size: usize) -> usize {
    (references / (12 + 9 * leaf_size) * 40 + 40).min(2 * references)
}

/// A part of the references, which becomes a subtree.
struct Range<'a> {
    references: &'a mut [Reference],
    items: &'a mut [u32],
    /// The index of the first of these references among all items.
    first: usize,
    depth: usize,
    /// The area above which a leaf is large.
    large: f32,
}

impl Range<'_> {
    fn build(self, bounds: &Bounds, leaf_size: usize, nodes: &mut NodePieces) {
        let count = self.references.len();
        if count <= leaf_size && (count <= MOST_OF_LARGE || bounds.half_area() <= self.large) {
            for (item, reference) in self.items.iter_mut().zip(&*self.references) {
                *item = reference.item();
            }
            return nodes.push(BinaryNode::leaf(bounds, self.first, count));
        }
        let mut range = self;
        let (left_count, left_bounds, right_bounds) = range.split();
        let (left, right) = range.halves(left_count);
        let parent = nodes.open(bounds);
        if count > GRAIN && parallel::is_available() {
            let build_right = || {
                let mut nodes = NodePieces::for_references(right.references.len(), leaf_size);
                right.build(&right_bounds, leaf_size, &mut nodes);
                nodes
            };
            let ((), right_nodes) = parallel::join_in_place(|| left.build(&left_bounds, leaf_size, nodes), build_right);
            nodes.close_first(parent);
            nodes.append(right_nodes);
        } else {
            left.build(&left_bounds, leaf_size, nodes);
            nodes.close_first(parent);
            right.build(&right_bounds, leaf_size, nodes);
        }
    }

    /// Reorders the references; returns how many belong to the left half, and both halves' bounds.
    #[inline(never)]
    fn split(&mut self) -> (usize, Bounds, Bounds) {
        let divided = if self.depth < MAX_SAH_DEPTH { sah_bins::divide(self.references) } else { None };
        if let Some([left, right]) = divided {
            return (left.count, left.bounds, right.bounds);
        }
        // The left half fills whole leaves, as the collapse makes them.
        let (count, half) = (self.references.len(), self.references.len() / 2);
        let left_count = if count > LEAF_SIZE { half.next_multiple_of(LEAF_SIZE) } else { half };
        let (left, right) = self.references.split_at(left_count);
        (left.len(), reference::bounds_of(left), reference::bounds_of(right))
    }
}

impl<'a> Range<'a> {
    fn halves(self, left_count: usize) -> (Range<'a>, Range<'a>) {
        let (left, right) = self.references.split_at_mut(left_count);
        let (left_items, right_items) = self.items.split_at_mut(left_count);
        let (depth, large) = (self.depth + 1, self.large);
        let left = Range { references: left, items: left_items, first: self.first, depth, large };
        let first = self.first + left_count;
        (left, Range { references: right, items: right_items, first, depth, large })
    }
}

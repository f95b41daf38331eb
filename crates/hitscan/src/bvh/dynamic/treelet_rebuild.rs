//! Maintains the quality of the tree while it changes item by item. Now and then a part of the tree is rebuilt, but never all of a large tree.
//!
//! The contents below a node are cut into [`PIECES`] subtrees, with the largest boxes opened first, and the nodes above the cut are rebuilt by the surface
//! area heuristic (treelets as in T. Karras, T. Aila, "Fast parallel construction of high-quality bounding volume hierarchies", 2013, but large ones). Cuts
//! near the root improve the coarse order, and cuts near changed items improve the fine order.

use super::DynamicBvh;
use super::build::{Boxes, ChildLinks};
use crate::bvh::builder::{self, Child, Link, Quality, WIDTH};
use crate::bvh::half_area;
use crate::geom::aabb::Aabb;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;

/// A rebuild of this many pieces takes a third of a millisecond.
const PIECES: usize = 512;
/// A change of the tree. A certain number of changes triggers the rebuild of a part.
#[derive(Clone, Copy)]
pub(super) enum Change {
    /// An insertion at the place that the current contents suggest.
    Insertion,
    /// An insertion of an item that was already in the tree.
    Reinsertion,
    /// A move within its node, which was a good place for the item.
    Move,
}

impl Change {
    fn price(self, patience: u32) -> u32 {
        match self {
            Self::Insertion => 4 * FULL_PRICE,
            Self::Reinsertion => (4 * FULL_PRICE) >> patience,
            Self::Move => FULL_PRICE >> patience,
        }
    }
}

/// The weight of a move. It is halved for each step of patience, while rebuilds make little difference.
const FULL_PRICE: u32 = 1 << MOST_PATIENCE;
const MOST_PATIENCE: u32 = 1;
/// An improvement below this is treated as little.
const LITTLE: f64 = 0.02;
/// A rebuild is triggered by this weight of changes. The number of moves is prime. So entities that move in the same
/// order each frame trigger the rebuild at a different entity each time.
const PRICE: u32 = 509 * FULL_PRICE;

impl DynamicBvh {
    /// Rebuilds a part of the tree if enough changes have been made, the last one in this node.
    pub(super) fn mend(&mut self, changed: u32, change: Change) {
        self.paid += change.price(self.patience);
        if self.paid < PRICE {
            return;
        }
        self.paid -= PRICE;
        self.mends = self.mends.wrapping_add(1);
        let mut top = changed;
        // The top is one level higher every second time, two levels every fourth time, and so on.
        for _ in 0..LEAST_LEVELS + self.mends.trailing_zeros() {
            let Some(at) = self.parent(top) else { break };
            top = at.node();
        }
        let gain = self.rebuild_below(top);
        self.patience =
            if gain > LITTLE { self.patience.saturating_sub(1) } else { MOST_PATIENCE.min(self.patience + 1) };
    }

    /// Rebuilds a part of the tree, if that improves it; returns the fraction of its cost that is saved.
    fn rebuild_below(&mut self, top: u32) -> f64 {
        let Treelet { opened, pieces, cost } = self.cut(top);
        let items: Vec<(u32, Aabb)> = (0..).zip(pieces.iter().map(|piece| piece.bounds)).collect();
        let boxes = Boxes { items: &items, scale: 1.0 / self.unit() };
        let built = builder::build(&boxes, Quality::Balanced, &ChildLinks);
        let piece = |leaf: u32| pieces[built.leaves[leaf as usize] as usize];
        // Children come after their parents.
        let mut bounds = alloc::vec![Aabb::EMPTY; built.nodes.len()];
        let mut heights = alloc::vec![0; built.nodes.len()];
        let mut new_cost = 0.0;
        for (node, links) in built.nodes.iter().enumerate().rev() {
            for link in links.iter().flatten() {
                let (around, height) = match *link {
                    Link::Node(below) => (bounds[below as usize], heights[below as usize]),
                    Link::Leaf(leaf) => (piece(leaf).bounds, self.height(piece(leaf).link)),
                };
                bounds[node] = bounds[node].union(&around);
                heights[node] = heights[node].max(1 + height);
            }
            // The top is excluded, because its size does not change. Its size may be so large that rounding would hide the difference of the other areas.
            if node > 0 {
                new_cost += half_area(&bounds[node]);
            }
        }
        let is_shallow = heights[0] <= self.node(top).links.height || self.depth(top) + heights[0] <= self.most_depth();
        if !(new_cost < cost && is_shallow) {
            return 0.0;
        }
        self.free.extend(opened.iter().filter(|&&node| node != top));
        let mut numbers = Vec::with_capacity(built.nodes.len());
        numbers.push(top);
        numbers.extend((1..built.nodes.len()).map(|_| self.vacant()));
        for (node, links) in built.nodes.iter().enumerate().rev() {
            let mut children = [None; WIDTH];
            for (slot, link) in children.iter_mut().zip(links) {
                *slot = link.map(|link| match link {
                    Link::Node(below) => {
                        Child { bounds: bounds[below as usize], link: Link::Node(numbers[below as usize]) }
                    }
                    Link::Leaf(leaf) => piece(leaf),
                });
            }
            self.fill(numbers[node], children.iter().flatten());
        }
        // The box of the top is the same as before, but its height may differ.
        if let Some(at) = self.parent(top) {
            self.refit_upwards(at.node());
        }
        1.0 - new_cost / cost
    }

    /// Returns the number of edges from the root.
    fn depth(&self, mut node: u32) -> u16 {
        let mut depth = 0;
        while let Some(at) = self.parent(node) {
            (node, depth) = (at.node(), depth + 1);
        }
        depth
    }

    /// Returns the largest allowed depth. The depth of a tree that is only optimized by area may be as large as the number of nested boxes. The limit
    /// is a little more than twice the depth of a full tree.
    fn most_depth(&self) -> u16 {
        5 + ((self.len as u32).max(1).ilog2() * 2 / WIDTH.ilog2()) as u16
    }

    /// Opens the largest boxes below a node until there are enough subtrees.
    fn cut(&self, top: u32) -> Treelet {
        let mut cut = Treelet { opened: Vec::new(), pieces: Vec::new(), cost: 0.0 };
        let mut closed = BinaryHeap::new();
        let mut next = Some(top);
        while let Some(node) = next {
            cut.opened.push(node);
            if node != top {
                cut.cost += half_area(&self.node(node).bounds());
            }
            for child in self.children(node) {
                match child.link {
                    Link::Leaf(_) => cut.pieces.push(child),
                    // Areas are not negative. So their bits have the same order.
                    Link::Node(below) => closed.push((half_area(&child.bounds).to_bits(), below)),
                }
            }
            let is_full = cut.pieces.len() + closed.len() + WIDTH > PIECES;
            next = if is_full { None } else { closed.pop().map(|(_, node)| node) };
        }
        let closed = closed.into_vec().into_iter();
        cut.pieces.extend(closed.map(|(_, node)| Child { bounds: self.node(node).bounds(), link: Link::Node(node) }));
        cut
    }
}

/// The nodes that are opened, the subtrees below them, and the sum of the areas of the opened nodes without the top.
struct Treelet {
    opened: Vec<u32>,
    pieces: Vec<Child>,
    cost: f64,
}

/// The least number of levels between a changed node and the top of the rebuilt part, which then has up to 512 items.
const LEAST_LEVELS: u32 = 2;

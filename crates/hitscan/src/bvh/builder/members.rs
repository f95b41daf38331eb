//! Which binary nodes become the children of a wide one.

use super::WIDTH;
use super::binary::{Kind, Tree};
use super::collapse::Plan;
use crate::aabb::Aabb;
use core::ops::Range;

/// Leaves of one wide node that have room for each other become one if its area grows by at most this of the node's: it costs
/// so much of a visit in every visit to the node, and saves a leaf's memory. Where triangles come in pairs, as in buildings, a
/// quarter of all leaves.
const MOST_GROWTH: f32 = 0.02;

/// The members of a wide node: each is a child, or several leaves are one.
#[derive(Clone, Copy)]
pub(super) struct Members {
    binary: [u32; WIDTH],
    len: usize,
    /// By member: the first one that is in the same child.
    first: [u8; WIDTH],
}

impl Members {
    /// Of a wide node whose leaves have at most `leaf_size` items.
    pub(super) fn of(tree: &Tree, binary: usize, leaf_size: usize) -> Self {
        let mut members = Self { binary: [0; WIDTH], len: 0, first: [0, 1, 2, 3, 4, 5, 6, 7] };
        match tree.nodes[binary].kind() {
            // A root that is a leaf is its node's only child.
            Kind::Leaf { .. } => members.add(tree, binary, 1),
            Kind::Inner { .. } => members.add(tree, binary, WIDTH),
        }
        members.join_leaves(tree, tree.nodes[binary].half_area(), leaf_size);
        members
    }

    fn add(&mut self, tree: &Tree, binary: usize, children: usize) {
        let node = &tree.nodes[binary];
        let shares = if children > 1 { Plan::of_inner(node).and_then(|plan| plan.shares(children)) } else { None };
        match (node.kind(), shares) {
            (Kind::Inner { second }, Some(shares)) => {
                self.add(tree, binary + 1, shares.0);
                self.add(tree, binary + second, shares.1);
            }
            _ => {
                self.binary[self.len] = binary as u32;
                self.len += 1;
            }
        }
    }

    /// Those two first whose area grows least, as long as that is little enough.
    fn join_leaves(&mut self, tree: &Tree, area: f32, leaf_size: usize) {
        // Of the first member of each child that still has room: place, bounds, number of items.
        let mut open = [(0, Aabb::EMPTY, 0); WIDTH];
        let mut count = 0;
        for place in 0..self.len {
            let binary = self.binary[place] as usize;
            if tree.is_leaf(binary) {
                let items = tree.item_count(binary);
                if items < leaf_size {
                    open[count] = (place, tree.nodes[binary].aabb(), items);
                    count += 1;
                }
            }
        }
        while let Some((growth, i, j)) = closest(&open[..count], leaf_size)
            && growth <= MOST_GROWTH * area
        {
            let (place, bounds, items) = open[j];
            let joined = self.first[place];
            for first in self.first.iter_mut().filter(|first| **first == joined) {
                *first = open[i].0 as u8;
            }
            open[i] = (open[i].0, open[i].1.union(&bounds), open[i].2 + items);
            open.copy_within(j + 1..count, j);
            count -= 1;
        }
    }

    /// The children, by their first member's place.
    pub(super) fn children(&self) -> impl Iterator<Item = usize> {
        (0..self.len).filter(|&place| usize::from(self.first[place]) == place)
    }

    /// The only binary node of a child that is not a leaf, or one of a leaf.
    pub(super) fn binary(&self, child: usize) -> usize {
        self.binary[child] as usize
    }

    /// The binary subtrees of the children that are not leaves, in their order. These members' own end before `end`.
    pub(super) fn inner(&self, tree: &Tree, end: usize) -> impl Iterator<Item = Range<usize>> {
        let start = |place: usize| self.binary[place] as usize;
        let range = move |place: usize| start(place)..if place + 1 < self.len { start(place + 1) } else { end };
        (0..self.len).map(range).filter(|range| !tree.is_leaf(range.start))
    }

    /// All binary nodes of a child.
    pub(super) fn binaries(&self, child: usize) -> impl Iterator<Item = usize> {
        let members = (0..self.len).filter(move |&place| usize::from(self.first[place]) == child);
        members.map(|place| self.binary[place] as usize)
    }
}

/// The two leaves that fit into one with the least growth of their area, and that.
fn closest(open: &[(usize, Aabb, usize)], leaf_size: usize) -> Option<(f32, usize, usize)> {
    let mut best: Option<(f32, usize, usize)> = None;
    for (j, (_, other, other_items)) in open.iter().enumerate() {
        for (i, (_, own, items)) in open[..j].iter().enumerate() {
            if items + other_items <= leaf_size {
                let growth = half_area(&own.union(other)) - half_area(own) - half_area(other);
                if best.is_none_or(|(least, ..)| growth < least) {
                    best = Some((growth, i, j));
                }
            }
        }
    }
    best
}

pub(super) fn half_area(bounds: &Aabb) -> f32 {
    let [x, y, z] = bounds.size().to_array();
    x * (y + z) + y * z
}

impl Tree {
    /// Whether a member of a wide node is a leaf.
    pub(super) fn is_leaf(&self, binary: usize) -> bool {
        Plan::of_inner(&self.nodes[binary]).is_none_or(Plan::is_leaf)
    }

    /// Of a small subtree.
    fn item_count(&self, binary: usize) -> usize {
        match self.nodes[binary].kind() {
            Kind::Leaf { count, .. } => count,
            Kind::Inner { second } => self.item_count(binary + 1) + self.item_count(binary + second),
        }
    }
}

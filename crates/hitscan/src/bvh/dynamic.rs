//! Changing a tree item by item, in a time that grows with its depth.

use super::{Bvh, Kind, Node, half_area};
use crate::aabb::Aabb;

impl Bvh {
    /// Adds an item, or moves it if it is in the tree.
    pub(crate) fn set(&mut self, item: u32, bounds: Aabb) {
        self.remove(item);
        let leaf = self.allocate(Node { bounds, parent: None, height: 0, kind: Kind::Leaf(item) });
        if self.leaf_of.len() <= item as usize {
            self.leaf_of.resize(item as usize + 1, None);
        }
        self.leaf_of[item as usize] = Some(leaf);
        match self.root {
            None => self.root = Some(leaf),
            Some(root) => self.insert_beside(self.cheapest_sibling(root, &bounds), leaf),
        }
    }

    /// Takes an item out; answers whether it was in the tree.
    pub(crate) fn remove(&mut self, item: u32) -> bool {
        let Some(leaf) = self.leaf_of.get_mut(item as usize).and_then(Option::take) else { return false };
        let parent = self.node(leaf).parent;
        self.free.push(leaf);
        let Some(parent) = parent else {
            self.root = None;
            return true;
        };
        let sibling = self.sibling(parent, leaf);
        let grandparent = self.node(parent).parent;
        self.free.push(parent);
        self.replace_child(grandparent, parent, sibling);
        self.refit_upwards(grandparent);
        true
    }

    fn allocate(&mut self, node: Node) -> u32 {
        match self.free.pop() {
            Some(index) => {
                *self.node_mut(index) = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// The node beside which a new leaf adds least area to the tree, by greedy descent: stop where making a pair here
    /// is cheaper than the least that going on can cost (E. Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019).
    fn cheapest_sibling(&self, root: u32, bounds: &Aabb) -> u32 {
        let mut index = root;
        loop {
            let node = self.node(index);
            let Kind::Inner(children) = node.kind else { return index };
            let merged = half_area(&node.bounds.union(bounds));
            let pair_here = 2.0 * merged;
            let inherited = 2.0 * (merged - half_area(&node.bounds));
            let costs = children.map(|child| inherited + self.cost_below(child, bounds));
            let cheaper = usize::from(costs[1] < costs[0]);
            if pair_here < costs[cheaper] {
                return index;
            }
            index = children[cheaper];
        }
    }

    /// What a new leaf costs at or below this node, apart from its ancestors' growth.
    fn cost_below(&self, index: u32, bounds: &Aabb) -> f64 {
        let node = self.node(index);
        let merged = half_area(&node.bounds.union(bounds));
        match node.kind {
            Kind::Leaf(_) => merged,
            Kind::Inner(_) => merged - half_area(&node.bounds),
        }
    }

    fn insert_beside(&mut self, sibling: u32, leaf: u32) {
        let old = *self.node(sibling);
        let bounds = old.bounds.union(&self.node(leaf).bounds);
        let kind = Kind::Inner([sibling, leaf]);
        let pair = self.allocate(Node { bounds, parent: old.parent, height: old.height + 1, kind });
        self.replace_child(old.parent, sibling, pair);
        self.node_mut(sibling).parent = Some(pair);
        self.node_mut(leaf).parent = Some(pair);
        self.refit_upwards(old.parent);
    }

    /// Hangs `new` where `old` is; no parent means the root.
    fn replace_child(&mut self, parent: Option<u32>, old: u32, new: u32) {
        self.node_mut(new).parent = parent;
        match parent {
            None => self.root = Some(new),
            Some(parent) => {
                if let Kind::Inner(children) = &mut self.node_mut(parent).kind {
                    children[usize::from(children[1] == old)] = new;
                }
            }
        }
    }

    fn sibling(&self, parent: u32, child: u32) -> u32 {
        match self.node(parent).kind {
            Kind::Inner([left, right]) => {
                if left == child {
                    right
                } else {
                    left
                }
            }
            Kind::Leaf(_) => child,
        }
    }

    /// Recomputes the boxes and heights from here to the root, and rotates where that is better.
    fn refit_upwards(&mut self, from: Option<u32>) {
        let mut next = from;
        while let Some(index) = next {
            if let Kind::Inner(children) = self.node(index).kind {
                if let Some(rotation) = self.best_rotation(children) {
                    self.rotate(rotation);
                }
                self.refit(index);
            }
            next = self.node(index).parent;
        }
    }

    /// Recomputes a node from its children.
    fn refit(&mut self, index: u32) {
        if let Kind::Inner([left, right]) = self.node(index).kind {
            let (left, right) = (*self.node(left), *self.node(right));
            let node = self.node_mut(index);
            node.bounds = left.bounds.union(&right.bounds);
            node.height = 1 + left.height.max(right.height);
        }
    }

    /// Of the swaps of one child with a child of the other, the best one, if any is worth it.
    ///
    /// That is one that shrinks the other child (D. Kopta et al., "Fast, Effective BVH Updates for Animated Scenes",
    /// 2012); or makes this subtree lower at no cost, as among coincident boxes; or at any cost where it leans by
    /// more than [`MOST_LEAN`], as nested boxes do, which bounds the depth by a multiple of the logarithm of the
    /// number of items.
    fn best_rotation(&self, children: [u32; 2]) -> Option<Rotation> {
        let [left, right] = children.map(|child| self.node(child).height);
        let height = left.max(right);
        let leans = left.abs_diff(right) > MOST_LEAN;
        let mut best: Option<(f64, Rotation)> = None;
        for (child, other) in [(children[0], children[1]), (children[1], children[0])] {
            let Kind::Inner(grandchildren) = self.node(other).kind else { continue };
            for (swapped, kept) in [(grandchildren[0], grandchildren[1]), (grandchildren[1], grandchildren[0])] {
                let after = half_area(&self.node(child).bounds.union(&self.node(kept).bounds));
                let saved = half_area(&self.node(other).bounds) - after;
                let pair = 1 + self.node(child).height.max(self.node(kept).height);
                let is_lower = self.node(swapped).height.max(pair) < height;
                let is_worth_it = if leans { is_lower } else { saved > 0.0 || (saved == 0.0 && is_lower) };
                if is_worth_it && best.is_none_or(|(most, _)| saved > most) {
                    best = Some((saved, Rotation { child, other, swapped }));
                }
            }
        }
        best.map(|(_, rotation)| rotation)
    }

    fn rotate(&mut self, Rotation { child, other, swapped }: Rotation) {
        let parent = self.node(other).parent;
        self.replace_child(parent, child, swapped);
        self.replace_child(Some(other), swapped, child);
        self.refit(other);
    }
}

/// By how many levels one child may be higher than the other.
const MOST_LEAN: u32 = 8;

/// A swap of a child with `swapped`, a child of its sibling `other`.
#[derive(Clone, Copy)]
struct Rotation {
    child: u32,
    other: u32,
    swapped: u32,
}

//! Inserts and moves items, in a time that grows with the tree's depth. Now and then, a part of the tree is rebuilt as
//! well.
//!
//! An item descends, as in an R-tree (A. Guttman, 1984), to the node whose box it enlarges least. A full node is
//! split, which may require a split of its parent. Unlike in an R-tree, items are at all heights, as in a tree built
//! by the surface area heuristic.

use super::treelet_rebuild::Change;
use super::{Child, ChildSlot, DynamicBvh, Link, ROOT, WIDTH, half_area};
use crate::collections::sort::SharedSort;
use crate::geom::aabb::{Aabb, Extent};

/// The children of a full node, and one more.
type OverfullNode = [Child; WIDTH + 1];

/// Each half of a node that is split has at least this many children. So several further changes are needed
/// before a half is split.
const LEAST_CHILDREN: usize = 3;

/// A moved item is inserted elsewhere when its node would become this many times as large as when the node's children
/// were chosen. With 1.0 the tree is hardly better, and moving 1 % of its items takes a quarter longer; with 1.1 and
/// more the tree gets worse.
const MOST_GROWTH: f64 = 1.0 + 1.0 / 32.0;

/// One step of an item down the tree, from a node.
enum InsertStep {
    /// It becomes one of the node's children.
    Here,
    /// The item goes into a child.
    Into(u32),
    /// The new item goes into a new child. The item that is the child with this index goes there too.
    Beside(usize),
}

impl DynamicBvh {
    /// Adds an item, or moves it if it is in the tree. The extent must be one that the tree [`takes`](Self::takes).
    pub(crate) fn set(&mut self, item: u32, extent: &Extent) {
        if self.len == 0 {
            *self = Self::over(extent);
        }
        let bounds = self.relative(extent);
        let mut change = Change::Insertion;
        if let Some(at) = self.place_of(item) {
            if self.stays_near(at, &bounds) {
                self.set_bounds(at, &bounds);
                self.refit_boxes_upwards(at.node());
                return self.mend(at.node(), Change::Move);
            }
            self.remove(item);
            change = Change::Reinsertion;
        }
        self.places.grow_to(item as usize + 1);
        self.len += 1;
        self.insert(&Child { bounds, link: Link::Leaf(item) });
        if let Some(at) = self.place_of(item) {
            self.mend(at.node(), change);
        }
    }

    /// Returns whether an item may stay in its node when its box becomes this one. It may if the node does not grow, or
    /// is only a little larger than when its children were chosen. Without this limit, a node that grows a little with
    /// each move would finally cover the whole path of its item.
    fn stays_near(&self, at: ChildSlot, bounds: &Aabb) -> bool {
        let Some(hung) = self.parent(at.node()) else { return true };
        let around = self.node(hung.node()).child_bounds(hung.index());
        let (before, after) = (half_area(&around), half_area(&around.union(bounds)));
        after <= before || after <= MOST_GROWTH * f64::from(self.node(at.node()).links.chosen_area)
    }

    fn insert(&mut self, child: &Child) {
        if self.nodes.len() == 0 {
            self.new_node(&[]);
        }
        let mut node = ROOT;
        loop {
            match self.next_step(node, &child.bounds) {
                InsertStep::Here => return self.add(node, child),
                InsertStep::Into(below) => node = below,
                InsertStep::Beside(index) => {
                    let at = ChildSlot::new(node, index);
                    let pair = self.new_node(&[self.child(at), *child]);
                    self.put(at, &pair);
                    return self.refit_upwards(node);
                }
            }
        }
    }

    /// Returns the step with the smallest increase of area. A place in a node above the lowest level costs nothing
    /// now. But another item could have used the place, so it is taken to cost as much as the area of the box.
    fn next_step(&self, node: u32, bounds: &Aabb) -> InsertStep {
        let is_lowest = self.node(node).links.height == 1;
        if is_lowest || self.count(node) == 0 {
            return InsertStep::Here;
        }
        let mut least = (f64::INFINITY, InsertStep::Here);
        for (index, child) in self.children(node).enumerate() {
            let merged = half_area(&child.bounds.union(bounds));
            let (cost, way) = match child.link {
                Link::Leaf(_) => (merged, InsertStep::Beside(index)),
                Link::Node(below) => (merged - half_area(&child.bounds), InsertStep::Into(below)),
            };
            if cost < least.0 {
                least = (cost, way);
            }
        }
        if self.count(node) < WIDTH && least.0 > half_area(bounds) { InsertStep::Here } else { least.1 }
    }

    /// Adds a child to a node.
    fn add(&mut self, node: u32, child: &Child) {
        let (mut node, mut child) = (node, *child);
        while self.count(node) == WIDTH {
            let mut many = [child; WIDTH + 1];
            many.iter_mut().zip(self.children(node)).for_each(|(slot, own)| *slot = own);
            if let Some((place, merged, free)) = self.merge_low(&many) {
                many[place] = merged;
                many.swap(free, WIDTH);
                self.fill(node, &many[..WIDTH]);
                return self.refit_upwards(node);
            }
            let halves = divide(&mut many);
            match self.parent(node) {
                None => {
                    let halves = halves.map(|half| self.new_node(half));
                    self.fill(node, &halves);
                    return self.refit_boxes_upwards(node);
                }
                Some(at) => {
                    self.fill(node, halves[0]);
                    let bounds = self.node(node).bounds();
                    self.set_bounds(at, &bounds);
                    (node, child) = (at.node(), self.new_node(halves[1]));
                }
            }
        }
        self.push(node, &child);
        self.choose(node);
        self.refit_upwards(node);
    }
}

impl DynamicBvh {
    /// Joins two children of a full node that are low enough for the node not to become higher. Among such pairs, it
    /// joins the pair whose union costs least. Two children of one height are joined as a pair. So heights grow no
    /// faster than the logarithm of the number of insertions. Otherwise, the lower child is inserted into the taller
    /// child. Returns the child that changes, its new value, and the place that is free. Returns `None` if there are
    /// no two such children.
    fn merge_low(&mut self, many: &OverfullNode) -> Option<(usize, Child, usize)> {
        let tallest = many.iter().map(|child| self.height(child.link)).max()?;
        let mut best: Option<(f64, usize, usize)> = None;
        for (a, taller) in many.iter().enumerate() {
            for (b, lower) in many.iter().enumerate() {
                let (height, other) = (self.height(taller.link), self.height(lower.link));
                let merged = half_area(&taller.bounds.union(&lower.bounds));
                let cost = match taller.link {
                    _ if height == other && height < tallest && a < b => merged,
                    Link::Node(node) if height > other && self.count(node) < WIDTH => {
                        merged - half_area(&taller.bounds)
                    }
                    _ => continue,
                };
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, a, b));
                }
            }
        }
        let (_, a, b) = best?;
        let merged = match many[a].link {
            Link::Node(node) if self.height(many[a].link) > self.height(many[b].link) => {
                self.push(node, &many[b]);
                self.choose(node);
                Child { bounds: self.node(node).bounds(), link: many[a].link }
            }
            _ => self.new_node(&[many[a], many[b]]),
        };
        Some((a, merged, b))
    }
}

/// Reorders the children into two parts with the least sum of areas.
fn divide(many: &mut OverfullNode) -> [&[Child]; 2] {
    let mut best: Option<(f64, OverfullNode, usize)> = None;
    for axis in 0..3 {
        let mut sorted = *many;
        let middle = |child: &Child| f64::from(child.bounds.min[axis]) + f64::from(child.bounds.max[axis]);
        sorted.sort_shared_stable_by(|a, b| middle(a).total_cmp(&middle(b)));
        for count in LEAST_CHILDREN..=sorted.len() - LEAST_CHILDREN {
            let (left, right) = sorted.split_at(count);
            let cost = half_area(&bounds_of(left)) + half_area(&bounds_of(right));
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, sorted, count));
            }
        }
    }
    let mut count = many.len() / 2;
    if let Some((_, sorted, left)) = best {
        (*many, count) = (sorted, left);
    }
    let (left, right) = many.split_at(count);
    [left, right]
}

fn bounds_of(children: &[Child]) -> Aabb {
    children.iter().fold(Aabb::EMPTY, |bounds, child| bounds.union(&child.bounds))
}

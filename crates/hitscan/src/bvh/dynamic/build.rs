//! All items at once: a new tree, or the same one around moved items.

use super::{DynamicBvh, Extent, Links, Place, ROOT};
use crate::aabb::Aabb;
use crate::bvh::builder::{self, Child, LEAF_SIZE, Link, Output, Primitives, Quality, WIDTH};
use crate::bvh::half_area;
use crate::bvh::wide::Node;
use alloc::vec::Vec;
use glam::DVec3;

/// A tree is built anew when it costs so many times what it did.
const MOST_DECAY: f64 = 1.2;

impl DynamicBvh {
    /// The tree over these items, whose extents must be such as it [`takes`](Self::takes), each item once. The same input gives the same tree.
    pub(crate) fn build(items: &[(u32, Extent)]) -> Self {
        let all = items.iter().map(|(_, extent)| *extent).reduce(|all, extent| all.union(&extent));
        let Some(all) = all else { return Self::default() };
        let mut tree = Self::over(&all);
        let items: Vec<(u32, Aabb)> = items.iter().map(|(item, extent)| (*item, tree.relative(extent))).collect();
        tree.set_items(&items);
        tree
    }

    /// Without items, for things around there.
    pub(super) fn over(extent: &Extent) -> Self {
        let center = (extent.low + extent.high) * 0.5;
        let size = (extent.high - extent.low).max_element();
        // Where f32 is as good, coordinates stay as they are.
        let is_far = center.abs().max_element() > FAR * size;
        Self { origin: if is_far { center } else { DVec3::ZERO }, ..Self::default() }
    }

    /// Moves an item that is in the tree, but not what is above it: until [`fit`](Self::fit) the tree is only good for more of these.
    pub(crate) fn move_loosely(&mut self, item: u32, extent: &Extent) {
        let bounds = self.relative(extent);
        if let Some(at) = self.place_of(item) {
            self.tree.nodes[at.node as usize].set_bounds(at.index, &bounds);
        }
    }

    /// Fits all of the tree to its items; if it has decayed, it is built anew.
    pub(crate) fn fit(&mut self) {
        let cost = self.refit();
        if cost > MOST_DECAY * self.least_cost {
            self.set_items(&self.items());
        } else {
            self.least_cost = self.least_cost.min(cost);
        }
    }

    /// In the order of their numbers.
    fn items(&self) -> Vec<(u32, Aabb)> {
        let items = (0..).zip(&self.places);
        let bounds = |at: Place| self.node(at.node).child_bounds(at.index);
        items.filter_map(|(item, at)| Some((item, bounds((*at)?)))).collect()
    }

    /// A new tree of these items alone.
    fn set_items(&mut self, items: &[(u32, Aabb)]) {
        let boxes = Boxes { items, scale: 1.0 / self.unit() };
        let built = builder::build(&boxes, Quality::Balanced, &Outline);
        self.tree.nodes.clear();
        self.tree.nodes.resize(built.nodes.len(), Node::default());
        self.links.clear();
        self.links.resize(built.nodes.len(), Links::default());
        self.free.clear();
        self.places.clear();
        self.places.resize(items.iter().map(|(item, _)| *item as usize + 1).max().unwrap_or(0), None);
        self.len = items.len();
        for (node, links) in (0..).zip(&built.nodes) {
            for link in links.iter().flatten() {
                let child = match *link {
                    Link::Node(_) => Child { bounds: Aabb::EMPTY, link: *link },
                    Link::Leaf(leaf) => {
                        let (item, bounds) = items[built.leaves[leaf as usize] as usize];
                        Child { bounds, link: Link::Leaf(item) }
                    }
                };
                self.push(node, &child);
            }
        }
        self.least_cost = self.refit();
    }

    /// Fits all boxes to the items, and answers what the tree costs: the area of its nodes. The root, which is always visited, is left out, or a
    /// single item that is far away would count for more than all else.
    fn refit(&mut self) -> f64 {
        let mut order = Vec::with_capacity(self.tree.nodes.len());
        if !self.tree.nodes.is_empty() {
            order.push(ROOT);
        }
        // Parents before their children.
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            order.extend(self.children(node).filter_map(|child| match child.link {
                Link::Node(below) => Some(below),
                Link::Leaf(_) => None,
            }));
        }
        let mut cost = 0.0;
        for &node in order.iter().rev() {
            self.set_height(node);
            if let Some(at) = self.links[node as usize].parent {
                let bounds = self.node(node).bounds();
                cost += half_area(&bounds);
                self.tree.nodes[at.node as usize].set_bounds(at.index, &bounds);
            }
        }
        cost
    }
}

/// Distance from the world's origin, in sizes of all that there is, beyond which coordinates are counted from elsewhere: f32 still has 16 bits
/// for a place within.
const FAR: f64 = 256.0;

/// Items in the builder's coordinates: none above 1. It makes no difference if some underflow, as boxes are set afterwards.
pub(super) struct Boxes<'a> {
    pub(super) items: &'a [(u32, Aabb)],
    pub(super) scale: f32,
}

impl Primitives for Boxes<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn bounds(&self, item: u32) -> Aabb {
        let Aabb { min, max } = self.items[item as usize].1;
        Aabb { min: min * self.scale, max: max * self.scale }
    }

    fn clipped(&self, item: u32, cell: &Aabb) -> Aabb {
        let own = self.bounds(item);
        Aabb { min: own.min.max(cell.min), max: own.max.min(cell.max) }
    }
}

/// Which child is where.
pub(super) struct Outline;

impl Output for Outline {
    type Node = [Option<Link>; WIDTH];
    /// The item.
    type Leaf = u32;
    const LEAF_SIZE: usize = 1;

    fn node(&self, children: &[Child], links: &mut Self::Node) {
        links.iter_mut().zip(children).for_each(|(link, child)| *link = Some(child.link));
    }

    fn leaf(&self, items: &[u32], leaf: &mut u32) {
        *leaf = items.first().copied().unwrap_or(0);
    }
}

const _: () = assert!(Outline::LEAF_SIZE <= LEAF_SIZE);

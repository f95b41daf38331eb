//! Builds of all items at once: a new tree, or the same topology around moved items.

use super::{ChildSlot, DynamicBvh, NODES, PLACES, ROOT, height_of, reach, relative};
use crate::bvh::builder::{self, Child, LEAF_SIZE, Link, Output, Primitives, Quality, WIDTH};
use crate::bvh::bvh8::root;
use crate::bvh::half_area;
use crate::bvh::node::Node;
use crate::collections::cow_vec::{CowVec, Opened};
use crate::geom::aabb::{Aabb, Extent};
use crate::math::float::larger;
use alloc::vec::Vec;
use glam::DVec3;

/// A tree is rebuilt when its cost has grown by this factor.
const MOST_DECAY: f64 = 1.2;

impl DynamicBvh {
    /// Builds the tree over these items. Each item occurs once, and the tree must [take](Self::takes) its extent. The same input gives
    /// the same tree.
    pub(crate) fn build(items: &[(u32, Extent)]) -> Self {
        let all = items.iter().map(|(_, extent)| *extent).reduce(|all, extent| all.union(&extent));
        let Some(all) = all else { return Self::default() };
        let mut tree = Self::over(&all);
        let items: Vec<(u32, Aabb)> = items.iter().map(|(item, extent)| (*item, tree.relative(extent))).collect();
        tree.set_items(&items);
        tree
    }

    /// Makes a tree without items, for objects in this extent.
    pub(super) fn over(extent: &Extent) -> Self {
        let center = (extent.low + extent.high) * 0.5;
        let size = (extent.high - extent.low).max_element();
        Self { origin: if is_far(center, size) { center } else { DVec3::ZERO }, ..Self::default() }
    }

    /// Opens the tree for moves of very many items.
    pub(crate) fn moving(&mut self) -> MovingItems<'_> {
        let Self { nodes, places, origin, reach, .. } = self;
        MovingItems { nodes: nodes.open(), places, origin: *origin, reach }
    }

    /// Refits the whole tree to its items, and rebuilds it if its cost has grown too much.
    pub(crate) fn fit(&mut self) {
        let cost = self.refit();
        if cost > MOST_DECAY * self.least_cost {
            self.set_items(&self.items());
        } else {
            self.least_cost = self.least_cost.min(cost);
        }
    }

    /// Returns whether all items have moved so far from the origin of the tree's coordinates that f32 is inexact there.
    pub(crate) fn is_adrift(&self) -> bool {
        let bounds = root(&self.nodes).map_or(Aabb::EMPTY, Node::bounds);
        !bounds.is_empty() && is_far(bounds.center().as_dvec3(), bounds.size().max_element().into())
    }

    /// Returns the items in the order of their numbers.
    fn items(&self) -> Vec<(u32, Aabb)> {
        let items = (0..).zip(self.places.iter());
        let bounds = |at: ChildSlot| self.node(at.node()).child_bounds(at.index());
        items.filter_map(|(item, at)| Some((item, bounds((*at)?)))).collect()
    }

    /// Builds a new tree of only these items.
    fn set_items(&mut self, items: &[(u32, Aabb)]) {
        let boxes = Boxes { items, scale: 1.0 / self.unit() };
        let built = builder::build(&boxes, Quality::Balanced, &ChildLinks);
        self.nodes = CowVec::of_defaults(built.nodes.len());
        self.free.clear();
        self.places = CowVec::of_defaults(items.iter().map(|(item, _)| *item as usize + 1).max().unwrap_or(0));
        self.len = items.len();
        let (mut nodes, mut places) = (self.nodes.open(), self.places.open());
        for (node, links) in (0..).zip(&built.nodes) {
            for (index, link) in links.iter().flatten().enumerate() {
                let at = ChildSlot::new(node, index);
                let child = match *link {
                    Link::Node(below) => {
                        nodes[below as usize].links.parent = Some(at);
                        Child { bounds: Aabb::EMPTY, link: *link }
                    }
                    Link::Leaf(leaf) => {
                        let (item, bounds) = items[built.leaves[leaf as usize] as usize];
                        places[item as usize] = Some(at);
                        Child { bounds, link: Link::Leaf(item) }
                    }
                };
                let node = &mut nodes[node as usize];
                node.set_child(index, &child);
                node.links.count += 1;
            }
        }
        self.least_cost = self.refit();
        self.paid = 0;
    }

    /// Refits all boxes to the items, and returns the cost of the tree: the area of its nodes. The root is
    /// excluded, because it is always visited. Otherwise a single item that is far away would dominate the cost.
    fn refit(&mut self) -> f64 {
        let order = self.downwards();
        let mut nodes = self.nodes.open();
        let mut cost = 0.0;
        for &node in order.iter().rev() {
            let height = height_of(&nodes, node);
            let own = &mut nodes[node as usize];
            own.links.height = height;
            let bounds = own.bounds();
            own.links.chosen_area = half_area(&bounds) as f32;
            match own.links.parent {
                Some(at) => {
                    cost += half_area(&bounds);
                    nodes[at.node() as usize].set_bounds(at.index(), &bounds);
                }
                None => self.reach = reach(&bounds),
            }
        }
        cost
    }

    /// Returns all nodes, each before the nodes below it.
    fn downwards(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.nodes.len());
        order.extend(root(&self.nodes).map(|_| ROOT));
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            order.extend(self.children(node).filter_map(|child| match child.link {
                Link::Node(below) => Some(below),
                Link::Leaf(_) => None,
            }));
        }
        order
    }
}

/// A tree whose items are moved while the boxes above them stay the same. It must be [refitted](DynamicBvh::fit) before
/// any other use.
pub(crate) struct MovingItems<'a> {
    nodes: Opened<'a, Node, NODES>,
    places: &'a CowVec<Option<ChildSlot>, PLACES>,
    origin: DVec3,
    reach: &'a mut f32,
}

impl MovingItems<'_> {
    pub(crate) fn contains(&self, item: u32) -> bool {
        self.place_of(item).is_some()
    }

    /// Prefetches the data that [`set`](Self::set) changes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn prefetch(&self, item: u32) {
        if let Some(at) = self.place_of(item) {
            self.nodes.prefetch_change::<0, { size_of::<[[f32; 2 * WIDTH]; 3]>() }>(at.node() as usize);
        }
    }

    /// Moves an item that is in the tree.
    pub(crate) fn set(&mut self, item: u32, extent: &Extent) {
        if let Some(at) = self.place_of(item) {
            let bounds = relative(self.origin, extent);
            *self.reach = larger(*self.reach, reach(&bounds));
            self.nodes[at.node() as usize].set_bounds(at.index(), &bounds);
        }
    }

    fn place_of(&self, item: u32) -> Option<ChildSlot> {
        self.places.get(item as usize).copied().flatten()
    }
}

/// Returns whether contents of this size are so far from the origin of their coordinates that f32 needs another origin.
fn is_far(center: DVec3, size: f64) -> bool {
    center.abs().max_element() > FAR * size
}

/// The distance from the origin, as a multiple of the size of the whole contents, beyond which coordinates get another
/// origin. Within it, f32 still has 16 bits for a position.
const FAR: f64 = 256.0;

/// Items in the builder's coordinates: none is above 1. Underflow of some coordinates does not matter, because boxes are set
/// afterwards.
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

/// The output that stores the places of children.
pub(super) struct ChildLinks;

impl Output for ChildLinks {
    type Node = [Option<Link>; WIDTH];
    /// The item.
    type Leaf = u32;
    const LEAF_SIZE: usize = 1;

    fn node(&self, children: &[Child]) -> Self::Node {
        let mut links = [None; WIDTH];
        links.iter_mut().zip(children).for_each(|(link, child)| *link = Some(child.link));
        links
    }

    fn leaf(&self, items: &[u32]) -> u32 {
        items.first().copied().unwrap_or(0)
    }
}

const _: () = assert!(ChildLinks::LEAF_SIZE <= LEAF_SIZE);

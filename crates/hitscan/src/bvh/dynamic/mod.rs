//! The tree of scenes, which changes item by item: eight boxes a node, an item a leaf.
//!
//! Its boxes are in world coordinates less `origin`, in f32, rounded outwards.

mod build;
mod insert;
mod mend;
mod remove;
mod thick;
#[cfg(test)]
mod validate;

use super::builder::{Child, Link, WIDTH};
use super::frame::{Frame, FramedRay};
use super::probe::Slack;
use super::wide::{Node, Order, Visitor, WideBvh};
use super::{TreeStats, half_area};
use crate::aabb::{Aabb, Extent};
use crate::float::{power_of_two, round_down, round_up, sum_down, sum_up};
use crate::ray::LocalRay;
use crate::simd::{Simd, dispatch};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// The tree. Its first node is the root, if there is any.
#[derive(Clone, Debug, Default)]
pub(crate) struct DynamicBvh {
    tree: WideBvh,
    /// Of each node.
    links: Vec<Links>,
    /// Unused nodes.
    free: Vec<u32>,
    /// Of each item, where it is.
    places: Vec<Option<Place>>,
    /// How many items.
    len: usize,
    origin: DVec3,
    /// At least the magnitude of every coordinate.
    reach: f32,
    /// What the tree cost when it was last built, or cheaper since.
    least_cost: f64,
    /// How much was changed since it was last mended.
    changes: u32,
    /// How often it was.
    mends: u32,
}

/// A child's place in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    node: u32,
    index: usize,
}

/// What only changes need to know of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Links {
    /// `None` for the root.
    parent: Option<Place>,
    /// How many children, which are the first ones.
    count: usize,
    /// Edges to its lowest item.
    height: u32,
}

const ROOT: u32 = 0;

/// The least and largest power of two that coordinates may be measured by. With them, distances of rays do neither
/// underflow nor overflow: from 1 to 2^60 for one unit along an axis.
const LEAST_UNIT: f32 = 1.0 / (1u128 << 64) as f32;
const LARGEST_UNIT: f32 = (1u128 << 124) as f32;

/// What is done with each item that the ray may touch: given its number, a t before which it is not hit if that is above 0, and the largest
/// t that matters; answers with the largest t that matters from now on, or ends it.
pub(crate) type Visit<'a> = dyn FnMut(u32, f64, f32) -> ControlFlow<(), f32> + 'a;

impl DynamicBvh {
    /// Whether the tree can have this.
    pub(crate) fn takes(extent: &Extent) -> bool {
        // The difference of two such is within the largest unit.
        let most = f64::from(LARGEST_UNIT / 4.0);
        extent.low.cmple(extent.high).all() && extent.low.min_element() >= -most && extent.high.max_element() <= most
    }

    /// A box around everything; empty for an empty tree.
    pub(crate) fn bounds(&self) -> Aabb {
        let bounds = self.tree.nodes.first().map_or(Aabb::EMPTY, Node::bounds);
        let DVec3 { x, y, z } = self.origin;
        let sum = |of: fn(f64, f64) -> f32, v: Vec3| Vec3::new(of(v.x.into(), x), of(v.y.into(), y), of(v.z.into(), z));
        if bounds.is_empty() { bounds } else { Aabb { min: sum(sum_down, bounds.min), max: sum(sum_up, bounds.max) } }
    }

    /// How many items.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn contains(&self, item: u32) -> bool {
        self.place_of(item).is_some()
    }

    pub(crate) fn stats(&self) -> TreeStats {
        let bytes = self.tree.nodes.capacity() * size_of::<Node>()
            + self.links.capacity() * size_of::<Links>()
            + self.free.capacity() * size_of::<u32>()
            + self.places.capacity() * size_of::<Option<Place>>();
        TreeStats { bytes, ..self.tree.stats() }
    }

    /// The boxes down to a depth, each with its own, and what they are relative to.
    pub(crate) fn boxes(&self, deepest: usize) -> (DVec3, Vec<(usize, Aabb)>) {
        (self.origin, self.tree.boxes(deepest))
    }

    /// Shows every item that the ray may touch in its range, given how inexactly it is tested.
    pub(crate) fn traverse(
        &self,
        ray: &LocalRay,
        slack: Slack,
        order: Order,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        dispatch!(simd => self.traverse_with(simd, ray, slack, order, visit))
    }

    #[inline(always)]
    fn traverse_with<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        slack: Slack,
        order: Order,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let unit = self.unit();
        let frame = Frame::of_reach(unit.into());
        let near = LocalRay { origin: ray.origin - self.origin, ..*ray };
        let Some(ray) = frame.ray(simd, &near, 0.0, slack) else { return ControlFlow::Continue(()) };
        let ray = ray.for_boxes_scaled_by(frame.scale as f32);
        let mut items = Items { ray: &ray, t_max: near.t_max, order, visit };
        self.tree.traverse(simd, &ray, ray.limit(near.t_max), &mut items)
    }

    /// A power of two that no coordinate is above.
    fn unit(&self) -> f32 {
        let unit = 2.0 * power_of_two(self.reach.into()) as f32;
        if unit > LEAST_UNIT && self.reach > 0.0 { unit } else { LEAST_UNIT }
    }

    /// In the tree's coordinates.
    fn relative(&mut self, extent: &Extent) -> Aabb {
        let bounds = if self.origin == DVec3::ZERO {
            // As below, but for the time that the sums take; adding 0 makes +0 of -0.
            let rounded = |of: fn(f64) -> f32, v: DVec3| Vec3::new(of(v.x), of(v.y), of(v.z)) + 0.0;
            Aabb { min: rounded(round_down, extent.low), max: rounded(round_up, extent.high) }
        } else {
            let DVec3 { x, y, z } = -self.origin;
            let sum = |of: fn(f64, f64) -> f32, v: DVec3| Vec3::new(of(v.x, x), of(v.y, y), of(v.z, z));
            Aabb { min: sum(sum_down, extent.low), max: sum(sum_up, extent.high) }
        };
        self.reach = self.reach.max(bounds.min.abs().max(bounds.max.abs()).max_element());
        bounds
    }

    fn place_of(&self, item: u32) -> Option<Place> {
        self.places.get(item as usize).copied().flatten()
    }

    fn node(&self, node: u32) -> &Node {
        &self.tree.nodes[node as usize]
    }

    fn links(&mut self, node: u32) -> &mut Links {
        &mut self.links[node as usize]
    }

    fn count(&self, node: u32) -> usize {
        self.links[node as usize].count
    }

    fn child(&self, at: Place) -> Child {
        self.node(at.node).child(at.index)
    }

    fn children(&self, node: u32) -> impl Iterator<Item = Child> {
        let own = self.node(node);
        (0..self.count(node)).map(|index| own.child(index))
    }

    /// Of what hangs at a link: 0 for an item.
    fn height(&self, link: Link) -> u32 {
        match link {
            Link::Leaf(_) => 0,
            Link::Node(node) => self.links[node as usize].height,
        }
    }

    /// Hangs a child there, in the place of another one or behind the last.
    fn put(&mut self, at: Place, child: &Child) {
        self.tree.nodes[at.node as usize].set_child(at.index, child);
        match child.link {
            Link::Leaf(item) => self.places[item as usize] = Some(at),
            Link::Node(node) => self.links(node).parent = Some(at),
        }
    }

    fn push(&mut self, node: u32, child: &Child) {
        let index = self.count(node);
        self.put(Place { node, index }, child);
        self.links(node).count += 1;
    }

    /// A node of these children, which hangs nowhere yet.
    fn new_node(&mut self, children: &[Child]) -> Child {
        let node = self.vacant();
        self.fill(node, children);
        Child { bounds: self.node(node).bounds(), link: Link::Node(node) }
    }

    /// A node's number for a new one.
    fn vacant(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.tree.nodes.push(Node::default());
            self.links.push(Links::default());
            self.tree.nodes.len() as u32 - 1
        })
    }

    /// Gives a node these children alone.
    fn fill<'a>(&mut self, node: u32, children: impl IntoIterator<Item = &'a Child>) {
        self.tree.nodes[node as usize] = Node::default();
        self.links(node).count = 0;
        children.into_iter().for_each(|child| self.push(node, child));
        self.set_height(node);
    }

    fn set_height(&mut self, node: u32) {
        let tallest = self.children(node).map(|child| self.height(child.link)).max();
        self.links(node).height = 1 + tallest.unwrap_or(0);
    }

    /// Brings boxes and heights above a node up to date.
    fn refit_upwards(&mut self, mut node: u32) {
        loop {
            let before = self.links[node as usize].height;
            self.set_height(node);
            let Links { parent, height, .. } = self.links[node as usize];
            let Some(at) = parent else { return };
            let bounds = self.node(node).bounds();
            if height == before && bounds == self.node(at.node).child_bounds(at.index) {
                return;
            }
            self.tree.nodes[at.node as usize].set_bounds(at.index, &bounds);
            node = at.node;
        }
    }
}

struct Items<'a, 'b> {
    ray: &'a FramedRay,
    t_max: f32,
    order: Order,
    visit: &'a mut Visit<'b>,
}

impl Visitor for Items<'_, '_> {
    #[inline(always)]
    fn order(&self) -> Order {
        self.order
    }

    #[inline(always)]
    fn visit(&mut self, item: u32, distance: f32, limit: f32) -> ControlFlow<(), f32> {
        let t_max = (self.visit)(item, self.ray.t_before(distance), self.t_max)?;
        if t_max == self.t_max {
            return ControlFlow::Continue(limit);
        }
        self.t_max = t_max;
        ControlFlow::Continue(self.ray.limit(t_max))
    }
}

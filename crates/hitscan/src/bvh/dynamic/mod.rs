//! The tree of scenes, which changes item by item: eight boxes in a node, one item in a leaf.
//!
//! Its boxes are in world coordinates minus `origin`, in f32, rounded outwards.

mod build;
mod insert;
mod near_items;
mod packet_traversal;
mod remove;
mod self_overlap;
mod swept_traversal;
mod treelet_rebuild;
#[cfg(test)]
mod validate;

use super::boxes::boxes;
pub(crate) use near_items::ItemTrees;
pub(crate) use packet_traversal::PacketItemVisitor;
pub(crate) use self_overlap::{BeforeRounding, BoxGap, CloseItems};

use super::builder::{Child, Link, WIDTH};
use super::bvh8::{self, root};
use super::node::{ChildSlot, Links, Node};
use super::normalized_space::NormalizedSpace;
use super::traverse::bvh_ray::BvhRay;
use super::traverse::ray_box_f64::Slack;
use super::traverse::ray_limits::FARTHEST_ORIGIN;
use super::traverse::single_ray::traverse_changing;
use super::traverse::visitor::{Order, Subtree, Visitor};
use super::{TreeStats, half_area};
use crate::collections::cow_vec::CowVec;
use crate::geom::aabb::{Aabb, Extent};
use crate::geom::ray::{LocalRay, RayInput};
use crate::math::dvec3_lanes::InLanes;
use crate::math::float::{ABOVE_ROUNDINGS, larger, largest, round_down, round_up, sum_down, sum_up};
use crate::simd::{Simd, dispatch};
use alloc::vec::Vec;
use core::ops::{ControlFlow, Index};
use glam::{DVec3, Vec3};

/// The tree. Its first node is the root, if there is any. A clone shares all pages that neither the clone nor the
/// original changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct DynamicBvh {
    nodes: CowVec<Node, NODES>,
    /// Unused nodes.
    free: Vec<u32>,
    /// The place of each item.
    places: CowVec<Option<ChildSlot>, PLACES>,
    /// The number of items.
    len: usize,
    origin: DVec3,
    /// An upper bound of the magnitude of every coordinate.
    reach: f32,
    /// The cost of the tree when it was last built, or a lower cost since.
    least_cost: f64,
    /// The number of changes since the last rebuild of a part, weighted by their prices.
    paid: u32,
    /// A measure of how little such rebuilds have improved the tree lately.
    patience: u32,
    /// The number of such rebuilds.
    mends: u32,
}

/// The numbers of nodes and of places in a page: 8 and 4 KiB.
pub(super) const NODES: usize = 32;
const PLACES: usize = 1024;

const ROOT: u32 = 0;

/// The smallest and the largest power of two that may be the unit of coordinates. The components of the inverse
/// direction of a ray, which are from 1 to 2^60, are divided by the unit. Within these limits, the quotients neither
/// underflow nor overflow.
const LEAST_UNIT: f32 = 1.0 / (1u128 << 64) as f32;
const LARGEST_UNIT: f32 = (1u128 << 124) as f32;

/// Handles each item that the ray may touch, given its number and two values of t. Before the first, if that is above 0, the ray does not hit the item. The
/// second is the largest t that matters. Returns the largest t that matters from now on, or stops.
pub(crate) type Visit<'a> = dyn FnMut(u32, f64, f32) -> ControlFlow<(), f32> + 'a;

/// Works as [`Visit`], but is inlined into the traversal of the tree and compiled for the instruction set in use.
/// So its functions must be `#[inline(always)]`.
pub(crate) trait ItemVisitor {
    fn order(&self) -> Order;

    /// Prefetches an item that is visited soon.
    fn prefetch(&self, item: u32);

    /// Visits an item as [`Visit`] does.
    fn visit<S: Simd>(&mut self, simd: S, item: u32, from: f64, limit: f32) -> ControlFlow<(), f32>;
}

impl DynamicBvh {
    /// Returns whether the tree can hold this extent.
    pub(crate) fn takes(extent: &Extent) -> bool {
        // The difference of two such numbers is within the largest unit.
        let most = DVec3::splat((LARGEST_UNIT / 4.0).into());
        let Extent { low, high } = *extent;
        low.cmple(high).all() && low.cmpge(-most).all() && high.cmple(most).all()
    }

    /// Returns a box around everything; empty for an empty tree.
    pub(crate) fn bounds(&self) -> Aabb {
        let bounds = root(&self.nodes).map_or(Aabb::EMPTY, Node::bounds);
        let DVec3 { x, y, z } = self.origin;
        let sum = |of: fn(f64, f64) -> f32, v: Vec3| Vec3::new(of(v.x.into(), x), of(v.y.into(), y), of(v.z.into(), z));
        if bounds.is_empty() { bounds } else { Aabb { min: sum(sum_down, bounds.min), max: sum(sum_up, bounds.max) } }
    }

    /// Returns an upper bound of the magnitudes of all coordinates in the tree.
    pub(crate) fn reach(&self) -> f64 {
        let bounds = root(&self.nodes).map_or(Aabb::EMPTY, Node::bounds);
        if bounds.is_empty() {
            return 0.0;
        }
        let [low, high] = [bounds.min, bounds.max].map(|corner| (corner.as_dvec3() + self.origin).abs());
        largest(low.max(high)) * ABOVE_ROUNDINGS
    }

    /// Returns the nodes, and the origin that their boxes are relative to.
    pub(super) fn rows(&self) -> (&CowVec<Node, NODES>, DVec3) {
        (&self.nodes, self.origin)
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn contains(&self, item: u32) -> bool {
        self.place_of(item).is_some()
    }

    pub(crate) fn stats(&self) -> TreeStats {
        let bytes = self.nodes.bytes() + self.free.capacity() * size_of::<u32>() + self.places.bytes();
        bvh8::stats(&self.nodes, bytes)
    }

    /// Returns the boxes down to a depth, each with its own depth, and the origin that they are relative to.
    pub(crate) fn boxes(&self, deepest: usize) -> (DVec3, Vec<(usize, Aabb)>) {
        (self.origin, boxes(&self.nodes, deepest))
    }

    /// Calls the visitor with every item that the ray may touch in its range, up to `t_max`. `slack` is the relative error of the ray's
    /// images, with which items are tested: see [`affine::Inverse`](crate::geom::affine::Inverse).
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn traverse(
        &self,
        ray: &LocalRay,
        t_max: f32,
        slack: f64,
        visitor: &mut impl ItemVisitor,
    ) -> ControlFlow<()> {
        dispatch!(simd => self.traverse_with(simd, ray, t_max, slack, visitor))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn traverse_with<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        t_max: f32,
        slack: f64,
        visitor: &mut impl ItemVisitor,
    ) -> ControlFlow<()> {
        let frame = NormalizedSpace::of_reach(self.unit());
        let relative = RelativeRay { ray, origin: &self.origin, t_max };
        let framed = match frame.near_ray(simd, relative, None, self.slack_of_near(slack)) {
            Some(framed) => framed,
            None => match Self::ray_from_afar(simd, frame, relative, Slack::of_images(slack, ray.origin)) {
                Some(framed) => framed,
                None => return ControlFlow::Continue(()),
            },
        };
        let ray = framed.for_boxes_scaled_by(frame.scale as f32);
        let mut items = ItemLeaves { simd, ray: &ray, t_max, visitor };
        traverse_changing(&self.nodes, simd, (&ray, Subtree::ROOT), ray.limit(t_max), &mut items)
    }

    /// Converts to the frame a ray that is not near, or that begins at a t other than 0.
    #[cold]
    #[inline(never)]
    fn ray_from_afar<S: Simd>(simd: S, frame: NormalizedSpace, ray: RelativeRay<'_>, slack: Slack) -> Option<BvhRay> {
        simd.vectorize(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || frame.ray_from_afar(simd, &ray.local(), slack),
        )
    }

    /// Returns the slack for images of any near ray. So box tests need not wait for the t at which this ray starts.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn slack_of_near(&self, slack: f64) -> Slack {
        let reach = largest(self.origin) + (FARTHEST_ORIGIN + 1.0) * f64::from(self.unit());
        Slack { relative: slack, padding: slack * reach }
    }

    /// Returns a power of two that no coordinate exceeds.
    fn unit(&self) -> f32 {
        // This uses only the exponent of `reach`, because rays wait for it.
        let double = (self.reach.to_bits() & f32::INFINITY.to_bits()) + f32::MIN_POSITIVE.to_bits();
        f32::from_bits(double.max(LEAST_UNIT.to_bits()))
    }

    /// Returns the box in the tree's coordinates.
    fn relative(&mut self, extent: &Extent) -> Aabb {
        let bounds = relative(self.origin, extent);
        self.reach = self.reach.max(reach(&bounds));
        bounds
    }

    /// Prefetches the data that a change of an item needs.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn prefetch(&self, item: u32) {
        if let Some(at) = self.place_of(item) {
            self.nodes.prefetch_change::<0, { size_of::<Node>() }>(at.node() as usize);
        }
    }

    /// Prefetches the data that the change needs next, once the first data has arrived.
    pub(crate) fn prefetch_parent(&self, item: u32) {
        if let Some(above) = self.place_of(item).and_then(|at| self.parent(at.node())) {
            self.nodes.prefetch_change::<0, { size_of::<Node>() }>(above.node() as usize);
        }
    }

    fn place_of(&self, item: u32) -> Option<ChildSlot> {
        self.places.get(item as usize).copied().flatten()
    }

    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn parent(&self, node: u32) -> Option<ChildSlot> {
        self.node(node).links.parent
    }

    fn count(&self, node: u32) -> usize {
        self.node(node).links.count.into()
    }

    fn child(&self, at: ChildSlot) -> Child {
        self.node(at.node()).child(at.index())
    }

    fn children(&self, node: u32) -> impl Iterator<Item = Child> {
        self.node(node).present_children()
    }

    /// Returns the height of the target of a link: 0 for an item.
    fn height(&self, link: Link) -> u16 {
        height(&self.nodes, link)
    }

    fn set_bounds(&mut self, at: ChildSlot, bounds: &Aabb) {
        self.node_mut(at.node()).set_bounds(at.index(), bounds);
    }

    /// Stores a child at a place, which replaces another child or follows the last one.
    fn put(&mut self, at: ChildSlot, child: &Child) {
        self.node_mut(at.node()).set_child(at.index(), child);
        match child.link {
            Link::Leaf(item) => self.places[item as usize] = Some(at),
            Link::Node(node) => self.node_mut(node).links.parent = Some(at),
        }
    }

    fn push(&mut self, node: u32, child: &Child) {
        self.put(ChildSlot::new(node, self.count(node)), child);
        self.node_mut(node).links.count += 1;
    }

    /// Makes a node that has these children, but is not in the tree yet.
    fn new_node(&mut self, children: &[Child]) -> Child {
        let node = self.vacant();
        self.fill(node, children);
        Child { bounds: self.node(node).bounds(), link: Link::Node(node) }
    }

    /// Returns an unused number for a new node.
    fn vacant(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.nodes.push(Node::default());
            self.nodes.len() as u32 - 1
        })
    }

    /// Sets the children of a node to only these.
    fn fill<'a>(&mut self, node: u32, children: impl IntoIterator<Item = &'a Child>) {
        let parent = self.parent(node);
        let links = Links { parent, ..Links::default() };
        *self.node_mut(node) = Node { links, ..Node::default() };
        children.into_iter().for_each(|child| self.push(node, child));
        self.node_mut(node).links.height = height_of(&self.nodes, node);
        self.choose(node);
    }

    /// Marks the current children of a node as chosen.
    fn choose(&mut self, node: u32) {
        self.node_mut(node).links.chosen_area = half_area(&self.node(node).bounds()) as f32;
    }

    /// Updates heights and boxes above a node after its children were changed.
    fn refit_upwards(&mut self, node: u32) {
        let mut changed = Some(node);
        while let Some(node) = changed {
            let height = height_of(&self.nodes, node);
            let links = self.node(node).links;
            // Nothing above depends on any other property.
            if links.height == height && links.parent.is_some() {
                break;
            }
            self.node_mut(node).links.height = height;
            changed = links.parent.map(ChildSlot::node);
        }
        self.refit_boxes_upwards(node);
    }

    /// Updates the boxes above a node.
    fn refit_boxes_upwards(&mut self, mut node: u32) {
        loop {
            let bounds = self.node(node).bounds();
            let Some(at) = self.parent(node) else {
                // This box contains every item.
                self.reach = reach(&bounds);
                return;
            };
            if bounds == self.node(at.node()).child_bounds(at.index()) {
                return;
            }
            self.set_bounds(at, &bounds);
            node = at.node();
        }
    }
}

/// A ray in coordinates relative to an origin, with its own `t_max`.
#[derive(Clone, Copy)]
struct RelativeRay<'a> {
    ray: &'a LocalRay,
    origin: &'a DVec3,
    t_max: f32,
}

impl RayInput for RelativeRay<'_> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn local(self) -> LocalRay {
        LocalRay { origin: self.ray.origin - *self.origin, t_max: self.t_max, ..*self.ray }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn range(self) -> [f32; 2] {
        [self.ray.t_min, self.t_max]
    }

    /// The bits equal the bits of [`local`](Self::local), because the operations are the same.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn scaled<S: Simd>(self, simd: S, scale: f64) -> [InLanes<S>; 2] {
        let [origin, direction] = self.ray.in_lanes(simd);
        [(origin - InLanes::new(simd, *self.origin)) * scale, direction * scale]
    }
}

/// Returns the box in coordinates relative to an origin, rounded outwards.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn relative(origin: DVec3, extent: &Extent) -> Aabb {
    if origin == DVec3::ZERO {
        // The result is the same as below, but saves the time of the sums. Adding 0 makes +0 of -0.
        let rounded = |of: fn(f64) -> f32, v: DVec3| Vec3::new(of(v.x), of(v.y), of(v.z)) + 0.0;
        return Aabb { min: rounded(round_down, extent.low), max: rounded(round_up, extent.high) };
    }
    let DVec3 { x, y, z } = -origin;
    let sum = |of: fn(f64, f64) -> f32, v: DVec3| Vec3::new(of(v.x, x), of(v.y, y), of(v.z, z));
    Aabb { min: sum(sum_down, extent.low), max: sum(sum_up, extent.high) }
}

/// Returns the largest magnitude of a coordinate; 0 for nothing.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn reach(bounds: &Aabb) -> f32 {
    let largest = |v: Vec3| larger(larger(v.x.abs(), v.y.abs()), v.z.abs());
    if bounds.is_empty() { 0.0 } else { larger(largest(bounds.min), largest(bounds.max)) }
}

/// Returns the height of the target of a link: 0 for an item.
fn height(nodes: &impl Index<usize, Output = Node>, link: Link) -> u16 {
    match link {
        Link::Leaf(_) => 0,
        Link::Node(node) => nodes[node as usize].links.height,
    }
}

/// Returns the height of a node, from the heights of its children.
fn height_of(nodes: &impl Index<usize, Output = Node>, node: u32) -> u16 {
    let tallest = nodes[node as usize].present_children().map(|child| height(nodes, child.link)).max();
    1 + tallest.unwrap_or(0)
}

/// Forwards all items to a closure, and prefetches to another.
pub(crate) struct ItemAdapter<'a, 'b, A> {
    pub(crate) order: Order,
    pub(crate) prefetch: A,
    pub(crate) visit: &'a mut Visit<'b>,
}

impl<A: Fn(u32)> ItemVisitor for ItemAdapter<'_, '_, A> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        self.order
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(&self, item: u32) {
        (self.prefetch)(item);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit<S: Simd>(&mut self, _: S, item: u32, from: f64, limit: f32) -> ControlFlow<(), f32> {
        (self.visit)(item, from, limit)
    }
}

struct ItemLeaves<'a, S, V> {
    simd: S,
    ray: &'a BvhRay,
    t_max: f32,
    visitor: &'a mut V,
}

impl<S: Simd, V: ItemVisitor> Visitor for ItemLeaves<'_, S, V> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        self.visitor.order()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(&self, item: u32) {
        self.visitor.prefetch(item);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, item: u32, distance: f32, limit: f32) -> ControlFlow<(), f32> {
        let t_max = self.visitor.visit(self.simd, item, self.ray.t_before(distance), self.t_max)?;
        if t_max == self.t_max {
            return ControlFlow::Continue(limit);
        }
        self.t_max = t_max;
        ControlFlow::Continue(self.ray.limit(t_max))
    }
}

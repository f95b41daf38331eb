//! The tree that rays go through: eight boxes a node, tested at once, conservatively, in f32.
//!
//! Its coordinates are those of a [`Frame`]: the mesh's, times a power of two, so that none is above 1.

use super::builder::{self, Child, Link, Output, Primitives, Quality, WIDTH, WideTree};
use super::frame::FramedRay;
use super::pending::{Beyond, Pending, Room};
use super::{TreeStats, half_area};
use crate::aabb::Aabb;
use crate::float::{larger, smaller};
use crate::paged::Paged;
use crate::simd::{Axes, Halves, LaneSet, Simd, SimdBase, SimdFloat, anew, f32x8, load, prefetch, splat};
use alloc::vec::Vec;
use core::fmt;
use core::hint::select_unpredictable;
use core::marker::PhantomData;
use core::num::NonZero;
use core::ops::ControlFlow;
use glam::Vec3;

/// In which order leaves are visited.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Roughly.
    NearToFar,
    /// Which is faster where the limit does not change.
    Any,
    /// As `Any`, without being told how far leaves are: distances mean nothing.
    Blind,
}

impl Order {
    /// Of two children's keys, in the order in which they are visited.
    #[inline(always)]
    fn of(self, a: u64, b: u64) -> [u64; 2] {
        match self {
            Self::NearToFar => [a.min(b), a.max(b)],
            Self::Any | Self::Blind => [a, b],
        }
    }

    /// Takes the place that goes onto the stack next off these. For any hit it is the last one, so that they are visited in the order of the
    /// node, which the builder has chosen for that.
    #[inline(always)]
    pub(super) fn take(self, places: &mut LaneSet) -> Option<usize> {
        match self {
            Self::NearToFar => places.take_first(),
            Self::Any | Self::Blind => places.take_last(),
        }
    }

    /// Distance and child of a place. Distances are not negative, nor -0, which offsets keep every sum from being: so their bits are
    /// ordered as they are.
    #[inline(always)]
    fn key(self, distances: &[f32; WIDTH], children: &[u32; WIDTH], place: usize) -> u64 {
        let place = place % WIDTH;
        let child = u64::from(children[place]);
        match self {
            Self::NearToFar | Self::Any => u64::from(distances[place].to_bits()) << 32 | child,
            Self::Blind => child,
        }
    }
}

/// A node with all that is below it, or a leaf.
#[derive(Clone, Copy)]
pub(crate) struct Subtree(pub(super) u32);

impl Subtree {
    pub(super) const ROOT: Self = Self(0);
}

/// Where leaves are in memory, and how many bytes each has.
pub(crate) type LeafRow = (*const u8, usize);

/// What is done at the leaves. Its function must be `#[inline(always)]`, or it is not compiled for the instruction set in use.
pub(crate) trait Visitor {
    fn order(&self) -> Order;

    /// Where the leaves are in memory, if they lie in one row.
    #[inline(always)]
    fn leaves(&self) -> LeafRow {
        (core::ptr::null(), 0)
    }

    /// Has a leaf brought that will be visited soon, if they do not.
    fn announce(&self, _leaf: u32) {}

    /// Called before what the ray enters at this distance is looked at, unless it is the nearest child of a node, if nearer leaves come first: the largest
    /// distance that matters from now on, at most `limit`.
    #[inline(always)]
    fn before(&mut self, _distance: f32, limit: f32) -> f32 {
        limit
    }

    /// The largest distance that matters from now on, at most `limit`; or the end. `distance` is where the ray may enter the leaf's box, or
    /// before.
    fn visit(&mut self, leaf: u32, distance: f32, limit: f32) -> ControlFlow<(), f32>;
}

/// Set in a child that is a leaf.
pub(super) const LEAF: u32 = 1 << 31;

/// A child in a node.
fn encode(link: Link) -> u32 {
    match link {
        Link::Node(number) => number,
        Link::Leaf(number) => number | LEAF,
    }
}

pub(super) fn decode(child: u32) -> Link {
    if child & LEAF == 0 { Link::Node(child) } else { Link::Leaf(child & !LEAF) }
}

/// By axis, lower and upper plane, child. A place without a child has a box that no ray enters.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Node {
    pub(super) bounds: [[f32; 2 * WIDTH]; 3],
    pub(super) children: [u32; WIDTH],
    /// What only trees that change need, in room that is there anyway.
    pub(super) links: Links,
}

const _: () = assert!(size_of::<Node>() == 256);

/// How a node hangs in a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Links {
    /// `None` for the root.
    pub(super) parent: Option<Place>,
    /// How many children, which are the first ones.
    pub(super) count: u16,
    /// Edges to its lowest item.
    pub(super) height: u16,
    /// Half the area of its box when its children were last chosen: what moves within it since may make it larger.
    pub(super) chosen_area: f32,
}

/// A child's place in a node, of which there are not more than 2^29: they would take 128 GiB.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place(NonZero<u32>);

impl Place {
    pub(super) fn new(node: u32, index: usize) -> Self {
        Self(NonZero::<u32>::MIN.saturating_add(node * WIDTH as u32 + index as u32))
    }

    pub(super) fn node(self) -> u32 {
        (self.0.get() - 1) / WIDTH as u32
    }

    pub(super) fn index(self) -> usize {
        (self.0.get() - 1) as usize % WIDTH
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "child {} of {}", self.index(), self.node())
    }
}

impl Default for Node {
    fn default() -> Self {
        let empty = core::array::from_fn(|i| if i < WIDTH { f32::INFINITY } else { f32::NEG_INFINITY });
        Self { bounds: [empty; 3], children: [0; WIDTH], links: Links::default() }
    }
}

impl Node {
    pub(super) fn child(&self, place: usize) -> Child {
        Child { bounds: self.child_bounds(place), link: decode(self.children[place]) }
    }

    /// Of a node that counts them.
    pub(super) fn present_children(&self) -> impl Iterator<Item = Child> {
        (0..self.links.count.into()).map(|place| self.child(place))
    }

    /// `None` for a place without a child.
    pub(super) fn link(&self, place: usize) -> Option<Link> {
        let x = &self.bounds[0];
        (x[place] <= x[WIDTH + place]).then_some(decode(self.children[place]))
    }

    pub(super) fn set_child(&mut self, place: usize, child: &Child) {
        self.children[place] = encode(child.link);
        self.set_bounds(place, &child.bounds);
    }

    pub(super) fn set_bounds(&mut self, place: usize, bounds: &Aabb) {
        for axis in 0..3 {
            self.bounds[axis][place] = bounds.min[axis];
            self.bounds[axis][WIDTH + place] = bounds.max[axis];
        }
    }

    /// Empty for a place without a child.
    pub(super) fn child_bounds(&self, place: usize) -> Aabb {
        // Not by `array::map`, which copies all planes onto the stack: where that lies across cache lines finding pairs took twice as long.
        let [x, y, z] = &self.bounds;
        let side = |plane: usize| Vec3::new(x[plane], y[plane], z[plane]);
        Aabb { min: side(place), max: side(WIDTH + place) }
    }

    /// The boxes of the leaves among its children.
    pub(super) fn leaves(&self) -> impl Iterator<Item = Aabb> {
        let is_leaf = |&place: &usize| matches!(self.link(place), Some(Link::Leaf(_)));
        (0..WIDTH).filter(is_leaf).map(|place| self.child_bounds(place))
    }

    /// Around all children.
    pub(super) fn bounds(&self) -> Aabb {
        let [x, y, z] = &self.bounds;
        let low = |axis| fold(axis, 0, smaller);
        let high = |axis| fold(axis, WIDTH, larger);
        Aabb { min: Vec3::new(low(x), low(y), low(z)), max: Vec3::new(high(x), high(y), high(z)) }
    }
}

/// The lower planes of an axis, from 0 on, or the upper ones, from [`WIDTH`] on.
#[inline(always)]
pub(super) fn planes(axis: &[f32; 2 * WIDTH], first: usize) -> &[f32] {
    &axis[first & WIDTH..][..WIDTH]
}

/// Of the planes from `first` on, half by half, which compilers make vectors of, but not of `array::map`, which they call.
#[inline(always)]
fn fold(axis: &[f32; 2 * WIDTH], first: usize, of_two: impl Fn(f32, f32) -> f32) -> f32 {
    let pair = |place: usize| of_two(axis[first + place], axis[first + place + 4]);
    let four = [pair(0), pair(1), pair(2), pair(3)];
    of_two(of_two(four[0], four[2]), of_two(four[1], four[3]))
}

/// The tree; the first node is the root, if there is any.
#[derive(Clone, Debug, Default)]
pub(crate) struct WideBvh {
    pub(super) nodes: Vec<Node>,
}

impl WideBvh {
    /// Over primitives in a frame's coordinates. Also what `make_leaf` makes of the items of each leaf, in the order of the leaves' numbers.
    pub(crate) fn build<L: Send>(
        primitives: &impl Primitives,
        quality: Quality,
        make_leaf: impl Fn(&[u32]) -> L + Sync,
    ) -> (Self, Vec<L>) {
        let WideTree { nodes, leaves } =
            builder::build(primitives, quality, &Packing { primitives, make_leaf, leaf: PhantomData });
        (Self { nodes }, leaves)
    }

    pub(crate) fn stats(&self) -> TreeStats {
        stats(&self.nodes[..], size_of_val(&self.nodes[..]))
    }

    /// Shows the visitor each leaf whose box the ray may touch before the limit.
    #[inline(always)]
    pub(crate) fn traverse<S: Simd, V: Visitor>(
        &self,
        simd: S,
        ray: &FramedRay,
        limit: f32,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        self.traverse_below(simd, ray, Subtree::ROOT, limit, visitor)
    }

    /// [`traverse`](Self::traverse) of a part of the tree.
    #[inline(always)]
    pub(crate) fn traverse_below<S: Simd, V: Visitor>(
        &self,
        simd: S,
        ray: &FramedRay,
        top: Subtree,
        limit: f32,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let nodes = &self.nodes[..];
        if nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let lanes = RayLanes::new(simd, ray);
        let next = Next { child: top.0, distance: 0.0 };
        let mut room = Room::new();
        let pending = Pending::bounded(room.stack());
        // A loop for each: where neither this is asked nor whether there is room for what is pending, rays are 2 to 4 % faster; without one of these
        // questions alone 0 to 2 %.
        if nodes.len() > CACHED_NODES {
            finish(nodes, &lanes, Ahead::Kept(visitor.leaves()), next, pending, limit, visitor)
        } else {
            finish(nodes, &lanes, Ahead::Nothing, next, pending, limit, visitor)
        }
    }
}

/// What is brought before it is needed.
#[derive(Clone, Copy)]
pub(super) enum Ahead {
    Nothing,
    /// What is kept for later, given where the leaves are.
    Kept(LeafRow),
}

/// Where the nodes of a tree are, by their numbers; the first one is the root.
pub(super) trait Nodes<'a>: Copy {
    fn len(self) -> usize;

    fn node(self, number: u32) -> &'a Node;

    /// `None` for a leaf.
    fn get(self, child: u32) -> Option<&'a Node>;

    /// Has a child brought that is kept for later.
    fn announce<V: Visitor>(self, child: u32, leaves: LeafRow, visitor: &V);
}

impl<'a> Nodes<'a> for &'a [Node] {
    #[inline(always)]
    fn len(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn node(self, number: u32) -> &'a Node {
        &self[number as usize]
    }

    #[inline(always)]
    fn get(self, child: u32) -> Option<&'a Node> {
        <[Node]>::get(self, child as usize)
    }

    #[inline(always)]
    fn announce<V: Visitor>(self, child: u32, leaves: LeafRow, _: &V) {
        announce(self, leaves, child);
    }
}

impl<'a, const PAGE: usize> Nodes<'a> for &'a Paged<Node, PAGE> {
    #[inline(always)]
    fn len(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn node(self, number: u32) -> &'a Node {
        &self[number as usize]
    }

    #[inline(always)]
    fn get(self, child: u32) -> Option<&'a Node> {
        self.in_page(child as usize)
    }

    #[inline(always)]
    fn announce<V: Visitor>(self, child: u32, _: LeafRow, visitor: &V) {
        // Nodes too was no faster, with 100,000 leaves either.
        if let Link::Leaf(leaf) = decode(child) {
            visitor.announce(leaf);
        }
    }
}

/// Shows the visitor each leaf of a tree that changes, in which any number of subtrees may be pending, whose box the ray may touch before the limit.
#[inline(always)]
pub(super) fn traverse_changing<'a, N: Nodes<'a>, S: Simd, V: Visitor>(
    nodes: N,
    simd: S,
    ray: &FramedRay,
    limit: f32,
    visitor: &mut V,
) -> ControlFlow<()> {
    if nodes.len() == 0 {
        return ControlFlow::Continue(());
    }
    let lanes = RayLanes::new(simd, ray);
    let next = Next { child: Subtree::ROOT.0, distance: 0.0 };
    let (mut room, mut beyond) = (Room::new(), Vec::new());
    finish(
        nodes,
        &lanes,
        Ahead::Kept(visitor.leaves()),
        next,
        Pending::unbounded(room.stack(), &mut beyond),
        limit,
        visitor,
    )
}

/// Steps until nothing is left.
#[inline(always)]
fn finish<'a, N: Nodes<'a>, S: Simd, V: Visitor>(
    nodes: N,
    lanes: &RayLanes<S>,
    ahead: Ahead,
    mut next: Next,
    mut pending: Pending<'_, u64, impl Beyond<u64>>,
    mut limit: f32,
    visitor: &mut V,
) -> ControlFlow<()> {
    while let Some(found) = step(nodes, lanes, ahead, next, &mut pending, &mut limit, visitor)? {
        next = found;
    }
    ControlFlow::Continue(())
}

/// Tests a node's boxes or visits a leaf; answers what is next, if anything is left.
#[inline(always)]
pub(super) fn step<'a, N: Nodes<'a>, S: Simd, V: Visitor>(
    nodes: N,
    lanes: &RayLanes<S>,
    ahead: Ahead,
    Next { child, distance }: Next,
    pending: &mut Pending<'_, u64, impl Beyond<u64>>,
    limit: &mut f32,
    visitor: &mut V,
) -> ControlFlow<(), Option<Next>> {
    let order = visitor.order();
    // A child that is a leaf has a number that no node has.
    if let Some(node) = nodes.get(child) {
        // Which of them are needed is known last: they come while the boxes are tested.
        prefetch::<{ size_of::<[u32; WIDTH]>() }>(node.children.as_ptr().cast());
        let (mut hits, distances) = lanes.enter(node, *limit);
        if let Some(first) = hits.take_first() {
            let Some(second) = order.take(&mut hits) else {
                return ControlFlow::Continue(Some(Next { child: node.children[first], distance: distances[first] }));
            };
            pending.make_room();
            let stack = &mut pending.stack;
            let base = stack.len();
            let key = |place: usize| order.key(&distances, &node.children, place);
            let [a, b] = [key(first), key(second)];
            let next = match order.take(&mut hits) {
                None => {
                    // By a branch: which of two is nearer is foreseen more often than not, and what is next need not wait for both distances then.
                    let (next, other) = if order == Order::NearToFar && b < a {
                        unlikely();
                        (second, a)
                    } else {
                        (first, b)
                    };
                    stack.push(other);
                    Next { child: node.children[next], distance: distances[next] }
                }
                Some(third) => {
                    let [nearest, further] = order.of(a, b);
                    let [mut nearest, other] = order.of(nearest, key(third));
                    let [sooner, later] = order.of(other, further);
                    stack.push(later);
                    stack.push(sooner);
                    while let Some(place) = order.take(&mut hits) {
                        let other;
                        [nearest, other] = order.of(nearest, key(place));
                        stack.push(other);
                        if order == Order::NearToFar {
                            stack.sink(base);
                        }
                    }
                    Next::of(nearest)
                }
            };
            if let Ahead::Kept(leaves) = ahead {
                // By places: by an iterator over keys single rays took 1 % more instructions.
                for place in base..stack.len() {
                    nodes.announce(stack.get(place).unwrap_or(0) as u32, leaves, visitor);
                }
            }
            return ControlFlow::Continue(Some(next));
        }
    } else {
        *limit = visitor.visit(child & !LEAF, distance, *limit)?;
    }
    loop {
        let Some(key) = pending.pop() else { return ControlFlow::Continue(None) };
        if order == Order::NearToFar {
            *limit = visitor.before(distance_of(key), *limit);
        }
        if order != Order::NearToFar || key <= last_key(*limit) {
            return ControlFlow::Continue(Some(Next::of(key)));
        }
    }
}

/// Makes what is done under a condition a branch.
#[cold]
#[inline(always)]
fn unlikely() {}

/// What is looked at next, and where the ray may enter it, or before.
// Not a key: a node's place must not wait for the distance, which is stored and read back.
#[derive(Clone, Copy)]
pub(super) struct Next {
    pub(super) child: u32,
    pub(super) distance: f32,
}

impl Next {
    #[inline(always)]
    fn of(key: u64) -> Self {
        Self { child: key as u32, distance: distance_of(key) }
    }
}

/// `None` of an empty tree.
pub(super) fn root<'a>(nodes: impl Nodes<'a>) -> Option<&'a Node> {
    if nodes.len() > 0 { Some(nodes.node(0)) } else { None }
}

/// Of a tree that takes so many bytes.
pub(super) fn stats<'a>(nodes: impl Nodes<'a>, bytes: usize) -> TreeStats {
    let mut stats = TreeStats { bytes, ..TreeStats::default() };
    let mut area = 0.0;
    let mut stack = Vec::new();
    stack.extend(root(nodes).map(|root| (root, 0)));
    while let Some((node, depth)) = stack.pop() {
        stats.nodes += 1;
        for child in (0..WIDTH).map(|place| node.child(place)).filter(|child| !child.bounds.is_empty()) {
            area += half_area(&child.bounds);
            stats.depth = stats.depth.max(depth + 1);
            match child.link {
                Link::Leaf(_) => stats.leaves += 1,
                Link::Node(below) => stack.push((nodes.node(below), depth + 1)),
            }
        }
    }
    let root = root(nodes).map_or(0.0, |root| half_area(&root.bounds()));
    stats.expected_visits = if root > 0.0 { 1.0 + area / root } else { (stats.nodes + stats.leaves) as f64 };
    stats
}

/// As many are likely to be in the processor's own cache, together with their leaves: for fewer, prefetching costs 2 to 5 %.
pub(super) const CACHED_NODES: usize = 8192;

const NODE_BOUNDS: usize = size_of::<[[f32; 2 * WIDTH]; 3]>();

/// Has a child brought of a tree whose nodes and leaves are in two rows. Not by a branch: which children are leaves is
/// hard to foresee.
#[inline(always)]
pub(super) fn announce(nodes: &[Node], (leaves, leaf_bytes): LeafRow, child: u32) {
    let (array, bytes) =
        select_unpredictable(child & LEAF != 0, (leaves, leaf_bytes), (nodes.as_ptr().cast(), size_of::<Node>()));
    let start = array.wrapping_add((child & !LEAF) as usize * bytes);
    // Of a leaf, which has six lines, not all: that took 1 to 2 % longer.
    prefetch::<NODE_BOUNDS>(start);
    // A leaf begins anywhere in a line, and then ends in another one.
    prefetch::<1>(start.wrapping_add(bytes).wrapping_sub(1));
}

/// The last key up to this distance; above all keys if that is negative or NaN.
#[inline(always)]
fn last_key(distance: f32) -> u64 {
    u64::from(distance.to_bits()) << 32 | u64::from(u32::MAX)
}

#[inline(always)]
fn distance_of(key: u64) -> f32 {
    f32::from_bits((key >> 32) as u32)
}

/// What the builder's nodes and leaves become.
struct Packing<'a, P, L, F> {
    primitives: &'a P,
    make_leaf: F,
    leaf: PhantomData<fn() -> L>,
}

impl<P: Primitives, L: Send, F: Fn(&[u32]) -> L + Sync> Output for Packing<'_, P, L, F> {
    type Node = Node;
    type Leaf = L;
    const LEAF_SIZE: usize = builder::LEAF_SIZE;

    fn node(&self, children: &[Child]) -> Node {
        let mut node = Node::default();
        for (place, child) in children.iter().enumerate().take(WIDTH) {
            node.set_child(place, child);
        }
        node
    }

    fn announce(&self, items: &[u32]) {
        items.iter().for_each(|&item| self.primitives.announce(item));
    }

    fn announce_rest(&self, items: &[u32]) {
        items.iter().for_each(|&item| self.primitives.announce_rest(item));
    }

    fn leaf(&self, items: &[u32]) -> L {
        (self.make_leaf)(items)
    }
}

/// What box tests need of a ray.
pub(super) struct RayLanes<S: Simd> {
    simd: S,
    slopes: Slopes,
    near_offset: Axes<f32x8<S>>,
    far_offset: Axes<f32x8<S>>,
}

/// What takes no longer to load into all lanes, or to look planes up by, than it would take as vectors, which would be stored first.
struct Slopes {
    inverse: [f32; 4],
    /// Which planes of each axis are entered, and which are left.
    near: Halves,
    far: Halves,
}

impl<S: Simd> RayLanes<S> {
    /// Of no ray.
    pub(super) fn none(simd: S) -> Self {
        let zero = [f32x8::splat(simd, 0.0); 3];
        let slopes = Slopes { inverse: [0.0; 4], near: Halves::LOWER, far: Halves::LOWER };
        Self { simd, slopes, near_offset: zero, far_offset: zero }
    }

    #[inline(always)]
    pub(super) fn new(simd: S, ray: &FramedRay) -> Self {
        let slopes = Slopes { inverse: ray.inverse, near: ray.near, far: ray.near.others(simd) };
        Self { simd, slopes, near_offset: splat(simd, ray.near_offset), far_offset: splat(simd, ray.far_offset) }
    }

    /// Which children the ray may touch before `limit`, and from where on.
    #[inline(always)]
    fn enter(&self, node: &Node, limit: f32) -> (LaneSet, [f32; WIDTH]) {
        self.simd.shared(
            #[inline(always)]
            || {
                let simd = self.simd;
                let slopes = anew(simd, &self.slopes);
                let inverse = splat(simd, slopes.inverse);
                let near = distances(self.planes(node, &slopes.near), &inverse, &self.near_offset);
                let far = distances(self.planes(node, &slopes.far), &inverse, &self.far_offset);
                let enter = near[0].max(near[1]).max(near[2].max(f32x8::splat(simd, 0.0)));
                let leave = far[0].min(far[1]).min(far[2].min(f32x8::splat(simd, limit)));
                let hits = LaneSet::of(simd, enter.simd_le(leave));
                let mut distances = [0.0; WIDTH];
                enter.store_slice(&mut distances);
                (hits, distances)
            },
        )
    }

    /// The lower or upper planes of each axis.
    #[inline(always)]
    fn planes(&self, Node { bounds: [x, y, z], .. }: &Node, which: &Halves) -> Axes<f32x8<S>> {
        load(self.simd, [which.of::<0>(x), which.of::<1>(y), which.of::<2>(z)])
    }
}

#[inline(always)]
pub(super) fn distances<S: Simd>(
    planes: Axes<f32x8<S>>,
    inverse: &Axes<f32x8<S>>,
    offset: &Axes<f32x8<S>>,
) -> Axes<f32x8<S>> {
    [
        planes[0].mul_add(inverse[0], offset[0]),
        planes[1].mul_add(inverse[1], offset[1]),
        planes[2].mul_add(inverse[2], offset[2]),
    ]
}

//! The tree that rays go through: eight boxes a node, tested at once, conservatively, in f32.
//!
//! Its coordinates are those of a [`Frame`]: the mesh's, times a power of two, so that none is above 1.

use super::builder::{self, Child, Link, Output, Primitives, Quality, WIDTH, WideTree};
use super::frame::FramedRay;
use super::{TreeStats, half_area};
use crate::aabb::Aabb;
use crate::float::{larger, smaller};
use crate::simd::{Axes, Simd, SimdBase, SimdFloat, SimdMask, f32x8, load, prefetch, splat};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::Vec3;

/// In which order leaves are visited.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Roughly.
    NearToFar,
    /// Which is faster where the limit does not change.
    Any,
}

/// A node with all that is below it, or a leaf.
#[derive(Clone, Copy)]
pub(crate) struct Subtree(pub(super) u32);

impl Subtree {
    pub(super) const ROOT: Self = Self(0);
}

/// What is done at the leaves. Its function must be `#[inline(always)]`, or it is not compiled for the instruction set in use.
pub(crate) trait Visitor {
    fn order(&self) -> Order;

    /// A leaf that is likely to be visited.
    #[inline(always)]
    fn announce(&self, leaf: u32) {
        let _ = leaf;
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

/// By axis, lower and upper plane, child. A place without a child has a box that no ray enters.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Node {
    pub(super) bounds: [[[f32; WIDTH]; 2]; 3],
    pub(super) children: [u32; WIDTH],
}

impl Default for Node {
    fn default() -> Self {
        let empty = [[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]];
        Self { bounds: [empty; 3], children: [0; WIDTH] }
    }
}

impl Node {
    pub(super) fn child(&self, place: usize) -> Child {
        let number = self.children[place];
        let link = if number & LEAF == 0 { Link::Node(number) } else { Link::Leaf(number & !LEAF) };
        Child { bounds: self.child_bounds(place), link }
    }

    pub(super) fn set_child(&mut self, place: usize, child: &Child) {
        self.children[place] = encode(child.link);
        self.set_bounds(place, &child.bounds);
    }

    pub(super) fn set_bounds(&mut self, place: usize, bounds: &Aabb) {
        for axis in 0..3 {
            self.bounds[axis][0][place] = bounds.min[axis];
            self.bounds[axis][1][place] = bounds.max[axis];
        }
    }

    /// Empty for a place without a child.
    pub(super) fn child_bounds(&self, place: usize) -> Aabb {
        let side = |side: usize| Vec3::from_array(self.bounds.map(|axis| axis[side][place]));
        Aabb { min: side(0), max: side(1) }
    }

    /// Around all children.
    pub(super) fn bounds(&self) -> Aabb {
        let [x, y, z] = &self.bounds;
        Aabb {
            min: Vec3::new(fold(&x[0], smaller), fold(&y[0], smaller), fold(&z[0], smaller)),
            max: Vec3::new(fold(&x[1], larger), fold(&y[1], larger), fold(&z[1], larger)),
        }
    }
}

/// Half by half, which compilers make vectors of.
#[inline(always)]
fn fold(v: &[f32; WIDTH], of_two: impl Fn(f32, f32) -> f32) -> f32 {
    let four = [0, 1, 2, 3].map(|i| of_two(v[i], v[i + 4]));
    of_two(of_two(four[0], four[2]), of_two(four[1], four[3]))
}

/// The tree; the first node is the root, if there is any.
#[derive(Clone, Debug, Default)]
pub(crate) struct WideBvh {
    pub(super) nodes: Vec<Node>,
}

impl WideBvh {
    /// Over primitives in a frame's coordinates. Also what `make_leaf` makes of the items of each leaf, in the order of the leaves'
    /// numbers.
    pub(crate) fn build<L: Clone + Default + Send>(
        primitives: &impl Primitives,
        quality: Quality,
        make_leaf: impl Fn(&[u32]) -> L + Sync,
    ) -> (Self, Vec<L>) {
        let WideTree { nodes, leaves } = builder::build(primitives, quality, &Nodes { make_leaf });
        (Self { nodes }, leaves)
    }

    pub(crate) fn stats(&self) -> TreeStats {
        let mut stats = TreeStats { bytes: size_of_val(&self.nodes[..]), ..TreeStats::default() };
        let mut area = 0.0;
        let mut stack = Vec::new();
        stack.extend(self.nodes.first().map(|root| (root, 0)));
        while let Some((node, depth)) = stack.pop() {
            stats.nodes += 1;
            for child in (0..WIDTH).map(|place| node.child(place)).filter(|child| !child.bounds.is_empty()) {
                area += half_area(&child.bounds);
                stats.depth = stats.depth.max(depth + 1);
                match child.link {
                    Link::Leaf(_) => stats.leaves += 1,
                    Link::Node(below) => stack.push((&self.nodes[below as usize], depth + 1)),
                }
            }
        }
        let root = self.nodes.first().map_or(0.0, |root| half_area(&root.bounds()));
        stats.expected_visits = if root > 0.0 { 1.0 + area / root } else { (stats.nodes + stats.leaves) as f64 };
        stats
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
        Subtree(top): Subtree,
        mut limit: f32,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let nodes = self.nodes.as_slice();
        if nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let lanes = RayLanes::new(simd, ray);
        // Two variables, not one struct: the length stays in a register.
        let (mut stack, mut len) = ([0; INLINE_STACK], 0);
        let mut spilled = Vec::new();
        let is_large = nodes.len() > CACHED_NODES;
        let order = visitor.order();
        let mut next = u64::from(top);
        loop {
            let child = next as u32;
            if child & LEAF == 0 {
                let node = &nodes[child as usize];
                let (mut hits, distances) = lanes.enter(node, limit);
                if hits != 0 {
                    let mut first = key(&distances, &node.children, &mut hits);
                    if hits != 0 {
                        if len > INLINE_STACK - WIDTH {
                            len = spill(&stack, len, &mut spilled);
                        }
                        let base = len;
                        while hits != 0 {
                            let mut other = key(&distances, &node.children, &mut hits);
                            if is_large {
                                announce(nodes, visitor, other as u32);
                            }
                            if order == Order::NearToFar && other < first {
                                core::mem::swap(&mut other, &mut first);
                            }
                            stack[len % INLINE_STACK] = other;
                            len += 1;
                        }
                        if order == Order::NearToFar && len > base + 1 {
                            sort_falling(&mut stack, base, len);
                        }
                    }
                    next = first;
                    continue;
                }
            } else {
                limit = visitor.visit(child & !LEAF, distance_of(next), limit)?;
            }
            loop {
                if len == 0 {
                    if spilled.is_empty() {
                        return ControlFlow::Continue(());
                    }
                    len = refill(&mut stack, &mut spilled);
                }
                len -= 1;
                let key: u64 = stack[len % INLINE_STACK];
                if order == Order::Any || distance_of(key) <= limit {
                    next = key;
                    break;
                }
            }
        }
    }
}

/// As many are likely to be in the processor's own cache, together with their leaves: for fewer, prefetching costs 2 to 5 %.
pub(super) const CACHED_NODES: usize = 8192;

/// Has a child brought while the nearest one is dealt with.
#[inline(always)]
fn announce(nodes: &[Node], visitor: &impl Visitor, child: u32) {
    if child & LEAF == 0 {
        nodes.get(child as usize).into_iter().for_each(prefetch);
    } else {
        visitor.announce(child & !LEAF);
    }
}

/// Subtrees to come back to are kept on the program's stack up to this many, as in a tree of ordinary depth, then in a Vec.
pub(super) const INLINE_STACK: usize = 64;

/// Makes room; answers how many are left.
#[cold]
pub(super) fn spill<T: Copy>(stack: &[T; INLINE_STACK], len: usize, spilled: &mut Vec<T>) -> usize {
    spilled.extend_from_slice(&stack[..len]);
    0
}

/// Moves the last of what was spilled back; answers how many.
#[cold]
pub(super) fn refill<T>(stack: &mut [T; INLINE_STACK], spilled: &mut Vec<T>) -> usize {
    let kept = spilled.len().saturating_sub(INLINE_STACK / 2);
    let moved = spilled.drain(kept..);
    let len = moved.len();
    stack.iter_mut().zip(moved).for_each(|(slot, item)| *slot = item);
    len
}

/// By insertion: there are at most seven.
#[inline(always)]
pub(super) fn sort_falling<T: Copy + PartialOrd>(stack: &mut [T; INLINE_STACK], start: usize, end: usize) {
    for i in start + 1..end {
        let item = stack[i % INLINE_STACK];
        let mut j = i;
        while j > start && stack[(j - 1) % INLINE_STACK] < item {
            stack[j % INLINE_STACK] = stack[(j - 1) % INLINE_STACK];
            j -= 1;
        }
        stack[j % INLINE_STACK] = item;
    }
}

/// Distance and child of the first place of these, which is taken off them. Distances are not negative, so their bits are ordered as they are.
#[inline(always)]
fn key(distances: &[f32; WIDTH], children: &[u32; WIDTH], places: &mut u64) -> u64 {
    let place = places.trailing_zeros() as usize % WIDTH;
    *places &= *places - 1;
    u64::from(distances[place].to_bits()) << 32 | u64::from(children[place])
}

#[inline(always)]
fn distance_of(key: u64) -> f32 {
    f32::from_bits((key >> 32) as u32)
}

/// What the builder's nodes and leaves become.
struct Nodes<F> {
    make_leaf: F,
}

impl<L: Clone + Default + Send, F: Fn(&[u32]) -> L + Sync> Output for Nodes<F> {
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

    fn leaf(&self, items: &[u32]) -> L {
        (self.make_leaf)(items)
    }
}

struct RayLanes<S: Simd> {
    simd: S,
    inverse: Axes<f32x8<S>>,
    near_offset: Axes<f32x8<S>>,
    far_offset: Axes<f32x8<S>>,
    widening: f32x8<S>,
    /// Which plane of each axis is entered.
    near: [usize; 3],
}

impl<S: Simd> RayLanes<S> {
    #[inline(always)]
    fn new(simd: S, ray: &FramedRay) -> Self {
        Self {
            simd,
            inverse: splat(simd, ray.inverse),
            near_offset: splat(simd, ray.near_offset),
            far_offset: splat(simd, ray.far_offset),
            widening: f32x8::splat(simd, ray.widening),
            near: [0, 1, 2].map(|i| usize::from(ray.inverse[i] < 0.0)),
        }
    }

    /// Which children the ray may touch before `limit`, and from where on.
    #[inline(always)]
    fn enter(&self, node: &Node, limit: f32) -> (u64, [f32; WIDTH]) {
        let simd = self.simd;
        let [x, y, z] = self.near;
        let near = self.distances(self.planes(node, [x, y, z]), &self.near_offset);
        let far = self.distances(self.planes(node, [x ^ 1, y ^ 1, z ^ 1]), &self.far_offset);
        let enter = near[0].max(near[1]).max(near[2].max(f32x8::splat(simd, 0.0)));
        let leave = far[0].min(far[1]).min(far[2].min(f32x8::splat(simd, limit)));
        let hits = enter.simd_le(leave * self.widening).to_bitmask();
        let mut distances = [0.0; WIDTH];
        enter.store_slice(&mut distances);
        (hits, distances)
    }

    /// The lower or upper planes of each axis.
    #[inline(always)]
    fn planes(&self, node: &Node, sides: [usize; 3]) -> Axes<f32x8<S>> {
        let [x, y, z] = &node.bounds;
        load(self.simd, [&x[sides[0] & 1], &y[sides[1] & 1], &z[sides[2] & 1]])
    }

    #[inline(always)]
    fn distances(&self, planes: Axes<f32x8<S>>, offset: &Axes<f32x8<S>>) -> Axes<f32x8<S>> {
        [
            planes[0].mul_add(self.inverse[0], offset[0]),
            planes[1].mul_add(self.inverse[1], offset[1]),
            planes[2].mul_add(self.inverse[2], offset[2]),
        ]
    }
}

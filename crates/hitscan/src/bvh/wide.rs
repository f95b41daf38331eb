//! The tree that rays go through: eight boxes a node, tested at once, conservatively, in f32.
//!
//! Its coordinates are those of a [`Frame`]: the mesh's, times a power of two, so that none is above 1.

use super::frame::FramedRay;
use super::{Bvh, Kind, half_area};
use crate::aabb::Aabb;
use crate::float::{round_down, round_up};
use crate::simd::{Axes, Simd, SimdBase, SimdFloat, SimdMask, f32x8, load, splat};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// What is done at the leaves. Its function must be `#[inline(always)]`, or it is not compiled for the instruction set in use.
pub(crate) trait Visitor {
    /// The largest distance that matters from now on, at most `limit`; or the end.
    fn visit(&mut self, leaf: u32, limit: f32) -> ControlFlow<(), f32>;
}

const WIDTH: usize = 8;
/// Set in a child that is a leaf.
const LEAF: u32 = 1 << 31;

/// By axis, lower and upper plane, child. A place without a child has a box that no ray enters.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Node {
    bounds: [[[f32; WIDTH]; 2]; 3],
    children: [u32; WIDTH],
}

impl Node {
    const EMPTY: Self =
        Self { bounds: [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3], children: [0; WIDTH] };

    fn set(&mut self, place: usize, child: u32, bounds: &Aabb, scale: f64) {
        self.children[place] = child;
        for axis in 0..3 {
            self.bounds[axis][0][place] = round_down(f64::from(bounds.min[axis]) * scale);
            self.bounds[axis][1][place] = round_up(f64::from(bounds.max[axis]) * scale);
        }
    }
}

/// The tree; the first node is the root, if there is any.
#[derive(Clone, Debug, Default)]
pub(crate) struct WideBvh {
    nodes: Vec<Node>,
}

impl WideBvh {
    /// From a binary tree. Subtrees of at most `leaf_size` items become leaves: `make_leaf` is given their items and answers with the
    /// leaf's number.
    pub(crate) fn collapse(tree: &Bvh, scale: f64, leaf_size: usize, mut make_leaf: impl FnMut(&[u32]) -> u32) -> Self {
        let mut wide = Self { nodes: Vec::new() };
        let Some(root) = tree.root else { return wide };
        let counts = item_counts(tree);
        wide.nodes.push(Node::EMPTY);
        // A node to fill, with the subtree that it stands for.
        let mut tasks = vec![(0usize, root)];
        let mut items = Vec::new();
        while let Some((index, subtree)) = tasks.pop() {
            let mut first_task = tasks.len();
            for (place, &child) in widened(tree, &counts, subtree, leaf_size).as_slice().iter().enumerate() {
                let number = if counts[child as usize] <= leaf_size {
                    items.clear();
                    tree.collect_items(child, &mut items);
                    make_leaf(&items) | LEAF
                } else {
                    wide.nodes.push(Node::EMPTY);
                    let node = wide.nodes.len() - 1;
                    tasks.insert(first_task, (node, child));
                    node as u32
                };
                wide.nodes[index].set(place, number, &tree.node(child).bounds, scale);
                first_task = first_task.min(tasks.len());
            }
        }
        wide
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }

    /// Shows the visitor each leaf whose box the ray may touch, roughly from near to far.
    #[inline(always)]
    pub(crate) fn traverse<S: Simd>(
        &self,
        simd: S,
        ray: &FramedRay,
        mut limit: f32,
        visitor: &mut impl Visitor,
    ) -> ControlFlow<()> {
        if self.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let lanes = RayLanes::new(simd, ray);
        // Two variables, not one struct: the length stays in a register.
        let (mut stack, mut len) = ([0; INLINE_STACK], 0);
        let mut spilled = Vec::new();
        let mut next = 0;
        loop {
            if next & LEAF == 0 {
                let node = &self.nodes[next as usize];
                let (mut hits, distances) = lanes.enter(node, limit);
                if hits != 0 {
                    let nearest = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    if hits == 0 {
                        next = node.children[nearest % WIDTH];
                        continue;
                    }
                    let mut first = key(&distances, &node.children, nearest);
                    if len + WIDTH > INLINE_STACK {
                        spilled.extend_from_slice(&stack[..len]);
                        len = 0;
                    }
                    let base = len;
                    while hits != 0 {
                        let mut other = key(&distances, &node.children, hits.trailing_zeros() as usize);
                        hits &= hits - 1;
                        if other < first {
                            core::mem::swap(&mut other, &mut first);
                        }
                        stack[len] = other;
                        len += 1;
                    }
                    if len > base + 1 {
                        sort_falling(&mut stack[base..len]);
                    }
                    next = first as u32;
                    continue;
                }
            } else {
                limit = visitor.visit(next & !LEAF, limit)?;
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
                if f32::from_bits((key >> 32) as u32) <= limit {
                    next = key as u32;
                    break;
                }
            }
        }
    }
}

/// Subtrees to come back to are kept on the program's stack up to this many, as in a tree of ordinary depth, then in a Vec.
const INLINE_STACK: usize = 64;

/// Moves the last of what was spilled back; answers how many.
#[cold]
fn refill(stack: &mut [u64; INLINE_STACK], spilled: &mut Vec<u64>) -> usize {
    let kept = spilled.len().saturating_sub(INLINE_STACK / 2);
    let moved = spilled.drain(kept..);
    let len = moved.len();
    stack.iter_mut().zip(moved).for_each(|(slot, item)| *slot = item);
    len
}

/// By insertion: there are at most seven.
#[inline(always)]
fn sort_falling(items: &mut [u64]) {
    for i in 1..items.len() {
        let item = items[i];
        let mut j = i;
        while j > 0 && items[j - 1] < item {
            items[j] = items[j - 1];
            j -= 1;
        }
        items[j] = item;
    }
}

/// Distances are not negative, so their bits are ordered as they are.
#[inline(always)]
fn key(distances: &[f32; WIDTH], children: &[u32; WIDTH], place: usize) -> u64 {
    u64::from(distances[place % WIDTH].to_bits()) << 32 | u64::from(children[place % WIDTH])
}

impl Bvh {
    fn collect_items(&self, subtree: u32, items: &mut Vec<u32>) {
        match self.node(subtree).kind {
            Kind::Leaf(item) => items.push(item),
            Kind::Inner(children) => children.into_iter().for_each(|child| self.collect_items(child, items)),
        }
    }
}

/// The number of items below each node of a built tree, whose children come after their parents.
fn item_counts(tree: &Bvh) -> Vec<usize> {
    let mut counts = vec![0; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        counts[index] = match node.kind {
            Kind::Leaf(_) => 1,
            Kind::Inner([left, right]) => counts[left as usize] + counts[right as usize],
        };
    }
    counts
}

/// The up to eight subtrees that a wide node stands for: the one of largest area is opened again and again.
fn widened(tree: &Bvh, counts: &[usize], root: u32, leaf_size: usize) -> Children {
    let mut children = Children { items: [root; WIDTH], len: 1 };
    while children.len < WIDTH {
        let open = |&(_, child): &(usize, &u32)| counts[*child as usize] > leaf_size;
        let area = |child: u32| half_area(&tree.node(child).bounds);
        let candidates = children.as_slice().iter().enumerate().filter(open);
        let largest = candidates.max_by(|a, b| area(*a.1).total_cmp(&area(*b.1)));
        let Some((place, &child)) = largest else { break };
        let Kind::Inner([left, right]) = tree.node(child).kind else { break };
        children.items[place] = left;
        children.items[children.len] = right;
        children.len += 1;
    }
    children
}

struct Children {
    items: [u32; WIDTH],
    len: usize,
}

impl Children {
    fn as_slice(&self) -> &[u32] {
        &self.items[..self.len]
    }
}

/// Widens a distance by more than its relative error, on both ends of an interval: three roundings each.
const WIDENING: f32 = 1.0 + 8.0 * f32::EPSILON;

struct RayLanes<S: Simd> {
    simd: S,
    inverse: Axes<f32x8<S>>,
    near_offset: Axes<f32x8<S>>,
    far_offset: Axes<f32x8<S>>,
    first: f32x8<S>,
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
            first: f32x8::splat(simd, ray.first),
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
        let enter = near[0].max(near[1]).max(near[2].max(self.first));
        let leave = far[0].min(far[1]).min(far[2].min(f32x8::splat(simd, limit)));
        let hits = enter.simd_le(leave * f32x8::splat(simd, WIDENING)).to_bitmask();
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

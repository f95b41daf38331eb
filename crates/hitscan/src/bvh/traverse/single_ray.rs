//! The traversal of a tree by a ray, or by the surroundings of a point, node by node.

use super::bvh_ray::BvhRay;
use super::ray_box8::{BoxTest, RayLanes};
use super::traversal_stack::{Overflow, StackSlots, TraversalStack};
use super::visitor::{LeafRow, NO_ROW, Order, Subtree, Visitor};
use crate::bvh::builder::{Link, WIDTH};
use crate::bvh::node::{LEAF, Node, decode};
use crate::collections::cow_vec::CowVec;
use crate::simd::{Simd, prefetch};
use alloc::vec::Vec;
use core::hint::select_unpredictable;
use core::ops::ControlFlow;

/// The nodes of a tree, by their numbers; the first one is the root.
pub(in crate::bvh) trait NodeSource<'a>: Copy {
    fn len(self) -> usize;

    fn node(self, number: u32) -> &'a Node;

    /// Returns `None` for a leaf.
    fn get(self, child: u32) -> Option<&'a Node>;

    /// Prefetches a child that is kept for later.
    fn prefetch(self, child: u32, leaves: LeafRow, prefetch_leaf: impl Fn(u32));
}

impl<'a> NodeSource<'a> for &'a [Node] {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn len(self) -> usize {
        self.len()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn node(self, number: u32) -> &'a Node {
        &self[number as usize]
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn get(self, child: u32) -> Option<&'a Node> {
        <[Node]>::get(self, child as usize)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(self, child: u32, leaves: LeafRow, _: impl Fn(u32)) {
        prefetch_child(self, leaves, child);
    }
}

impl<'a, const PAGE: usize> NodeSource<'a> for &'a CowVec<Node, PAGE> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn len(self) -> usize {
        self.len()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn node(self, number: u32) -> &'a Node {
        &self[number as usize]
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn get(self, child: u32) -> Option<&'a Node> {
        self.look_up(child as usize)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(self, child: u32, _: LeafRow, prefetch_leaf: impl Fn(u32)) {
        // Prefetching nodes too was no faster, even with 100,000 leaves.
        if let Link::Leaf(leaf) = decode(child) {
            prefetch_leaf(leaf);
        }
    }
}

/// Calls the visitor with each leaf whose box the ray may touch before the limit, in a part of a tree that changes. Any number of subtrees may be pending
/// in such a tree.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn traverse_changing<'a, N: NodeSource<'a>, S: Simd, V: Visitor>(
    nodes: N,
    simd: S,
    (ray, top): (&BvhRay, Subtree),
    limit: f32,
    visitor: &mut V,
) -> ControlFlow<()> {
    if nodes.len() == 0 {
        return ControlFlow::Continue(());
    }
    let lanes = RayLanes::new(simd, ray);
    let next = Next { child: top.0, distance: 0.0 };
    let (mut room, mut beyond) = (StackSlots::new(), Vec::new());
    finish(nodes, &lanes, Some(NO_ROW), next, TraversalStack::unbounded(room.stack(), &mut beyond), limit, visitor)
}

/// Makes steps until nothing is left. If the row of the leaves is given, children that are kept for later are prefetched.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn finish<'a, N: NodeSource<'a>, T: BoxTest, V: Visitor>(
    nodes: N,
    lanes: &T,
    ahead: Option<LeafRow>,
    mut next: Next,
    mut pending: TraversalStack<'_, u64, impl Overflow<u64>>,
    mut limit: f32,
    visitor: &mut V,
) -> ControlFlow<()> {
    while let Some(found) = step(nodes, lanes, ahead, next, &mut pending, &mut limit, visitor)? {
        next = found;
    }
    ControlFlow::Continue(())
}

/// Tests a node's boxes or visits a leaf. Returns the next step, if anything is left.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn step<'a, N: NodeSource<'a>, T: BoxTest, V: Visitor>(
    nodes: N,
    lanes: &T,
    ahead: Option<LeafRow>,
    Next { child, distance }: Next,
    pending: &mut TraversalStack<'_, u64, impl Overflow<u64>>,
    limit: &mut f32,
    visitor: &mut V,
) -> ControlFlow<(), Option<Next>> {
    let order = visitor.order();
    // A child that is a leaf has a number that no node has.
    if let Some(node) = nodes.get(child) {
        // The numbers of the children are needed last, so they arrive in the cache while the boxes are tested.
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
                    // This is a branch, because the nearer of two is predicted more often than not. Then the next step need not wait for both distances.
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
            if let Some(leaves) = ahead {
                // This uses places, because an iterator over keys takes more instructions for single rays.
                for place in base..stack.len() {
                    nodes.prefetch(
                        stack.get(place).unwrap_or(0) as u32,
                        leaves,
                        #[cfg_attr(target_family = "wasm", inline)]
                        #[cfg_attr(not(target_family = "wasm"), inline(always))]
                        |leaf| visitor.prefetch(leaf),
                    );
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

/// Makes the code under a condition a branch.
#[cold]
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn unlikely() {}

/// The child that is visited next, and a lower bound of the distance at which the ray enters it.
// The address and the distance are not joined in one number, as in a key. The reason is that the address of a
// node must not wait for the distance, which is stored and read back.
#[derive(Clone, Copy)]
pub(in crate::bvh) struct Next {
    pub(in crate::bvh) child: u32,
    pub(in crate::bvh) distance: f32,
}

impl Next {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn of(key: u64) -> Self {
        Self { child: key as u32, distance: distance_of(key) }
    }
}

/// The number of nodes that are likely to be in the processor's own cache, together with their leaves. For fewer nodes, prefetching costs 2 to 5 %.
pub(in crate::bvh) const CACHED_NODES: usize = 8192;

const NODE_BOUNDS: usize = size_of::<[[f32; 2 * WIDTH]; 3]>();

/// Prefetches a child of a tree whose nodes and leaves are in two arrays. It does not branch: which children are leaves is hard to
/// predict.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn prefetch_child(nodes: &[Node], (leaves, leaf_bytes): LeafRow, child: u32) {
    let (array, bytes) =
        select_unpredictable(child & LEAF != 0, (leaves, leaf_bytes), (nodes.as_ptr().cast(), size_of::<Node>()));
    let start = array.wrapping_add((child & !LEAF) as usize * bytes);
    // Not all six lines of a leaf are prefetched, because that is slower.
    prefetch::<NODE_BOUNDS>(start);
    // A leaf may begin anywhere in a line, and then ends in another one.
    prefetch::<1>(start.wrapping_add(bytes).wrapping_sub(1));
}

/// Returns the last key up to this distance; above all keys if the distance is negative or NaN.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn last_key(distance: f32) -> u64 {
    u64::from(distance.to_bits()) << 32 | u64::from(u32::MAX)
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn distance_of(key: u64) -> f32 {
    f32::from_bits((key >> 32) as u32)
}

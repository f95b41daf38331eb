//! Trees whose contents are crowded into a small region of their space, for example by one distant vertex. Rays through such trees are tested with boxes in
//! f64.
//!
//! A ray in f32 is off by up to 2^-19 of the space, so it seems to touch every box in a smaller region.

use super::builder::{Link, WIDTH};
use super::bvh8::{Bvh8, root};
use super::node::{Node, decode};
use super::traverse::bvh_ray::BvhRay;
use super::traverse::ray_box_f64::{Slack, first_touch};
use super::traverse::visitor::{Subtree, Visitor};
use crate::collections::sort::SharedSort;
use crate::geom::aabb::Aabb;
use crate::geom::ray::LocalRay;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// The size of a region in a space of [-1, 1]. In such a region, a ray in f32 seems to touch every box. The reason is
/// that for near rays the boxes are enlarged by 20 v = 2^-19.7, where v = 2^-24 is the unit roundoff of f32.
const BLUR: f32 = 1.0 / (1 << 18) as f32;

/// A region with no more leaves than this is not crowded.
const FEW: usize = 32;

/// A region with more leaves than this is crowded. A region with fewer leaves is crowded only if it has more than `1 /
/// GOOD_PART` of all leaves. If a tree is crowded, all rays use the slower test, so many rays must gain from it.
const MANY: usize = 2048;
const GOOD_PART: usize = 4;

/// A child that is open in a traversal, with a t before which the ray does not touch its box.
type OpenChild = (f64, u32);

impl Bvh8 {
    /// Returns whether a region of the size of f32's error has many leaves.
    pub(crate) fn is_crowded(&self) -> bool {
        let Some(root) = root(&self.nodes[..]) else { return false };
        let is_one_place = size(&root.bounds()) <= BLUR;
        let places: Vec<u32> =
            if is_one_place { Vec::from([0]) } else { self.nodes.iter().flat_map(blurred_below).collect() };
        if places.is_empty() {
            return false;
        }
        let total = self.nodes.iter().map(|node| node.leaves().count()).sum();
        places.into_iter().any(|node| is_crowd(self.leaves_below(node), total))
    }

    fn leaves_below(&self, node: u32) -> usize {
        let (mut open, mut leaves) = (Vec::from([node]), 0);
        while let Some(node) = open.pop() {
            let node: &Node = &self.nodes[node as usize];
            for link in (0..WIDTH).filter_map(|place| node.link(place)) {
                match link {
                    Link::Node(below) => open.push(below),
                    Link::Leaf(_) => leaves += 1,
                }
            }
        }
        leaves
    }

    /// Does the same as [`traverse`](Self::traverse), with boxes that are tested in f64 with the exact ray in the
    /// tree's coordinates. `look` is called for each visited node and leaf.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn traverse_crowded<V: Visitor>(
        &self,
        (exact, framed): (&LocalRay, &BvhRay),
        mut limit: f32,
        visitor: &mut V,
        mut look: impl FnMut(u32),
    ) -> ControlFlow<()> {
        let mut open: Vec<OpenChild> = Vec::new();
        open.extend(root(&self.nodes[..]).map(|_| (f64::NEG_INFINITY, Subtree::ROOT.0)));
        while let Some((t, child)) = open.pop() {
            if framed.distance_before(t) > f64::from(limit) {
                continue;
            }
            look(child);
            match decode(child) {
                Link::Leaf(leaf) => limit = visitor.visit(leaf, 0.0, limit)?,
                Link::Node(node) => open_touched(&self.nodes[node as usize], exact, &mut open),
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the child nodes whose boxes are no larger than [`BLUR`]. If the box of the parent is no larger either, it
/// returns none.
fn blurred_below(node: &Node) -> impl Iterator<Item = u32> {
    let is_whole = size(&node.bounds()) > BLUR;
    let below = move |place: usize| match node.link(place) {
        Some(Link::Node(below)) if is_whole && size(&node.child_bounds(place)) <= BLUR => Some(below),
        _ => None,
    };
    (0..WIDTH).filter_map(below)
}

/// Opens the children of a node that the ray touches, the nearest one last.
fn open_touched(node: &Node, exact: &LocalRay, open: &mut Vec<OpenChild>) {
    let start = open.len();
    for place in (0..WIDTH).filter(|&place| node.link(place).is_some()) {
        let Aabb { min, max } = node.child_bounds(place);
        let touch = first_touch(exact, Slack::NONE, min.as_dvec3(), max.as_dvec3());
        open.extend(touch.map(|t| (t, node.children[place])));
    }
    open[start..].sort_shared_stable_by(|a, b| b.0.total_cmp(&a.0));
}

/// Returns whether a region of the size of f32's error is crowded, given the number of a tree's leaves in it.
fn is_crowd(leaves: usize, total: usize) -> bool {
    leaves > MANY || leaves > FEW && leaves * GOOD_PART > total
}

/// Returns whether a tree over a grid is crowded. The arguments are the number of its leaves and the length of the grid along each of two axes, in the tree's
/// coordinates.
pub(crate) fn is_grid_crowded(leaves: [usize; 2], lengths: [f32; 2]) -> bool {
    let within = |axis: usize| (leaves[axis] as f32).min(leaves[axis] as f32 * (BLUR / lengths[axis])) as usize;
    is_crowd(within(0) * within(1), leaves[0] * leaves[1])
}

fn size(bounds: &Aabb) -> f32 {
    (bounds.max - bounds.min).max_element()
}

//! A slab for each child of a tree's nodes: two parallel planes between which its contents are.
//!
//! An axis-aligned box around a tilted piece of a surface is far thicker than the piece. A slab across the piece's normal is about as thin as the piece. So
//! it bounds the distance between the contents of two trees closely, however the trees are rotated relative to each other.

use super::builder::{Link, WIDTH};
use super::bvh8::Bvh8;
use crate::math::float::{UNIT_ROUNDOFF_F32, larger, smaller, sqrt};
use alloc::vec::Vec;
use core::ops::Range;
use glam::Vec3;

/// The slabs of a tree's nodes, in their order.
#[derive(Clone, Debug)]
pub(crate) struct SlabTree {
    pub(super) nodes: Vec<Slab8>,
}

/// The slabs of a node's children, by lane. A place without a child, or without a known slab, has the normal 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab8 {
    /// The normals, by axis, of at most unit length: heights along a longer vector would be larger than distances.
    pub(super) normal: [[f32; WIDTH]; 3],
    /// The heights along the normal between which the contents are.
    pub(super) low: [f32; WIDTH],
    pub(super) high: [f32; WIDTH],
}

/// The contents of the leaves for which slabs are made, in the tree's coordinates.
pub(crate) trait LeafContents {
    /// Returns the sum of the normals of a leaf's triangles, each as long as twice the area. A normal that points
    /// against the sum of the previous ones is negated.
    fn across(&self, leaf: u32) -> Vec3;

    /// Returns the least and the largest height of some leaves' contents along a unit vector, within [`HEIGHT_ERROR`].
    fn heights(&self, leaves: Range<u32>, normal: Vec3) -> (f32, f32);
}

/// A bound on the error of heights of contents whose coordinates are at most 1.
pub(crate) const HEIGHT_ERROR: f32 = 16.0 * UNIT_ROUNDOFF_F32;
/// Slabs of more leaves than this would take too long to make, and are rarely thin.
const MOST_LEAVES: u32 = 256;

/// The leaves below a node, and the sum of their normals.
#[derive(Clone, Copy)]
struct Below {
    first: u32,
    end: u32,
    across: Vec3,
}

impl Below {
    const NOTHING: Self = Self { first: u32::MAX, end: 0, across: Vec3::ZERO };

    fn leaf(leaf: u32, across: Vec3) -> Self {
        Self { first: leaf, end: leaf + 1, across }
    }

    /// Returns the union of both. The leaves of a subtree have consecutive numbers; if they did not, the union would only
    /// have more leaves.
    fn and(self, other: Self) -> Self {
        let turned = if self.across.dot(other.across) < 0.0 { -other.across } else { other.across };
        Self { first: self.first.min(other.first), end: self.end.max(other.end), across: self.across + turned }
    }
}

impl SlabTree {
    /// Makes the slabs of a tree.
    pub(crate) fn new(tree: &Bvh8, contents: &impl LeafContents) -> Self {
        let mut below = alloc::vec![Below::NOTHING; tree.nodes.len()];
        let mut nodes = alloc::vec![Slab8::NONE; tree.nodes.len()];
        // A node is before all nodes below it.
        for (number, node) in tree.nodes.iter().enumerate().rev() {
            let mut all = Below::NOTHING;
            for place in 0..WIDTH {
                let child = match node.link(place) {
                    None => break,
                    Some(Link::Leaf(leaf)) => Below::leaf(leaf, contents.across(leaf)),
                    Some(Link::Node(child)) => {
                        debug_assert!(child as usize > number, "a node is before all nodes below it");
                        below[child as usize]
                    }
                };
                nodes[number].set(place, child, contents);
                all = all.and(child);
            }
            below[number] = all;
        }
        Self { nodes }
    }
}

impl Slab8 {
    const NONE: Self = Self { normal: [[0.0; WIDTH]; 3], low: [0.0; WIDTH], high: [0.0; WIDTH] };

    fn set(&mut self, place: usize, child: Below, contents: &impl LeafContents) {
        let Some(normal) = unit(child.across) else { return };
        if child.end <= child.first || child.end - child.first > MOST_LEAVES {
            return;
        }
        let (low, high) = contents.heights(child.first..child.end, normal);
        if !(low <= high) {
            return;
        }
        for axis in 0..3 {
            self.normal[axis][place] = normal[axis];
        }
        (self.low[place], self.high[place]) = (low - HEIGHT_ERROR, high + HEIGHT_ERROR);
    }
}

/// A vector of this length still has at most unit length after its components are rounded to f32. Each component grows by one unit of rounding at most.
const ROUNDED_TO_UNIT: f64 = 1.0 - 2.0 * UNIT_ROUNDOFF_F32 as f64;

/// Returns `v` scaled to a length of at most 1, and nearly 1; `None` if f64 cannot represent the direction.
fn unit(v: Vec3) -> Option<Vec3> {
    let v = v.as_dvec3();
    let length = sqrt(v.length_squared());
    (length > f64::MIN_POSITIVE && length.is_finite()).then(|| (v * (ROUNDED_TO_UNIT / length)).as_vec3())
}

/// Returns the smallest range that contains both.
pub(crate) fn joined((low, high): (f32, f32), (other_low, other_high): (f32, f32)) -> (f32, f32) {
    (smaller(low, other_low), larger(high, other_high))
}

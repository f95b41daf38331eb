//! Trees over boxes, which know no shape: an item is a number with a box.
//!
//! Eight boxes a node, tested at once. A mesh builds one; a scene's takes, moves and loses items one by one too.

mod boxes;
mod builder;
mod bundle;
mod dynamic;
mod form;
mod frame;
mod framed_ray;
mod grid;
mod lanes;
mod near_ray;
mod nearest;
mod node;
mod pending;
mod probe;
mod refit;
mod traverse;
mod turns;
mod visitor;
mod wide;

pub use builder::Quality;
pub(crate) use builder::{LEAF_SIZE, MAX_ITEMS, Primitives, is_worth_threads};
pub(crate) use bundle::{Bundle, BundleVisitor, FEWEST, LANES, by_lane, take_lowest};
pub(crate) use dynamic::{BeforeRounding, CloseItems, DynamicBvh, ItemVisitor, Shown, Visit};
pub(crate) use form::NodeForm;
pub(crate) use frame::Frame;
pub(crate) use framed_ray::FramedRay;
pub(crate) use grid::{GridLevels, Region};
pub(crate) use nearest::Around;
pub(crate) use probe::{Slack, interval as box_interval};
pub(crate) use turns::{Turn, Walk};
pub(crate) use visitor::{LeafRow, Order, Subtree, Visitor};
pub(crate) use wide::WideBvh;

use crate::aabb::Aabb;

/// The figures of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeStats {
    /// Items (packets of up to eight triangles, or parts of entities).
    pub leaves: usize,
    /// Inner nodes, of up to eight children each.
    pub nodes: usize,
    /// The longest way from the root, in edges.
    pub depth: usize,
    /// Expected number of nodes and items that a random line through the root's box visits (surface area heuristic).
    pub expected_visits: f64,
    /// Memory of the tree alone.
    pub bytes: usize,
}

/// Half the surface area, in f64 because f32 overflows from edges of 1e19; 0 for an empty box.
fn half_area(aabb: &Aabb) -> f64 {
    if aabb.is_empty() {
        return 0.0;
    }
    let size = aabb.max.as_dvec3() - aabb.min.as_dvec3();
    size.x * size.y + size.y * size.z + size.z * size.x
}

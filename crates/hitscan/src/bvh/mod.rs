//! Trees over boxes, independent of shapes: an item is a number with a box.
//!
//! A node has eight boxes, which are tested at once. A mesh builds its tree once; a scene also inserts, moves and removes single items.

mod boxes;
mod builder;
mod bvh8;
mod crowded;
mod dynamic;
mod grid;
mod node;
mod normalized_space;
mod refit;
mod slab_tree;
mod topology;
mod traverse;

pub use builder::Quality;
pub(crate) use builder::{LEAF_SIZE, MAX_ITEMS, Primitives, is_worth_threads};
pub(crate) use bvh8::Bvh8;
pub(crate) use crowded::is_grid_crowded;
pub(crate) use dynamic::{
    BeforeRounding, BoxGap, CloseItems, DynamicBvh, ItemAdapter, ItemTrees, ItemVisitor, PacketItemVisitor, Visit,
};
pub(crate) use grid::{GridBlock, GridLevels};
pub(crate) use normalized_space::NormalizedSpace;
pub(crate) use slab_tree::{LeafContents, SlabTree, joined};
pub(crate) use topology::NodeTopology;
pub(crate) use traverse::bvh_ray::BvhRay;
pub(crate) use traverse::distance_traversal::QueryBox;
pub(crate) use traverse::interleaved::{RayState, StepResult};
pub(crate) use traverse::near_packet::LaneRanges;
pub(crate) use traverse::packet_traversal::{Beam, PacketVisitor, RayPacket, take_lowest};
pub(crate) use traverse::pair_traversal::{LeafPairVisitor, MissingSlabs, PairDirection, SpaceBeside};
pub(crate) use traverse::pixel_bounds::{PixelBound, PixelForms, PixelLimits, TreeChild};
pub(crate) use traverse::point_traversal::TreePoint;
pub(crate) use traverse::ray_box_f64::{Slack, interval as box_interval};
pub(crate) use traverse::recorded::VisitedBox;
pub(crate) use traverse::region_traversal::{
    BoxPlace, BoxRegion, HalfSpaces, RegionPlane, RegionVisitor, SUBNORMAL_STEP,
};
pub(crate) use traverse::visitor::{LeafRow, Order, Subtree, Visitor};

use crate::geom::aabb::Aabb;

/// Figures of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeStats {
    /// The number of items (blocks of up to eight triangles, or parts of entities).
    pub leaves: usize,
    /// The number of inner nodes, of up to eight children each.
    pub nodes: usize,
    /// The length of the longest path from the root, in edges.
    pub depth: usize,
    /// Expected number of nodes and items that a random line through the root's box visits (surface area heuristic).
    pub expected_visits: f64,
    /// Memory of the tree alone, in bytes, without the slabs that long searches for pairs of meshes make.
    pub bytes: usize,
}

/// Returns half the surface area, in f64 because f32 overflows from edges of 1e19; 0 for an empty box.
fn half_area(aabb: &Aabb) -> f64 {
    if aabb.is_empty() {
        return 0.0;
    }
    let size = aabb.max.as_dvec3() - aabb.min.as_dvec3();
    size.x * size.y + size.y * size.z + size.z * size.x
}

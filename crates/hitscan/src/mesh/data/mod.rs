//! The data of a mesh: what its leaves store, and facts about its vertices, edges and holes.

pub(super) mod alpha_mask;
pub(super) mod attributes;
pub(super) mod clip;
pub(super) mod closed;
pub(super) mod corners;
pub(super) mod cut_out;
pub(super) mod duplicates;
pub(super) mod leaf_storage;
pub(super) mod referenced_vertices;
pub(super) mod slabs;
pub(super) mod vertex_stats;

//! Meshes, height fields and shapes in their own space, without a scene.

pub(super) mod inside_batch;
pub(super) mod local_queries;
pub(super) mod mesh_closest;
pub(super) mod mesh_contact;
pub(super) mod mesh_inside;
pub(super) mod mesh_self_intersections;
pub(super) mod mesh_surface;
pub(super) mod mesh_sweep;
pub(super) mod point_batch;

//! Builds of meshes from triangles, changes of vertex positions, and the trees for both.

pub(super) mod construct;
pub(super) mod ingest;
pub(super) mod refit;
pub(super) mod spatial_splits;
pub(super) mod validate;

//! Meshes from triangles, new positions of vertices, and the trees of both.

pub(super) mod construct;
pub(super) mod ingest;
pub(super) mod refit;
pub(super) mod spatial_splits;
pub(super) mod validate;

//! Meshes as bytes.

pub(super) mod bytes;
pub(super) mod mesh_dedup;

//! Volumes and points that do not move: overlaps, separations, contact points, closest points.

pub(super) mod closest;
pub(super) mod contacts;
pub(super) mod penetration;
pub(super) mod proximity_parts;
pub(super) mod proximity_queries;
pub(super) mod settled_depth;
pub(super) mod solid_meshes;
pub(super) mod volume_query;

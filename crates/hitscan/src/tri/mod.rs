//! Leaves of eight triangles, and the searches through trees with such leaves. Meshes and height fields share this
//! code.

mod beyond_shared;
mod clearance;
mod closest_point_simd;
pub(crate) mod corner_rotation;
pub(crate) mod degenerate;
mod distance_bounds;
pub(crate) mod error_bounds;
mod leaf_corners;
mod leaf_pairs;
mod leaf_search;
mod leaf_visitors;
mod leaves;
mod mesh_hit;
mod nearest_triangles;
mod pair_bounds;
mod rounded_t;
mod sweep_filter;
mod sweep_traversal;
pub(crate) mod triangle8;
pub(crate) mod triangle_extents;
mod triangle_set;

pub use mesh_hit::MeshHit;

pub(crate) use beyond_shared::intersect_beyond_shared;
pub(crate) use clearance::is_clear;
pub(crate) use degenerate::{has_area, without_area};
pub(crate) use distance_bounds::DistanceBounds;
pub(crate) use leaf_corners::{ImageTransform, LeafCorners};
pub(crate) use leaf_pairs::{LanePair, NearestPlaces, each_near};
pub(crate) use leaf_search::LeafSearch;
pub(crate) use leaf_visitors::{Contest, FoundTriangle, InteriorHit, NearestHit, TriangleSearch, Verdicts};
pub(crate) use leaves::{Leaves, TrianglePlace, in_f64, quick_verdict};
pub(crate) use nearest_triangles::Counting;
pub(crate) use rounded_t::{ErrorInput, sure_verdict};
pub(crate) use sweep_filter::{SweptShape, SweptTube, Touchable};
pub(crate) use sweep_traversal::SweptVolume;
pub(crate) use triangle_set::{LeafSurface, TriangleSet, names as triangle_set_names, surface_at, triangle_set};
pub(crate) use triangle8::{NONE, PIECE, SIZE, Triangle8};

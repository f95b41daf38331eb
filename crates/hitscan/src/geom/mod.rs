//! Rays, hits, boxes and transforms: the basic types of all other modules.

pub(crate) mod aabb;
pub(crate) mod affine;
pub(crate) mod culling;
pub(crate) mod eight_rays;
pub(crate) mod hit;
pub(crate) mod hit_lists;
pub(crate) mod kdop;
pub(crate) mod ray;
pub(crate) mod ray_columns;
#[cfg(feature = "serde")]
pub(crate) mod serde_infinity;
pub(crate) mod tight_bounds;
pub(crate) mod transform;

//! Traversals of a tree: by a ray, by a packet of rays, by distance from a point or box, and within a region.

pub(super) mod bvh_ray;
pub(super) mod distance_traversal;
pub(super) mod interleaved;
pub(super) mod near_bvh_ray;
pub(super) mod near_packet;
pub(super) mod packet_lane;
pub(super) mod packet_traversal;
pub(super) mod pair_traversal;
pub(super) mod pixel_bounds;
pub(super) mod point_traversal;
pub(super) mod ray_box8;
pub(super) mod ray_box_f64;
pub(super) mod ray_limits;
pub(super) mod recorded;
pub(super) mod region_traversal;
pub(super) mod single_ray;
mod support8;
pub(super) mod traversal_stack;
pub(super) mod visitor;

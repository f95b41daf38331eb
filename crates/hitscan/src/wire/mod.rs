//! Geometry without area: point clouds and polylines. Rays and volumes do not meet them; a cursor snaps to them, and regions select them.

mod point_cloud;
mod polyline;
mod simplex_tree;

pub use point_cloud::PointCloud;
pub use polyline::Polyline;

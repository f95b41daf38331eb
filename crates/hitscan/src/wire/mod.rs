//! Geometry without area: point clouds and polylines. Rays and volumes do not hit them; a [`Cursor`](crate::snap::Cursor) picks and snaps to them,
//! and a [`Selector`](crate::select::Selector) selects them by regions.

mod point_cloud;
mod polyline;
mod saved_wires;
mod simplex_tree;

pub use point_cloud::PointCloud;
pub use polyline::Polyline;
pub(crate) use saved_wires::{ReadWires, SavedWires};

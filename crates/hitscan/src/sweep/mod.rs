//! Volumes that move: when they first touch what is placed in the world. One file for each family of pairs.
//!
//! Everything here is in the world, relative to where the middle of the volume starts, in f64: a ball is a ball, whatever the transform of what
//! it meets. Nothing is tested in f32 and nothing depends on the instruction set.

mod arc;
mod between;
mod body;
pub(crate) mod closest;
mod convex;
mod extents;
mod feature;
mod flat;
pub(crate) mod gjk;
mod met;
mod mover;
mod outline;
mod polytope;
mod seam;
mod shapes;
mod stretch;
pub(crate) mod support;
mod surface;
mod torus;
mod triangle;
pub(crate) mod triangle_plane;
mod turning;
mod volume;

pub use feature::Feature;
pub use met::{ContactFilter, SweepStart};
pub use volume::{Pose, Volume};

pub(crate) use arc::Arc;
pub(crate) use body::{Body, Core, Placed, Turn, is_usable};
pub(crate) use met::Met;
pub(crate) use mover::{Mover, Sweep};
pub(crate) use outline::normal_of_polygon;
pub(crate) use shapes::{meet_custom, meet_hull, meet_shape};
pub(crate) use stretch::{least_stretch, reach, similar};
pub(crate) use surface::{Rank, Space, TakeTriangles, reported, sweep_surface};
pub(crate) use triangle_plane::triangle_plane;

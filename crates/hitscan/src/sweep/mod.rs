//! Volumes that move: when they first touch what is placed in the world. One file for each family of pairs.
//!
//! Everything here is in the world, relative to where the middle of the volume starts, in f64: a ball is a ball, whatever the transform of what
//! it meets. Nothing is tested in f32 and nothing depends on the instruction set.

mod between;
mod convex;
mod extents;
mod flat;
mod met;
mod mover;
mod polytope;
mod seam;
mod shapes;
mod surface;
mod torus;
mod triangle;
mod turning;

pub use met::{ContactFilter, SweepStart};

pub(crate) use met::Met;
pub(crate) use mover::{Mover, Sweep};

pub(crate) use shapes::{meet_custom, meet_hull, meet_shape};

pub(crate) use surface::{Rank, Space, TakeTriangles, reported, sweep_surface};

//! Volumes that move: when they first touch what is placed in the world. One file for each family of pairs.
//!
//! Everything here is in the world, relative to where the middle of the volume starts, in f64: a ball is a ball, whatever the transform of what
//! it meets. Nothing is tested in f32 and nothing depends on the instruction set.

mod box_triangle;
mod capsule_triangle;
mod conservative_advancement;
mod contact;
mod mover;
mod rotational_ccd;
mod seam;
mod separating_plane;
mod shape_dispatch;
mod swept_extents;
mod torus;
mod triangle;
mod triangle_set;

pub use contact::{ContactFilter, SweepStart};

pub(crate) use contact::Contact;
pub(crate) use mover::{Mover, Sweep};
pub(crate) use shape_dispatch::{meet_custom, meet_hull, meet_shape};
pub(crate) use triangle_set::{Rank, Space, TakeTriangles, reported, sweep_surface};

//! Sweeps: the first contacts of moving volumes with obstacles in the world. There is a file for each family of pairs.
//!
//! Everything here is in f64 in the world, relative to the start of the volume's centre. So a ball is a ball, whatever
//! the transform of the obstacle. Nothing is tested in f32 and nothing depends on the instruction set.

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
mod torus_arc;
mod torus_contact;
mod torus_open;
mod torus_pressed;
mod triangle_dispatch;
mod triangle_set;

pub use contact::{ContactFilter, SweepStart};

pub(crate) use contact::Contact;
pub(crate) use mover::{Mover, Sweep};
pub(crate) use shape_dispatch::{meet_custom, meet_hull, meet_shape};
pub(crate) use triangle_set::{Rank, Space, TakeTriangles, reported, sweep_surface};

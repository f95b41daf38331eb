//! Rays: the kernel, meshes, shapes, fields, questions and batches.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/integer.rs"]
mod integer;
#[path = "../common/line.rs"]
mod line;
#[path = "../common/ply.rs"]
mod ply;

mod batch;
mod d2;
mod departure;
mod exact;
mod height_field;
mod kernel;
mod mesh;
mod questions;
mod repeats;
mod ricochet;
mod shapes;
mod solid_intervals;
mod sources;
mod watertight;
mod work;

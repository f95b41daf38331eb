//! Sweeps of volumes against distances that are computed in another way: no code is shared with what is tested.
//!
//! `HITSCAN_SWEEPS=50000` sets the number of cases of each kind.

mod bits;
mod blocks;
mod bodies;
mod builds;
#[path = "../common/mod.rs"]
mod common;
mod contacts;
mod edges;
mod entities;
mod field;
mod leaves;
mod oracle;
mod order;
#[path = "../common/ply.rs"]
mod ply;
mod rounds;
mod seams;
mod shapes;
mod slivers;
mod solid;
mod stops;
mod surface_normals;
mod triangles;
mod truth;
mod turning;

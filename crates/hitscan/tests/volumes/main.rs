//! Volumes. The tests are of the things that they touch, the places where they stop, and their distances. Others are of
//! characters.

#[path = "../common/all_triangles.rs"]
mod all_triangles;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/ply.rs"]
mod ply;
#[path = "../common/triangle_pairs.rs"]
mod triangle_pairs;

mod character;
mod closest;
mod hull;
mod pairs;
mod sweep;
mod touch;

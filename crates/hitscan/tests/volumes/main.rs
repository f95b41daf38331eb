//! Volumes: what they touch, where they stop, how far they are, and characters.

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

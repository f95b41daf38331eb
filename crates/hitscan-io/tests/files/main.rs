//! Files of every format: what is read, what is refused, and what poses and baking make of it.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/file.rs"]
mod file;
#[path = "../common/moving.rs"]
mod moving;

mod baked;
mod colors;
mod curves;
mod demo;
mod faulty_files;
mod field_files;
mod formats;
mod gltf;
mod obj;
mod odd_input;
mod ply;
mod poses;
mod posing;
mod stl;

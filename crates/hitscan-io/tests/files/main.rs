//! Files of every format. The tests are of the data that is read, the files that are refused, and the effect of poses
//! and baking.

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

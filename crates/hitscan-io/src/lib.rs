//! Model files for [`hitscan`]: glTF 2.0 and GLB into entities with names, cameras and cut-out textures, OBJ, STL and
//! PLY into entities, and from those a [`Scene`](hitscan::Scene).
//!
//! [`Model::load`] reads a file, [`Model::demo`] makes a small village without one. [`Model::scene`] is what rays are
//! cast at, and go through the holes of leaves and fences.
//! [`Model::load_with`] reads colours too, for pictures: [`Model::base_color`]. [`Model::bake`] saves a model with the trees of
//! its meshes, so that it loads in a moment.
#![forbid(unsafe_code)]

mod baked;
mod color;
mod demo;
mod error;
mod file;
mod format;
mod gltf;
mod material;
mod model;
mod obj;
mod ply;
mod polygon;
mod stl;
mod surface;
mod text;
mod texture;

pub use error::{Item, LoadError, Problem, Warning};
pub use format::Format;
pub use hitscan::Wrap;
pub use material::{Alpha, Material, Primitive};
pub use model::{Detail, Entity, EntityId, Model, NamedCamera, Projection};
pub use texture::Texture;

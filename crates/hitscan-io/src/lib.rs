//! Model files for [`hitscan`]: glTF 2.0 and GLB into entities with names, cameras and cut-out textures, and from
//! those a [`Scene`](hitscan::Scene).
//!
//! [`Model::load`] reads a file, [`Model::demo`] makes a small village without one. [`Model::scene`] is what rays are cast
//! at, [`Model::is_solid`] the filter that lets them through the holes of leaves and fences.
#![forbid(unsafe_code)]

mod demo;
mod error;
mod gltf;
mod material;
mod model;
mod texture;

pub use error::{Item, LoadError, Problem, Warning};
pub use material::{Alpha, Material, Primitive};
pub use model::{Entity, EntityId, Model, NamedCamera, Projection};
pub use texture::{Texture, Wrap};

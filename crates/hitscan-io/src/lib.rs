//! Model files for [`hitscan`]. This crate reads glTF 2.0 and GLB into entities with names, cameras and cut-out
//! textures, and OBJ, STL and PLY into entities, and makes a [`Scene`](hitscan::Scene) of these.
//!
//! [`Model::load`] reads a file; [`Model::demo`] makes a small village without one. [`Model::scene`] makes the scene that rays are cast at; rays pass through
//! the holes of cut-out leaves and fences. [`Model::load_with`] also reads colours, for pictures: [`Model::base_color`]. [`Model::bake`] saves a model with
//! the trees of its meshes, so that it loads much faster.
//!
//! [`Model::pose`] makes a [`Pose`] of a model that moves, which is set to times of the model's
//! [`animations`](Model::animations) and applied to a scene each frame. [`Model::joint`] names the joint that was hit.
#![forbid(unsafe_code)]
// docs.rs says at each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod baked;
mod color;
mod demo;
mod error;
mod file;
mod format;
mod gltf;
mod joint;
mod load;
mod material;
mod model;
mod obj;
mod options;
mod origin;
mod parallel;
mod ply;
mod polygon;
mod pose;
mod rig;
mod stl;
mod surface;
mod text;
mod texture;
mod vectors;

pub use error::{Item, LoadError, PoseError, Problem, Warning};
pub use file::is_lfs_pointer;
pub use format::Format;
pub use hitscan::mesh::Wrap;
pub use joint::Joint;
pub use material::{Alpha, Material, Primitive};
pub use model::{Animation, Entity, EntityId, Model, NamedCamera, Projection};
pub use options::{Faults, LoadOptions};
pub use pose::{Pose, PosedEntity};
pub use texture::{Detail, Texture};

/// The examples of this crate's README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct OwnReadme;

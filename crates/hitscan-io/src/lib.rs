//! Model files for [`hitscan`]. It reads glTF 2.0 and GLB into entities with names, cameras and cut-out textures, and
//! OBJ, STL and PLY into entities, and makes a [`Scene`](hitscan::Scene) of these.
//!
//! [`Model::load`] reads a file; [`Model::demo`] makes a small village without one. [`Model::scene`] makes the scene that rays are cast at; they go through the
//! holes of leaves and fences. [`Model::load_with`] also reads colours, for pictures: [`Model::base_color`]. [`Model::bake`] saves a model with the trees of
//! its meshes, so that it loads in a moment.
//!
//! [`Model::pose`] makes a [`Pose`] of a model that moves, which is set to times of the model's
//! [`animations`](Model::animations) and applied to a scene each frame. [`Model::joint`] names the joint that was hit.
#![forbid(unsafe_code)]

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
pub use format::Format;
pub use hitscan::Wrap;
pub use joint::Joint;
pub use material::{Alpha, Material, Primitive};
pub use model::{Animation, Entity, EntityId, Model, NamedCamera, Projection};
pub use options::{Faults, LoadOptions};
pub use pose::{Pose, PosedEntity};
pub use texture::{Detail, Texture};

/// The examples of the repository's README, as tests: this crate has everything that they use.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The programs of the page on collisions, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/collisions.md")]
struct Collisions;

/// The programs of the page on picking, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/picking.md")]
struct Picking;

/// The worked example of the page on conventions, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/conventions.md")]
struct Conventions;

/// The example of the page on vectors of other libraries, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/vectors.md")]
struct VectorsOfOthers;

/// The examples of this crate's README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct OwnReadme;

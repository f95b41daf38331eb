//! Ray casting, picking and collision queries for games and 3D tools, without an engine.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod aabb;
mod bvh;
mod certified;
mod collect;
pub mod d2;
mod error;
mod exact;
mod filter;
mod float;
mod hit;
mod mesh;
mod query;
mod ray;
mod scene;
mod shape;
mod transform;

pub use aabb::Aabb;
pub use bvh::TreeStats;
pub use error::{CameraError, MeshError, RayError, SceneError, ShapeError, TransformError};
pub use filter::{Cull, Inside};
pub use glam;
pub use hit::{ShapeHit, Side};
pub use mesh::{Mesh, MeshHit};
pub use query::{Camera, Candidate, Ground, Hit, PointMove, Projected, Query, Viewport};
pub use ray::Ray;
pub use scene::{BulkError, Compound, Entity, Geometry, Scene};
pub use shape::{Plane, Shape, Sphere, Triangle};
pub use transform::Transform;

//! Ray casting, picking and collision queries for games and 3D tools, without an engine.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod aabb;
mod affine;
mod error;
mod exact;
mod filter;
mod float;
mod hit;
mod ray;
mod shape;

pub use aabb::Aabb;
pub use error::{MeshError, RayError, ShapeError, TransformError};
pub use filter::{Cull, Inside};
pub use glam;
pub use hit::{ShapeHit, Side};
pub use ray::Ray;
pub use shape::{Capsule, Cone, Cylinder, Disc, OrientedBox, Plane, Quad, Shape, Sphere, Torus, Triangle};

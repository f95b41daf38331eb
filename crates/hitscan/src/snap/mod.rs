//! Picks with a tolerance in pixels, and snaps: the vertex, edge, midpoint, face or other point near a cursor.
//!
//! A [`Cursor`] knows the camera, the window pixel and the radius. It answers questions about a scene or a view of a scene. To pick a point of a cloud or
//! an edge, pass only that [kind](SnapKind).
//!
//! # Edges of surfaces
//!
//! The edges of a mesh, a hull or a height field are those sides of its triangles at which the surface ends or bends. A side inside of a flat surface is no
//! edge. For such a side, all triangles along it are in one plane, and they lie on both sides of it. "In one plane" allows for the rounding of positions to
//! f32, half an ulp of each coordinate. Vertices at the same position are one vertex, so that seams of texture coordinates alone are no edges. Every vertex of
//! a triangle with area is a candidate. Vertices of triangles without area do not. Shapes such as balls and boxes have only faces.

mod best_first;
mod candidate;
mod crease;
mod crossings;
mod cursor;
mod edge_walk;
mod feature;
mod feature_queue;
mod flat_face;
mod kind;
mod questions;
mod reach;
mod search;
mod segment;
mod visibility;

pub use cursor::{Cursor, Hidden};
pub use kind::{Snap, SnapKind, SnapTarget};

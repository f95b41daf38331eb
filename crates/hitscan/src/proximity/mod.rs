//! How near things are that stand still: closest points, distances, contacts, how deep they are in each other.
//!
//! Everything is in the world, relative to an origin near what is asked for, in f64. What is convex is known by its corners or its farthest points; what is
//! not is made of convex things, in trees. Nothing depends on the instruction set.

mod contact_face;
mod convex_core;
mod dispatch;
mod distance;
mod ellipse;
mod ellipsoid;
mod elliptic_cone;
mod foot_point;
mod manifold;
mod minkowski_faces;
mod parallelepiped;
mod penetration;
mod placed_mesh;
mod placed_shape;
mod point_query;
mod principal_axes;
mod separation_bounds;
mod stretched_solids;
mod surface_of_revolution;
mod torus;
mod torus_point;
mod torus_search;
mod torus_torus;
mod triangle_distance;
mod winding_number;

pub(crate) use contact_face::{facing_normal, flat_faces};
pub(crate) use convex_core::{ConvexCore, ConvexPart};
pub(crate) use dispatch::{NearestPair, Touching, each_touching, nearest, touch};
pub(crate) use distance::on_segment;
pub(crate) use manifold::{ManifoldPoint, manifold};
pub(crate) use penetration::{ANY, Depth, PartPenetration, at_most, between, depth};
pub(crate) use placed_shape::PlacedShape;
pub(crate) use point_query::{NearestPoint, closest};
pub use winding_number::Containment;
pub(crate) use winding_number::{containment, middle, on_surface};

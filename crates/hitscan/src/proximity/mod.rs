//! Proximity questions about entities at rest: closest points, distances, contacts and penetration depths.
//!
//! Everything is in f64 in the world, relative to an origin near the query. Convex shapes are given by their corners or
//! support functions, and others consist of convex ones, in trees. Nothing depends on the instruction set.

mod all_penetrations;
mod contact_face;
mod convex_core;
mod dispatch;
mod distance;
mod ellipsoid;
mod elliptic_cone;
mod foot_point;
mod manifold;
mod mesh_pairs;
mod minkowski_faces;
mod parallelepiped;
mod penetration;
mod placed_mesh;
mod placed_shape;
mod point_query;
mod principal_axes;
mod quadric;
mod separation_bounds;
mod stretched_solids;
mod stretched_torus;
mod stretched_torus_search;
mod surface_of_revolution;
mod torus_arcs;
mod torus_torus;
mod triangle_distance;
mod winding_number;
mod winding_tree;

pub(crate) use all_penetrations::each_penetration;
pub(crate) use contact_face::{facing_normal, flat_faces};
pub(crate) use convex_core::{ConvexCore, ConvexPart};
pub(crate) use dispatch::{NearestPair, Touching, each_touching, nearest, touch};
pub(crate) use distance::on_segment;
pub(crate) use manifold::{ManifoldPoint, manifold};
pub(crate) use penetration::{ANY, Depth, PartPenetration, at_most, between, depth};
pub(crate) use placed_shape::PlacedShape;
pub(crate) use point_query::{NearestPoint, closest};
pub(crate) use torus_arcs::PlacedTorus;
pub use winding_number::Containment;
pub(crate) use winding_number::{Clearance, Crossings, closed_winding, containment, containment_in_closed, on_surface};
pub use winding_tree::WindingTree;

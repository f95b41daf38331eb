//! How near things are that stand still: closest points, distances, contacts, how deep they are in each other.
//!
//! Everything is in the world, relative to an origin near what is asked for, in f64. What is convex is known by its corners or its farthest points; what is
//! not is made of convex things, in trees. Nothing depends on the instruction set.

mod depth;
mod ellipse;
mod elliptic_cone;
mod face;
mod facing;
mod form;
mod gap;
mod manifold;
mod pair;
mod parallelepiped;
mod piece;
mod placed;
mod point;
mod principal;
mod quadric;
mod revolved;
mod ring;
mod ring_point;
mod ring_search;
mod separated;
mod stretched;
mod surface_foot;
mod triangles;
mod two_rings;
mod winding;

pub(crate) use depth::{ANY, Between, Depth, at_most, between, depth};

pub(crate) use face::{facing_normal, flat_faces};
pub(crate) use form::Form;
pub(crate) use gap::on_segment;
pub(crate) use manifold::{Rest, manifold};
pub(crate) use pair::{Nearest, Touching, each_touching, nearest, touch};
pub(crate) use piece::{Core, Piece};
pub(crate) use point::{Spot, closest};
pub use winding::Containment;
pub(crate) use winding::{containment, middle, on_surface};

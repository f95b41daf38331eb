//! Convex bodies, the distance between them and the depth of their overlap, which sweeps and proximity questions share.
//!
//! Everything is in f64, relative to an origin near the bodies.

mod anchor;
pub(crate) mod arc;
mod closest_points;
mod convex_body;
mod convex_faces;
mod epa;
mod feature;
mod gjk;
mod stretch;
mod triangle_plane;
mod volume;

pub use feature::Feature;
pub use volume::{Pose, RoundedVolume, Volume};

pub(crate) use anchor::Anchor;
pub(crate) use closest_points::{
    ClosestPair, crossing, is_apart, point_edge, point_triangle, segment_segment, segment_triangle,
};
pub(crate) use convex_body::{Body, BodyCore, PlacedBody, Round, UnitRotation, is_usable};
pub(crate) use convex_faces::{ConvexEdge, ConvexFace, ConvexFaces, normal_of_polygon};
pub(crate) use epa::{MinimumTranslation, SearchBudget, minimum_translation, minimum_translation_along};
pub(crate) use gjk::{RESOLUTION, Separation, SupportMap, SupportPoint, separation, separation_within};
pub(crate) use stretch::{least_stretch, reach, scale, scaled_radius, similar};
pub(crate) use triangle_plane::{from_longest_edge, triangle_plane};

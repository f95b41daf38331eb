//! The normals of the faces of the Minkowski difference of two cores that have few edges.
//!
//! The minimum translation of two convex polyhedra is perpendicular to a face of one of them, or to an edge of each (S. Gottschalk, "Separating axis theorem",
//! University of North Carolina, TR96-024, 1996).

use super::convex_core::ConvexCore;
use crate::math::perpendicular::across;
use glam::DVec3;

/// The directions of a polyhedron; missing ones are zero.
struct FaceDirections {
    /// The normals of its faces, of any length.
    normals: [DVec3; 3],
    edges: [DVec3; 3],
}

impl FaceDirections {
    /// Returns `None` for a core that may have more than three normals or edge directions.
    fn of_core(core: &ConvexCore<'_>) -> Option<Self> {
        let none = [DVec3::ZERO; 3];
        match *core {
            ConvexCore::Point(_) => Some(Self { normals: none, edges: none }),
            ConvexCore::Segment([a, b]) => Some(Self { normals: none, edges: [b - a, DVec3::ZERO, DVec3::ZERO] }),
            ConvexCore::Triangle([a, b, c]) => {
                let edges = [b - a, c - b, a - c];
                Some(Self { normals: [across(edges[0], edges[1]), DVec3::ZERO, DVec3::ZERO], edges })
            }
            ConvexCore::Box { half: [x, y, z], .. } => {
                Some(Self { normals: [across(x, y), across(y, z), across(z, x)], edges: [x, y, z] })
            }
            ConvexCore::Corners(_)
            | ConvexCore::Hull { .. }
            | ConvexCore::Round { .. }
            | ConvexCore::Arc { .. }
            | ConvexCore::Set(_)
            | ConvexCore::Custom { .. } => None,
        }
    }
}

/// Returns every direction that the minimum translation of two cores may have, up to its sign; the directions of faces
/// come first. Some may be zero, such as the cross products of parallel edges. Each cross product is perpendicular to both edges, however nearly parallel these
/// are. So all directions are zero only if the Minkowski difference is a point or a line.
pub(super) fn directions(a: &ConvexCore<'_>, b: &ConvexCore<'_>) -> Option<impl Iterator<Item = DVec3>> {
    let (a, b) = (FaceDirections::of_core(a)?, FaceDirections::of_core(b)?);
    let between = a.edges.into_iter().flat_map(move |ours| b.edges.map(|theirs| across(ours, theirs)));
    Some(a.normals.into_iter().chain(b.normals).chain(between))
}

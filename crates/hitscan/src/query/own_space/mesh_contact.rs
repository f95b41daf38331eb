//! The contact of a volume with a mesh.

use crate::convex::Feature;
use crate::geom::hit::Side;
use crate::math::float::{reported_direction, round_vec3};
use crate::sweep::{Contact, SweepStart};
use glam::{DVec3, Vec3};

/// The first contact of a moving volume with a mesh, in the mesh's own space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshContact {
    /// Index of the triangle.
    pub triangle: u32,
    /// The fraction of the motion, from 0 to 1.
    pub t: f32,
    /// The point of contact on the mesh.
    pub point: Vec3,
    /// The direction from that point to the volume, of unit length.
    pub normal: Vec3,
    /// The part of the triangle that is touched.
    pub feature: Feature,
    /// The side of the triangle that the volume is on.
    pub side: Side,
    /// The state of the volume at its start.
    pub start: SweepStart,
}

impl MeshContact {
    /// Makes the contact of a volume that starts at `center`.
    pub(crate) fn new(triangle: u32, t: f32, met: &Contact, center: DVec3) -> Self {
        let Contact { start, point, normal, feature, side, .. } = *met;
        Self {
            triangle,
            t,
            point: round_vec3(center + point),
            normal: reported_direction(normal),
            feature,
            side,
            start,
        }
    }
}

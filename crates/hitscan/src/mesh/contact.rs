//! Where a volume meets a mesh.

use crate::float::{reported_direction, round_vec3};
use crate::hit::Side;
use crate::sweep::{Feature, Met, SweepStart};
use glam::{DVec3, Vec3};

/// Where a moving volume first touches a mesh, in the mesh's own space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshContact {
    /// Which triangle.
    pub triangle: u32,
    /// The fraction of the motion, from 0 to 1.
    pub t: f32,
    /// Where it is touched.
    pub point: Vec3,
    /// From there to the volume, of unit length.
    pub normal: Vec3,
    /// Which part of the triangle is touched.
    pub feature: Feature,
    /// On which side of the triangle the volume is.
    pub side: Side,
    /// How the volume started.
    pub start: SweepStart,
}

impl MeshContact {
    /// Of a volume that starts there.
    pub(super) fn new(triangle: u32, t: f32, met: &Met, center: DVec3) -> Self {
        let Met { start, point, normal, feature, side, .. } = *met;
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

//! Questions of volumes to a scene: those that move, and those that are in place.

use crate::filter::{Asked, HsFilter};
use crate::pointer::{Buffer, numbers, place, shared};
use crate::ray::HS_NO_TRIANGLE;
use crate::scene::HsScene;
use crate::status::{HsStatus, guard};
use crate::volume::{HsPose, HsSweepHit, HsVolume};
use hitscan::query::{ContactPoint, Overlap, Penetration};
use hitscan::{ProximityQueries, SweepQueries};

#[rustfmt::skip]
pub mod functions;

/// Something that a volume overlaps.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsOverlap {
    /// The entity.
    pub key: u64,
    /// The number of the part in a compound.
    pub part: u32,
    /// The number of the triangle, or `HS_NO_TRIANGLE`.
    pub triangle: u32,
}

impl From<&Overlap<u64>> for HsOverlap {
    fn from(found: &Overlap<u64>) -> Self {
        Self { key: found.id, part: found.part, triangle: found.triangle.unwrap_or(HS_NO_TRIANGLE) }
    }
}

/// The depth of a volume in something.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsPenetration {
    /// The entity.
    pub key: u64,
    /// The shortest motion of the volume that ends the overlap.
    pub separation: [f64; 3],
    /// The length of that.
    pub depth: f32,
    /// The direction of that, of unit length.
    pub normal: [f32; 3],
    /// The point on the entity where the volume is deepest, relative to the filter's origin.
    pub point: [f32; 3],
    /// The number of the part in a compound.
    pub part: u32,
    /// The number of the triangle, or `HS_NO_TRIANGLE`.
    pub triangle: u32,
}

impl From<&Penetration<u64>> for HsPenetration {
    fn from(found: &Penetration<u64>) -> Self {
        Self {
            key: found.id,
            separation: found.separation().to_array(),
            depth: found.depth,
            normal: found.normal.to_array(),
            point: found.point.to_array(),
            part: found.part,
            triangle: found.triangle.unwrap_or(HS_NO_TRIANGLE),
        }
    }
}

/// A point at which a volume and something touch.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsContactPoint {
    /// The entity.
    pub key: u64,
    /// The depth of the overlap at this point.
    pub depth: f32,
    /// The direction in which the volume comes out, of unit length.
    pub normal: [f32; 3],
    /// The point on the entity, relative to the filter's origin.
    pub point: [f32; 3],
    /// The point on the volume.
    pub on_volume: [f32; 3],
    /// The number of the part in a compound.
    pub part: u32,
    /// The number of the triangle, or `HS_NO_TRIANGLE`.
    pub triangle: u32,
}

impl From<&ContactPoint<u64>> for HsContactPoint {
    fn from(found: &ContactPoint<u64>) -> Self {
        Self {
            key: found.id,
            depth: found.depth,
            normal: found.normal.to_array(),
            point: found.point.to_array(),
            on_volume: found.on_volume.to_array(),
            part: found.part,
            triangle: found.triangle.unwrap_or(HS_NO_TRIANGLE),
        }
    }
}

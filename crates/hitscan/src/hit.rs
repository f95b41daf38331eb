//! What a ray test of one shape answers.

use crate::float::{ORDINARY_SQUARES, round_vec3, sqrt, unit};
use core::ops::Neg;
use glam::{DVec3, Vec2, Vec3};

/// Which side of the surface the ray came from.
// As wide as the numbers that it is kept with: else it is stored as a byte and read back with its padding, which waits for all stores before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u32)]
pub enum Side {
    /// The side the outward normal points to: a counter-clockwise triangle, the outside of a solid.
    Front,
    /// The other side: the back of a triangle, the exit from a solid.
    Back,
    /// No surface: the ray's range begins inside a solid, and [`Inside::Solid`](crate::Inside::Solid) was asked for.
    Inside,
}

/// Where a ray meets a shape, in the space that the shape and the ray share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShapeHit {
    /// In multiples of the ray's direction; [`Ray::at`](crate::Ray::at) gives the point.
    pub t: f32,
    /// The surface's own outward (front) normal, unit length; against the ray for [`Side::Inside`].
    pub normal: Vec3,
    /// The side that the ray met.
    pub side: Side,
    /// Triangle: barycentrics (u, v) with P = (1-u-v) A + u B + v C. Quad: coordinates along its two edges, 0 to 1.
    /// `None` for the other shapes.
    pub uv: Option<Vec2>,
}

impl ShapeHit {
    /// The normal turned against the ray.
    pub fn facing_normal(&self) -> Vec3 {
        facing(self.normal, self.side)
    }
}

/// An outward normal turned against the ray that met this side of it.
pub(crate) fn facing<V: Neg<Output = V>>(normal: V, side: Side) -> V {
    match side {
        Side::Front | Side::Inside => normal,
        Side::Back => -normal,
    }
}

/// A hit on a shape during a query: enough to order and filter it; the normal is computed once, for the winner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawHit {
    /// As reported and compared.
    pub(crate) t: f32,
    /// Not rounded to f32, for points.
    pub(crate) exact_t: f64,
    pub(crate) side: Side,
    /// Which part of the shape's surface this is (a face, a cap): the shape's own code.
    pub(crate) feature: usize,
    /// Which of the crossings of the ray's whole line this is, counted along the line.
    pub(crate) crossing: u8,
    pub(crate) uv: Option<glam::DVec2>,
}

/// The unit normal to report: outward, but against the ray for [`Side::Inside`] and for a shape shrunk to a point.
#[inline(always)]
pub(crate) fn reported_normal(outward: DVec3, side: Side, direction: DVec3) -> Vec3 {
    let square = outward.length_squared();
    // As `unit` does it, in registers.
    if ORDINARY_SQUARES.contains(&square) && side != Side::Inside {
        return round_vec3(outward / sqrt(square));
    }
    rarely_reported_normal(outward, side, direction)
}

#[cold]
fn rarely_reported_normal(outward: DVec3, side: Side, direction: DVec3) -> Vec3 {
    let outward = if side == Side::Inside { None } else { unit(outward) };
    outward.or_else(|| unit(-direction)).map_or(Vec3::ZERO, round_vec3)
}

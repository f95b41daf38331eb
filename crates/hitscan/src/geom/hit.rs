//! The answer of a ray test against one shape.

use crate::math::float::{ORDINARY_SQUARES, round_vec3, sqrt, unit};
use core::ops::Neg;
use glam::{DVec3, Vec2, Vec3};

/// The side of the surface that the ray came from.
// It is as wide as the numbers that it is stored with. Otherwise it would be stored as a byte and loaded with its
// padding. Store forwarding would then fail, and the load would wait for all earlier stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u32)]
pub enum Side {
    /// The side that the outward normal points to: a triangle seen counter-clockwise, the outside of a solid.
    Front,
    /// The other side: the back of a triangle, the exit from a solid.
    Back,
    /// There is no surface: the ray's range begins inside a solid, and [`Inside::Solid`](crate::Inside::Solid) was
    /// requested.
    Inside,
}

/// A hit of a ray on a shape, in the space that the shape and the ray share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShapeHit {
    /// Distance along the ray, in units of its direction; [`Ray::at`](crate::Ray::at) gives the point.
    pub t: f32,
    /// The surface's own outward (front) normal, of unit length. For [`Side::Inside`] it is against the ray.
    pub normal: Vec3,
    /// The side that the ray hit.
    pub side: Side,
    /// Barycentrics (u, v) on a triangle, with P = (1-u-v) A + u B + v C, and coordinates along the two edges of a
    /// quad, from 0 to 1. `None` on other shapes.
    pub uv: Option<Vec2>,
}

impl ShapeHit {
    /// Returns the normal, flipped to face the ray.
    pub fn facing_normal(&self) -> Vec3 {
        facing(self.normal, self.side)
    }
}

/// Flips an outward normal to face the ray, which hit this side of the surface.
pub(crate) fn facing<V: Neg<Output = V>>(normal: V, side: Side) -> V {
    match side {
        Side::Front | Side::Inside => normal,
        Side::Back => -normal,
    }
}

/// A hit on a shape during a query: enough to order and filter it; the normal is computed once, for the winner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawHit {
    /// The t that is reported and compared.
    pub(crate) t: f32,
    /// The t before it was rounded to f32, for points.
    pub(crate) exact_t: f64,
    pub(crate) side: Side,
    /// The part of the shape's surface (a face, a cap), in the shape's own numbering.
    pub(crate) feature: usize,
    /// The number of this crossing among all crossings of the ray's whole line, counted along the line.
    pub(crate) crossing: u8,
    pub(crate) uv: Option<glam::DVec2>,
}

/// Returns the unit normal to report: outward, but against the ray for [`Side::Inside`] and for a shape shrunk to a
/// point.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn reported_normal(outward: DVec3, side: Side, direction: DVec3) -> Vec3 {
    let square = outward.length_squared();
    // This computes the same as `unit`, in registers.
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

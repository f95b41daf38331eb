//! The nearest point of a solid's surface to the origin.

use crate::math::float::{sqrt, unit};
use glam::DVec3;

/// The nearest point of a surface to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceFoot {
    pub(super) point: DVec3,
    /// The outward normal of the surface there, of unit length.
    pub(super) normal: DVec3,
    /// Tells whether the origin is in the interior of the solid.
    pub(super) is_inside: bool,
}

impl SurfaceFoot {
    /// Returns the foot for a solid that has no interior or does not contain the origin. The normal matters only if the
    /// point is the origin itself.
    pub(super) fn outside(point: DVec3, normal: DVec3) -> Self {
        Self { point, normal: unit(-point).unwrap_or(normal), is_inside: false }
    }

    /// Returns the foot in the plane across a unit normal, `height` below the origin; a negative height means that the
    /// origin is inside.
    pub(super) fn below(height: f64, normal: DVec3) -> Self {
        Self { point: -normal * height, normal, is_inside: height < 0.0 }
    }

    pub(super) fn distance(&self) -> f64 {
        sqrt(self.point.length_squared())
    }

    /// Returns the nearer one of two; the first one if they are equally near.
    pub(super) fn nearer(self, other: Self) -> Self {
        if other.point.length_squared() < self.point.length_squared() { other } else { self }
    }
}

//! Boxes in four lanes, whose operations dominate the time of a build.

use crate::geom::aabb::Aabb;
use glam::{Mat4, Vec3, Vec4};

/// An axis-aligned box. The fourth lanes belong to the owner, and have no meaning here.
///
/// Only minimum, maximum, sum, difference and product of glam's vectors are used. These have the same bits on every platform, because no component is NaN or
/// -0 (see [`Bounds::new`]), which platforms order differently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: Vec4,
    pub(super) high: Vec4,
}

impl Bounds {
    pub(super) const EMPTY: Self = Self { low: Vec4::INFINITY, high: Vec4::NEG_INFINITY };

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn new(aabb: &Aabb) -> Self {
        // Adding +0 turns -0 into +0.
        Self { low: (aabb.min + 0.0).extend(0.0), high: (aabb.max + 0.0).extend(0.0) }
    }

    pub(super) fn aabb(&self) -> Aabb {
        Aabb {
            min: Vec3::new(self.low.x, self.low.y, self.low.z),
            max: Vec3::new(self.high.x, self.high.y, self.high.z),
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn union(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns the box extended by a point.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn with(&self, point: Vec4) -> Self {
        Self { low: self.low.min(point), high: self.high.max(point) }
    }

    /// Returns half the surface area; infinite or NaN if empty.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn half_area(&self) -> f32 {
        let size = self.high - self.low;
        size.x * (size.y + size.z) + size.y * size.z
    }

    /// Returns twice the middle.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn center(&self) -> Vec4 {
        self.low + self.high
    }
}

/// Does the same as [`Bounds::half_area`] for four boxes of these sizes, with the same bits.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn half_areas([a, b, c, d]: [Vec4; 4]) -> Vec4 {
    let sizes = Mat4::from_cols(a, b, c, d).transpose();
    sizes.x_axis * (sizes.y_axis + sizes.z_axis) + sizes.y_axis * sizes.z_axis
}

//! Boxes in f64. The scene's own boxes are f32, a little larger, and looser around rotated things.

use hitscan::Aabb;
use hitscan::glam::DVec3;
use serde::Serialize;

/// A bound on the error of a transformed coordinate, and of the end of a transformed box. It is relative to the sum of the magnitudes of their terms. Each of
/// them has at most seven roundings.
pub(crate) const PADDING: f64 = 16.0 * f64::EPSILON;

/// A box in world space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Extent {
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
}

impl Extent {
    /// A box without points.
    pub(crate) const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    pub(crate) fn of_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        let add = |extent: Self, point: DVec3| Self { min: extent.min.min(point), max: extent.max.max(point) };
        points.into_iter().fold(Self::EMPTY, add)
    }

    pub(crate) fn of_bounds(bounds: Aabb) -> Self {
        Self { min: bounds.min.as_dvec3(), max: bounds.max.as_dvec3() }
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns whether the box has points and is finite.
    pub(crate) fn is_box(&self) -> bool {
        self.min.cmple(self.max).all() && self.min.is_finite() && self.max.is_finite()
    }

    pub(crate) fn center(&self) -> DVec3 {
        self.min * 0.5 + self.max * 0.5
    }

    pub(crate) fn half_size(&self) -> DVec3 {
        self.max * 0.5 - self.min * 0.5
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Returns whether the box contains another box, up to the rounding errors of both.
    pub(crate) fn nearly_contains(&self, other: &Self) -> bool {
        let rounding = (self.min.abs().max(self.max.abs()).max(other.min.abs()).max(other.max.abs())) * (4.0 * PADDING);
        Self { min: self.min - rounding, max: self.max + rounding }.contains(other)
    }

    /// Returns the distance from a point to the farthest corner of the box.
    pub(crate) fn farthest_from(&self, point: DVec3) -> f64 {
        (self.min - point).abs().max((self.max - point).abs()).length()
    }
}

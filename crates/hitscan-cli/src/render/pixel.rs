//! A pixel of the film.

use hitscan::glam::Vec3;
use hitscan_io::EntityId;

/// The average of a pixel's samples.
#[derive(Clone, Copy, Default)]
pub(super) struct Pixel {
    /// The entity that its first sample hit.
    pub(super) entity: Option<EntityId>,
    /// The linear direct light.
    pub(super) direct: Vec3,
    pub(super) ambient: Vec3,
    /// The fraction of the sky that the pixel sees.
    pub(super) open: f32,
    /// The fraction of samples that hit something, from 0 to 1.
    pub(super) covered: f32,
    /// The mean depth of the samples that hit something.
    pub(super) depth: f32,
    pub(super) normal: Vec3,
    /// The fraction of samples that hit a marked entity, from 0 to 1.
    pub(super) marked: f32,
}

impl Pixel {
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            entity: self.entity,
            direct: self.direct + other.direct,
            ambient: self.ambient + other.ambient,
            open: self.open + other.open,
            covered: self.covered + other.covered,
            depth: self.depth + other.depth,
            normal: self.normal + other.normal,
            marked: self.marked + other.marked,
        }
    }

    /// Makes the mean from the sum of `count` samples. Depth, normal and sky are the means of the samples that hit something.
    pub(super) fn mean(&self, count: f32) -> Self {
        let met = self.covered.max(1.0);
        Self {
            entity: self.entity,
            direct: self.direct / count,
            ambient: self.ambient / count,
            open: self.open / met,
            covered: self.covered / count,
            depth: self.depth / met,
            normal: self.normal.normalize_or_zero(),
            marked: self.marked / count,
        }
    }
}

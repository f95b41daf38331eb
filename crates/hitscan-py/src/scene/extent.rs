//! A box around the contents of a scene. It depends on the contents alone: a tree's own box also depends on the changes that led to them.

use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Aabb, Geometry};

/// A box in float64, around the images of the local boxes of geometries. Planes, which have no finite box, are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    pub(super) const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    pub(super) fn of(geometry: &Geometry, to_world: &DAffine3) -> Self {
        match geometry {
            Geometry::Shape(shape) => Self::image(shape.bounds(), to_world),
            Geometry::Mesh(mesh) => Self::image(mesh.bounds(), to_world),
            Geometry::HeightField(field) => Self::image(field.bounds(), to_world),
            Geometry::ConvexHull(hull) => Self::image(hull.bounds(), to_world),
            Geometry::PointCloud(cloud) => Self::image(cloud.bounds(), to_world),
            Geometry::Polyline(line) => Self::image(line.bounds(), to_world),
            Geometry::Custom(custom) => Self::image(custom.bounds(), to_world),
            Geometry::Compound(compound) => {
                let parts = compound.iter().map(|(part, placement)| Self::of(&part, &(*to_world * placement)));
                parts.fold(Self::EMPTY, |all, part| all.union(&part))
            }
            _ => Self::EMPTY,
        }
    }

    /// Returns a box around the image of a local box; nothing for a box that is empty or not finite.
    fn image(bounds: Aabb, to_world: &DAffine3) -> Self {
        let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let [x, y, z] = [to_world.matrix3.x_axis, to_world.matrix3.y_axis, to_world.matrix3.z_axis].map(DVec3::abs);
        let (middle, half) = (to_world.transform_point3((low + high) / 2.0), (high - low) / 2.0);
        let reach = x * half.x + y * half.y + z * half.z;
        let image = Self { low: middle - reach, high: middle + reach };
        if image.low.is_finite() && image.high.is_finite() { image } else { Self::EMPTY }
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns the box after one of the things in it has changed; `None` if only the other things say where it ends now.
    pub(super) fn after_change(&self, before: &Self, after: &Self) -> Option<Self> {
        let ends_there = before.low.cmpeq(self.low).any() || before.high.cmpeq(self.high).any();
        match before == after {
            true => Some(*self),
            false => (!ends_there).then(|| self.union(after)),
        }
    }

    /// Returns the point that rays are relative to: zero, unless the box is far from it. Else it is the point next to the middle of a grid whose cells are
    /// at most as large as the box, so that few changes move it.
    pub(super) fn ray_origin(&self) -> DVec3 {
        let (middle, size) = ((self.low + self.high) / 2.0, (self.high - self.low).max_element());
        let is_far = middle.is_finite() && middle.abs().max_element() > size;
        if !is_far {
            return DVec3::ZERO;
        }
        let cell = power_of_two_below(size);
        let round = |coordinate: f64| {
            let cells = coordinate / cell;
            // With more cells than this, every number of float64 is on the grid. Adding 0 makes +0 of -0.
            if cells.abs() < 2f64.powi(52) { cells.round() * cell + 0.0 } else { coordinate }
        };
        DVec3::new(round(middle.x), round(middle.y), round(middle.z))
    }
}

/// Returns the largest power of two that is not above a number; 0 for numbers below the normal range.
fn power_of_two_below(number: f64) -> f64 {
    f64::from_bits(number.to_bits() & f64::INFINITY.to_bits())
}

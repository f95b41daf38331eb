//! Bounds that are tighter than a box, for parts that may be rotated.

use super::aabb::{Aabb, Extent};
use super::kdop::{self, Kdop, KdopVector};
use crate::math::float::{ORDINARY_SQUARES, largest, sqrt};
use glam::{DAffine3, DVec3};

/// The bounds of a part that are known besides its box.
#[derive(Clone, Copy)]
pub(crate) enum TightBounds<'a> {
    /// The bounds of a mesh or a hull.
    Dop(&'a Kdop),
    /// The part consists of the points within a radius of a segment.
    Round { ends: [DVec3; 2], radius: f64 },
}

impl TightBounds<'_> {
    /// Returns a box around the image of the contents of these bounds; see [`Aabb::image`]. The bounds must be finite.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn image(self, bounds: &Aabb, transform: &DAffine3, slack: f64) -> Extent {
        let image = bounds.finite_image(transform, slack);
        let rows = || kdop::rows(transform.matrix3.to_cols_array_2d());
        self.turned(rows, transform, image.error).unwrap_or_else(|| image.extent())
    }

    /// Does the same as [`image`](Self::image), given the rows of the transform and the error of the image. Returns
    /// `None` if the image of the box is to be used.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn turned(
        self,
        rows: impl FnOnce() -> [KdopVector<f64>; 3],
        transform: &DAffine3,
        error: f64,
    ) -> Option<Extent> {
        match self {
            Self::Dop(dop) => Some(dop.turned(rows(), transform.translation, error)),
            Self::Round { ends, radius } => round(ends, radius, transform, error),
        }
    }
}

/// Returns a box around the image of all points within a radius of a segment. Along an axis, the image of a unit vector
/// is at most as long as the row of the transform for this axis.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn round([a, b]: [DVec3; 2], radius: f64, transform: &DAffine3, error: f64) -> Option<Extent> {
    let [x, y, z] = [transform.matrix3.x_axis, transform.matrix3.y_axis, transform.matrix3.z_axis];
    let squares = x * x + y * y + z * z;
    if !ORDINARY_SQUARES.contains(&largest(squares)) {
        return None;
    }
    let reach = DVec3::new(sqrt(squares.x), sqrt(squares.y), sqrt(squares.z)) * radius + error;
    let (a, b) = (transform.transform_point3(a), transform.transform_point3(b));
    Some(Extent { low: a.min(b) - reach, high: a.max(b) + reach })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Capsule, Shape};
    use glam::DMat3;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        [-1.0..=1.0f64, -1.0..=1.0f64, -1.0..=1.0f64].prop_map(DVec3::from_array)
    }

    proptest! {
        #[test]
        fn what_is_round_stays_in_it_and_touches_it(
            (radius, height) in (0.01..1.0f32, 0.0..4.0f32),
            columns in [vector(), vector(), vector()],
            translation in vector(),
            power in -200i32..200,
            points in prop::collection::vec(vector(), 1..50),
        ) {
            let shape = Shape::from(Capsule::new(radius, height + 2.0 * radius));
            let Some((ends, own)) = shape.core() else { panic!("a capsule is round") };
            let scale = libm::exp2(power.into());
            let matrix3 = DMat3::from_cols(columns[0], columns[1], columns[2]) * scale;
            let transform = DAffine3 { matrix3, translation };
            let extent = TightBounds::Round { ends, radius: own }.image(&shape.bounds(), &transform, 0.0);
            let rows = matrix3.transpose();
            // These are the points that are farthest along each axis, and others.
            let farthest = [rows.x_axis, rows.y_axis, rows.z_axis].into_iter().flat_map(|row| [row, -row]);
            let places: alloc::vec::Vec<DVec3> = farthest
                .chain(points)
                .filter_map(crate::math::float::unit)
                .flat_map(|away| ends.map(|end| transform.transform_point3(end + away * own)))
                .collect();
            for place in &places {
                prop_assert!(extent.low.cmple(*place).all() && place.cmple(extent.high).all());
            }
            let low = places.iter().copied().fold(DVec3::INFINITY, DVec3::min);
            let high = places.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
            let room = 1e-14 * (6.0 * scale * f64::from(height + 2.0 * radius) + 1.0);
            prop_assert!((low - extent.low).max_element() <= room && (extent.high - high).max_element() <= room);
        }
    }
}

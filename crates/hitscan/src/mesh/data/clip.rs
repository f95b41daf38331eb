//! The part of a triangle inside a box, for spatial splits.

use crate::geom::aabb::Aabb;
use glam::DVec3;

/// The margin by which the box is enlarged. Coordinates are at most 1. The error of a corner that is cut off is a few
/// units of f64's roundoff. Along an edge, that is divided by the edge's slope towards the plane. The corner stays
/// beyond the true box, because the edge crosses the plane of the true box earlier by this margin divided by the slope.
const MARGIN: f64 = 1.0 / (1u64 << 40) as f64;
/// A polygon has three corners, one more from each of six planes, and a few more that rounding may add to a convex
/// polygon.
const MOST_CORNERS: usize = 16;

/// Returns the lowest and highest coordinates of a triangle's part inside a box. Because of rounding, the part may be slightly larger. If there is no such
/// part, the lowest are above the highest.
///
/// The method is from I. E. Sutherland, G. W. Hodgman, "Reentrant Polygon Clipping", 1974.
pub(in crate::mesh) fn bounds(triangle: [DVec3; 3], cell: &Aabb) -> (DVec3, DVec3) {
    let part = part_inside(triangle, cell);
    let corners = part.as_ref().map_or(&triangle[..], Polygon::corners);
    corners.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)))
}

/// Returns the part of a triangle inside a box; `None` if it has too many corners.
fn part_inside(triangle: [DVec3; 3], cell: &Aabb) -> Option<Polygon> {
    let (low, high) = (cell.min.as_dvec3() - MARGIN, cell.max.as_dvec3() + MARGIN);
    let mut part = Polygon::new(&triangle)?;
    for axis in 0..3 {
        part.clip(axis, |x| x - low[axis])?;
        part.clip(axis, |x| high[axis] - x)?;
    }
    Some(part)
}

struct Polygon {
    corners: [DVec3; MOST_CORNERS],
    len: usize,
}

impl Polygon {
    const EMPTY: Self = Self { corners: [DVec3::ZERO; MOST_CORNERS], len: 0 };

    fn new(corners: &[DVec3]) -> Option<Self> {
        let mut polygon = Self::EMPTY;
        corners.iter().try_for_each(|&corner| polygon.push(corner))?;
        Some(polygon)
    }

    fn corners(&self) -> &[DVec3] {
        &self.corners[..self.len]
    }

    fn push(&mut self, corner: DVec3) -> Option<()> {
        *self.corners.get_mut(self.len)? = corner;
        self.len += 1;
        Some(())
    }

    /// Keeps the part where `inside`, of the coordinate along an axis, is not negative.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn clip(&mut self, axis: usize, inside: impl Fn(f64) -> f64) -> Option<()> {
        // This holds for most planes.
        if self.corners().iter().all(|corner| inside(corner[axis]) >= 0.0) {
            return Some(());
        }
        let mut kept = Self::EMPTY;
        let corners = self.corners();
        for (i, &corner) in corners.iter().enumerate() {
            let next = corners[if i + 1 < corners.len() { i + 1 } else { 0 }];
            let (here, there) = (inside(corner[axis]), inside(next[axis]));
            if here >= 0.0 {
                kept.push(corner)?;
            }
            if (here >= 0.0) != (there >= 0.0) {
                kept.push(corner + (next - corner) * (here / (here - there)))?;
            }
        }
        *self = kept;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        prop_oneof![
            [-1.0f32..=1.0, -1.0f32..=1.0, -1.0f32..=1.0],
            [-4i8..=4, -4i8..=4, -4i8..=4].prop_map(|p| p.map(|x| f32::from(x) / 4.0)),
        ]
        .prop_map(Vec3::from_array)
    }

    proptest! {
        /// The bounds contain every point of the triangle in the cell, up to the rounding of f64, and are hardly larger
        /// than the cell.
        #[test]
        fn bounds_have_the_part_inside(
            corners in [point(), point(), point()],
            cell in [point(), point()],
            at in prop::collection::vec((0.0..=1.0f64, 0.0..=1.0f64), 50),
        ) {
            let cell = Aabb::from_points(cell);
            let [a, b, c] = corners.map(|corner| corner.as_dvec3());
            let (low, high) = bounds([a, b, c], &cell);
            let (min, max) = (cell.min.as_dvec3(), cell.max.as_dvec3());
            for (u, v) in at {
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                let p = a * (1.0 - u - v) + b * u + c * v;
                if p.cmpge(min).all() && p.cmple(max).all() {
                    prop_assert!(p.cmpge(low - 1e-15).all() && p.cmple(high + 1e-15).all(), "{p}");
                }
            }
            prop_assert!(low.cmpgt(high).any() || low.cmpge(min - 1e-11).all() && high.cmple(max + 1e-11).all());
        }
    }
}

//! The part of a triangle inside a box, for trees that split triangles.

use crate::aabb::Aabb;
use crate::float::{UNIT_ROUNDOFF, round_down, round_up};
use core::array::from_fn;
use glam::{DVec3, Vec3};

/// More than all rounding errors below together, for coordinates of at most 1.
///
/// A new corner is computed on its edge but for four roundoffs in each coordinate, and across the plane it is at most twelve
/// off: so the six planes are moved outwards by these and by what the corners before it were off, 24 at the most.
const SLACK: f64 = 64.0 * UNIT_ROUNDOFF;

/// A triangle cut by six planes has at most nine corners; rounding can make it hardly concave, and then there are more.
const MOST_CORNERS: usize = 12;

/// A box around the part of a triangle inside `cell`: at most so much larger as rounding outwards makes it, and never larger than the
/// triangle's. Empty if there is no such part. All coordinates are at most 1 in magnitude.
///
/// (I. E. Sutherland, G. W. Hodgman, "Reentrant Polygon Clipping", 1974.)
pub(super) fn clipped(corners: [DVec3; 3], cell: &Aabb) -> Aabb {
    let (own_low, own_high) = around(&corners);
    let (low, high) = match Polygon::of(corners, cell) {
        Some(polygon) => around(polygon.as_slice()),
        None => (cell.min.as_dvec3(), cell.max.as_dvec3()),
    };
    let (low, high) = ((low - SLACK).max(own_low), (high + SLACK).min(own_high));
    if !low.cmple(high).all() {
        return Aabb::EMPTY;
    }
    Aabb {
        min: Vec3::from_array(from_fn(|axis| round_down(low[axis]))),
        max: Vec3::from_array(from_fn(|axis| round_up(high[axis]))),
    }
}

fn around(corners: &[DVec3]) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    corners.iter().fold(start, |(low, high), corner| (low.min(*corner), high.max(*corner)))
}

#[derive(Clone, Copy)]
struct Polygon {
    corners: [DVec3; MOST_CORNERS],
    len: usize,
}

impl Polygon {
    const EMPTY: Self = Self { corners: [DVec3::ZERO; MOST_CORNERS], len: 0 };

    /// The part of a triangle in a box; `None` if it has too many corners.
    fn of(corners: [DVec3; 3], cell: &Aabb) -> Option<Self> {
        let mut polygon = Self::EMPTY;
        corners.into_iter().try_for_each(|corner| polygon.push(corner))?;
        for axis in 0..3 {
            polygon = polygon.above(axis, f64::from(cell.min[axis]) - SLACK, 1.0)?;
            polygon = polygon.above(axis, -f64::from(cell.max[axis]) - SLACK, -1.0)?;
        }
        Some(polygon)
    }

    fn as_slice(&self) -> &[DVec3] {
        &self.corners[..self.len]
    }

    fn push(&mut self, corner: DVec3) -> Option<()> {
        *self.corners.get_mut(self.len)? = corner;
        self.len += 1;
        Some(())
    }

    /// The part in which `sign` times the coordinate is at least `least`.
    fn above(&self, axis: usize, least: f64, sign: f64) -> Option<Self> {
        let mut part = Self::EMPTY;
        let corners = self.as_slice();
        let next = corners.iter().cycle().skip(1);
        for (&a, &b) in corners.iter().zip(next) {
            let [over_a, over_b] = [a, b].map(|corner| sign * corner[axis] - least);
            if over_a >= 0.0 {
                part.push(a)?;
            }
            if (over_a > 0.0 && over_b < 0.0) || (over_a < 0.0 && over_b > 0.0) {
                part.push(a + (b - a) * (over_a / (over_a - over_b)))?;
            }
        }
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Of so few bits that points between corners are exact in f64.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            (-4i8..=4).prop_map(|x| f32::from(x) / 4.0),
            (-1_000_000i32..=1_000_000).prop_map(|x| x as f32 / (1 << 20) as f32),
            (-100i32..=100).prop_map(|x| x as f32 / (1 << 26) as f32),
        ]
    }

    fn point() -> impl Strategy<Value = Vec3> {
        [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from_array)
    }

    proptest! {
        #[test]
        fn every_point_inside_is_kept(corners in [point(), point(), point()], a in point(), b in point()) {
            let cell = Aabb::from_points([a, b]);
            let corners = corners.map(|corner| corner.as_dvec3());
            let part = clipped(corners, &cell);
            let inside = |bounds: &Aabb, p: DVec3| {
                bounds.min.as_dvec3().cmple(p).all() && p.cmple(bounds.max.as_dvec3()).all()
            };
            for (i, j) in (0..=32).flat_map(|i| (0..=32 - i).map(move |j| (i, j))) {
                let (u, v) = (f64::from(i) / 32.0, f64::from(j) / 32.0);
                let p = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
                prop_assert!(!inside(&cell, p) || inside(&part, p), "{p} is not in {part:?}");
            }
            // Within both, but for the slack.
            let own = Aabb::from_points(corners.map(|corner| corner.as_vec3()));
            if !part.is_empty() {
                prop_assert!(own.min.cmple(part.min).all() && part.max.cmple(own.max).all());
                let slack = 1e-6;
                prop_assert!((cell.min - slack).cmple(part.min).all() && part.max.cmple(cell.max + slack).all());
            }
        }
    }

    #[test]
    fn a_slanting_triangle_is_cut_along_all_axes() {
        let corners = [DVec3::splat(-1.0), DVec3::splat(1.0), DVec3::new(1.0, 1.0, 0.75)];
        let cell = Aabb::new([0.0, -1.0, -1.0], [0.5, 1.0, 1.0]);
        let part = clipped(corners, &cell);
        assert!((part.min - Vec3::new(0.0, 0.0, -0.125)).abs().max_element() < 1e-6, "{part:?}");
        assert!((part.max - Vec3::splat(0.5)).abs().max_element() < 1e-6, "{part:?}");
        assert!(clipped(corners, &Aabb::new([-1.0, 0.25, -1.0], [0.0, 1.0, 1.0])).is_empty());
    }
}

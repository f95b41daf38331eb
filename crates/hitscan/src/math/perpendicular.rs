//! Directions perpendicular to others that may be nearly parallel.
//!
//! The cross product of two vectors is off by a few u of the product of their lengths, in any direction. If the vectors are parallel up to rounding, all of
//! it is error, and it may point along them. So a direction that decides something is computed here, and not by a cross product alone.

use super::float::{largest, unit};
use glam::DVec3;

/// A cross product is accurate if the squared sine of the angle is above this value. With a sine of 1/8, its direction is off by 8 times the rounding of a unit
/// vector.
const WIDE_SQUARE: f64 = 1.0 / 64.0;

/// Returns the direction of the component of a vector that is perpendicular to a unit vector. Returns `None` if the two are parallel as far as f64 can tell.
/// The other component is subtracted twice, because the first subtraction leaves a rounding error.
pub(crate) fn beside(axis: DVec3, v: DVec3) -> Option<DVec3> {
    let across = |v: DVec3| v - axis * v.dot(axis);
    let off = across(v);
    if largest(off) <= 4.0 * f64::EPSILON * largest(v) {
        return None;
    }
    unit(off).map(across).and_then(unit)
}

/// Returns the unit normal of the plane along two vectors, by the right-hand rule. It is perpendicular to both up to the rounding of a unit vector, however
/// nearly parallel they are. A cross product alone would not be. `None` if they are parallel as far as f64 can tell.
pub(crate) fn plane_normal(u: DVec3, v: DVec3) -> Option<DVec3> {
    let first = unit(u)?;
    let second = beside(first, v)?;
    unit(first.cross(second))
}

/// Returns a vector of any length along [`plane_normal`]. It is the cross product where that is accurate. It is zero if the vectors are parallel as far as f64
/// can tell.
pub(crate) fn across(u: DVec3, v: DVec3) -> DVec3 {
    let cross = u.cross(v);
    let is_wide = cross.length_squared() > WIDE_SQUARE * u.length_squared() * v.length_squared();
    if is_wide { cross } else { plane_normal(u, v).unwrap_or(DVec3::ZERO) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::float::UNIT_ROUNDOFF;
    use crate::math::random::Random;

    #[test]
    fn normals_are_perpendicular_to_nearly_parallel_vectors() {
        let mut random = Random(1);
        let mut leaning = 0;
        for case in 0..20_000 {
            let vector = |random: &mut Random| DVec3::from_array([0; 3].map(|_| random.unit() - 0.5));
            let along = vector(&mut random);
            let angle = 10f64.powf(-17.0 * random.unit());
            let off = vector(&mut random) * angle;
            let other = (along + off) * 10f64.powf(20.0 * random.unit() - 10.0);
            let lean = |normal: DVec3| {
                let lean = |v: DVec3| normal.dot(v).abs() / v.length();
                lean(along).max(lean(other)) / normal.length()
            };
            let normal = across(along, other);
            if normal != DVec3::ZERO {
                assert!(lean(normal) <= 32.0 * UNIT_ROUNDOFF, "{case}: {along} {other} {:e}", lean(normal));
            } else {
                let sine = along.cross(off).length() / along.length_squared();
                assert!(sine <= 16.0 * f64::EPSILON, "{case}: {along} {other} {sine:e}");
            }
            leaning += usize::from(lean(along.cross(other)) > 1e-3);
        }
        assert!(leaning > 1_000, "{leaning}");
    }
}

//! Steps of grids and angles.

use glam::DVec3;

/// Returns the multiple of a step that is nearest to a value: a length, an angle, a factor. A value halfway between two multiples
/// is rounded away from 0. A step that is not positive and finite changes nothing.
///
/// ```
/// use hitscan::drag::snap;
///
/// assert_eq!((snap(7.4, 5.0), snap(-7.6, 5.0), snap(7.4, 0.0)), (5.0, -10.0, 7.4));
/// ```
pub fn snap(value: f64, step: f64) -> f64 {
    if !(step > 0.0 && step.is_finite()) {
        return value;
    }
    let snapped = libm::round(value / step) * step;
    // The quotient of a large value and a small step may be beyond f64. The value is then a multiple of the step within the rounding error of f64.
    if snapped.is_finite() { snapped } else { value }
}

/// Returns the point of a grid through the origin, with cells of this size, that is nearest to a point.
pub fn snap_point(point: impl Into<DVec3>, step: f64) -> DVec3 {
    let point = point.into();
    DVec3::new(snap(point.x, step), snap(point.y, step), snap(point.z, step))
}

//! Support points: the points of balls, circles, segments and polygons that are farthest along a direction.

use super::float::{sqrt, unit};
use glam::DVec3;

/// Returns the farther of two points along a direction; the first one if both are equally far.
pub(crate) fn farther([a, b]: [DVec3; 2], direction: DVec3) -> DVec3 {
    if a.dot(direction) < b.dot(direction) { b } else { a }
}

/// Returns the first of the points that are farthest along a direction.
pub(crate) fn farthest_of(corners: &[DVec3], direction: DVec3) -> DVec3 {
    let farther = |p: DVec3, q: &DVec3| if q.dot(direction) > p.dot(direction) { *q } else { p };
    corners.iter().fold(corners.first().copied().unwrap_or_default(), farther)
}

/// Returns the support point of the unit ball around the origin.
pub(crate) fn on_ball(direction: DVec3) -> DVec3 {
    unit(direction).unwrap_or(DVec3::X)
}

/// Returns the support point of the unit circle around the origin that is perpendicular to a unit axis. The component
/// of the direction along the axis is subtracted twice, because the first subtraction leaves a rounding error. The
/// error of the remaining component of a unit direction is then below 16 u. If this component is no larger than that,
/// the direction is treated as along the axis. Then the centre of the circle is a support point up to about 20 u of
/// the radius.
pub(crate) fn on_circle(axis: DVec3, direction: DVec3) -> DVec3 {
    let across = |v: DVec3| v - axis * v.dot(axis);
    unit(direction)
        .map(|v| across(across(v)))
        .filter(|v| sqrt(v.length_squared()) > 8.0 * f64::EPSILON)
        .and_then(unit)
        .unwrap_or(DVec3::ZERO)
}

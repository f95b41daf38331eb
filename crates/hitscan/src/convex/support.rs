//! The support functions of shapes.

use crate::math::float::{sqrt, unit};
use crate::shape::{Cone, Cylinder, Disc, Shape, Triangle};
use glam::DVec3;

/// A convex set that is given by its support function alone.
pub(crate) trait SupportMap {
    /// Returns the support point along a direction of any length.
    fn farthest(&self, direction: DVec3) -> DVec3;
}

/// Returns the support point of the hull of a ball or circles along a direction, in the shape's own space.
pub(crate) fn farthest(shape: &Shape, direction: DVec3) -> Option<DVec3> {
    Some(match shape {
        Shape::Sphere(ball) => ball.center.as_dvec3() + on_ball(direction) * f64::from(ball.radius),
        Shape::Capsule(capsule) => {
            farther(capsule.ends().map(|end| end.as_dvec3()), direction)
                + on_ball(direction) * f64::from(capsule.radius())
        }
        Shape::Cylinder(cylinder) => on_cylinder(cylinder, direction),
        Shape::Cone(cone) => on_cone(cone, direction),
        Shape::Disc(disc) => on_disc(disc, direction),
        Shape::Triangle(Triangle { a, b, c }) => farthest_of(&[a, b, c].map(|corner| corner.as_dvec3()), direction),
        // These have corners, are no bounded solid, or are not convex.
        Shape::Box(_) | Shape::OrientedBox(_) | Shape::Plane(_) | Shape::Quad(_) | Shape::Torus(_) => return None,
    })
}

pub(crate) fn farther([a, b]: [DVec3; 2], direction: DVec3) -> DVec3 {
    if a.dot(direction) < b.dot(direction) { b } else { a }
}

fn on_ball(direction: DVec3) -> DVec3 {
    unit(direction).unwrap_or(DVec3::X)
}

/// Returns the support point of the unit circle around the origin across a unit axis. The component of the direction
/// along the axis is subtracted twice, as the first time leaves a rounding error. The error of the rest of a unit
/// direction is then below 16 u. A direction whose component across the axis is no larger than that is along the axis,
/// and the centre of the circle is a support point up to some 20 u of the radius.
fn on_circle(axis: DVec3, direction: DVec3) -> DVec3 {
    let across = |v: DVec3| v - axis * v.dot(axis);
    unit(direction)
        .map(|v| across(across(v)))
        .filter(|v| sqrt(v.length_squared()) > 8.0 * f64::EPSILON)
        .and_then(unit)
        .unwrap_or(DVec3::ZERO)
}

fn on_cylinder(cylinder: &Cylinder, direction: DVec3) -> DVec3 {
    let ends = cylinder.ends().map(|end| end.as_dvec3());
    let axis = unit(ends[1] - ends[0]).unwrap_or(DVec3::Y);
    farther(ends, direction) + on_circle(axis, direction) * f64::from(cylinder.radius())
}

fn on_cone(cone: &Cone, direction: DVec3) -> DVec3 {
    let (base, apex) = (cone.base_center().as_dvec3(), cone.apex().as_dvec3());
    let axis = unit(apex - base).unwrap_or(DVec3::Y);
    farther([base + on_circle(axis, direction) * f64::from(cone.radius()), apex], direction)
}

fn on_disc(disc: &Disc, direction: DVec3) -> DVec3 {
    let axis = unit(disc.normal.as_dvec3()).unwrap_or(DVec3::Y);
    disc.center.as_dvec3() + on_circle(axis, direction) * f64::from(disc.radius)
}

/// Returns the first of the points that are farthest along a direction.
pub(crate) fn farthest_of(corners: &[DVec3], direction: DVec3) -> DVec3 {
    let farther = |p: DVec3, q: &DVec3| if q.dot(direction) > p.dot(direction) { *q } else { p };
    corners.iter().fold(corners.first().copied().unwrap_or_default(), farther)
}

//! The change of lengths under linear transforms.

use super::gjk::RESOLUTION;
use crate::geom::aabb::Aabb;
use crate::math::float::{larger, largest, length, sqrt};
use glam::{DAffine3, DMat3, DVec3};

/// Returns the scale of a transform, if it is the same along every axis and without shear, up to the resolution of f64.
pub(crate) fn similar(linear: &DMat3) -> Option<f64> {
    let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
    let square = x.length_squared();
    let slack = RESOLUTION / 16.0 * square;
    let is_same = |other: DVec3| (other.length_squared() - square).abs() <= slack;
    let is_square = [x.dot(y), y.dot(z), z.dot(x)].iter().all(|product| product.abs() <= slack);
    (is_same(y) && is_same(z) && is_square).then(|| sqrt(square))
}

/// Returns the radius of a ball's image, if the image is a ball. A radius of 0 stays 0 under every transform.
pub(crate) fn scaled_radius(radius: f64, linear: &DMat3) -> Option<f64> {
    if radius == 0.0 { Some(0.0) } else { similar(linear).map(|scale| radius * scale) }
}

/// Returns approximately the shortest length of the images of unit vectors in the x-z plane: the area of the parallelogram of the images of x and z, divided by
/// its longest side.
pub(crate) fn least_stretch(linear: &DMat3) -> f64 {
    let (x, z) = (linear.x_axis, linear.z_axis);
    let longest = larger(length(x), length(z));
    if longest > 0.0 { length((x / longest).cross(z)) } else { 0.0 }
}

/// Returns an upper bound of the factor by which vectors become longer.
pub(crate) fn scale(linear: &DMat3) -> f64 {
    let size = |v: DVec3| v.x.abs() + v.y.abs() + v.z.abs();
    size(linear.x_axis) + size(linear.y_axis) + size(linear.z_axis)
}

/// Returns an upper bound of the coordinates of the image of a finite box.
pub(crate) fn reach(bounds: &Aabb, to_world: &DAffine3) -> f64 {
    let farthest = largest(bounds.min.abs().max(bounds.max.abs()).as_dvec3());
    largest(to_world.translation) + farthest * scale(&to_world.matrix3)
}

//! How thick a volume is in the space of what it meets.

use super::Mover;
use crate::bvh::Slack;
use crate::float::{largest, sqrt};
use crate::transform::Placement;
use glam::{DMat3, DVec3};

/// Half the sizes of a box of the local space around the volume's image, and how inexact its way is there.
///
/// A row of the linear part L times a unit vector is at most the row's length, so a ball of radius r becomes as wide as r times that along an axis.
/// The error of images is `slack` in the world, relative to the largest coordinate, and at most the sum of a row's magnitudes times it here.
pub(crate) fn local_thickness(mover: &Mover, center: DVec3, placement: &Placement) -> (DVec3, Slack) {
    let rows = placement.to_local.matrix3.transpose();
    let body = &mover.body;
    let along = |row: DVec3| body.radius * length(row) + body.core.reach(row);
    let half = DVec3::new(along(rows.x_axis), along(rows.y_axis), along(rows.z_axis));
    let reach =
        largest(center) + largest(placement.to_world.translation) + largest(mover.motion) + body.size() + body.radius;
    let padding = 4.0 * placement.slack * reach * largest_row_sum(&rows);
    (half * WIDER, Slack { relative: placement.slack, padding })
}

/// More than the roundings above.
const WIDER: f64 = 1.0 + 64.0 * f64::EPSILON;

fn length(row: DVec3) -> f64 {
    let size = largest(row);
    if size > 0.0 && size.is_finite() { size * sqrt((row / size).length_squared()) } else { size }
}

fn largest_row_sum(rows: &DMat3) -> f64 {
    let sum = |row: DVec3| row.x.abs() + row.y.abs() + row.z.abs();
    sum(rows.x_axis).max(sum(rows.y_axis)).max(sum(rows.z_axis))
}

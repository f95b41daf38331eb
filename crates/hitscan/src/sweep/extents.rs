//! How thick a volume is in the space of what it meets.

use super::{Core, Mover};
use crate::bvh::Slack;
use crate::float::{largest, sqrt};
use crate::mesh::Form;
use crate::transform::Placement;
use glam::{DMat3, DVec3};

/// Half the sizes of a box of the local space around the volume's image, and how inexact its way is there.
///
/// A row of the linear part L times a unit vector is at most the row's length, so a ball of radius r becomes as wide as r times that along an axis.
/// The error of images is `slack` in the world, relative to the largest coordinate, and at most the sum of a row's magnitudes times it here.
pub(crate) fn local_thickness(mover: &Mover, center: DVec3, placement: &Placement) -> Thickness {
    let rows = placement.to_local.matrix3.transpose();
    let body = &mover.body;
    let along = |row: DVec3| match &mover.turning {
        Some(turning) => (turning.reach + body.radius) * length(row),
        None => body.radius * length(row) + body.core.reach(row),
    };
    let half = DVec3::new(along(rows.x_axis), along(rows.y_axis), along(rows.z_axis));
    let reach =
        largest(center) + largest(placement.to_world.translation) + largest(mover.motion) + body.size() + body.radius;
    let padding = 4.0 * placement.slack * reach * largest_row_sum(&rows);
    let slack = Slack { relative: placement.slack, padding };
    Thickness { slack, half: half * WIDER, form: local_form(mover, &placement.to_local.matrix3) }
}

/// How a volume is seen by what it meets, in the space of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thickness {
    pub(crate) slack: Slack,
    /// Half the sizes of a box around it.
    pub(crate) half: DVec3,
    /// What it is in more closely; of one that turns nothing.
    pub(crate) form: Option<Form>,
}

fn local_form(mover: &Mover, to_local: &DMat3) -> Option<Form> {
    let edges = match &mover.body.core {
        Core::Segment(half) => [*half, DVec3::ZERO, DVec3::ZERO],
        Core::Box(halves) => *halves,
        core => {
            let DVec3 { x, y, z } = core.half_extents();
            [DVec3::new(x, 0.0, 0.0), DVec3::new(0.0, y, 0.0), DVec3::new(0.0, 0.0, z)]
        }
    };
    let halves = edges.map(|edge| *to_local * edge);
    mover.turning.is_none().then(|| Form { radius: mover.body.radius * most_stretch(to_local), halves })
}

/// At least how much longer a vector becomes: the root of the largest eigenvalue of the rows' products, by Gershgorin's circles.
fn most_stretch(linear: &DMat3) -> f64 {
    let rows = linear.transpose();
    let size = largest_row_sum(&rows);
    if !(size > 0.0 && size.is_finite()) {
        return size;
    }
    let [x, y, z] = [rows.x_axis / size, rows.y_axis / size, rows.z_axis / size];
    let products = DMat3::from_cols(
        DVec3::new(x.dot(x), x.dot(y), x.dot(z)),
        DVec3::new(x.dot(y), y.dot(y), y.dot(z)),
        DVec3::new(x.dot(z), y.dot(z), z.dot(z)),
    );
    size * sqrt(largest_row_sum(&products)) * WIDER
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

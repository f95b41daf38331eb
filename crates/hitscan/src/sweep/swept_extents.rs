//! The extents of a volume in the space of the obstacle.

use super::mover::{Mover, Sweep};
use super::triangle_set::{Linear, Space};
use crate::bvh::Slack;
use crate::convex::{Body, BodyCore};
use crate::math::float::{ABOVE_ROUNDINGS, inverse_power_of_two, larger, largest, power_of_two, sqrt};
use crate::tri::{SweptShape, SweptVolume};
use glam::{DMat3, DVec3};

/// The volume in the space of the obstacle.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweptExtents<'a> {
    /// Half the sizes of its bounding box.
    half: DVec3,
    sweep: &'a Sweep,
    space: &'a Space<'a>,
}

impl<'a> SweptExtents<'a> {
    /// Computes the extents of the volume. The dot product of a unit vector with a row of the linear part is at most the row's length. So the image of a ball
    /// of radius r extends along an axis by r times the length of that row.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn new(sweep: &'a Sweep, space: &'a Space<'a>) -> Self {
        let half = match space.linear {
            Linear::World | Linear::Identity => sweep.mover.half_extents(),
            Linear::Any(linear) => stretched(&sweep.mover, linear),
        };
        Self { half: half * ABOVE_ROUNDINGS, sweep, space }
    }
}

impl SweptVolume for SweptExtents<'_> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn half_extents(&self) -> DVec3 {
        self.half
    }

    /// Returns the error of the volume's path in this space. In the world, the error of images is `slack`
    /// relative to the largest coordinate. In this space, it is at most that times the sum of the magnitudes of
    /// a row.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn slack(&self) -> Slack {
        let Space { to_world, slack, linear, .. } = self.space;
        let Sweep { center, mover, .. } = self.sweep;
        // The reach is an upper bound of coordinates. They are the coordinates of the path, of the volume along it,
        // and of the origin of the space.
        let reach =
            largest(center.world().abs() + to_world.translation.abs() + mover.motion.abs() + mover.half_extents());
        let row_sum = match linear {
            Linear::World | Linear::Identity => 1.0,
            Linear::Any(linear) => row_sum(linear),
        };
        Slack { relative: *slack, padding: 4.0 * slack * reach * row_sum }
    }

    /// Returns the slack for a path that starts near the obstacle, and is at most a few hundred times as long as the obstacle. For an obstacle in world space
    /// there is none, because the box test of every ray includes an error of this size.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn slack_near(&self) -> Slack {
        if let Linear::World = self.space.linear { Slack::NONE } else { self.slack() }
    }

    /// Returns tighter bounds of the volume; `None` if it rotates.
    #[inline(never)]
    fn form(&self) -> Option<SweptShape> {
        let Mover { body, turning, .. } = &self.sweep.mover;
        let (linear, most) = match self.space.linear {
            Linear::World | Linear::Identity => (&DMat3::IDENTITY, 1.0),
            Linear::Any(linear) => (linear, Stretch::new(linear).most),
        };
        let halves = halves(body, linear);
        turning.is_none().then_some(SweptShape { radius: body.radius * most, halves })
    }
}

/// Returns half the sizes of the bounding box of a volume's image under a linear transform.
#[inline(never)]
fn stretched(mover: &Mover, linear: &DMat3) -> DVec3 {
    let (stretch, body) = (Stretch::new(linear), &mover.body);
    match &mover.turning {
        Some(turning) => stretch.rows * (turning.reach + body.radius),
        None => {
            let [x, y, z] = halves(body, linear);
            stretch.rows * body.radius + x.abs() + y.abs() + z.abs()
        }
    }
}

/// Returns the largest sum of a row's magnitudes.
fn row_sum(linear: &DMat3) -> f64 {
    largest(linear.x_axis.abs() + linear.y_axis.abs() + linear.z_axis.abs())
}

/// Returns the half edges of the image of the body's core, or of a box around that image.
fn halves(body: &Body, linear: &DMat3) -> [DVec3; 3] {
    match &body.core {
        BodyCore::Segment(half) => [*linear * *half, DVec3::ZERO, DVec3::ZERO],
        BodyCore::Box([x, y, z]) => [*linear * *x, *linear * *y, *linear * *z],
        BodyCore::Hull(_) | BodyCore::Round(_) => {
            let DVec3 { x, y, z } = body.core.half_extents();
            [linear.x_axis * x, linear.y_axis * y, linear.z_axis * z]
        }
    }
}

/// The change of sizes by a linear transform.
struct Stretch {
    /// The lengths of the rows of the transform. If the squares in a row underflow because another row is far longer, the padding covers the loss.
    rows: DVec3,
    /// An upper bound of the factor by which vectors become longer. It is the root of the largest eigenvalue
    /// of the products of rows, by Gershgorin's circles.
    most: f64,
}

impl Stretch {
    fn new(linear: &DMat3) -> Self {
        let unit = power_of_two(row_sum(linear));
        let scaled = *linear * inverse_power_of_two(unit);
        let rows = scaled.transpose();
        let (x, y, z) = (rows.x_axis, rows.y_axis, rows.z_axis);
        let squares = DVec3::new(x.length_squared(), y.length_squared(), z.length_squared());
        let [xy, yz, zx] = [x.dot(y).abs(), y.dot(z).abs(), z.dot(x).abs()];
        let most = larger(larger(squares.x + xy + zx, squares.y + xy + yz), squares.z + yz + zx);
        let lengths = DVec3::new(sqrt(squares.x), sqrt(squares.y), sqrt(squares.z));
        Self { rows: lengths * unit, most: sqrt(most) * unit * ABOVE_ROUNDINGS }
    }
}

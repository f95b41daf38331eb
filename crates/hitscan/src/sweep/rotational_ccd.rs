//! Volumes that turn on their way.

use super::conservative_advancement::{ConvexObstacle, MOST_TURNING_STEPS, TURNING_RESOLUTION};
use super::mover::Mover;
use crate::convex::support::farthest_of;
use crate::convex::{BodyCore, UnitRotation};
use crate::math::float::{larger, largest, length, smaller, sqrt, unit};
use alloc::vec::Vec;
use glam::{DQuat, DVec3};

/// A turn around the volume's middle, as fast at all times.
#[derive(Clone, Debug)]
pub(crate) struct Rotation {
    /// Of unit length.
    axis: DVec3,
    /// All of it, in radians.
    angle: f64,
    /// At least how far the core is from the axis.
    off_axis: f64,
    /// And from the middle.
    pub(super) reach: f64,
    /// Times, from and to, at which the volume is known to be far from what it is tested against.
    away: Vec<[f64; 2]>,
}

/// A core as it is turned at a time.
#[derive(Clone, Copy)]
pub(super) struct RotatedCore<'a> {
    core: &'a BodyCore,
    /// The axis, and the sine and cosine of the angle.
    turn: Option<(DVec3, f64, f64)>,
}

impl Rotation {
    /// From one rotation to another the shorter way; `None` where that changes nothing of the core.
    pub(super) fn between(from: &UnitRotation, to: &UnitRotation, core: &BodyCore) -> Option<Self> {
        let [from, to] = [from, to].map(|turn| turn.rotation().unwrap_or(DQuat::IDENTITY));
        if from == to {
            return None;
        }
        let between = to * from.conjugate();
        let DQuat { x, y, z, w } = if between.w < 0.0 { -between } else { between };
        let along = DVec3::new(x, y, z);
        let axis = unit(along)?;
        let angle = 2.0 * libm::atan2(length(along), w);
        let off_axis = core.farthest_by(|corner| length(corner.cross(axis))) * WIDER;
        let turns = angle > 0.0 && off_axis > 0.0;
        turns.then(|| Self { axis, angle, off_axis, reach: core.farthest_by(length) * WIDER, away: Vec::new() })
    }

    /// At most how fast a point of the core comes along a direction of unit length by the turn: it goes at right angles to the axis.
    pub(super) fn speed(&self, direction: DVec3) -> f64 {
        let across = direction.cross(self.axis);
        self.angle * self.off_axis * sqrt(across.length_squared()) * WIDER
    }

    /// The end of the time at which the volume is known to be far away, or the same time.
    pub(super) fn past_away(&self, t: f64) -> f64 {
        let around = self.away.iter().find(|[from, to]| (*from..*to).contains(&t));
        around.map_or(t, |[_, to]| *to)
    }

    /// Bounds how fast anything of the volume goes that is within a distance of a place, at any time.
    pub(super) fn fastest_around(&self, motion: DVec3, place: DVec3, distance: f64) -> f64 {
        let along = |t: f64| length(motion + self.axis.cross(place - motion * t) * self.angle);
        // It changes linearly with the time, so that it is fastest first or last.
        (larger(along(0.0), along(1.0)) + self.angle * distance) * WIDER
    }

    /// Bounds how fast anything of the volume goes along a direction of unit length that is within a distance of a place, at any time.
    pub(super) fn fastest_along(&self, motion: DVec3, place: DVec3, distance: f64, direction: DVec3) -> f64 {
        let across = direction.cross(self.axis);
        let along = |t: f64| direction.dot(motion) + across.dot(place - motion * t) * self.angle;
        let sizes = length(motion) + self.angle * (length(place) + length(motion) + distance);
        larger(along(0.0), along(1.0)) + self.angle * sqrt(across.length_squared()) * distance + sizes * (WIDER - 1.0)
    }

    /// At most how fast the turn moves a point of the core that is this far from the middle at most.
    pub(super) fn fastest(&self, reach: f64) -> f64 {
        self.angle * smaller(self.off_axis, reach) * WIDER
    }
}

/// More than the roundings of the bounds above.
const WIDER: f64 = 1.0 + 64.0 * f64::EPSILON;

impl RotatedCore<'_> {
    /// The core's point that is farthest along a direction, relative to the middle.
    pub(super) fn farthest(&self, direction: DVec3) -> DVec3 {
        let Some((axis, sine, cosine)) = self.turn else { return self.core.farthest(direction) };
        let turned = |v: DVec3, sine: f64| v * cosine + axis.cross(v) * sine + axis * (axis.dot(v) * (1.0 - cosine));
        turned(self.core.farthest(turned(direction, -sine)), sine)
    }
}

impl Mover {
    /// The core as it is at t.
    pub(crate) fn is_turning(&self) -> bool {
        self.turning.is_some()
    }

    pub(super) fn turned(&self, t: f64) -> RotatedCore<'_> {
        let turn = self.turning.as_ref().filter(|_| t != 0.0);
        let turn = turn.map(|turning| {
            let angle = turning.angle * t;
            (turning.axis, libm::sin(angle), libm::cos(angle))
        });
        RotatedCore { core: &self.body.core, turn }
    }

    /// The same volume, which knows when it is far from all that is among some corners, if it turns: then it is not stepped to each part of that.
    pub(super) fn with_away_times(&self, corners: &[DVec3; 8]) -> Self {
        let size = corners.iter().fold(0.0, |most, &corner| larger(most, largest(corner)));
        let wide = corners.iter().fold(0.0, |most, &corner| larger(most, length(corner - corners[0])));
        let bounds = ConvexObstacle { farthest: |direction: DVec3| farthest_of(corners, direction), radius: 0.0, size };
        let away = || bounds.away(self, larger(wide, TURNING_RESOLUTION * size));
        let turning = self.turning.clone().map(|turning| Rotation { away: away(), ..turning });
        Self { turning, ..self.clone() }
    }

    /// At most how fast any point of the volume comes along a direction of unit length, by motion and turn.
    pub(super) fn speed(&self, direction: DVec3) -> f64 {
        direction.dot(self.motion) + self.turning.as_ref().map_or(0.0, |turning| turning.speed(direction))
    }

    /// When a gap that closes no faster than this, and as fast if nothing turns, is closed.
    pub(super) fn arrival(&self, gap: impl Fn(f64) -> f64, speed: f64, rounding: f64) -> Option<f64> {
        let mut t = 0.0;
        let near =
            if self.turning.is_some() { TURNING_RESOLUTION * (self.body.size() + self.body.radius) } else { 0.0 };
        for _ in 0..MOST_TURNING_STEPS {
            let left = gap(t);
            t += larger(left, 0.0) / speed;
            if !(speed > 0.0 && t <= 1.0 + f64::from(f32::EPSILON)) {
                return None;
            }
            if self.turning.is_none() || left <= larger(near, rounding) {
                break;
            }
        }
        Some(t)
    }
}

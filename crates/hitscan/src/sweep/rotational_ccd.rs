//! Sweeps of rotating volumes.

use super::conservative_advancement::{ConvexObstacle, MOST_TURNING_STEPS, TURNING_RESOLUTION};
use super::contact::{Contact, ContactFilter, SweepStart};
use super::mover::{EARLY, Mover};
use crate::convex::{Body, BodyCore, ConvexFaces, RESOLUTION, UnitRotation};
use crate::math::float::{ABOVE_ROUNDINGS, larger, largest, length, smaller, sqrt, unit};
use crate::math::support::farthest_of;
use alloc::vec::Vec;
use glam::{DQuat, DVec3};

/// A rotation around the volume's centre with constant speed.
#[derive(Clone, Debug)]
pub(crate) struct Rotation {
    /// The unit axis.
    axis: DVec3,
    /// The total angle in radians.
    angle: f64,
    /// An upper bound of the distance of the core from the axis.
    off_axis: f64,
    /// An upper bound of the distance of the core from the centre.
    pub(super) reach: f64,
    /// The intervals of time at which the volume is known to be far from the obstacle.
    away: Vec<[f64; 2]>,
}

/// A core with its rotation at a time.
#[derive(Clone, Copy)]
pub(super) struct RotatedCore<'a> {
    core: &'a BodyCore,
    /// The axis, and the sine and cosine of the angle.
    turn: Option<(DVec3, f64, f64)>,
}

impl Rotation {
    /// Returns the shorter rotation from one orientation to another; `None` if it does not change the core.
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
        let off_axis = core.farthest_by(|corner| length(corner.cross(axis))) * ABOVE_ROUNDINGS;
        let turns = angle > 0.0 && off_axis > 0.0;
        turns.then(|| Self {
            axis,
            angle,
            off_axis,
            reach: core.farthest_by(length) * ABOVE_ROUNDINGS,
            away: Vec::new(),
        })
    }

    /// Returns an upper bound of the speed that the rotation gives the core along a unit direction. All velocities of a rotation are perpendicular to its axis.
    pub(super) fn speed(&self, direction: DVec3) -> f64 {
        let across = direction.cross(self.axis);
        self.angle * self.off_axis * sqrt(across.length_squared()) * ABOVE_ROUNDINGS
    }

    /// Returns the end of the interval around a time in which the volume is known to be far away. If there is none, it returns the time itself.
    pub(super) fn past_away(&self, t: f64) -> f64 {
        let around = self.away.iter().find(|[from, to]| (*from..*to).contains(&t));
        around.map_or(t, |[_, to]| *to)
    }

    /// Bounds the speed of any point of the volume within a distance of a place, at any time.
    pub(super) fn fastest_around(&self, motion: DVec3, place: DVec3, distance: f64) -> f64 {
        let along = |t: f64| length(motion + self.axis.cross(place - motion * t) * self.angle);
        // The velocity is linear in time, so the speed is largest at the start or the end.
        (larger(along(0.0), along(1.0)) + self.angle * distance) * ABOVE_ROUNDINGS
    }

    /// Bounds the speed along a unit direction of any point of the volume within a distance of a place, at any time.
    pub(super) fn fastest_along(&self, motion: DVec3, place: DVec3, distance: f64, direction: DVec3) -> f64 {
        let across = direction.cross(self.axis);
        let along = |t: f64| direction.dot(motion) + across.dot(place - motion * t) * self.angle;
        let sizes = length(motion) + self.angle * (length(place) + length(motion) + distance);
        larger(along(0.0), along(1.0))
            + self.angle * sqrt(across.length_squared()) * distance
            + sizes * (ABOVE_ROUNDINGS - 1.0)
    }

    /// Returns an upper bound of the speed of a point of the core that is at most this far from the centre.
    pub(super) fn fastest(&self, reach: f64) -> f64 {
        self.angle * smaller(self.off_axis, reach) * ABOVE_ROUNDINGS
    }
}

impl RotatedCore<'_> {
    /// Returns a direction of the world in the space of the core before its rotation.
    fn turned_back(&self, direction: DVec3) -> DVec3 {
        self.turn.map_or(direction, |(axis, sine, cosine)| rotated(direction, (axis, -sine, cosine)))
    }

    /// Returns the core's support point along a direction, relative to the centre.
    pub(super) fn farthest(&self, direction: DVec3) -> DVec3 {
        let farthest = self.core.farthest(self.turned_back(direction));
        self.turn.map_or(farthest, |turn| rotated(farthest, turn))
    }
}

/// Rotates a vector around a unit axis, by the sine and cosine of the angle.
fn rotated(v: DVec3, (axis, sine, cosine): (DVec3, f64, f64)) -> DVec3 {
    v * cosine + axis.cross(v) * sine + axis * (axis.dot(v) * (1.0 - cosine))
}

impl Mover {
    /// Returns whether the volume rotates.
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

    /// Returns a copy of the volume. If it rotates, the copy has the intervals of time in which it is far from a box with these corners. Then it need
    /// not be advanced towards each part of the box.
    pub(super) fn with_away_times(&self, corners: &[DVec3; 8]) -> Self {
        let size = corners.iter().fold(0.0, |most, &corner| larger(most, largest(corner)));
        let wide = corners.iter().fold(0.0, |most, &corner| larger(most, length(corner - corners[0])));
        let bounds = ConvexObstacle { farthest: |direction: DVec3| farthest_of(corners, direction), radius: 0.0, size };
        let away = || bounds.away(self, larger(wide, TURNING_RESOLUTION * size));
        let turning = self.turning.clone().map(|turning| Rotation { away: away(), ..turning });
        Self { turning, ..self.clone() }
    }

    /// Returns a contact no earlier than the ball around the volume touches the obstacle. Returns `None` if the ball does not touch it. `size` bounds the
    /// coordinates of the obstacle, and `meet` returns the contact of the obstacle with another volume.
    ///
    /// A contact of a rotating volume is early by a fraction of the sizes, and the obstacle may be far larger than the volume. The boxes of a tree are only
    /// found where the ball reaches them, so an earlier contact would depend on the tree. The ball is widened by a bound on the errors of its own contact.
    #[cold]
    #[inline(never)]
    pub(crate) fn after_ball(
        &self,
        met: Contact,
        size: f64,
        meet: &dyn Fn(&Self) -> Option<Contact>,
    ) -> Option<Contact> {
        let Some(turning) = self.turning.as_ref().filter(|_| met.start == SweepStart::Apart && size.is_finite()) else {
            return Some(met);
        };
        let reach = turning.reach + self.body.radius;
        let radius = reach + EARLY * RESOLUTION * (size + reach + largest(self.motion));
        let body = Body { core: BodyCore::Segment(DVec3::ZERO), radius };
        let (outline, contacts) = (ConvexFaces::default(), ContactFilter::All);
        let ball = Self { body, outline, motion: self.motion, turning: None, contacts, rounding: self.rounding };
        meet(&ball).map(|of_ball| Contact { t: larger(met.t, of_ball.t), ..met })
    }

    /// Returns an upper bound of the speed of any point of the volume along a unit direction, by motion and rotation.
    pub(super) fn speed(&self, direction: DVec3) -> f64 {
        direction.dot(self.motion) + self.turning.as_ref().map_or(0.0, |turning| turning.speed(direction))
    }

    /// Returns a time after `t` during which the core of a rotating volume certainly stays above a plane. The plane is
    /// given by its normal and height. Returns `None` if no rotation brings the core nearer.
    ///
    /// Let a be a bound on the acceleration of all corners. If a corner at the height h has the speed v, its height after a time s is at least h + v s - a s^2
    /// / 2. If a long volume passes near the plane, its corners are fast, but hardly move towards the plane. Then this time is far longer than a time that
    /// follows from a bound on their speeds.
    pub(super) fn time_above(&self, t: f64, (normal, height): (DVec3, f64)) -> Option<f64> {
        let turning = self.turning.as_ref()?;
        let (core, across) = (self.turned(t), normal.cross(turning.axis) * turning.angle);
        let (up, rise) = (core.turned_back(normal), core.turned_back(across));
        let (low, speed) = (height - normal.dot(self.motion) * t, normal.dot(self.motion));
        let acceleration = turning.angle * turning.speed(normal);
        let pace = |corner: DVec3| {
            let (above, speed) = (up.dot(corner) - low, speed + rise.dot(corner));
            if above < 0.0 {
                return f64::INFINITY;
            }
            let root = sqrt(speed * speed + 2.0 * acceleration * above);
            if speed < 0.0 { (root - speed) / (2.0 * above) } else { acceleration / (root + speed) }
        };
        let fastest = self.body.core.farthest_by(pace);
        (fastest > 0.0).then(|| 1.0 / fastest)
    }

    /// Returns when a gap is closed, given an upper bound of the speed at which it closes. The speed is exact if nothing rotates.
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

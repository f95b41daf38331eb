//! Casts along a ballistic arc.

use super::cast_path::PathSegment;
use crate::error::errors;
use crate::math::float::{length, round_vec3, sqrt};
use crate::query::{Hit, RayView};
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// The path of a projectile: at each time it is at `origin + velocity * time + acceleration * time^2 / 2`, from `t_min` to `t_max`.
///
/// Lengths are in world units, and the unit of time is yours. A trajectory whose range of time is not finite hits nothing.
///
/// ```
/// use hitscan::{Trajectory, glam::Vec3};
///
/// let thrown = Trajectory::new([0.0, 2.0, 0.0], [3.0, 4.0, 0.0], [0.0, -10.0, 0.0]);
/// assert_eq!((thrown.at(1.0), thrown.velocity_at(1.0)), (Vec3::new(3.0, 1.0, 0.0), Vec3::new(3.0, -6.0, 0.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trajectory {
    /// Position at time 0, relative to the query's origin.
    pub origin: Vec3,
    /// Velocity at time 0.
    pub velocity: Vec3,
    /// Acceleration, such as gravity: (0, -9.81, 0).
    pub acceleration: Vec3,
    /// Start time; 0 unless changed.
    pub t_min: f32,
    /// End time; 10 unless changed.
    pub t_max: f32,
}

/// The first hit of a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TrajectoryHit<K> {
    /// The hit. Its t is the fraction of the chord that hit, from the chord's start time to its end time.
    pub hit: Hit<K>,
    /// Index of the chord that hit, from 0.
    pub chord: usize,
    /// The time at which the arc itself crosses the tangent plane at the hit.
    pub time: f32,
    /// The velocity on the arc at that time.
    pub velocity: Vec3,
}

errors! {
    /// Why a trajectory hits nothing.
    pub enum TrajectoryError {
        /// A vector has a NaN or infinite component.
        #[error("the trajectory's {what} {value} must be finite")]
        NotFinite {
            /// The name of the vector, such as "velocity".
            what: &'static str,
            /// The value given.
            value: Vec3,
        },
        /// Velocity and acceleration are both zero: nothing moves.
        #[error("the trajectory goes nowhere: its velocity or its acceleration must not be zero")]
        Still,
        /// `t_min < t_max` does not hold, or one of them is not finite.
        #[error("the trajectory's times must be finite, with t_min < t_max, not {t_min} to {t_max}")]
        Range {
            /// The lower end of the given range.
            t_min: f32,
            /// The upper end of the given range.
            t_max: f32,
        },
        /// The tolerance is not above 0.
        #[error("the tolerance {tolerance} must be above 0")]
        Tolerance(tolerance: f32),
        /// The tolerance is so fine that the arc would be cut into more than a million chords.
        #[error("a tolerance of {tolerance} cuts the trajectory into more than {MAX_CHORDS} chords: choose a larger one, or a shorter time")]
        TooFine {
            /// The tolerance given.
            tolerance: f32,
        },
    }
}

/// The largest number of chords that an arc is cut into.
const MAX_CHORDS: u32 = 1 << 20;

impl Trajectory {
    /// Makes a trajectory from a position, the velocity there, and a constant acceleration, for ten units of time.
    pub fn new(origin: impl Into<Vec3>, velocity: impl Into<Vec3>, acceleration: impl Into<Vec3>) -> Self {
        let (origin, velocity, acceleration) = (origin.into(), velocity.into(), acceleration.into());
        Self { origin, velocity, acceleration, t_min: 0.0, t_max: 10.0 }
    }

    /// Returns the same arc with another range of time.
    #[must_use]
    pub fn with_range(self, t_min: f32, t_max: f32) -> Self {
        Self { t_min, t_max, ..self }
    }

    /// Returns the position at a time, rounded once.
    pub fn at(&self, time: f32) -> Vec3 {
        round_vec3(self.exact_at(time.into()))
    }

    /// Returns the velocity at a time, rounded once.
    pub fn velocity_at(&self, time: f32) -> Vec3 {
        round_vec3(self.exact_velocity_at(time.into()))
    }

    /// Checks whether the trajectory can hit anything with this tolerance, and if not, says why.
    pub fn validate(&self, tolerance: f32) -> Result<(), TrajectoryError> {
        let Self { origin, velocity, acceleration, t_min, t_max } = *self;
        let vectors = [("origin", origin), ("velocity", velocity), ("acceleration", acceleration)];
        if let Some((what, value)) = vectors.into_iter().find(|(_, value)| !value.is_finite()) {
            return Err(TrajectoryError::NotFinite { what, value });
        }
        if velocity == Vec3::ZERO && acceleration == Vec3::ZERO {
            return Err(TrajectoryError::Still);
        }
        if !(t_min < t_max && t_min.is_finite() && t_max.is_finite()) {
            return Err(TrajectoryError::Range { t_min, t_max });
        }
        if !(tolerance > 0.0) {
            return Err(TrajectoryError::Tolerance(tolerance));
        }
        let chords = self.chords(tolerance);
        if chords <= f64::from(MAX_CHORDS) { Ok(()) } else { Err(TrajectoryError::TooFine { tolerance }) }
    }

    /// Returns the points of the polyline that casts follow. It is nowhere farther from the arc than `tolerance`, in world units. It has no points if
    /// [`validate`](Self::validate) returns an error.
    ///
    /// A chord is farthest from the arc halfway between its two times. The distance there is the acceleration times an eighth of the square of the time between
    /// them. So all chords take the same time.
    pub fn points(&self, tolerance: f32) -> impl Iterator<Item = Vec3> {
        let chords = self.validate(tolerance).ok().map(|()| self.chords(tolerance) as u32);
        let arc = *self;
        chords
            .into_iter()
            .flat_map(move |chords| (0..=chords).map(move |i| round_vec3(arc.exact_at(arc.time(i, chords)))))
    }

    /// Returns the number of chords that are needed to stay within the tolerance of the arc: a whole number, at least 1.
    fn chords(&self, tolerance: f32) -> f64 {
        let time = f64::from(self.t_max) - f64::from(self.t_min);
        let bend = length(self.acceleration.as_dvec3()) / (8.0 * f64::from(tolerance));
        libm::ceil(time * sqrt(bend)).max(1.0)
    }

    /// Returns the start time of a chord, given its number and the number of all chords. If the two numbers are equal, returns the end time
    /// of the last chord.
    fn time(&self, number: u32, chords: u32) -> f64 {
        let (t_min, t_max) = (f64::from(self.t_min), f64::from(self.t_max));
        if number == chords { t_max } else { t_min + (t_max - t_min) * (f64::from(number) / f64::from(chords)) }
    }

    fn exact_at(&self, time: f64) -> DVec3 {
        let Self { origin, velocity, acceleration, .. } = *self;
        origin.as_dvec3() + velocity.as_dvec3() * time + acceleration.as_dvec3() * (time * time / 2.0)
    }

    fn exact_velocity_at(&self, time: f64) -> DVec3 {
        self.velocity.as_dvec3() + self.acceleration.as_dvec3() * time
    }

    /// Returns the time at which the arc is in the plane through a point with a normal. This is the root of the quadratic equation that is nearest to the time
    /// `near`, or `near` itself if there is no root.
    fn time_in_plane(&self, point: DVec3, normal: DVec3, near: f64) -> f64 {
        let distance = (self.exact_at(near) - point).dot(normal);
        let speed = self.exact_velocity_at(near).dot(normal);
        let bend = self.acceleration.as_dvec3().dot(normal) / 2.0;
        let discriminant = speed * speed - 4.0 * bend * distance;
        // The root of smaller magnitude, without cancellation.
        let divisor = speed + libm::copysign(sqrt(discriminant.max(0.0)), speed);
        let offset = -2.0 * distance / divisor;
        if discriminant >= 0.0 && offset.is_finite() { near + offset } else { near }
    }
}

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Returns the first hit along a trajectory.
    pub(in crate::query) fn along_trajectory(
        &self,
        trajectory: &Trajectory,
        tolerance: f32,
    ) -> Option<TrajectoryHit<K>> {
        trajectory.validate(tolerance).ok()?;
        let chords = trajectory.chords(tolerance) as u32;
        let time = |number| trajectory.time(number, chords);
        let at = |number| trajectory.exact_at(time(number));
        let pieces = || (0..chords).map(|number| PathSegment { from: at(number), to: at(number + 1) });
        let (number, hit) = self.along_pieces(&pieces)?;
        let (start, end) = (time(number as u32), time(number as u32 + 1));
        let on_chord = start + (end - start) * f64::from(hit.t);
        let point = hit.exact_point - self.view.origin;
        let time = trajectory.time_in_plane(point, hit.normal.as_dvec3(), on_chord).max(start).min(end);
        Some(TrajectoryHit {
            hit,
            chord: number,
            time: time as f32,
            velocity: round_vec3(trajectory.exact_velocity_at(time)),
        })
    }
}

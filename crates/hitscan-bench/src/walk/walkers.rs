//! The compared crowds, and the parameters that they share.

use ::hitscan::glam::DVec3;

/// The capsule of every character. It has a radius, and a height with both caps.
pub(super) const RADIUS: f64 = 0.3;

pub(super) const HEIGHT: f64 = 1.8;

/// The height of the highest step that a character climbs, and the distance over which it follows the ground down.
pub(super) const STEP: f64 = 0.3;

pub(super) const MAX_SLOPE_DEGREES: f64 = 50.0;

pub(super) const GRAVITY: f64 = 9.81;

pub(super) const DT: f64 = 1.0 / 60.0;

pub(super) const SPEED: f64 = 5.0;

/// A crowd of characters of one library.
pub(super) trait Walkers {
    fn name(&self) -> &'static str;

    /// Returns the number of characters.
    fn count(&self) -> usize;

    /// Moves a character by its wanted velocity and gravity.
    fn step(&mut self, number: usize, wanted: DVec3);

    /// Returns the middle of a character, and whether it stands on the ground.
    fn place(&self, number: usize) -> (DVec3, bool);
}

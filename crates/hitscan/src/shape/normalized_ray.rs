//! A ray in a shape's own units, so that no square or product of its numbers overflows or underflows.

use crate::geom::ray::LocalRay;
use crate::math::float::power_of_two;
use glam::DVec3;

/// A ray seen from a point of the shape, in units of about the shape's size and with a direction of length about 1.
/// Both units are powers of two, so nothing is rounded. A shape and ray at any scale are computed in the same way.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScaledRay {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
    /// The size of one shape unit.
    pub(super) unit: f64,
    /// The number of steps of `direction` from the original ray's origin to this origin.
    start: f64,
    /// The ray's t for one step.
    t_per_step: f64,
}

impl ScaledRay {
    /// Makes the ray for a shape of about this size (any number, also 0) around or beside `point`.
    pub(super) fn new(ray: &LocalRay, point: DVec3, size: f64) -> Self {
        let unit = power_of_two(size);
        let length = power_of_two(ray.direction.abs().max_element());
        Self {
            origin: (ray.origin - point) / unit,
            direction: ray.direction / length,
            unit,
            start: 0.0,
            t_per_step: unit / length,
        }
    }

    /// Returns the same line. If it starts far away, the result starts at the line's point closest to the shape's point. So a large distance costs one rounding
    /// of the line's position, and no rounding afterwards. A ray that starts at the shape keeps its origin: an origin on the surface stays exactly there.
    pub(super) fn rebased(self) -> Self {
        // All of the shape is within 4 units. It is at most 2 sizes from the point, and a size is less than 2 units.
        if self.origin.abs().max_element() <= 4.0 { self } else { self.at_closest() }
    }

    /// Returns the same line, starting at its point closest to the shape's point.
    pub(super) fn at_closest(self) -> Self {
        let rough = self.moved(self.steps_to_closest());
        // A second step is needed: if the ray starts far away, the first quotient is not accurate in the shape's units.
        rough.moved(rough.steps_to_closest())
    }

    fn steps_to_closest(&self) -> f64 {
        -self.origin.dot(self.direction) / self.direction.length_squared()
    }

    fn moved(self, steps: f64) -> Self {
        Self { origin: self.at(steps), start: self.start + steps, ..self }
    }

    pub(super) fn at(&self, steps: f64) -> DVec3 {
        self.origin + self.direction * steps
    }

    /// Returns the position of the original ray's origin, in steps from this origin.
    pub(super) fn own_origin(&self) -> f64 {
        -self.start
    }

    /// Returns the ray's t after some steps from here.
    pub(super) fn t(&self, steps: f64) -> f64 {
        (self.start + steps) * self.t_per_step
    }

    /// Returns the steps from here to a t of the ray.
    pub(super) fn steps(&self, t: f64) -> f64 {
        t / self.t_per_step - self.start
    }
}

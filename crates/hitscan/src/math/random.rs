//! A generator of random numbers for tests. `hitscan-random`, which is not published, compiles this file as well.

use super::glam::{DQuat, DVec3};
use super::splitmix64::splitmix64;

/// A generator, which is made from a seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    /// Returns an integer from 0 to `n`, excluding `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Returns one of the items, of which there must be at least one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Returns a number from 0 to 1, excluding 1.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number from -1 to 1, excluding 1.
    pub fn unit(&mut self) -> f64 {
        2.0 * self.fraction() - 1.0
    }

    /// Returns a point of the cube from -1 to 1.
    pub fn cube(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit())
    }

    /// Returns a point of the unit sphere.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.cube();
            if (1e-3..=1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    /// Returns a rotation of up to 3 radians.
    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), 3.0 * self.unit())
    }
}

//! Random numbers from a seed: splitmix64.

use crate::hash::{STEP, mixed};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3};

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(self.0)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// Returns one of the items, of which there is at least one.
    pub(crate) fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Returns a number from 0 to 1, without 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number from -1 to 1, without 1.
    pub(crate) fn unit(&mut self) -> f64 {
        2.0 * self.fraction() - 1.0
    }

    /// Returns a point in the cube from -1 to 1.
    pub(crate) fn cube(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit())
    }

    /// Returns a point on the unit sphere.
    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.cube();
            if (1e-3..=1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    /// Returns 2 to a power from `-reach` to `reach`.
    pub(crate) fn power(&mut self, reach: u32) -> f64 {
        power_of_two(self.below(2 * reach as usize + 1) as i32 - reach as i32)
    }

    /// Returns a transform with a rotation, an uneven scale that mirrors half of the time, and a translation by up to
    /// `distance` along each axis.
    pub(crate) fn placement(&mut self, distance: f64) -> DAffine3 {
        let mirror = self.of(&[-1.0, 1.0]);
        let scale = DVec3::new(0.3 + 3.0 * self.fraction(), 0.3 + 3.0 * self.fraction(), 0.3 + 3.0 * self.fraction());
        let linear = self.rotation() * DMat3::from_diagonal(scale * DVec3::new(mirror, 1.0, 1.0)) * self.rotation();
        DAffine3::from_mat3_translation(linear, self.cube() * distance)
    }

    fn rotation(&mut self) -> DMat3 {
        // The distribution is not uniform, which does not matter; the length is at least 1.
        let [x, y, z] = self.cube().to_array();
        DMat3::from_quat(DQuat::from_xyzw(x, y, z, 1.0).normalize())
    }
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

//! Random transforms that are computed without functions whose results differ between platforms.

use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3};
use hitscan_random::Random;

pub(crate) trait RandomTransform {
    /// Returns a random power of two, with an exponent from `-reach` to `reach`.
    fn power(&mut self, reach: u32) -> f64;

    /// Returns a transform with a rotation, an uneven scale that mirrors half of the time, and a translation by up to
    /// `distance` along each axis.
    fn placement(&mut self, distance: f64) -> DAffine3;
}

impl RandomTransform for Random {
    fn power(&mut self, reach: u32) -> f64 {
        power_of_two(self.below(2 * reach as usize + 1) as i32 - reach as i32)
    }

    fn placement(&mut self, distance: f64) -> DAffine3 {
        let mirror = self.pick(&[-1.0, 1.0]);
        let scale = DVec3::new(0.3 + 3.0 * self.fraction(), 0.3 + 3.0 * self.fraction(), 0.3 + 3.0 * self.fraction());
        let linear = rotation(self) * DMat3::from_diagonal(scale * DVec3::new(mirror, 1.0, 1.0)) * rotation(self);
        DAffine3::from_mat3_translation(linear, self.cube() * distance)
    }
}

fn rotation(random: &mut Random) -> DMat3 {
    // The distribution of rotations need not be uniform. The length of the quaternion is at least 1.
    let [x, y, z] = random.cube().to_array();
    DMat3::from_quat(DQuat::from_xyzw(x, y, z, 1.0).normalize())
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

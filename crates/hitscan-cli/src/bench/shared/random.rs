//! Random numbers from a seed: splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators",
//! OOPSLA 2014). Sines and roots come from libm, so that every machine measures the same scenes and rays.

use hitscan::glam::DVec3;
use std::f64::consts::TAU;

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Returns a number from `low` up to, but not including, `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Returns a point in the box.
    pub(crate) fn point(&mut self, min: DVec3, max: DVec3) -> DVec3 {
        DVec3::new(self.between(min.x, max.x), self.between(min.y, max.y), self.between(min.z, max.z))
    }

    /// Returns a direction of unit length; all directions are equally likely.
    pub(crate) fn direction(&mut self) -> DVec3 {
        let z = self.between(-1.0, 1.0);
        let (sin, cos) = libm::sincos(self.between(0.0, TAU));
        let radius = libm::sqrt(1.0 - z * z);
        DVec3::new(radius * cos, radius * sin, z)
    }
}

//! Random numbers from a seed, for tests, benchmarks and fuzz targets. Seeds are recorded in many places, so the numbers
//! that follow from a seed never change.
//!
//! [`effort`] has the sizes of tests, [`levels`] selects instruction sets, and [`skip`] counts what tests leave out.
//!
//! The demo of `hitscan-io` and `hitscan bench` have copies of the generator, as published crates cannot depend on this
//! one.
#![forbid(unsafe_code)]

pub mod effort;
pub mod levels;
pub mod skip;

use hitscan::glam::{DQuat, DVec3};

/// The fractional part of the golden ratio, by which the state of [`splitmix64`] grows.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the next 64 bits of the generator splitmix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014).
pub fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(STEP);
    mixed(*state)
}

/// Mixes all bits of a state: the output function of [`splitmix64`].
pub fn mixed(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A generator, which is made from a seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    /// Returns a whole number from 0 to `n`, without `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Returns one of the items, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Returns a number from 0 to 1, without 1.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number from -1 to 1, without 1.
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

#[cfg(test)]
mod tests {
    use super::{Random, splitmix64};

    #[test]
    fn the_numbers_are_those_of_the_reference_implementation() {
        let mut state = 1_234_567;
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([(); 3].map(|()| splitmix64(&mut state)), expected);
    }

    #[test]
    fn numbers_keep_to_their_ranges() {
        let mut random = Random(1);
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&random.fraction()) && (-1.0..1.0).contains(&random.unit()));
            assert!(random.below(3) < 3 && (random.direction().length() - 1.0).abs() < 1e-15);
        }
    }
}

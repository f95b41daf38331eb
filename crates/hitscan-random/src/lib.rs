//! Random numbers from a seed, for tests, benchmarks and fuzz targets. Seeds are recorded in many places, so the numbers
//! that follow from a seed never change.
//!
//! [`effort`] has the sizes of tests, [`levels`] selects instruction sets, and [`skip`] counts the skips of tests.
//!
//! The source files belong to the library, whose unit tests use them. A published crate cannot depend on this crate.
//! The demo of `hitscan-io` and `hitscan bench`, which are published too, have copies of the generator.
#![forbid(unsafe_code)]

pub mod effort;
pub mod levels;
pub mod skip;

use hitscan::glam;

#[path = "../../hitscan/src/math/random.rs"]
mod random;
#[path = "../../hitscan/src/math/splitmix64.rs"]
mod splitmix64;

pub use random::Random;
pub use splitmix64::{STEP, mixed, splitmix64};

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

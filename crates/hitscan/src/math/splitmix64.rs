//! A generator of random numbers that are the same everywhere. `hitscan-random`, which is not published, compiles this file as well.

/// The fractional part of the golden ratio, by which the state of [`splitmix64`] grows.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the next number of a seed, which it advances (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
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

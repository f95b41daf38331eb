//! Hashes whose sum is a digest.

use hitscan_random::{STEP, mixed};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// The digest of the answers to some rays. The digest of several sets of rays is the sum of their digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(pub u64);

impl Add for Digest {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sum for Digest {
    fn sum<I: Iterator<Item = Self>>(digests: I) -> Self {
        digests.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Hashes the words of one ray's answers, in order.
pub(crate) struct Words(u64);

impl Words {
    pub(crate) fn new(index: u64) -> Self {
        Self(mixed(index))
    }

    pub(crate) fn word(&mut self, word: u64) {
        self.0 = mixed(self.0.wrapping_add(STEP) ^ word);
    }

    pub(crate) fn pair(&mut self, high: u32, low: u32) {
        self.word(u64::from(high) << 32 | u64::from(low));
    }

    pub(crate) fn digest(&self) -> Digest {
        Digest(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(index: u64, words: &[u64]) -> Digest {
        let mut taken = Words::new(index);
        words.iter().for_each(|&word| taken.word(word));
        taken.digest()
    }

    #[test]
    fn every_bit_counts_and_where_it_is() {
        let words = [3, 0, 7];
        let expected = digest(5, &words);
        assert_eq!(digest(5, &words), expected);
        assert_ne!(digest(6, &words), expected);
        assert_ne!(digest(5, &[0, 3, 7]), expected);
        assert_ne!(digest(5, &[3, 0, 7, 0]), expected);
        for (i, bit) in (0..words.len()).flat_map(|i| (0..64).map(move |bit| (i, bit))) {
            let mut changed = words;
            changed[i] ^= 1 << bit;
            assert_ne!(digest(5, &changed), expected, "word {i}, bit {bit}");
        }
    }
}

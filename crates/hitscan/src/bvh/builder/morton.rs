//! Orders items along a space-filling curve (G. M. Morton, 1966) that halves the longest side of each cell first.

use super::bounds::Bounds;
use super::reference::{self, Reference};
use crate::parallel;
use crate::simd::{dispatch, in_huge_pages};
use alloc::vec;
use alloc::vec::Vec;
use core::slice::IterMut;
use glam::Vec4;

/// The most bits of one axis (two bytes), and of a code.
const AXIS_BITS: usize = 16;
const CODE_BITS: usize = 32;
/// The number of items that are worth handing to another thread.
const GRAIN: usize = 8192;

/// Returns the indices of the references, in the order of their centers along the curve; references with equal codes
/// keep their order.
pub(super) fn order(references: &[Reference]) -> Vec<u32> {
    let curve = Curve::new(&dispatch!(simd => reference::center_bounds(simd, references)));
    let mut keys = in_huge_pages(vec![0; references.len()]);
    parallel::fill(&mut keys, GRAIN, &|start, piece| {
        for ((key, reference), place) in piece.iter_mut().zip(&references[start..]).zip(start as u64..) {
            *key = u64::from(curve.code(reference.bounds.center())) << 32 | place;
        }
    });
    sorted(keys)
}

struct Curve {
    low: Vec4,
    scale: Vec4,
    /// The part of the code for each value of a byte of a cell coordinate, by axis and byte.
    spread: [[[u32; 256]; 2]; 3],
}

impl Curve {
    fn new(centers: &Bounds) -> Self {
        let extent = (centers.high - centers.low).to_array();
        let mut sizes = extent;
        let mut bits = [0; 3];
        let mut spread = [[[0; 256]; 2]; 3];
        for bit in (0..CODE_BITS).rev() {
            let open = (0..3).filter(|&axis| bits[axis] < AXIS_BITS && extent[axis] > 0.0);
            let Some(axis) = open.max_by(|&a, &b| sizes[a].total_cmp(&sizes[b])) else { break };
            bits[axis] += 1;
            sizes[axis] *= 0.5;
            // This is the axis's next lower bit.
            let place = AXIS_BITS - bits[axis];
            for (byte, code) in spread[axis][place / 8].iter_mut().enumerate() {
                *code |= ((byte >> (place % 8) & 1) as u32) << bit;
            }
        }
        let cells = ((1 << AXIS_BITS) - 1) as f32;
        // A spread so small that its inverse is infinite is treated as none.
        let scale = extent.map(|extent| if extent > 0.0 { cells / extent } else { 0.0 });
        let [x, y, z, _] = scale.map(|scale| if scale.is_finite() { scale } else { 0.0 });
        // In the last lane, 1 is subtracted from the item's number, which avoids a slow product with a subnormal
        // number, as in `BinGrid`.
        Self { low: centers.low.with_w(1.0), scale: Vec4::new(x, y, z, 0.0), spread }
    }

    fn code(&self, center: Vec4) -> u32 {
        let cell = ((center - self.low) * self.scale).to_array();
        let spread = |axis: usize| {
            // The conversion saturates.
            let place = cell[axis] as u16 as usize;
            self.spread[axis][0][place & 255] | self.spread[axis][1][place >> 8]
        };
        spread(0) | spread(1) | spread(2)
    }
}

/// The digits by which codes are sorted. They are given by the number of bits of each, and the number of digits that
/// are used.
#[derive(Clone, Copy)]
struct Digits {
    bits: usize,
    rounds: usize,
}

impl Digits {
    /// The most bits of a digit. Where two rounds of 12 bits are enough, three rounds of 11 bits make a build a few
    /// hundredths slower.
    const MOST_BITS: usize = 12;
    /// The least bits of a digit, which are a quarter of all bits. Sorting a few keys takes microseconds in any number
    /// of rounds.
    const LEAST_BITS: usize = 8;
    /// The number of bits that two digits have in addition to the logarithm of the number of keys. With 4 to 14, the
    /// expected number of nodes and leaves that a ray visits is the same within 2 %. This holds in models that fill
    /// their box.
    const SPARE_BITS: usize = 5;
    /// The maximum number of keys that are tested to find out whether two digits are enough.
    const SAMPLED: usize = 4096;
    /// Two digits are not enough if more than one in this many keys of the sample have the same first digit. If one
    /// object lies far from all others, two digits would not distinguish the others.
    const CROWDED: usize = 24;

    fn of(keys: &[u64]) -> Self {
        let enough = keys.len().max(1).ilog2() as usize + Self::SPARE_BITS;
        let bits = enough.div_ceil(2).clamp(Self::LEAST_BITS, Self::MOST_BITS);
        let two = Self { bits, rounds: 2 };
        if enough <= 2 * bits && !two.are_crowded(keys) {
            return two;
        }
        let rounds = CODE_BITS.div_ceil(bits + 1);
        Self { bits: CODE_BITS.div_ceil(rounds), rounds }
    }

    fn are_crowded(self, keys: &[u64]) -> bool {
        let sample = keys.iter().step_by(keys.len().div_ceil(Self::SAMPLED).max(1));
        let most = sample.len() / Self::CROWDED;
        let mut counts = vec![0; self.values()];
        for &key in sample {
            counts[self.at(self.rounds - 1)(key)] += 1;
        }
        counts.into_iter().any(|count| count > most)
    }

    /// Returns the number of values of a digit.
    fn values(self) -> usize {
        1 << self.bits
    }

    /// Returns the digit of a key in a round, counted from 0. In the first round, some of its bits may belong to the
    /// place. This does not change the order of equal codes.
    fn at(self, round: usize) -> impl Fn(u64) -> usize + Copy {
        let (shift, mask) = (2 * CODE_BITS - self.bits * (self.rounds - round), self.values() - 1);
        move |key| (key >> shift) as usize & mask
    }
}

/// Returns the lower halves of the keys, which are their places, sorted by the upper halves in rounds of counting sort.
/// Keys with equal upper halves, or with equal digits if not all bits are used, keep their order.
fn sorted(mut keys: Vec<u64>) -> Vec<u32> {
    let digits = Digits::of(&keys);
    let last = digits.rounds - 1;
    let mut other = in_huge_pages(vec![0; keys.len()]);
    for round in 0..last {
        sort_by(digits, round, &keys, &mut other, |key| key);
        core::mem::swap(&mut keys, &mut other);
    }
    drop(other);
    let mut order = in_huge_pages(vec![0; keys.len()]);
    sort_by(digits, last, &keys, &mut order, |key| key as u32);
    order
}

/// Sorts by one digit. Each thread has a part of the keys. In the result, its keys with a digit come after the keys of the
/// previous parts with this digit.
fn sort_by<T: Send>(digits: Digits, round: usize, keys: &[u64], sorted: &mut [T], value: impl Fn(u64) -> T + Sync) {
    let digit = digits.at(round);
    let part = if keys.len() <= GRAIN { GRAIN } else { keys.len().div_ceil(parallel::threads()).max(GRAIN) };
    let mut parts: Vec<KeyPart<'_, T>> = keys.chunks(part).map(|keys| KeyPart::new(keys, digits.values())).collect();
    parallel::for_each(&mut parts, &|part| part.count(digit));
    deal(sorted, &mut parts);
    parallel::for_each(&mut parts, &|part| part.scatter(digit, &value));
}

/// A part of the keys. For each digit, it has the number of its keys with this digit, and their places in the result.
struct KeyPart<'a, T> {
    keys: &'a [u64],
    counts: Vec<u32>,
    places: Vec<IterMut<'a, T>>,
}

impl<'a, T> KeyPart<'a, T> {
    fn new(keys: &'a [u64], digits: usize) -> Self {
        Self { keys, counts: vec![0; digits], places: Vec::with_capacity(digits) }
    }

    fn count(&mut self, digit: impl Fn(u64) -> usize) {
        for &key in self.keys {
            self.counts[digit(key)] += 1;
        }
    }

    fn scatter(&mut self, digit: impl Fn(u64) -> usize, value: impl Fn(u64) -> T) {
        for &key in self.keys {
            if let Some(place) = self.places[digit(key)].next() {
                *place = value(key);
            }
        }
    }
}

/// Assigns to each part its places in the result.
fn deal<'a, T>(mut sorted: &'a mut [T], parts: &mut [KeyPart<'a, T>]) {
    for digit in 0..parts.first().map_or(0, |part| part.counts.len()) {
        for part in &mut *parts {
            let places = sorted.split_off_mut(..part.counts[digit] as usize).unwrap_or_default();
            part.places.push(places.iter_mut());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes keys of these codes in their order.
    fn keys(count: usize, code: impl Fn(u64) -> u32) -> Vec<u64> {
        (0..count as u64).map(|place| u64::from(code(place)) << CODE_BITS | place).collect()
    }

    fn scattered(place: u64) -> u32 {
        (place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }

    #[test]
    fn in_the_order_of_the_digits_that_are_looked_at() {
        for count in [0, 1, 2, 300, 8193, 70_000, 1 << 19, (1 << 20) + 3] {
            // The cases are: all bits, few values, and all keys but one together.
            let codes = [
                scattered,
                |place| scattered(place) >> 24 << 24,
                |place| {
                    if place == 7 { u32::MAX } else { scattered(place) >> 20 }
                },
            ];
            for code in codes {
                let keys = keys(count, code);
                let Digits { bits, rounds } = Digits::of(&keys);
                let ignored = CODE_BITS.saturating_sub(bits * rounds);
                let mut expected: Vec<u32> = (0..count as u32).collect();
                expected.sort_by_key(|&place| code(place.into()) >> ignored);
                assert!(sorted(keys) == expected, "{count} keys, {rounds} rounds by {bits}");
            }
        }
    }

    #[test]
    fn all_bits_where_two_digits_are_not_enough() {
        let near = |place| if place == 7 { u32::MAX } else { scattered(place) >> 12 };
        for count in [100, 50_000, 300_000] {
            let Digits { bits, rounds } = Digits::of(&keys(count, near));
            assert!(bits * rounds >= CODE_BITS, "{count}");
            assert_eq!(Digits::of(&keys(count, scattered)).rounds, 2, "{count}");
        }
        let Digits { bits, rounds } = Digits::of(&keys(1 << 20, scattered));
        assert!(bits * rounds >= CODE_BITS);
    }
}

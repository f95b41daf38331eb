//! Numbers in order. Every sort in the build of a mesh sorts `u64`s, so that its code is compiled once. A sort for each
//! type was a notable part of a program that casts a ray.

use alloc::vec::Vec;

/// Sorts numbers, the smallest first.
#[inline(never)]
pub(crate) fn sort(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

/// Puts the largest numbers first, this many of them, in no order, and the next one behind them. The count must be below the length.
#[inline(never)]
pub(crate) fn put_largest_first(numbers: &mut [u64], count: usize) {
    numbers.select_nth_unstable_by(count, |a, b| b.cmp(a));
}

/// Returns pairs in order: by the first number, then by the second.
pub(crate) fn sorted_pairs(pairs: impl Iterator<Item = [u32; 2]>) -> Vec<[u32; 2]> {
    let mut numbers: Vec<u64> = pairs.map(joined).collect();
    sort(&mut numbers);
    numbers.into_iter().map(divided).collect()
}

/// Returns two numbers as one, of which the first decides the order, and then the second.
pub(crate) fn joined([first, second]: [u32; 2]) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// Returns the two numbers that were [joined](joined).
pub(crate) fn divided(number: u64) -> [u32; 2] {
    [(number >> 32) as u32, number as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_in_order() {
        let pairs = [[2, 0], [1, u32::MAX], [u32::MAX, 1], [1, 0], [2, 0]];
        let mut expected = pairs;
        expected.sort();
        assert_eq!(sorted_pairs(pairs.into_iter()), expected);
    }

    #[test]
    fn the_largest_come_first() {
        let mut numbers = [5, 1, 9, 7, 3, 8, 2];
        put_largest_first(&mut numbers, 3);
        sort(&mut numbers[..3]);
        assert_eq!((&numbers[..3], numbers[3]), (&[7, 8, 9][..], 5));
    }
}

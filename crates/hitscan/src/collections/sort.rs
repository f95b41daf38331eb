//! Sorts. Every sort in the build of a mesh sorts `u64`s, so that its code is compiled once. A sort for each type was a
//! significant part of the code of a small program that casts a ray.
//!
//! The keys of answers differ in type. In WebAssembly, where each byte is downloaded, sorts of answers also share one
//! merge sort. Elsewhere they use the sorts of the standard library, which are faster.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// Sorts slices of any type.
pub(crate) trait SharedSort<T> {
    /// Sorts by an order. Equal items may come in any order.
    fn sort_shared_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by an order, and keeps equal items in their order.
    fn sort_shared_stable_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key, which is computed again for each comparison.
    #[inline]
    fn sort_shared_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.sort_shared_by(|a, b| key(a).cmp(&key(b)));
    }

    /// Sorts by the type's own order.
    #[inline]
    fn sort_shared(&mut self)
    where
        T: Ord,
    {
        self.sort_shared_by(T::cmp);
    }
}

impl<T> SharedSort<T> for [T] {
    #[inline]
    fn sort_shared_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        if IS_SHARED {
            self.sort_shared_stable_by(compare);
        } else {
            self.sort_unstable_by(compare);
        }
    }

    #[inline]
    fn sort_shared_stable_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        if IS_SHARED {
            let count = self.len();
            merge_sort(&mut Items { items: self, compare }, count);
        } else {
            self.sort_by(compare);
        }
    }
}

/// True if sorts share their code.
const IS_SHARED: bool = cfg!(target_family = "wasm");

/// The longest list that is sorted by insertion, without allocating memory.
const FEW: usize = 16;

/// A list of items of any type, for a sort that is compiled once.
trait Sortable {
    /// Returns whether the item at index `a` must come before the item at index `b`.
    fn is_before(&mut self, a: usize, b: usize) -> bool;

    fn swap(&mut self, a: usize, b: usize);
}

struct Items<'a, T, F> {
    items: &'a mut [T],
    compare: F,
}

impl<T, F: FnMut(&T, &T) -> Ordering> Sortable for Items<'_, T, F> {
    fn is_before(&mut self, a: usize, b: usize) -> bool {
        (self.compare)(&self.items[a], &self.items[b]).is_lt()
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.items.swap(a, b);
    }
}

/// Sorts a list of any type, and keeps equal items in their order.
#[inline(never)]
fn merge_sort(list: &mut dyn Sortable, count: usize) {
    if count > FEW {
        let mut order: Vec<usize> = (0..count).collect();
        merge(list, &mut order, &mut Vec::from_iter(0..count));
        arrange(list, &mut order);
        return;
    }
    for end in 1..count {
        let mut at = end;
        while at > 0 && list.is_before(at, at - 1) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Sorts indices of a list by their items. Both slices must contain the same indices in the same order; afterwards
/// `order` is sorted.
fn merge(list: &mut dyn Sortable, order: &mut [usize], other: &mut [usize]) {
    let middle = order.len() / 2;
    if middle == 0 {
        return;
    }
    merge(list, &mut other[..middle], &mut order[..middle]);
    merge(list, &mut other[middle..], &mut order[middle..]);
    let (mut left, mut right) = other.split_at(middle);
    for place in order {
        let from = match (left.first(), right.first()) {
            (Some(&a), Some(&b)) if list.is_before(b, a) => &mut right,
            (Some(_), _) => &mut left,
            (None, _) => &mut right,
        };
        *place = from[0];
        *from = &from[1..];
    }
}

/// Moves the items into an order: the item at index `order[i]` moves to index `i`. The order is overwritten.
fn arrange(list: &mut dyn Sortable, order: &mut [usize]) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = core::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            list.swap(at, from);
            at = from;
        }
    }
}

/// Sorts numbers, the smallest first.
#[inline(never)]
pub(crate) fn sort(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

/// Puts this many of the largest numbers first, unordered, and the next largest after them. The count must be below the length.
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

/// Joins two numbers into one number. Joined numbers are ordered by the first number and then by the second.
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
    fn the_shared_sort_is_the_standard_one() {
        for count in [0, 1, 2, FEW, FEW + 1, 100, 1000] {
            let mut list: Vec<(usize, usize)> = (0..count).map(|number| (number * 7919 % 37, number)).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|pair| pair.0);
            let compare = |a: &(usize, usize), b: &(usize, usize)| a.0.cmp(&b.0);
            merge_sort(&mut Items { items: &mut list, compare }, count);
            assert_eq!(list, expected);
        }
    }

    #[test]
    fn the_largest_come_first() {
        let mut numbers = [5, 1, 9, 7, 3, 8, 2];
        put_largest_first(&mut numbers, 3);
        sort(&mut numbers[..3]);
        assert_eq!((&numbers[..3], numbers[3]), (&[7, 8, 9][..], 5));
    }
}

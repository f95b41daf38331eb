//! Large buffers in pages of 2 MiB.
//!
//! A ray goes through nodes and triangles that lie anywhere in a large mesh. In pages of 4 KiB most of these steps begin with a search for the address of the
//! page. With large pages, rays at two million triangles take up to a third less time. Builds need fewer pages, too.

use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Returns the same buffer, including its capacity. Large pages are requested from the system as far as the buffer fills them. This changes nothing but time;
/// it is best done before anything is written there.
pub(crate) fn in_huge_pages<T>(mut row: Vec<T>) -> Vec<T> {
    let bytes = row.capacity() * size_of::<T>();
    advise(row.as_mut_ptr().cast(), bytes);
    row
}

/// Collects these items in large pages.
pub(crate) fn collected<T>(items: impl ExactSizeIterator<Item = T>) -> Vec<T> {
    let mut row = in_huge_pages(Vec::with_capacity(items.len()));
    row.extend(items);
    row
}

/// Makes this many values, in large pages. `write` puts one into each of the places that it is given. It must fill them all.
pub(crate) fn made<T: Send>(count: usize, write: impl FnOnce(Places<'_, T>)) -> Vec<T> {
    let mut row = in_huge_pages(Vec::with_capacity(count));
    let filled = AtomicUsize::new(0);
    write(Places { places: &mut row.spare_capacity_mut()[..count], filled: &filled });
    assert_eq!(filled.into_inner(), count, "every place must be filled");
    // SAFETY: the capacity is at least `count`. Places are divided into disjoint ones, and each is consumed by being
    // filled. So no place is counted twice. As many as were counted are initialised.
    unsafe { row.set_len(count) };
    row
}

/// Places of a row that have no values yet.
pub(crate) struct Places<'a, T> {
    places: &'a mut [MaybeUninit<T>],
    /// The number of places of the row that have a value.
    filled: &'a AtomicUsize,
}

impl<T> Places<'_, T> {
    /// Splits off the first `count` places.
    pub(crate) fn split_at(self, count: usize) -> (Self, Self) {
        let (first, last) = self.places.split_at_mut(count);
        (Self { places: first, filled: self.filled }, Self { places: last, filled: self.filled })
    }

    /// Puts a value into each place, in order.
    pub(crate) fn fill(self, values: impl Iterator<Item = T>) {
        let mut count = 0;
        for (place, value) in self.places.iter_mut().zip(values) {
            place.write(value);
            count += 1;
        }
        // The threads that fill a row are joined before the sum is read.
        self.filled.fetch_add(count, Ordering::Relaxed);
    }
}

/// Makes this many copies of one value, in large pages.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Vec<T> {
    let mut row = in_huge_pages(Vec::with_capacity(count));
    row.resize(count, value);
    row
}

#[cfg(all(feature = "huge-pages", target_os = "linux"))]
fn advise(start: *mut u8, bytes: usize) {
    const PAGE: usize = 2 << 20;
    let before = start.addr().wrapping_neg() % PAGE;
    let whole = bytes.saturating_sub(before) / PAGE * PAGE;
    if whole > 0 {
        // SAFETY: the range is part of one allocation. This advice changes neither what is in memory nor what may be done with it. A system without such pages
        // returns an error, and everything stays as it was.
        unsafe { libc::madvise(start.wrapping_add(before).cast(), whole, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(feature = "huge-pages", target_os = "linux")))]
fn advise(_start: *mut u8, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use alloc::vec;

    #[test]
    fn places_are_filled_in_order() {
        let row: Vec<String> = made(5, |places| {
            let (first, last) = places.split_at(2);
            last.fill((2..9).map(|number: usize| number.to_string()));
            first.fill((0..2).map(|number: usize| number.to_string()));
        });
        assert_eq!(row, ["0", "1", "2", "3", "4"]);
        assert!(made(0, |places: Places<'_, String>| places.fill(core::iter::empty())).is_empty());
    }

    #[test]
    #[should_panic(expected = "every place must be filled")]
    fn a_place_without_a_value_is_no_value() {
        made(3, |places| places.fill(core::iter::once(7)));
    }

    #[test]
    fn rows_of_any_size_stay_as_they_are() {
        for count in [0, 1, 1000, 1 << 20, (3 << 20) + 5] {
            let row = in_huge_pages((0..count).collect::<Vec<u32>>());
            assert!(row.iter().copied().eq(0..count));
        }
        assert_eq!(in_huge_pages(vec![(); 5]).len(), 5);
    }
}

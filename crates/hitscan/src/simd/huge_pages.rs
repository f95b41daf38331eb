//! Large buffers in pages of 2 MiB.
//!
//! A ray goes through nodes and triangles that lie anywhere in a large mesh. In pages of 4 KiB most of these steps begin with a search for the address of the
//! page. With large pages, rays at two million triangles take up to a third less time. Builds need fewer pages, too.

use alloc::vec::Vec;

/// Returns the same buffer, including its capacity, after requesting large pages from the system as far as the buffer fills them. This changes nothing but
/// time; it is best done before anything is written there.
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
        // SAFETY: the range is part of one allocation, and this advice changes neither what is in memory nor what may be done with it. A system without such
        // pages returns an error, and everything stays as it was.
        unsafe { libc::madvise(start.wrapping_add(before).cast(), whole, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(feature = "huge-pages", target_os = "linux")))]
fn advise(_start: *mut u8, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn rows_of_any_size_stay_as_they_are() {
        for count in [0, 1, 1000, 1 << 20, (3 << 20) + 5] {
            let row = in_huge_pages((0..count).collect::<Vec<u32>>());
            assert!(row.iter().copied().eq(0..count));
        }
        assert_eq!(in_huge_pages(vec![(); 5]).len(), 5);
    }
}

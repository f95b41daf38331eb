//! A vector in pages that clones share. Growing it moves no items, and a clone copies only pointers, until one of its pages is changed. Its first
//! items are contiguous, until one of them is changed while a clone shares them.

use crate::simd::prefetch;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::array;
use core::ops::{Index, IndexMut};

/// Items under their numbers, in pages of `PAGE` (a power of two).
///
/// Reading goes through one more pointer than in a `Vec`, except in the first piece. Changing an item checks whether a clone shares its page, which takes
/// about 20 cycles; for many changes there is [`open`](Self::open).
#[derive(Clone, Debug)]
pub(crate) struct CowVec<T, const PAGE: usize> {
    /// The first items, contiguous. Its length is a multiple of `PAGE`.
    piece: Arc<[T]>,
    /// The other items. A page is `None` if `former` has it.
    pages: Vec<Option<Page<T, PAGE>>>,
    /// The first items at the time when one of them was changed while a clone shared them. From then on, `piece` is empty.
    former: Arc<[T]>,
    len: usize,
}

type Page<T, const PAGE: usize> = Arc<[T; PAGE]>;

impl<T, const PAGE: usize> Default for CowVec<T, PAGE> {
    fn default() -> Self {
        const { assert!(PAGE.is_power_of_two()) };
        Self { piece: Arc::default(), pages: Vec::new(), former: Arc::default(), len: 0 }
    }
}

impl<T, const PAGE: usize> CowVec<T, PAGE> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        // Beyond its last item, a page has default values, which are not returned.
        if index < self.len { Some(&self[index]) } else { None }
    }

    /// Returns the item with this number; beyond the last item it may be a default value.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn look_up(&self, index: usize) -> Option<&T> {
        // The branch is predicted. So an item in the first piece is found without waiting for the address of its page.
        match self.piece.get(index) {
            Some(item) => Some(item),
            None => match self.pages.get(self.page(index))? {
                Some(page) => Some(&page[index % PAGE]),
                None => self.former.get(index),
            },
        }
    }

    /// Returns the page of an item that is not in the first piece.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn page(&self, index: usize) -> usize {
        (index - self.piece.len()) / PAGE
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.piece.iter().chain((0..self.pages.len()).flat_map(|page| self.items(page))).take(self.len)
    }

    /// Returns the items of a page.
    fn items(&self, page: usize) -> &[T] {
        match &self.pages[page] {
            Some(page) => &page[..],
            None => &self.former[page * PAGE..][..PAGE],
        }
    }

    /// Returns the address of an item in memory.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn address(&self, index: usize) -> *const u8 {
        self.look_up(index).map_or(core::ptr::null(), |item| core::ptr::from_ref(item).cast())
    }

    /// Prefetches `BYTES` bytes, from `START` on, of an item that is about to be changed. Also prefetches the reference count of its page, which is read first.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn prefetch_change<const START: usize, const BYTES: usize>(&self, index: usize) {
        let item = match self.piece.get(index) {
            Some(item) => item,
            None => {
                let Some(Some(page)) = self.pages.get(self.page(index)) else { return };
                // An `Arc` stores its counts in front of its contents.
                prefetch::<1>(page.as_ptr().cast::<u8>().wrapping_sub(align_of::<T>().max(size_of::<[usize; 2]>())));
                &page[index % PAGE]
            }
        };
        prefetch::<BYTES>(core::ptr::from_ref(item).cast::<u8>().wrapping_add(START));
    }

    /// Returns the number of bytes that it holds, including shared memory.
    pub(crate) fn bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count() * size_of::<[T; PAGE]>();
        let pointers = self.pages.capacity() * size_of::<Option<Page<T, PAGE>>>();
        size_of_val(&*self.piece) + size_of_val(&*self.former) + pages + pointers
    }
}

impl<T: Clone + Default, const PAGE: usize> CowVec<T, PAGE> {
    /// Makes this many default items in one contiguous piece.
    pub(crate) fn of_defaults(len: usize) -> Self {
        let piece = (0..len.next_multiple_of(PAGE)).map(|_| T::default()).collect();
        Self { piece, len, ..Self::default() }
    }

    /// Grows to this length with default items; never shrinks.
    pub(crate) fn grow_to(&mut self, len: usize) {
        let page = || Some(Arc::new(array::from_fn(|_| T::default())));
        self.len = self.len.max(len);
        self.pages.resize_with(self.len.saturating_sub(self.piece.len()).div_ceil(PAGE), page);
    }

    pub(crate) fn push(&mut self, item: T) {
        self.grow_to(self.len + 1);
        let last = self.len - 1;
        self[last] = item;
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.len { Some(&mut self[index]) } else { None }
    }

    /// Copies all shared pages at once, so that many changes may follow. Items that were contiguous become contiguous
    /// again.
    pub(crate) fn open(&mut self) -> Opened<'_, T, PAGE> {
        if !self.former.is_empty() {
            let piece = (0..self.pages.len() * PAGE).map(|index| self[index].clone()).collect();
            *self = Self { piece, len: self.len, ..Self::default() };
        }
        let pages = self.pages.iter_mut().flatten().map(Arc::make_mut).collect();
        Opened { piece: Arc::make_mut(&mut self.piece), pages, len: self.len }
    }
}

impl<T: Clone, const PAGE: usize> CowVec<T, PAGE> {
    /// Divides the first piece into pages, each of which stays in the shared memory until it is changed.
    #[cold]
    fn part(&mut self) {
        self.former = core::mem::take(&mut self.piece);
        self.pages.splice(0..0, (0..self.former.len() / PAGE).map(|_| None));
    }
}

impl<T, const PAGE: usize> Index<usize> for CowVec<T, PAGE> {
    type Output = T;

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn index(&self, index: usize) -> &T {
        match self.look_up(index) {
            Some(item) => item,
            None => panic!("no item has this number"),
        }
    }
}

impl<T: Clone, const PAGE: usize> IndexMut<usize> for CowVec<T, PAGE> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn index_mut(&mut self, index: usize) -> &mut T {
        if index < self.piece.len() {
            // The count is 1, so only `self` could be cloned, and it is borrowed mutably. So no other thread can make a clone now.
            if Arc::strong_count(&self.piece) == 1 {
                return &mut Arc::make_mut(&mut self.piece)[index];
            }
            self.part();
        }
        let number = self.page(index);
        let Self { pages, former, .. } = self;
        let page = pages[number].get_or_insert_with(
            #[cold]
            || Arc::new(array::from_fn(|place| former[number * PAGE + place].clone())),
        );
        &mut Arc::make_mut(page)[index % PAGE]
    }
}

/// A vector that shares no page.
pub(crate) struct Opened<'a, T, const PAGE: usize> {
    piece: &'a mut [T],
    pages: Vec<&'a mut [T; PAGE]>,
    len: usize,
}

impl<T, const PAGE: usize> Opened<'_, T, PAGE> {
    /// Prefetches `BYTES` bytes, from `START` on, of an item that is about to be changed.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn prefetch_change<const START: usize, const BYTES: usize>(&self, index: usize) {
        if let Some(item) = self.get(index) {
            prefetch::<BYTES>(core::ptr::from_ref(item).cast::<u8>().wrapping_add(START));
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        if index < self.len { Some(&self[index]) } else { None }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.len { Some(&mut self[index]) } else { None }
    }
}

impl<T, const PAGE: usize> Index<usize> for Opened<'_, T, PAGE> {
    type Output = T;

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn index(&self, index: usize) -> &T {
        match self.piece.get(index) {
            Some(item) => item,
            None => &self.pages[(index - self.piece.len()) / PAGE][index % PAGE],
        }
    }
}

impl<T, const PAGE: usize> IndexMut<usize> for Opened<'_, T, PAGE> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn index_mut(&mut self, index: usize) -> &mut T {
        match index.checked_sub(self.piece.len()) {
            None => &mut self.piece[index],
            Some(behind) => &mut self.pages[behind / PAGE][index % PAGE],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn clones_are_apart_and_share_what_neither_changed() {
        let mut row: CowVec<u32, 4> = CowVec::default();
        (0..10).for_each(|item| row.push(item));
        let before = row.clone();
        row[5] = 50;
        row.open()[9] = 90;
        row.push(10);
        assert_eq!(before.iter().copied().collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
        assert_eq!(row.iter().copied().collect::<Vec<_>>(), vec![0, 1, 2, 3, 4, 50, 6, 7, 8, 90, 10]);
        assert_eq!((row.get(10), row.get(11), before.get(10)), (Some(&10), None, None));
        let mut third = before.clone();
        third[0] = 1;
        assert!(are_one(&third, &before, 1) && !are_one(&third, &before, 0));
    }

    fn are_one(a: &CowVec<u32, 4>, b: &CowVec<u32, 4>, page: usize) -> bool {
        a.pages[page].as_ref().map(Arc::as_ptr) == b.pages[page].as_ref().map(Arc::as_ptr)
    }

    #[test]
    fn what_lies_in_one_piece_stays_so_until_it_is_changed_beside_a_clone() {
        let mut row: CowVec<u32, 4> = CowVec::of_defaults(10);
        (0..10).for_each(|item| row[item as usize] = item);
        row.push(10);
        (row.open()[1], row.open()[10]) = (11, 100);
        assert_eq!((row.piece.len(), row.pages.len(), row.len(), row.get(11)), (12, 0, 11, None));
        (11..14).for_each(|item| row.push(item));
        let before = row.clone();
        row.push(14);
        (row.open()[13], row[12]) = (130, 120);
        assert!(!Arc::ptr_eq(&before.piece, &row.piece), "all of it was opened");
        let mut other = before.clone();
        other[5] = 50;
        other[13] = 131;
        assert!(other.piece.is_empty() && Arc::ptr_eq(&other.former, &before.piece), "the rest stays where it is");
        let own = |row: &CowVec<u32, 4>| row.pages.iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(own(&other), [false, true, false, true]);
        let items = |row: &CowVec<u32, 4>| row.iter().copied().collect::<Vec<_>>();
        assert_eq!(items(&before), vec![0, 11, 2, 3, 4, 5, 6, 7, 8, 9, 100, 11, 12, 13]);
        assert_eq!(items(&row), vec![0, 11, 2, 3, 4, 5, 6, 7, 8, 9, 100, 11, 120, 130, 14]);
        assert_eq!(items(&other), vec![0, 11, 2, 3, 4, 50, 6, 7, 8, 9, 100, 11, 12, 131]);
        let mut last = other.clone();
        last[0] = 1;
        last.push(14);
        assert!(are_one(&last, &other, 1) && !are_one(&last, &other, 0) && !are_one(&last, &other, 3));
        assert_eq!(items(&last), vec![1, 11, 2, 3, 4, 50, 6, 7, 8, 9, 100, 11, 12, 131, 14]);
        for row in [&mut row, &mut other, &mut last] {
            let expected = items(row);
            for (index, item) in expected.iter().enumerate() {
                assert_eq!((row.look_up(index), row.get(index), row[index]), (Some(item), Some(item), *item));
            }
            assert_eq!(row.look_up(1 << 31), None);
            let opened = row.open();
            assert!((0..expected.len()).all(|index| opened.get(index) == expected.get(index)));
            assert_eq!((items(row), row.piece.is_empty(), row.former.len()), (expected, false, 0));
        }
    }
}

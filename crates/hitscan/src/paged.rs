//! A row of items in pages that clones share: one that grows moves nothing, and a clone is pointers, until a page of it is changed. As many items as it was made with
//! lie in one piece, until they are changed while a clone has them too.

use crate::simd::prefetch;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::array;
use core::ops::{Index, IndexMut};

/// Items under their numbers, `PAGE` of them (a power of two) in one place.
///
/// Reading goes through one more pointer than in a `Vec`, but for what lies in one piece. Changing an item asks whether a clone has its page too, for some
/// 20 cycles; for many changes there is [`open`](Self::open).
#[derive(Clone, Debug)]
pub(crate) struct Paged<T, const PAGE: usize> {
    /// The first ones, in one piece. Its length is a multiple of `PAGE`.
    piece: Arc<[T]>,
    /// The others.
    pages: Vec<Arc<[T; PAGE]>>,
    len: usize,
}

impl<T, const PAGE: usize> Default for Paged<T, PAGE> {
    fn default() -> Self {
        const { assert!(PAGE.is_power_of_two()) };
        Self { piece: Arc::default(), pages: Vec::new(), len: 0 }
    }
}

impl<T, const PAGE: usize> Paged<T, PAGE> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        // Behind the last item a page has defaults, which are not for others.
        if index < self.len { Some(&self[index]) } else { None }
    }

    /// What has this number; behind the last item that may be a default.
    #[inline(always)]
    pub(crate) fn in_page(&self, index: usize) -> Option<&T> {
        // By a branch that is foreseen: an item in one piece is found without waiting for where its page is.
        match self.piece.get(index) {
            Some(item) => Some(item),
            None => self.page(index).map(|page| &page[index % PAGE]),
        }
    }

    /// Of an item that is not in one piece with the first ones.
    #[inline(always)]
    fn page(&self, index: usize) -> Option<&Arc<[T; PAGE]>> {
        self.pages.get((index - self.piece.len()) / PAGE)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.piece.iter().chain(self.pages.iter().flat_map(|page| page.iter())).take(self.len)
    }

    /// Where an item is in memory.
    #[inline(always)]
    pub(crate) fn address(&self, index: usize) -> *const u8 {
        self.in_page(index).map_or(core::ptr::null(), |item| core::ptr::from_ref(item).cast())
    }

    /// Has so many bytes of an item brought, from one on, that is about to be changed, and how many rows have its page, which is asked before.
    #[inline(always)]
    pub(crate) fn announce_change<const START: usize, const BYTES: usize>(&self, index: usize) {
        let item = match self.piece.get(index) {
            Some(item) => item,
            None => {
                let Some(page) = self.page(index) else { return };
                // An `Arc` counts in front of what it holds.
                prefetch::<1>(page.as_ptr().cast::<u8>().wrapping_sub(align_of::<T>().max(size_of::<[usize; 2]>())));
                &page[index % PAGE]
            }
        };
        prefetch::<BYTES>(core::ptr::from_ref(item).cast::<u8>().wrapping_add(START));
    }

    /// Memory that it holds, whether shared or not.
    pub(crate) fn bytes(&self) -> usize {
        let pages = self.pages.capacity() * size_of::<Arc<[T; PAGE]>>() + self.pages.len() * size_of::<[T; PAGE]>();
        size_of_val(&*self.piece) + pages
    }
}

impl<T: Clone + Default, const PAGE: usize> Paged<T, PAGE> {
    /// In one piece.
    pub(crate) fn of_defaults(len: usize) -> Self {
        let piece = (0..len.next_multiple_of(PAGE)).map(|_| T::default()).collect();
        Self { piece, pages: Vec::new(), len }
    }

    /// With defaults.
    pub(crate) fn grow_to(&mut self, len: usize) {
        let page = || Arc::new(array::from_fn(|_| T::default()));
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

    /// All made its own, for many changes.
    pub(crate) fn open(&mut self) -> Opened<'_, T, PAGE> {
        let pages = self.pages.iter_mut().map(Arc::make_mut).collect();
        Opened { piece: Arc::make_mut(&mut self.piece), pages, len: self.len }
    }
}

impl<T: Clone, const PAGE: usize> Paged<T, PAGE> {
    /// Puts what lies in one piece into pages, of which clones of this row share what does not change.
    #[cold]
    fn cut(&mut self) {
        let piece = core::mem::take(&mut self.piece);
        let page = |first: usize| Arc::new(array::from_fn(|place| piece[first + place].clone()));
        self.pages.splice(0..0, (0..piece.len()).step_by(PAGE).map(page));
    }
}

impl<T, const PAGE: usize> Index<usize> for Paged<T, PAGE> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        match self.piece.get(index) {
            Some(item) => item,
            None => &self.pages[(index - self.piece.len()) / PAGE][index % PAGE],
        }
    }
}

impl<T: Clone, const PAGE: usize> IndexMut<usize> for Paged<T, PAGE> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        // Its clones are made of rows alone: nobody else can make one now.
        if index < self.piece.len() && Arc::strong_count(&self.piece) > 1 {
            self.cut();
        }
        if index < self.piece.len() {
            return &mut Arc::make_mut(&mut self.piece)[index];
        }
        &mut Arc::make_mut(&mut self.pages[(index - self.piece.len()) / PAGE])[index % PAGE]
    }
}

/// A row that is all its own.
pub(crate) struct Opened<'a, T, const PAGE: usize> {
    piece: &'a mut [T],
    pages: Vec<&'a mut [T; PAGE]>,
    len: usize,
}

impl<T, const PAGE: usize> Opened<'_, T, PAGE> {
    /// Has so many bytes of an item brought, from one on, that is about to be changed.
    #[inline(always)]
    pub(crate) fn announce_change<const START: usize, const BYTES: usize>(&self, index: usize) {
        if let Some(item) = self.get(index) {
            prefetch::<BYTES>(core::ptr::from_ref(item).cast::<u8>().wrapping_add(START));
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        if index < self.len { Some(&self[index]) } else { None }
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.len { Some(&mut self[index]) } else { None }
    }
}

impl<T, const PAGE: usize> Index<usize> for Opened<'_, T, PAGE> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        match self.piece.get(index) {
            Some(item) => item,
            None => &self.pages[(index - self.piece.len()) / PAGE][index % PAGE],
        }
    }
}

impl<T, const PAGE: usize> IndexMut<usize> for Opened<'_, T, PAGE> {
    #[inline(always)]
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
        let mut row: Paged<u32, 4> = Paged::default();
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
        assert!(Arc::ptr_eq(&third.pages[1], &before.pages[1]) && !Arc::ptr_eq(&third.pages[0], &before.pages[0]));
    }

    #[test]
    fn what_lies_in_one_piece_stays_so_until_it_is_changed_beside_a_clone() {
        let mut row: Paged<u32, 4> = Paged::of_defaults(10);
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
        assert_eq!((other.piece.len(), other.pages.len(), before.piece.len()), (0, 4, 12));
        let items = |row: &Paged<u32, 4>| row.iter().copied().collect::<Vec<_>>();
        assert_eq!(items(&before), vec![0, 11, 2, 3, 4, 5, 6, 7, 8, 9, 100, 11, 12, 13]);
        assert_eq!(items(&row), vec![0, 11, 2, 3, 4, 5, 6, 7, 8, 9, 100, 11, 120, 130, 14]);
        assert_eq!(items(&other), vec![0, 11, 2, 3, 4, 50, 6, 7, 8, 9, 100, 11, 12, 131]);
        let mut last = other.clone();
        last[0] = 1;
        assert!(Arc::ptr_eq(&last.pages[1], &other.pages[1]) && !Arc::ptr_eq(&last.pages[0], &other.pages[0]));
        for (index, &item) in items(&row).iter().enumerate() {
            assert_eq!((row.in_page(index), row.get(index), row[index]), (Some(&item), Some(&item), item));
            assert_eq!(row.open().get(index), Some(&item));
        }
    }
}

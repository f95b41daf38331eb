//! Stacks that need not be cleared before they are used.

use core::mem::MaybeUninit;

/// Where a [`Stack`] keeps what is on it: at the beginning of a cache line, and not cleared, which for a ray that meets few nodes would take longer than
/// all else that is done with it.
// With this alignment the frame of a function that has one is aligned, and with it the vectors that are spilled there: else, by where the program's stack happens
// to begin, they cross cache lines, and a ray takes up to half as long again.
#[repr(align(64))]
pub(crate) struct Slots<T, const N: usize>([MaybeUninit<T>; N]);

impl<T: Copy, const N: usize> Slots<T, N> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        const { assert!(N.is_power_of_two()) };
        Self([const { MaybeUninit::uninit() }; N])
    }

    /// An empty one.
    #[inline(always)]
    pub(crate) fn stack(&mut self) -> Stack<'_, T, N> {
        Stack { slots: &mut self.0, len: 0 }
    }
}

/// Up to `N` of them. Whoever has more on it gets some back that were put there later, which the caller sees to by what it pushes.
// Apart from its slots the length stays in a register.
pub(crate) struct Stack<'a, T, const N: usize> {
    /// All below the length have been written, of more than `N` all of them.
    slots: &'a mut [MaybeUninit<T>; N],
    len: usize,
}

impl<T: Copy, const N: usize> Stack<'_, T, N> {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, item: T) {
        debug_assert!(self.len < N, "no room");
        self.slots[self.len % N].write(item);
        self.len += 1;
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        Some(self.read(self.len))
    }

    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> Option<T> {
        if place < self.len { Some(self.read(place)) } else { None }
    }

    /// Moves the last one down to where it falls among those from `start` on, the largest of which comes first.
    #[inline(always)]
    pub(crate) fn sink(&mut self, start: usize)
    where
        T: PartialOrd,
    {
        let Some(mut place) = self.len.checked_sub(1) else { return };
        let item = self.read(place);
        while place > start && self.read(place - 1) < item {
            self.slots[place % N].write(self.read(place - 1));
            place -= 1;
        }
        self.slots[place % N].write(item);
    }

    /// Of a place that is, or was, below the length.
    #[inline(always)]
    fn read(&self, place: usize) -> T {
        debug_assert!(place <= self.len);
        // SAFETY: see `slots`: private, it is asked only for places that were below the length, and what was written stays so.
        unsafe { self.slots[place % N].assume_init() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn what_was_pushed_comes_back_the_last_one_first() {
        let mut slots = Slots::<u64, 8>::new();
        let mut stack = slots.stack();
        assert_eq!((stack.pop(), stack.get(0)), (None, None));
        stack.push(1);
        for key in [5, 9, 7] {
            stack.push(key);
            stack.sink(1);
        }
        assert_eq!(
            (0..5).map(|place| stack.get(place)).collect::<Vec<_>>(),
            [Some(1), Some(9), Some(7), Some(5), None]
        );
        assert_eq!([(); 5].map(|()| stack.pop()), [Some(5), Some(7), Some(9), Some(1), None]);
        // All that was written may be written again.
        (0..8).for_each(|key| stack.push(key));
        assert_eq!((stack.len(), stack.pop()), (8, Some(7)));
    }
}

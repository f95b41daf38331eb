//! Stacks that need not be cleared before they are used.

use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// The memory of a [`Stack`]. It begins at a cache line and is not cleared. For a ray that visits few nodes,
/// clearing would take longer than the rest of the query.
// This alignment also aligns the stack frame of a function that has such memory. It aligns the vectors that are spilled in the frame, too. Otherwise, depending
// on the address at which the program's stack begins, spilled vectors cross cache lines, and a ray takes up to 50 % longer.
#[repr(align(64))]
pub(crate) struct Slots<T, const N: usize>([MaybeUninit<T>; N]);

impl<T: Copy, const N: usize> Slots<T, N> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        const { assert!(N.is_power_of_two()) };
        Self([const { MaybeUninit::uninit() }; N])
    }

    /// Returns an empty stack.
    #[inline(always)]
    pub(crate) fn stack(&mut self) -> Stack<'_, T, N> {
        Stack { slots: &mut self.0, len: 0 }
    }
}

/// A stack of up to `N` items. If more are pushed, later items replace earlier ones; callers make sure that this does
/// not happen.
// The length is separate from the slots, so that it stays in a register.
pub(crate) struct Stack<'a, T, const N: usize> {
    /// All slots below the length have been written; with a length of more than `N`, all of them.
    slots: &'a mut [MaybeUninit<T>; N],
    len: usize,
}

impl<'a, T: Copy, const N: usize> Stack<'a, T, N> {
    /// Makes a stack whose items are the first `len` of these.
    #[inline(always)]
    pub(crate) fn resumed(items: &'a mut [T; N], len: usize) -> Self {
        const { assert!(N.is_power_of_two()) };
        // SAFETY: the types have the same layout, and nothing but items is ever written through this reference.
        let slots = unsafe { &mut *core::ptr::from_mut(items).cast::<[MaybeUninit<T>; N]>() };
        Self { slots, len }
    }

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

    /// Pushes the item if the condition holds, without a branch.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, condition: bool, item: T) {
        let len = self.len;
        self.push(item);
        self.len = len + usize::from(condition);
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

    /// Appends all items to `others`.
    #[inline(always)]
    pub(crate) fn move_to(&mut self, others: &mut Vec<T>) {
        copy_to(Stack { slots: self.slots, len: self.len }, others);
        self.len = 0;
    }

    /// Replaces the items of the stack by the last items of `others`, at most half as many as there are slots.
    #[inline(always)]
    pub(crate) fn take_from(&mut self, others: &mut Vec<T>) {
        self.len = fill(Stack { slots: self.slots, len: 0 }, others);
    }

    /// Moves the last item down to its sorted position among the items from `start` on, the largest of which comes first.
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

    /// Reads a slot that is, or was, below the length.
    #[inline(always)]
    fn read(&self, place: usize) -> T {
        debug_assert!(place <= self.len);
        // SAFETY: see `slots`: this is private, and is called only for slots that were below the length; a written slot stays
        // initialised.
        unsafe { self.slots[place % N].assume_init() }
    }
}

// The stack is passed by value, so that its fields are kept in registers.

#[cold]
#[inline(never)]
fn copy_to<T: Copy, const N: usize>(stack: Stack<'_, T, N>, others: &mut Vec<T>) {
    others.extend((0..stack.len).map(|place| stack.read(place)));
}

#[cold]
#[inline(never)]
fn fill<T: Copy, const N: usize>(mut stack: Stack<'_, T, N>, others: &mut Vec<T>) -> usize {
    let kept = others.len().saturating_sub(N / 2);
    others.drain(kept..).for_each(|item| stack.push(item));
    stack.len
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
        // Every slot that was written may be written again.
        (0..8).for_each(|key| stack.push(key));
        assert_eq!((stack.len(), stack.pop()), (8, Some(7)));
    }

    #[test]
    fn what_is_moved_away_comes_back_in_the_same_order() {
        let mut slots = Slots::<u64, 8>::new();
        let (mut stack, mut others) = (slots.stack(), Vec::new());
        for first in [0, 7] {
            (first..first + 7).for_each(|key| stack.push(key));
            stack.move_to(&mut others);
            assert_eq!(stack.len(), 0);
        }
        for key in (0..14).rev() {
            if stack.len() == 0 {
                stack.take_from(&mut others);
            }
            assert_eq!(stack.pop(), Some(key));
        }
        assert_eq!((stack.pop(), others.len()), (None, 0));
    }

    #[test]
    fn what_is_pushed_under_a_condition_is_there_if_it_holds() {
        let mut slots = Slots::<u64, 4>::new();
        let mut stack = slots.stack();
        for (key, condition) in [(1, true), (2, false), (3, true), (4, true), (5, false), (6, true)] {
            stack.push_if(condition, key);
        }
        assert_eq!([(); 5].map(|()| stack.pop()), [Some(6), Some(4), Some(3), Some(1), None]);
    }

    #[test]
    fn a_stack_goes_on_where_it_was_left() {
        let mut items = [0; 8];
        let mut stack = Stack::resumed(&mut items, 0);
        (4..7).for_each(|key| stack.push(key));
        let len = stack.len();
        let mut stack = Stack::resumed(&mut items, len);
        assert_eq!([(); 4].map(|()| stack.pop()), [Some(6), Some(5), Some(4), None]);
    }
}

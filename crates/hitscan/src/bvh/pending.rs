//! The subtrees that a ray has to come back to.

use super::builder::{MOST_PENDING, WIDTH};
use crate::simd::Stack;
use alloc::vec::Vec;

/// Room for [`MOST_PENDING`], and so for all that is pending in a tree that was built at once.
pub(super) const ROOM: usize = 128;
const _: () = assert!(MOST_PENDING <= ROOM);

/// Keys of subtrees, the next one last.
pub(super) trait Pending {
    /// Has room for a node's children.
    fn make_room(&mut self);

    /// How many there are, but for those that have made room for others.
    fn len(&self) -> usize;

    fn push(&mut self, key: u64);

    fn pop(&mut self) -> Option<u64>;

    /// Moves the last one down to where it falls among those from `start` on, the largest of which comes first.
    fn sink(&mut self, start: usize);

    /// Of a place below the length.
    fn key(&self, place: usize) -> u64;
}

impl Pending for Stack<'_, u64, ROOM> {
    /// There is room: see [`MOST_PENDING`].
    #[inline(always)]
    fn make_room(&mut self) {}

    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn push(&mut self, key: u64) {
        self.push(key);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<u64> {
        self.pop()
    }

    #[inline(always)]
    fn sink(&mut self, start: usize) {
        self.sink(start);
    }

    #[inline(always)]
    fn key(&self, place: usize) -> u64 {
        self.get(place).unwrap_or(0)
    }
}

/// At the beginning of a cache line, as [`Slots`](crate::simd::Slots) are, and for the same reason.
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) T);

/// Any number of them.
pub(super) struct Spilling<'a> {
    pub(super) stack: &'a mut [u64; INLINE_STACK],
    pub(super) len: &'a mut usize,
    pub(super) spilled: &'a mut Vec<u64>,
}

impl Pending for Spilling<'_> {
    #[inline(always)]
    fn make_room(&mut self) {
        if *self.len > INLINE_STACK - WIDTH {
            *self.len = spill(self.stack, *self.len, self.spilled);
        }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        *self.len
    }

    #[inline(always)]
    fn push(&mut self, key: u64) {
        push(self.stack, self.len, key);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<u64> {
        if *self.len == 0 {
            if self.spilled.is_empty() {
                return None;
            }
            *self.len = refill(self.stack, self.spilled);
        }
        *self.len -= 1;
        Some(self.key(*self.len))
    }

    #[inline(always)]
    fn sink(&mut self, start: usize) {
        sink(self.stack, start, *self.len);
    }

    #[inline(always)]
    fn key(&self, place: usize) -> u64 {
        self.stack[place % INLINE_STACK]
    }
}

/// Subtrees to come back to are kept on the program's stack up to this many, as in a tree of ordinary depth, then in a Vec.
pub(super) const INLINE_STACK: usize = 32;

/// Makes room; answers how many are left.
#[cold]
pub(super) fn spill<T: Copy>(stack: &[T; INLINE_STACK], len: usize, spilled: &mut Vec<T>) -> usize {
    spilled.extend_from_slice(&stack[..len]);
    0
}

/// Moves the last of what was spilled back; answers how many.
#[cold]
pub(super) fn refill<T>(stack: &mut [T; INLINE_STACK], spilled: &mut Vec<T>) -> usize {
    let kept = spilled.len().saturating_sub(INLINE_STACK / 2);
    let moved = spilled.drain(kept..);
    let len = moved.len();
    stack.iter_mut().zip(moved).for_each(|(slot, item)| *slot = item);
    len
}

#[inline(always)]
pub(super) fn push<T>(stack: &mut [T; INLINE_STACK], len: &mut usize, key: T) {
    stack[*len % INLINE_STACK] = key;
    *len += 1;
}

/// Moves the last one down to where the keys from `start` on fall.
#[inline(always)]
pub(super) fn sink<T: Copy + PartialOrd>(stack: &mut [T; INLINE_STACK], start: usize, end: usize) {
    let mut place = end - 1;
    let key = stack[place % INLINE_STACK];
    while place > start && stack[(place - 1) % INLINE_STACK] < key {
        stack[place % INLINE_STACK] = stack[(place - 1) % INLINE_STACK];
        place -= 1;
    }
    stack[place % INLINE_STACK] = key;
}

//! The stack of subtrees that a ray has not visited yet.

use crate::bvh::builder::{MOST_PENDING, WIDTH};
use crate::simd::{Slots, Stack};
use alloc::vec::Vec;

/// This is room for [`MOST_PENDING`], and so for all pending subtrees of a tree that was built at once.
pub(in crate::bvh) const ROOM: usize = 128;
const _: () = assert!(MOST_PENDING <= ROOM);

/// The memory in which subtrees are stored.
pub(in crate::bvh) type StackSlots<T> = Slots<T, ROOM>;

/// Keys of subtrees, the next one last.
pub(in crate::bvh) struct TraversalStack<'a, T, B> {
    /// The stack. Push onto it only after room was made.
    pub(in crate::bvh) stack: Stack<'a, T, ROOM>,
    // This is a reference to a Vec. In one variable with values that are passed to a call, the stack's length would not stay in a register.
    beyond: B,
}

/// The memory for subtrees that do not fit on the stack.
pub(in crate::bvh) trait Overflow<T> {
    /// Ensures that there is room for a node's children.
    fn make_room(&mut self, stack: &mut Stack<'_, T, ROOM>);

    /// Removes the next of all subtrees.
    fn pop(&mut self, stack: &mut Stack<'_, T, ROOM>) -> Option<T>;
}

/// All subtrees fit on the stack: see [`MOST_PENDING`].
pub(in crate::bvh) struct NoOverflow;

impl<T: Copy> Overflow<T> for NoOverflow {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn make_room(&mut self, _: &mut Stack<'_, T, ROOM>) {}

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn pop(&mut self, stack: &mut Stack<'_, T, ROOM>) -> Option<T> {
        stack.pop()
    }
}

impl<T: Copy> Overflow<T> for &mut Vec<T> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn make_room(&mut self, stack: &mut Stack<'_, T, ROOM>) {
        if stack.len() > ROOM - WIDTH {
            stack.move_to(self);
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn pop(&mut self, stack: &mut Stack<'_, T, ROOM>) -> Option<T> {
        if stack.len() == 0 && !self.is_empty() {
            stack.take_from(self);
        }
        stack.pop()
    }
}

impl<'a, T: Copy> TraversalStack<'a, T, NoOverflow> {
    /// Makes a stack for a tree that was built at once, and for a search that stores all children of a node except the nearest. A search that also stores the
    /// nearest child, to remove it next, has one more pending subtree.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn bounded(stack: Stack<'a, T, ROOM>) -> Self {
        Self { stack, beyond: NoOverflow }
    }
}

impl<'a, T: Copy> TraversalStack<'a, T, &'a mut Vec<T>> {
    /// Makes a stack for any number of subtrees. Subtrees that do not fit are moved to a Vec, which is empty at first.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn unbounded(stack: Stack<'a, T, ROOM>, beyond: &'a mut Vec<T>) -> Self {
        Self { stack, beyond }
    }
}

impl<T: Copy, B: Overflow<T>> TraversalStack<'_, T, B> {
    /// Makes room for a node's children.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn make_room(&mut self) {
        self.beyond.make_room(&mut self.stack);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn pop(&mut self) -> Option<T> {
        self.beyond.pop(&mut self.stack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// It is compared with a Vec. Children of a node are removed before subtrees that were added earlier, however
        /// many these are.
        #[test]
        fn all_come_back_the_last_one_first(steps in prop::collection::vec((0..=WIDTH, 0..=WIDTH / 2), 0..200)) {
            let (mut room, mut beyond) = (StackSlots::new(), Vec::new());
            let mut pending = TraversalStack::unbounded(room.stack(), &mut beyond);
            let (mut model, mut next) = (Vec::new(), 0);
            for (pushed, popped) in steps {
                pending.make_room();
                for _ in 0..pushed {
                    pending.stack.push(next);
                    model.push(next);
                    next += 1;
                }
                for _ in 0..popped {
                    prop_assert_eq!(pending.pop(), model.pop());
                }
            }
            while let Some(key) = model.pop() {
                prop_assert_eq!(pending.pop(), Some(key));
            }
            prop_assert_eq!(pending.pop(), None);
        }
    }
}

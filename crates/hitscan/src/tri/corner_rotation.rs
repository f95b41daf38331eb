//! The order of a triangle's corners. Tests begin at the corner that makes their errors smallest, and answers have the corners as they were given.

use core::hint::select_unpredictable;

/// The corner of a triangle with which its tests begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CornerRotation(u32);

impl CornerRotation {
    /// The corners are as they were given.
    pub(crate) const NONE: Self = Self(0);

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(first: u32) -> Self {
        Self(first)
    }

    /// Returns the number of the corner with which the tests begin.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn first(self) -> u32 {
        self.0
    }

    /// Returns a triangle's corners in the given order, from the order of the tests.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn undo<T: Copy>(self, [a, b, c]: [T; 3]) -> [T; 3] {
        // This does not branch, because the branch would be unpredictable.
        let rotated = |by_none, by_one, by_two| {
            select_unpredictable(self.0 == 1, by_one, select_unpredictable(self.0 == 2, by_two, by_none))
        };
        [rotated(a, c, b), rotated(b, a, c), rotated(c, b, a)]
    }
}

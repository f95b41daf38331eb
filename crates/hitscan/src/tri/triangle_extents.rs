//! The size of a triangle, which bounds the errors of its test, and the corner with which it begins: in four bytes.
//!
//! The upper half is the upper half of R, an f32. So all four bytes, read as an f32, are at least R, by up to 2 %. The lower half is that of another number, S,
//! without its last two bits, which are the turn. Read as an f32 with them, S is larger by up to 6 %.

use crate::simd::{Bytes, Simd, SimdFloat};
use core::hint::select_unpredictable;

/// The corner of a triangle that is the first, as it is tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CornerTurn(u32);

impl CornerTurn {
    /// The corners are as they were given.
    pub(crate) const NONE: Self = Self(0);

    #[inline(always)]
    pub(crate) fn new(first: u32) -> Self {
        Self(first)
    }

    /// Returns a triangle's corners as they were given, from those as they are tested.
    #[inline(always)]
    pub(super) fn back<T: Copy>(self, [a, b, c]: [T; 3]) -> [T; 3] {
        // This does not branch, because the branch is unpredictable.
        let turned = |by_none, by_one, by_two| {
            select_unpredictable(self.0 == 1, by_one, select_unpredictable(self.0 == 2, by_two, by_none))
        };
        [turned(a, c, b), turned(b, a, c), turned(c, b, a)]
    }
}

/// The code of no triangle: both are NaN, with which no comparison holds.
pub(crate) const NONE: u32 = 0x7fc0_7fc0;

const HALF: u32 = 16;
const TURN_BITS: u32 = 2;

/// Returns the code of a triangle of at least these R and S, finite and not negative.
#[inline(always)]
pub(crate) fn encode([reach, product]: [f32; 2], CornerTurn(turn): CornerTurn) -> u32 {
    upwards(reach, HALF) | upwards(product, HALF + TURN_BITS) >> HALF | turn
}

/// Returns the bits, rounded up so that they end in this many zeros.
#[inline(always)]
fn upwards(number: f32, zeros: u32) -> u32 {
    let rest = (1 << zeros) - 1;
    number.to_bits().wrapping_add(rest) & !rest
}

#[inline(always)]
pub(crate) fn turn(code: u32) -> CornerTurn {
    CornerTurn(code & ((1 << TURN_BITS) - 1))
}

/// Returns upper bounds of the largest coordinate of both edges, R, and of the product of the largest of each, S.
#[inline(always)]
pub(crate) fn sizes(code: u32) -> [f32; 2] {
    [f32::from_bits(code), f32::from_bits(code << HALF)]
}

/// Returns the [`sizes`] of several.
#[inline(always)]
pub(super) fn sizes_in_lanes<S: Simd, V: SimdFloat<S, Element = f32>>(codes: V::Bits) -> [V; 2] {
    [codes.bitcast(), (codes << HALF).bitcast()]
}

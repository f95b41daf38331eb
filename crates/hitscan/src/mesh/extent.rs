//! How large a triangle is, which bounds the errors of its test, and where its corners begin: in four bytes.
//!
//! The upper half is the upper half of R, an f32, so that all four are at least R, by up to 2 %; the lower half that of another one, S, without the last two of its bits, which
//! are the turn. Read as an f32 with it, S is more by up to 6 %.

use crate::simd::{Bytes, Simd, SimdFloat};
use core::hint::select_unpredictable;

/// Which of a triangle's corners is the first, as it is tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CornerTurn(u32);

impl CornerTurn {
    /// As they were given.
    pub(super) const NONE: Self = Self(0);

    #[inline(always)]
    pub(super) fn new(first: u32) -> Self {
        Self(first)
    }

    /// A triangle's corners as they were given, from those as they are tested.
    #[inline(always)]
    pub(super) fn back<T: Copy>(self, [a, b, c]: [T; 3]) -> [T; 3] {
        // Not by a branch, of which nothing is foreseen: rays in rooms took 2 to 3 % longer.
        let turned = |by_none, by_one, by_two| {
            select_unpredictable(self.0 == 1, by_one, select_unpredictable(self.0 == 2, by_two, by_none))
        };
        [turned(a, c, b), turned(b, a, c), turned(c, b, a)]
    }
}

/// Of no triangle: both are NaN, with which no comparison holds.
pub(super) const NONE: u32 = 0x7fc0_7fc0;

const HALF: u32 = 16;
const TURN_BITS: u32 = 2;

/// Of a triangle of at least these R and S, finite and not negative.
#[inline(always)]
pub(super) fn encode([reach, product]: [f32; 2], CornerTurn(turn): CornerTurn) -> u32 {
    upwards(reach, HALF) | upwards(product, HALF + TURN_BITS) >> HALF | turn
}

/// The bits, rounded up to such as end in so many zeros.
#[inline(always)]
fn upwards(number: f32, zeros: u32) -> u32 {
    let rest = (1 << zeros) - 1;
    number.to_bits().wrapping_add(rest) & !rest
}

#[inline(always)]
pub(super) fn turn(code: u32) -> CornerTurn {
    CornerTurn(code & ((1 << TURN_BITS) - 1))
}

/// At least the largest coordinate of both edges, R, and the product of the largest of each, S.
#[inline(always)]
pub(super) fn sizes(code: u32) -> [f32; 2] {
    [f32::from_bits(code), f32::from_bits(code << HALF)]
}

/// [`sizes`] of several.
#[inline(always)]
pub(super) fn sizes_in_lanes<S: Simd, V: SimdFloat<S, Element = f32>>(codes: V::Bits) -> [V; 2] {
    [codes.bitcast(), (codes << HALF).bitcast()]
}

//! How large a triangle is, which bounds the errors of its test, and where its corners begin: in four bytes.
//!
//! The upper half is the upper half of R, an f32, so that all four are at least R, by up to 2 %; the lower half that of another one, S, without the last two of its bits, which
//! are the turn. Read as an f32 with it, S is more by up to 6 %.

use super::packet::ABOVE_ROUNDINGS;
use crate::simd::{Bytes, Simd, SimdFloat};

/// Of no triangle: both are NaN, with which no comparison holds.
pub(super) const NONE: u32 = 0x7fc0_7fc0;

const HALF: u32 = 16;
const TURN_BITS: u32 = 2;

/// Of a triangle whose first corner, as it is tested, is the one of this number; given at least the largest coordinate of each of the two edges from there.
#[inline(always)]
pub(super) fn encode([e1, e2]: [f32; 2], turn: u32) -> u32 {
    let reach = e1.max(e2).to_bits().div_ceil(1 << HALF);
    let product = (e1 * e2 * ABOVE_ROUNDINGS).to_bits().div_ceil(1 << (HALF + TURN_BITS));
    reach << HALF | product << TURN_BITS | turn
}

/// Which of the triangle's corners is the first, as it is tested.
#[inline(always)]
pub(super) fn turn(code: u32) -> u32 {
    code & ((1 << TURN_BITS) - 1)
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

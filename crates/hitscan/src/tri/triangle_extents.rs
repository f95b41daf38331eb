//! The size of a triangle, which bounds the errors of its test, and the corner with which the test begins. Both are in
//! four bytes.
//!
//! R and S are the two numbers that [`sizes`] returns. The upper half is the upper half of R, an f32. So all four bytes, read as an f32, are not below R, and
//! are above it by up to 2 %. The lower half is the upper half of S, with the rotation of the corners in place of its last two bits. Read as an f32 with
//! the rotation, S is larger by up to 6 %.

use super::corner_rotation::CornerRotation;
use crate::simd::{Bytes, Simd, SimdFloat};

/// The code of a lane without a triangle. Both numbers are NaN, and every comparison with them is false.
pub(crate) const NONE: u32 = 0x7fc0_7fc0;

const HALF: u32 = 16;
const ROTATION_BITS: u32 = 2;

/// Returns the code of a triangle with these R and S, which are finite and not negative. Both are rounded up.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn encode([reach, product]: [f32; 2], rotation: CornerRotation) -> u32 {
    upwards(reach, HALF) | upwards(product, HALF + ROTATION_BITS) >> HALF | rotation.first()
}

/// Returns the bits, rounded up so that they end in this many zeros.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn upwards(number: f32, zeros: u32) -> u32 {
    let rest = (1 << zeros) - 1;
    number.to_bits().wrapping_add(rest) & !rest
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn rotation(code: u32) -> CornerRotation {
    CornerRotation::new(code & ((1 << ROTATION_BITS) - 1))
}

/// Returns two upper bounds. R bounds the largest coordinate of both edges, and S bounds the product of the largest coordinate of each.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn sizes(code: u32) -> [f32; 2] {
    [f32::from_bits(code), f32::from_bits(code << HALF)]
}

/// Returns the [`sizes`] of several triangles, one in each lane.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn sizes_in_lanes<S: Simd, V: SimdFloat<S, Element = f32>>(codes: V::Bits) -> [V; 2] {
    [codes.bitcast(), (codes << HALF).bitcast()]
}

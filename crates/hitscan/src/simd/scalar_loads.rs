//! Loads of values that may just have been stored in pieces.

use super::SimdBase;
use super::simd_trait::Simd;
use core::ptr::read_volatile;

/// Loads numbers into the lanes of a vector, each by itself, even if they are neighbours.
///
/// A load of values that several stores have just written waits until they are in the cache, and for everything before them. A program that makes a ray and
/// casts it at once would wait for the ray before. A load of a value that a single store has written does not wait. Compilers merge loads of
/// neighbours if they may.
#[inline(always)]
pub(crate) fn load_apart<S: Simd, V: SimdBase<S>>(simd: S, [x, y, z, w]: [&V::Element; 4]) -> V {
    const { assert!(V::LEN == 4) };
    // SAFETY: references are valid for reads and aligned, what they refer to is initialised and `Copy`, and nothing writes to it meanwhile.
    let four = unsafe { [read_volatile(x), read_volatile(y), read_volatile(z), read_volatile(w)] };
    V::from_slice(simd, &four)
}

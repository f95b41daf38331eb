//! Loads of what may just have been stored in pieces.

use super::{Simd, SimdBase};
use core::ptr::read_volatile;

/// Numbers in the lanes of a vector, each loaded by itself, even where they are neighbours.
///
/// A load of what several stores have just written waits until they are in the cache, and so for all that is before them: who makes a ray and casts it at
/// once would wait for the ray before, some 27 ns. One that a single store has written does not. Compilers make one load of neighbours if they may.
#[inline(always)]
pub(crate) fn load_apart<S: Simd, V: SimdBase<S>>(simd: S, [x, y, z, w]: [&V::Element; 4]) -> V {
    const { assert!(V::LEN == 4) };
    // SAFETY: references are valid for reads and aligned, what they refer to is initialised and `Copy`, and nothing writes to it meanwhile.
    let four = unsafe { [read_volatile(x), read_volatile(y), read_volatile(z), read_volatile(w)] };
    V::from_slice(simd, &four)
}

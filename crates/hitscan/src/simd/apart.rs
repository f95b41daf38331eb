//! Loads of what may just have been stored in pieces.

use super::{Simd, SimdBase, f32x4};
use core::ptr::read_volatile;

/// Numbers in the lanes of a vector, each loaded by itself, even where they are neighbours.
///
/// A load of what several stores have just written waits until they are in the cache, and so for all that is before them: who makes a ray and casts it at
/// once would wait for the ray before, some 27 ns. One that a single store has written does not. Compilers make one load of neighbours if they may.
#[inline(always)]
pub(crate) fn load_apart<S: Simd>(simd: S, [x, y, z, w]: [&f32; 4]) -> f32x4<S> {
    // SAFETY: references are valid for reads and aligned, what they refer to is initialised, and nothing writes to it meanwhile.
    let four = unsafe { [read_volatile(x), read_volatile(y), read_volatile(z), read_volatile(w)] };
    f32x4::from_slice(simd, &four)
}

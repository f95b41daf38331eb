//! Loads of values that several narrower stores may just have written.

use super::SimdBase;
use super::simd_trait::Simd;
use core::ptr::read_volatile;

/// Loads numbers into the lanes of a vector, each by its own load, even if they are neighbours.
///
/// A load that spans several recent stores cannot use store forwarding. It waits until these stores and all earlier ones are in the cache. A program that makes
/// a ray and casts it at once would wait for the previous ray. A load of a value that a single store has written is forwarded. Compilers may merge ordinary
/// loads of neighbours.
#[inline(always)]
pub(crate) fn load_apart<S: Simd, V: SimdBase<S>>(simd: S, [x, y, z, w]: [&V::Element; 4]) -> V {
    const { assert!(V::LEN == 4) };
    // SAFETY: references are valid for reads and aligned, and the numbers are initialised and `Copy`. No other thread writes to them meanwhile.
    let four = unsafe { [read_volatile(x), read_volatile(y), read_volatile(z), read_volatile(w)] };
    V::from_slice(simd, &four)
}

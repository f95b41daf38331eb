//! The trait of all instruction sets. For each it says whether the tests of rays are inlined, or compiled once and
//! called. They are called without vectors and with SSE2.

use fearless_simd::{Simd as Vectors, f32x4, f32x8, f64x4};

/// An instruction set.
pub(crate) trait Simd: Vectors {
    /// Says whether a vector operation is one or a few instructions, rather than one for each lane.
    const HAS_VECTORS: bool = true;

    /// Says whether coherent rays traverse scenes together. Without vectors, this takes about as long as traversing
    /// the rays one by one. With the vectors of WebAssembly, it takes longer. So in both cases, the code for it is not
    /// compiled. Rays that are cast at a single mesh are faster together with each instruction set.
    const HAS_SCENE_PACKETS: bool = true;

    /// Returns the result of `op`, which must be `#[inline(always)]`.
    ///
    /// `op` is inlined for vectors that are only found at run time. A function that is called would not be compiled
    /// for them. Without vectors, each vector operation is many instructions. With the tests of rays inlined
    /// everywhere, these tests were two fifths of the size of the library. They took half of the time to compile it.
    /// So they are called instead. With SSE2 the tests are called too, even if the whole program is compiled for SSE2,
    /// because SSE2 is rarely the best level.
    fn shared<R>(self, op: impl FnOnce() -> R) -> R;

    // `FloatLanes` calls these functions.

    #[inline(always)]
    fn smaller_f32x4(self, a: f32x4<Self>, b: f32x4<Self>) -> f32x4<Self> {
        self.min_f32x4(a, b)
    }

    #[inline(always)]
    fn larger_f32x4(self, a: f32x4<Self>, b: f32x4<Self>) -> f32x4<Self> {
        self.max_f32x4(a, b)
    }

    #[inline(always)]
    fn smaller_f32x8(self, a: f32x8<Self>, b: f32x8<Self>) -> f32x8<Self> {
        self.min_f32x8(a, b)
    }

    #[inline(always)]
    fn larger_f32x8(self, a: f32x8<Self>, b: f32x8<Self>) -> f32x8<Self> {
        self.max_f32x8(a, b)
    }

    #[inline(always)]
    fn smaller_f64x4(self, a: f64x4<Self>, b: f64x4<Self>) -> f64x4<Self> {
        self.min_f64x4(a, b)
    }

    #[inline(always)]
    fn larger_f64x4(self, a: f64x4<Self>, b: f64x4<Self>) -> f64x4<Self> {
        self.max_f64x4(a, b)
    }
}

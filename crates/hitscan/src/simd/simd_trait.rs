//! The trait of all instruction sets, which says for each whether the tests of rays are inlined, or compiled once and
//! called: the latter without vectors, and with SSE2.

use fearless_simd::{Simd as Vectors, f32x4, f32x8, f64x4};

/// An instruction set.
pub(crate) trait Simd: Vectors {
    /// Says whether a vector operation is one or a few instructions, and not one for each lane.
    const HAS_VECTORS: bool = true;

    /// Says whether coherent rays go through scenes together. Without vectors they take about as long one by one, and
    /// with WebAssembly's vectors less, so the code for it is not compiled there. Rays of a mesh alone are faster
    /// together with each instruction set.
    const HAS_SCENE_PACKETS: bool = true;

    /// Returns the result of `op`, which must be `#[inline(always)]`.
    ///
    /// It is inlined with vectors that are only found at run time, because a function that is called would not be
    /// compiled for them. Without vectors, each vector operation is many instructions. When the few operations that
    /// rays are tested with were inlined everywhere, they were two fifths of the library, and half of the time to
    /// compile it. So they are called there. SSE2 is rarely the best level, and where the whole program is compiled for
    /// it, they are called too.
    fn shared<R>(self, op: impl FnOnce() -> R) -> R;

    // These are what `FloatLanes` calls.

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

//! The trait of all instruction sets, which says for each whether the tests of rays are inlined, or compiled once and
//! called: the latter without vectors, and with SSE2.

use fearless_simd::{Fallback, Simd as Vectors};

/// An instruction set.
pub(crate) trait Simd: Vectors {
    /// Returns the result of `op`, which must be `#[inline(always)]`.
    ///
    /// It is inlined with vectors that are only found at run time, because a function that is called would not be
    /// compiled for them. Without vectors, each vector operation is many instructions. When the few operations that
    /// rays are tested with were inlined everywhere, they were two fifths of the library, and half of the time to
    /// compile it. So they are called there. SSE2 is rarely the best level, and where the whole program is compiled for
    /// it, they are called too.
    fn shared<R>(self, op: impl FnOnce() -> R) -> R;
}

impl Simd for Fallback {
    #[inline(never)]
    fn shared<R>(self, op: impl FnOnce() -> R) -> R {
        op()
    }
}

#[allow(unused_macros, reason = "there may be no vectors")]
macro_rules! with_vectors {
    ($($level:path),*) => {
        $(impl Simd for $level {
            #[inline(always)]
            fn shared<R>(self, op: impl FnOnce() -> R) -> R {
                op()
            }
        })*
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl Simd for fearless_simd::x86::Sse2 {
    #[cfg_attr(target_feature = "sse2", inline(never))]
    #[cfg_attr(not(target_feature = "sse2"), inline(always))]
    fn shared<R>(self, op: impl FnOnce() -> R) -> R {
        op()
    }
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
with_vectors!(fearless_simd::x86::Sse4_2, fearless_simd::x86::Avx2, fearless_simd::x86::Avx512);
#[cfg(target_arch = "aarch64")]
with_vectors!(fearless_simd::aarch64::Neon);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
with_vectors!(fearless_simd::wasm32::WasmSimd128);

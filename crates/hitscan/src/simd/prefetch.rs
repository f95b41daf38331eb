//! Prefetches of memory.

/// Tells the processor that this many bytes will be read soon, at any address. If the start is not at the beginning of a cache line, the last bytes may be in
/// one more line. That line is not requested. This affects only speed.
#[inline(always)]
pub(crate) fn prefetch<const BYTES: usize>(start: *const u8) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        #[cfg(target_arch = "x86")]
        use core::arch::x86::{_MM_HINT_T0, _mm_prefetch};
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        for line in 0..BYTES.div_ceil(CACHE_LINE) {
            let address = start.cast::<i8>().wrapping_add(line * CACHE_LINE);
            // SAFETY: a prefetch reads nothing and never faults, whatever the address. Every x86 processor that Rust
            // compiles for by default has it (SSE).
            unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
        }
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let _ = start;
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const CACHE_LINE: usize = 64;

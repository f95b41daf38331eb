//! Loads that stay where they are written.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::Level;
use super::simd_trait::Simd;

/// Returns the same reference, but hides from the compiler what it refers to.
///
/// Compilers load values that do not change in a loop once, before it, and make vectors of them. If there are more of these than registers, each is stored
/// then, to be loaded again. With AVX2 a number that is loaded into all lanes where it is needed takes no longer there, and no time before.
#[inline(always)]
pub(crate) fn anew<S: Simd, T>(simd: S, what: &T) -> &T {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if matches!(simd.level(), Level::Avx2(_)) {
        return unknown(what);
    }
    let _ = simd;
    what
}

// This is not `pure`: compilers would move it before the loop as well, because it depends on nothing else.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(clippy::pointers_in_nomem_asm_block, reason = "the pointer is not followed")]
#[inline(always)]
fn unknown<T>(what: &T) -> &T {
    let mut place = core::ptr::from_ref(what);
    // SAFETY: this is no instruction at all: the pointer stays the same, and no memory or register is touched.
    unsafe { core::arch::asm!("/* {0} */", inout(reg) place, options(nomem, nostack, preserves_flags)) };
    // SAFETY: this is the reference's pointer, and it lives as long.
    unsafe { &*place }
}

//! Loads that the compiler does not move.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::Level;
use super::simd_trait::Simd;

/// Returns the same reference, but hides from the compiler what it refers to.
///
/// Compilers move loads of loop-invariant values out of the loop, and broadcast them to vectors there. If there are more such vectors than registers, they
/// are spilled and reloaded. With AVX2 a load that broadcasts a number inside the loop takes no longer than the reload. It saves the work before the loop.
#[inline(always)]
pub(crate) fn anew<S: Simd, T>(simd: S, what: &T) -> &T {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if matches!(simd.level(), Level::Avx2(_)) {
        return unknown(what);
    }
    let _ = simd;
    what
}

// This is not `pure`. Otherwise, compilers would move it before the loop as well, because it depends on nothing else.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(clippy::pointers_in_nomem_asm_block, reason = "the pointer is not followed")]
#[inline(always)]
fn unknown<T>(what: &T) -> &T {
    let mut place = core::ptr::from_ref(what);
    // SAFETY: this is no instruction at all. The pointer stays the same, and no memory or register is touched.
    unsafe { core::arch::asm!("/* {0} */", inout(reg) place, options(nomem, nostack, preserves_flags)) };
    // SAFETY: this is the pointer of the reference, and is valid for the same lifetime.
    unsafe { &*place }
}

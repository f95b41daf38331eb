//! Loads that stay where they are written.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::Level;
use super::Simd;

/// The same reference, of which the compiler does not know what it refers to, where it matters.
///
/// What does not change in a loop compilers load once, before it, and make vectors of; where these are more than there are registers, each is stored then, to be
/// loaded again. With AVX2 a number that is loaded into all lanes where it is needed takes no longer there, and nothing before.
#[inline(always)]
pub(crate) fn anew<S: Simd, T>(simd: S, what: &T) -> &T {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if matches!(simd.level(), Level::Avx2(_)) {
        return unknown(what);
    }
    let _ = simd;
    what
}

// Not `pure`: what depends on nothing else compilers move before the loop as well.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(clippy::pointers_in_nomem_asm_block, reason = "the pointer is not followed")]
#[inline(always)]
fn unknown<T>(what: &T) -> &T {
    let mut place = core::ptr::from_ref(what);
    // SAFETY: it is no instruction at all: the pointer stays what it was, and no memory or register is touched.
    unsafe { core::arch::asm!("/* {0} */", inout(reg) place, options(nomem, nostack, preserves_flags)) };
    // SAFETY: it is the reference's pointer, and lives as long.
    unsafe { &*place }
}

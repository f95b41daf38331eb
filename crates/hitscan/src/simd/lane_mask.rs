//! Some of the eight lanes of a vector.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::Level;
use super::simd_trait::Simd;
use super::{SimdMask, mask32x8};
use core::hint::assert_unchecked;

/// The number of lanes of a vector.
const LANES: usize = 8;

/// A set of lanes of a vector of eight. Lanes that are taken out of the set are known to be below eight. So no look-up by them needs a check.
// No bit above the first eight is set; only this file could set one.
#[derive(Clone, Copy)]
pub(crate) struct LaneMask(u64);

impl LaneMask {
    /// Returns the lanes where the mask is set.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(simd: S, mask: mask32x8<S>) -> Self {
        Self(kept(simd, mask.to_bitmask() & ((1 << LANES) - 1)))
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Removes the first lane and returns it.
    #[inline(always)]
    pub(crate) fn take_first(&mut self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        // SAFETY: a bit was set, and none above the first eight.
        unsafe { assert_unchecked(lane < LANES) };
        Some(lane)
    }

    /// Removes the last lane and returns it.
    #[inline(always)]
    pub(crate) fn take_last(&mut self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let lane = self.0.ilog2() as usize;
        self.0 ^= 1 << lane;
        // SAFETY: this holds as above.
        unsafe { assert_unchecked(lane < LANES) };
        Some(lane)
    }
}

/// Returns the same bits, but hides from the compiler that they come from a mask. Otherwise the compiler would extend the bits once more from eight bits if
/// they are used in other blocks than the comparison. That is one more step in the chain of dependent instructions.
#[inline(always)]
fn kept<S: Simd>(simd: S, bits: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if matches!(simd.level(), Level::Avx2(_)) {
        let mut bits = bits;
        // SAFETY: this is no instruction at all. The bits stay the same, and no memory or other register is touched.
        unsafe { core::arch::asm!("/* {0} */", inout(reg) bits, options(pure, nomem, nostack, preserves_flags)) };
        return bits;
    }
    let _ = simd;
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch;
    use alloc::vec::Vec;

    #[test]
    fn lanes_come_in_order_from_both_ends() {
        for bits in 0..256 {
            let set = dispatch!(simd => LaneMask::of(simd, mask32x8::from_bitmask(simd, bits)));
            assert_eq!(set.is_empty(), bits == 0);
            let wanted: Vec<usize> = (0..LANES).filter(|lane| bits >> lane & 1 == 1).collect();
            let (mut first, mut last) = (set, set);
            assert!(core::iter::from_fn(|| first.take_first()).eq(wanted.iter().copied()));
            assert!(core::iter::from_fn(|| last.take_last()).eq(wanted.iter().rev().copied()));
            assert!(first.is_empty() && last.is_empty());
        }
    }
}

//! Halves of rows of sixteen numbers, indexed without a check.

use super::simd_trait::Simd;
use super::{Bytes, SimdBase, f32x4, u32x4};

/// The number of numbers in a vector.
const HALF: usize = 8;

/// One half of each of three rows, where a row has sixteen numbers.
// The offsets of the halves: 0 or `HALF`; only this file sets them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearFarPlanes([u32; 4]);

impl NearFarPlanes {
    /// The lower half of each row.
    pub(crate) const LOWER: Self = Self([0; 4]);

    /// Returns the upper half for each number whose sign bit is set, including -0.
    #[inline(always)]
    pub(crate) fn by_sign<S: Simd>(simd: S, numbers: f32x4<S>) -> Self {
        let first_bits = numbers.bitcast::<u32x4<S>>() >> (u32::BITS - 1 - HALF.ilog2());
        Self::stored(first_bits & u32x4::splat(simd, HALF as u32))
    }

    /// Returns the complementary half of each row.
    #[inline(always)]
    pub(crate) fn others<S: Simd>(&self, simd: S) -> Self {
        Self::stored(u32x4::from_slice(simd, &self.0) ^ u32x4::splat(simd, HALF as u32))
    }

    #[inline(always)]
    fn stored<S: Simd>(starts: u32x4<S>) -> Self {
        let mut halves = Self::LOWER;
        starts.store_slice(&mut halves.0);
        halves
    }

    /// Returns the half of a row.
    #[inline(always)]
    pub(crate) fn of<'a, const ROW: usize>(&self, row: &'a [f32; 2 * HALF]) -> &'a [f32; HALF] {
        const { assert!(ROW < 3) };
        // SAFETY: the offset is 0 or `HALF`, so `HALF` numbers of the row follow. They live as long as the row.
        unsafe { &*row.as_ptr().add(self.0[ROW] as usize).cast() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch;

    #[test]
    fn each_sign_has_its_half() {
        let row: [f32; 16] = core::array::from_fn(|i| i as f32);
        for bits in 0..8 {
            let signs: [f32; 4] = core::array::from_fn(|i| if bits >> i & 1 == 1 { -0.0 } else { f32::INFINITY });
            let firsts = dispatch!(simd => {
                let halves = NearFarPlanes::by_sign(simd, f32x4::from_slice(simd, &signs));
                let others = halves.others(simd);
                [[halves.of::<0>(&row), halves.of::<1>(&row), halves.of::<2>(&row)],
                    [others.of::<0>(&row), others.of::<1>(&row), others.of::<2>(&row)]].map(|halves| halves.map(|half| half[0]))
            });
            let wanted: [f32; 3] = core::array::from_fn(|i| if bits >> i & 1 == 1 { 8.0 } else { 0.0 });
            assert_eq!(firsts, [wanted, wanted.map(|first| 8.0 - first)]);
        }
    }
}

//! Eight numbers in f64, in lanes.

use crate::simd::{Simd, SimdBase, f32x8, f64x4};
use core::ops::{Add, Mul, Sub};

/// Eight numbers, four in each vector.
// It is not one vector of eight: most instruction sets would split that for each operation.
#[derive(Clone, Copy)]
pub(crate) struct EightLanes<S: Simd>([f64x4<S>; 2]);

impl<S: Simd> EightLanes<S> {
    #[inline(always)]
    pub(crate) fn new(simd: S, numbers: &[f64; 8]) -> Self {
        let (first, last) = numbers.split_at(4);
        Self([f64x4::from_slice(simd, first), f64x4::from_slice(simd, last)])
    }

    #[inline(always)]
    pub(crate) fn splat(simd: S, number: f64) -> Self {
        Self([f64x4::splat(simd, number); 2])
    }

    /// Returns 0 for those that are negative.
    #[inline(always)]
    pub(crate) fn positive(self) -> Self {
        let [first, last] = self.0;
        let zero = f64x4::splat(first.simd, 0.0);
        Self([first.max(zero), last.max(zero)])
    }

    /// Rounds to f32.
    #[inline(always)]
    pub(crate) fn narrowed(self) -> f32x8<S> {
        let [first, last] = self.0;
        first.simd.narrow_f64x4(first, last)
    }
}

impl<S: Simd> Add for EightLanes<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
}

impl<S: Simd> Sub for EightLanes<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self([self.0[0] - other.0[0], self.0[1] - other.0[1]])
    }
}

impl<S: Simd> Mul for EightLanes<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self([self.0[0] * other.0[0], self.0[1] * other.0[1]])
    }
}

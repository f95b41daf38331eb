//! Floats in lanes, with the smaller and the larger of two in each lane by a single instruction where there is one.

use super::simd_trait::Simd;
use super::{SimdFloat, f32x4, f32x8, f64x4};

/// A vector of floats.
///
/// If one operand is NaN, or if they are zeros of both signs, its minima and maxima may return either. On x86, they
/// return the second. The minima and maxima of [`SimdBase`](super::SimdBase) define both cases. In WebAssembly that
/// takes eight instructions of x86, and a call for each lane where there are no vectors.
pub(crate) trait FloatLanes<S: Simd>: SimdFloat<S> {
    fn smaller(self, other: Self) -> Self;
    fn larger(self, other: Self) -> Self;
}

macro_rules! float_lanes {
    ($($vector:ident $smaller:ident $larger:ident),*) => {
        $(impl<S: Simd> FloatLanes<S> for $vector<S> {
            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                self.simd.$smaller(self, other)
            }

            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                self.simd.$larger(self, other)
            }
        })*
    };
}
float_lanes!(f32x4 smaller_f32x4 larger_f32x4, f32x8 smaller_f32x8 larger_f32x8, f64x4 smaller_f64x4 larger_f64x4);

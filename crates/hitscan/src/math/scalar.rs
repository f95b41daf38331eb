//! Arithmetic that is written once for one number and for several side by side. The bits are the same, because no two operations are fused.

use super::float;
use crate::simd::{FloatLanes, Select, Simd, SimdBase, SimdFloat, f64x4};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// An f64, or several.
pub(crate) trait Scalar:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// Returns 1 divided by the number.
    fn inverse(self) -> Self;
    /// Returns the larger of two numbers that are not NaN.
    fn larger(self, other: Self) -> Self;
    /// Returns the smaller of two numbers that are not NaN.
    fn smaller(self, other: Self) -> Self;
    /// Returns `yes` if the number is larger than `other`, else `no`.
    fn if_larger(self, other: Self, yes: Self, no: Self) -> Self;
    /// Returns a number of this size, with the sign of `self`.
    fn signed(self, size: f64) -> Self;
}

impl Scalar for f64 {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn abs(self) -> Self {
        f64::abs(self)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sqrt(self) -> Self {
        float::sqrt(self)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn inverse(self) -> Self {
        1.0 / self
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn larger(self, other: Self) -> Self {
        float::larger(self, other)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn smaller(self, other: Self) -> Self {
        float::smaller(self, other)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn if_larger(self, other: Self, yes: Self, no: Self) -> Self {
        if self > other { yes } else { no }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn signed(self, size: f64) -> Self {
        size.copysign(self)
    }
}

impl<S: Simd> Scalar for f64x4<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn abs(self) -> Self {
        <Self as SimdBase<S>>::abs(self)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sqrt(self) -> Self {
        <Self as SimdFloat<S>>::sqrt(self)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn inverse(self) -> Self {
        1.0 / self
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn larger(self, other: Self) -> Self {
        FloatLanes::larger(self, other)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn smaller(self, other: Self) -> Self {
        FloatLanes::smaller(self, other)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn if_larger(self, other: Self, yes: Self, no: Self) -> Self {
        self.simd_gt(other).select(yes, no)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn signed(self, size: f64) -> Self {
        Self::splat(self.simd, size).copysign(self)
    }
}

/// A vector.
pub(crate) type Scalar3<T> = [T; 3];

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn dot<T: Scalar>(a: Scalar3<T>, b: Scalar3<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn cross<T: Scalar>(a: Scalar3<T>, b: Scalar3<T>) -> Scalar3<T> {
    [a[1] * b[2] - b[1] * a[2], a[2] * b[0] - b[2] * a[0], a[0] * b[1] - b[0] * a[1]]
}

/// Returns the sum of the columns, each multiplied by its component.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn product<T: Scalar>([x, y, z]: [Scalar3<T>; 3], of: Scalar3<T>) -> Scalar3<T> {
    [dot([x[0], y[0], z[0]], of), dot([x[1], y[1], z[1]], of), dot([x[2], y[2], z[2]], of)]
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn sum<T: Scalar>(a: Scalar3<T>, b: Scalar3<T>) -> Scalar3<T> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn negated<T: Scalar>(a: Scalar3<T>) -> Scalar3<T> {
    [-a[0], -a[1], -a[2]]
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn scaled<T: Scalar + Mul<B, Output = T>, B: Copy>(a: Scalar3<T>, by: B) -> Scalar3<T> {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Returns the magnitudes of the components. This does not use `array::map`, which is not certain to be inlined.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn abs<T: Scalar>(a: Scalar3<T>) -> Scalar3<T> {
    [a[0].abs(), a[1].abs(), a[2].abs()]
}

/// Returns the largest component of a vector without NaN.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn largest<T: Scalar>(a: Scalar3<T>) -> T {
    a[0].larger(a[1]).larger(a[2])
}

/// Returns the smallest component of a vector without NaN.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn smallest<T: Scalar>(a: Scalar3<T>) -> T {
    a[0].smaller(a[1]).smaller(a[2])
}

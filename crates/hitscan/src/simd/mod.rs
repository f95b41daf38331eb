//! Vectors, and the choice of an instruction set. The instruction set is chosen once for each query, or for each part that a
//! query enters by a call.
//!
//! The instruction sets come from `fearless_simd`, whose interface is safe. It costs nothing measurable over the intrinsics if every function down to them is
//! `#[inline(always)]`.

mod float_lanes;
#[allow(unsafe_code)]
mod huge_pages;
#[allow(unsafe_code)]
mod lane_mask;
#[allow(unsafe_code)]
mod level;
#[allow(unsafe_code)]
mod near_far_planes;
#[allow(unsafe_code)]
mod opaque;
#[allow(unsafe_code)]
mod prefetch;
#[allow(unsafe_code)]
mod scalar_loads;
mod simd_trait;
#[allow(unsafe_code)]
mod stack;

pub(crate) use fearless_simd::Simd as Vectors;
pub(crate) use fearless_simd::{
    Bytes, Level, Select, SimdBase, SimdCombine, SimdFloat, SimdMask, SimdSplit, f32x4, f32x8, f64x4, f64x8, i32x4,
    mask32x8, u32x4, u32x8,
};
pub(crate) use float_lanes::FloatLanes;
pub(crate) use huge_pages::{Places, collected, filled, in_huge_pages, made};
pub(crate) use lane_mask::LaneMask;
pub(crate) use level::{HAS_SCALAR, current, dispatch};
pub use level::{SimdError, SimdLevel};
pub(crate) use near_far_planes::NearFarPlanes;
pub(crate) use opaque::anew;
pub(crate) use prefetch::prefetch;
pub(crate) use scalar_loads::load_apart;
pub(crate) use simd_trait::Simd;
pub(crate) use stack::{Slots, Stack};

use core::ops::{Add, Mul, Sub};

/// Returns the result of `op`, called from a function that is not inlined.
#[cold]
#[inline(never)]
pub(crate) fn rarely<R>(op: impl FnOnce() -> R) -> R {
    op()
}

/// One vector for each axis.
pub(crate) type Axes<V> = [V; 3];

// Neither `array::map` nor `array::from_fn` is certain to be inlined. Functions that they call would not be
// compiled for the instruction set in use.

#[inline(always)]
pub(crate) fn splat<S: Simd, V: SimdBase<S>>(simd: S, [x, y, z, _]: [V::Element; 4]) -> Axes<V> {
    [V::splat(simd, x), V::splat(simd, y), V::splat(simd, z)]
}

#[inline(always)]
pub(crate) fn load<S: Simd, V: SimdBase<S>, const N: usize>(simd: S, [x, y, z]: [&[V::Element; N]; 3]) -> Axes<V> {
    [V::from_slice(simd, x), V::from_slice(simd, y), V::from_slice(simd, z)]
}

#[inline(always)]
pub(crate) fn difference<V: Copy + Sub<Output = V>>(a: &Axes<V>, b: &Axes<V>) -> Axes<V> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn sum<V: Copy + Add<Output = V>>(a: &Axes<V>, b: &Axes<V>) -> Axes<V> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn scaled<V: Copy + Mul<Output = V>>(axes: &Axes<V>, by: V) -> Axes<V> {
    [axes[0] * by, axes[1] * by, axes[2] * by]
}

/// Returns the dot product. It is rounded differently by instruction sets with and without fused multiplication and addition.
#[inline(always)]
pub(crate) fn dot<S: Simd, V: SimdFloat<S>>(a: &Axes<V>, b: &Axes<V>) -> V {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

/// Returns the cross product. It is rounded differently by instruction sets with and without fused multiplication and addition.
#[inline(always)]
pub(crate) fn cross<S: Simd, V: SimdFloat<S>>(a: &Axes<V>, b: &Axes<V>) -> Axes<V> {
    [a[1].mul_sub(b[2], a[2] * b[1]), a[2].mul_sub(b[0], a[0] * b[2]), a[0].mul_sub(b[1], a[1] * b[0])]
}

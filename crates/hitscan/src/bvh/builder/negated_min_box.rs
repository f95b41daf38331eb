//! Boxes in eight lanes, such that the union of two boxes is a single maximum.

use super::bounds::Bounds;
use crate::simd::{Simd, SimdBase, SimdCombine, SimdSplit, f32x4, f32x8};
use glam::Vec4;

/// The negated lower corner of a box, and its upper corner. The fourth lane of each belongs to the owner, and has no
/// meaning here.
///
/// Results have the same bits as the minima and differences of [`Bounds`], because adding a negated number is subtracting it. No coordinate is -0, so no
/// maximum has to choose between zeros of both signs. Here, all zeros of lower corners are -0, and all zeros of upper corners are +0.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct NegatedMinBox([f32; 8]);

impl NegatedMinBox {
    pub(super) const EMPTY: Self = Self([f32::NEG_INFINITY; 8]);

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn new<S: Simd>(reach: f32x8<S>) -> Self {
        let mut own = Self::EMPTY;
        reach.store_slice(&mut own.0);
        own
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn load<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::from_slice(simd, &self.0)
    }

    pub(super) fn bounds(&self) -> Bounds {
        let [a, b, c, d, x, y, z, w] = self.0;
        Bounds { low: -Vec4::new(a, b, c, d), high: Vec4::new(x, y, z, w) }
    }
}

impl Bounds {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn reach<S: Simd>(&self, simd: S) -> f32x8<S> {
        let (low, high) =
            (f32x4::from_slice(simd, &self.low.to_array()), f32x4::from_slice(simd, &self.high.to_array()));
        (-low).combine(high)
    }
}

/// Returns the size along each axis.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn size<S: Simd>(reach: f32x8<S>) -> Vec4 {
    let (low, high) = reach.split();
    Vec4::from_array((high + low).into())
}

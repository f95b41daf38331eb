//! Vectors in space in f64. They are plain vectors, or vectors in SIMD lanes for code that is compiled for an instruction set with such lanes. Both give the
//! same bits.

use super::float::{self, larger};
use crate::simd::{Simd, SimdBase, f32x4, f64x4};
use core::ops::{Add, Mul, Sub};
use glam::DVec3;

/// A vector in space.
pub(crate) trait DVec3Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> + Into<DVec3>
{
    fn cross(self, other: Self) -> Self;
    fn dot(self, other: Self) -> f64;
    /// Returns the largest magnitude of a component of a vector without NaN.
    fn largest(self) -> f64;
    /// Returns the sum of the magnitudes.
    fn sum_of_sizes(self) -> f64;
    /// Returns another vector in the representation of this one.
    fn alike(self, other: DVec3) -> Self;
}

impl DVec3Lanes for DVec3 {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn cross(self, other: Self) -> Self {
        DVec3::cross(self, other)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn dot(self, other: Self) -> f64 {
        DVec3::dot(self, other)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn largest(self) -> f64 {
        float::largest(self)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sum_of_sizes(self) -> f64 {
        let sizes = self.abs();
        sizes.x + sizes.y + sizes.z
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn alike(self, other: DVec3) -> Self {
        other
    }
}

/// A vector in the first three of four lanes; the fourth has no meaning.
#[derive(Clone, Copy)]
pub(crate) struct InLanes<S: Simd>(pub(crate) f64x4<S>);

impl<S: Simd> InLanes<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(simd: S, v: DVec3) -> Self {
        // Setting the fourth lane to zero takes two more instructions.
        Self(f64x4::from_slice(simd, &[v.x, v.y, v.z, v.z]))
    }

    /// Converts the first three lanes to f64.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn widened(v: f32x4<S>) -> Self {
        let &[x, y, z, w] = v.as_slice() else { unreachable!("there are four lanes") };
        Self(f64x4::from_slice(v.simd, &[x.into(), y.into(), z.into(), w.into()]))
    }

    /// Rounds to f32.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn narrowed(self) -> f32x4<S> {
        // Converted one by one, the three lanes become two vectors with AVX2, which are then joined. That takes 9 cycles instead of 5.
        let twice = self.0.simd.narrow_f64x4(self.0, self.0);
        self.0.simd.split_f32x8(twice).0
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn parts(self) -> [f64; 3] {
        let &[x, y, z, _] = self.0.as_slice() else { unreachable!("there are four lanes") };
        [x, y, z]
    }

    /// Returns (y, z, x), which compilers turn into one instruction.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn turned(self) -> Self {
        let &[x, y, z, w] = self.0.as_slice() else { unreachable!("there are four lanes") };
        Self(f64x4::from_slice(self.0.simd, &[y, z, x, w]))
    }
}

/// Converts three vectors.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn in_lanes<S: Simd>(simd: S, [a, b, c]: [DVec3; 3]) -> [InLanes<S>; 3] {
    [InLanes::new(simd, a), InLanes::new(simd, b), InLanes::new(simd, c)]
}

impl<S: Simd> DVec3Lanes for InLanes<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn cross(self, other: Self) -> Self {
        let (a, b) = (self.turned(), other.turned());
        a * b.turned() - b * a.turned()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn dot(self, other: Self) -> f64 {
        let [x, y, z] = Self(self.0 * other.0).parts();
        x + y + z
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn largest(self) -> f64 {
        let [x, y, z] = Self(SimdBase::abs(self.0)).parts();
        larger(larger(x, y), z)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sum_of_sizes(self) -> f64 {
        let [x, y, z] = Self(SimdBase::abs(self.0)).parts();
        x + y + z
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn alike(self, other: DVec3) -> Self {
        Self::new(self.0.simd, other)
    }
}

impl<S: Simd> From<InLanes<S>> for DVec3 {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn from(v: InLanes<S>) -> Self {
        v.parts().into()
    }
}

impl<S: Simd> Add for InLanes<S> {
    type Output = Self;

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<S: Simd> Sub for InLanes<S> {
    type Output = Self;

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl<S: Simd> Mul for InLanes<S> {
    type Output = Self;

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl<S: Simd> Mul<f64> for InLanes<S> {
    type Output = Self;

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn mul(self, by: f64) -> Self {
        Self(self.0 * by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch;

    #[test]
    fn narrowed_to_the_bits_of_a_cast() {
        let odd = [0.1, -1e300, 1e-46, -7e-46, 1.5e-39, f64::from(f32::MAX) * (1.0 + 1e-9), 16_777_217.0, -0.0];
        for turn in 0..odd.len() {
            let v = DVec3::new(odd[turn], odd[(turn + 1) % odd.len()], odd[(turn + 3) % odd.len()]);
            let narrowed: [f32; 3] = dispatch!(simd => {
                let &[x, y, z, _] = InLanes::new(simd, v).narrowed().as_slice() else { unreachable!("there are four lanes") };
                [x, y, z]
            });
            assert_eq!(narrowed.map(f32::to_bits), [v.x as f32, v.y as f32, v.z as f32].map(f32::to_bits), "{v}");
        }
    }
}

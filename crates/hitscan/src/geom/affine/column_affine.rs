//! Transforms as they are loaded into vectors.

use crate::math::dvec3_lanes::{DVec3Lanes, InLanes};
use crate::simd::{Simd, SimdBase, f64x4};
use glam::{DAffine3, DVec3};

/// An affine transform as one array: its columns, the last of which is the translation.
// It is an array and not a `DAffine3`, so that each axis can be loaded as four consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColumnAffine([f64; 12]);

impl From<DAffine3> for ColumnAffine {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn from(transform: DAffine3) -> Self {
        Self(transform.to_cols_array())
    }
}

impl ColumnAffine {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn affine(&self) -> DAffine3 {
        DAffine3::from_cols_array(&self.0)
    }

    /// Returns the axes of the linear part.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn axes<S: Simd>(&self, simd: S) -> [InLanes<S>; 3] {
        let four = |first: usize| InLanes(f64x4::from_slice(simd, &self.0[first..first + 4]));
        [four(0), four(3), four(6)]
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn translation<S: Simd>(&self, simd: S) -> InLanes<S> {
        let [.., x, y, z] = self.0;
        InLanes::new(simd, DVec3::new(x, y, z))
    }

    /// Does the same as [`DAffine3::transform_point3`]. The operations are the same, so the bits are, too.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn point<S: Simd>(&self, simd: S, point: DVec3) -> InLanes<S> {
        self.vector(simd, point) + self.translation(simd)
    }

    /// Does the same as [`DAffine3::transform_vector3`], in the same way.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn vector<S: Simd>(&self, simd: S, vector: DVec3) -> InLanes<S> {
        let [x, y, z] = self.axes(simd);
        x * vector.x + y * vector.y + z * vector.z
    }

    /// Returns the product of a vector and the linear part, which is the transpose applied to the vector.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn transposed<S: Simd>(&self, simd: S, vector: InLanes<S>) -> DVec3 {
        let [x, y, z] = self.axes(simd);
        DVec3::new(x.dot(vector), y.dot(vector), z.dot(vector))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch;
    use glam::DQuat;

    #[test]
    fn transforms_to_the_bits_of_glam() {
        let turn = DQuat::from_xyzw(0.1, -0.7, 0.3, 0.2).normalize();
        let scale = DVec3::new(1e-3, -2.0, 7.0);
        let transform = DAffine3::from_scale_rotation_translation(scale, turn, DVec3::new(1.0, -2e5, 3.3));
        let flat = ColumnAffine::from(transform);
        assert_eq!(flat.affine(), transform);
        for v in [DVec3::new(0.1, 0.2, 0.3), DVec3::new(-1e7, 3.3, 1e-9), DVec3::ZERO] {
            let (point, vector, transposed): (DVec3, DVec3, DVec3) = dispatch!(simd => {
                let transposed = flat.transposed(simd, InLanes::new(simd, v));
                (flat.point(simd, v).into(), flat.vector(simd, v).into(), transposed)
            });
            assert_eq!(point, transform.transform_point3(v));
            assert_eq!(vector, transform.transform_vector3(v));
            assert_eq!(transposed, transform.matrix3.transpose() * v);
        }
    }
}

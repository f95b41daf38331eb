//! The corners of a leaf's triangles, and their images in the world.

use super::pair_bounds::CornerLanes;
use crate::bvh::{LEAF_SIZE as SIZE, take_lowest};
use crate::geom::eight_rays::by_lane;
use crate::math::float::larger;
use crate::simd::{Axes, FloatLanes, Simd, SimdBase, SimdFloat, f32x8, splat};
use glam::{DAffine3, DVec3};

/// The corners of up to eight triangles in the coordinates of a tree, by corner and axis. Lanes without a triangle may hold anything.
#[derive(Clone, Copy)]
pub(crate) struct LeafCorners {
    pub(crate) corners: [[[f32; SIZE]; 3]; 3],
    /// The lanes with a triangle, a bit each.
    pub(crate) present: u64,
}

/// A transform from a tree to the world, multiplied by a power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImageTransform {
    exact: DAffine3,
    /// Its columns in f32.
    columns: [[f32; 3]; 3],
}

/// The triangles of a leaf in the world, relative to a corner of one of them.
pub(crate) struct PlacedLeaf<S: Simd> {
    pub(crate) corners: CornerLanes<S>,
    pub(crate) present: u64,
    /// That corner in the world, multiplied by the transform's power of two.
    pub(crate) origin: DVec3,
    /// An upper bound of the coordinates, and of all products and sums that they are computed from.
    pub(crate) size: f32,
}

impl ImageTransform {
    pub(crate) fn new(DAffine3 { matrix3, translation }: &DAffine3, scale: f64) -> Self {
        let exact = DAffine3 { matrix3: *matrix3 * scale, translation: *translation * scale };
        let columns = [exact.matrix3.x_axis, exact.matrix3.y_axis, exact.matrix3.z_axis];
        Self { exact, columns: columns.map(|column| column.as_vec3().to_array()) }
    }

    /// Returns the image of a vector. It is rounded differently by instruction sets with and without fused multiplication and addition.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn image<S: Simd>(&self, simd: S, v: &Axes<f32x8<S>>) -> Axes<f32x8<S>> {
        [self.along(simd, v, 0), self.along(simd, v, 1), self.along(simd, v, 2)]
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn along<S: Simd>(&self, simd: S, [x, y, z]: &Axes<f32x8<S>>, axis: usize) -> f32x8<S> {
        let [p, q, r] = &self.columns;
        let last = *z * f32x8::splat(simd, r[axis]);
        x.mul_add(f32x8::splat(simd, p[axis]), y.mul_add(f32x8::splat(simd, q[axis]), last))
    }

    /// Returns an upper bound of the coordinates of the images of vectors with these sizes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn size(&self, [x, y, z]: [f32; 3]) -> f32 {
        let [p, q, r] = &self.columns;
        let mut size = 0.0;
        for axis in 0..3 {
            size = larger(p[axis].abs() * x + q[axis].abs() * y + r[axis].abs() * z, size);
        }
        size
    }
}

impl LeafCorners {
    pub(crate) const EMPTY: Self = Self { corners: [[[0.0; SIZE]; 3]; 3], present: 0 };

    /// Returns the triangles in the world; at least one must be present.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn placed<S: Simd>(&self, simd: S, transform: &ImageTransform) -> PlacedLeaf<S> {
        let first = self.present.trailing_zeros() as usize % SIZE;
        let [[x, y, z], ..] = &self.corners;
        let corner = [x[first], y[first], z[first], 0.0];
        let origin: Axes<f32x8<S>> = splat(simd, corner);
        let mut farthest: Axes<f32x8<S>> = splat(simd, [0.0; 4]);
        let mut corners = [farthest; 3];
        for (image, [x, y, z]) in corners.iter_mut().zip(&self.corners) {
            let from: Axes<f32x8<S>> = [
                f32x8::from_slice(simd, x) - origin[0],
                f32x8::from_slice(simd, y) - origin[1],
                f32x8::from_slice(simd, z) - origin[2],
            ];
            for axis in 0..3 {
                farthest[axis] = farthest[axis].larger(from[axis].abs());
            }
            *image = transform.image(simd, &from);
        }
        let sizes = [
            self.largest(by_lane(farthest[0])),
            self.largest(by_lane(farthest[1])),
            self.largest(by_lane(farthest[2])),
        ];
        let [x, y, z, _] = corner.map(f64::from);
        let origin = transform.exact.transform_point3(DVec3::new(x, y, z));
        PlacedLeaf { corners, present: self.present, origin, size: transform.size(sizes) }
    }

    /// Returns the largest number in the lanes that have a triangle.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn largest(&self, lanes: [f32; SIZE]) -> f32 {
        let (mut left, mut found) = (self.present, 0.0);
        while let Some(lane) = take_lowest(&mut left) {
            found = larger(lanes[lane], found);
        }
        found
    }
}

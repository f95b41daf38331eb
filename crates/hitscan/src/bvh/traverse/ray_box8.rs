//! A ray and the eight boxes of a node, tested at once.

use super::bvh_ray::BvhRay;
use crate::bvh::builder::WIDTH;
use crate::bvh::node::Node;
use crate::simd::{Axes, FloatLanes, LaneMask, NearFarPlanes, Simd, SimdBase, SimdFloat, anew, f32x8, load, splat};

/// The test of a node's boxes.
pub(in crate::bvh) trait BoxTest {
    /// Returns which children are within `limit`, and the distance of each. A distance is not negative, and never -0.
    fn enter(&self, node: &Node, limit: f32) -> (LaneMask, [f32; WIDTH]);
}

/// The data of a ray that box tests need.
pub(in crate::bvh) struct RayLanes<S: Simd> {
    simd: S,
    slopes: InverseDirection,
    near_offset: Axes<f32x8<S>>,
    far_offset: Axes<f32x8<S>>,
}

/// The values are kept in memory. Loading them into all lanes, or selecting planes with them, takes no longer than from
/// vectors. Vectors would have to be stored first.
struct InverseDirection {
    inverse: [f32; 4],
    /// The planes of each axis at which boxes are entered. `far` are the planes at which boxes are left.
    near: NearFarPlanes,
    far: NearFarPlanes,
}

impl<S: Simd> RayLanes<S> {
    /// Makes a placeholder that belongs to no ray.
    pub(in crate::bvh) fn none(simd: S) -> Self {
        let zero = [f32x8::splat(simd, 0.0); 3];
        let slopes = InverseDirection { inverse: [0.0; 4], near: NearFarPlanes::LOWER, far: NearFarPlanes::LOWER };
        Self { simd, slopes, near_offset: zero, far_offset: zero }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn new(simd: S, ray: &BvhRay) -> Self {
        let slopes = InverseDirection { inverse: ray.inverse, near: ray.near, far: ray.near.others(simd) };
        Self { simd, slopes, near_offset: splat(simd, ray.near_offset), far_offset: splat(simd, ray.far_offset) }
    }

    /// Returns the lower or upper planes of each axis.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn planes(&self, Node { bounds: [x, y, z], .. }: &Node, which: &NearFarPlanes) -> Axes<f32x8<S>> {
        load(self.simd, [which.of::<0>(x), which.of::<1>(y), which.of::<2>(z)])
    }
}

impl<S: Simd> BoxTest for RayLanes<S> {
    /// Returns which children the ray may touch before `limit`, and the distance of each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn enter(&self, node: &Node, limit: f32) -> (LaneMask, [f32; WIDTH]) {
        self.simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let simd = self.simd;
                let slopes = anew(simd, &self.slopes);
                let inverse = splat(simd, slopes.inverse);
                let near = distances(self.planes(node, &slopes.near), &inverse, &self.near_offset);
                let far = distances(self.planes(node, &slopes.far), &inverse, &self.far_offset);
                entered(simd, near, far, limit)
            },
        )
    }
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn distances<S: Simd>(
    planes: Axes<f32x8<S>>,
    inverse: &Axes<f32x8<S>>,
    offset: &Axes<f32x8<S>>,
) -> Axes<f32x8<S>> {
    [
        planes[0].mul_add(inverse[0], offset[0]),
        planes[1].mul_add(inverse[1], offset[1]),
        planes[2].mul_add(inverse[2], offset[2]),
    ]
}

/// Returns which boxes are entered before they are left and before `limit`. Also returns the distance of entry,
/// which is at least 0.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::bvh) fn entered<S: Simd>(
    simd: S,
    near: Axes<f32x8<S>>,
    far: Axes<f32x8<S>>,
    limit: f32,
) -> (LaneMask, [f32; WIDTH]) {
    let enter = near[0].larger(near[1]).larger(near[2].larger(f32x8::splat(simd, 0.0)));
    let leave = far[0].smaller(far[1]).smaller(far[2].smaller(f32x8::splat(simd, limit)));
    let hits = LaneMask::of(simd, enter.simd_le(leave));
    let mut distances = [0.0; WIDTH];
    enter.store_slice(&mut distances);
    (hits, distances)
}

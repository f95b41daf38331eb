//! A point in a tree's coordinates in f32, and its distances to the eight boxes of a node, tested at once.

use super::ray_box8::BoxTest;
use crate::bvh::builder::WIDTH;
use crate::bvh::node::{Node, planes};
use crate::math::float::{UNIT_ROUNDOFF_F32, round_up, sqrt};
use crate::simd::{Axes, FloatLanes, LaneMask, Simd, SimdBase, SimdFloat, f32x8, splat};
use glam::DVec3;

/// A point, rounded to f32, with the error of rounding and the error of triangles' places in f64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreePoint {
    place: [f32; 4],
    /// The distance between the point and the rounded one.
    moved: f64,
    /// A bound on the error of distances as they are compared in the end.
    error: f64,
}

/// For points farther away than this, f32 cannot distinguish neighbours in the tree.
const FARTHEST: f64 = 16.0;
/// No distance from a point to anything in a tree is above this, and its square is finite.
const MOST: f32 = 1e18;
/// A computed square of a distance (eight roundings) is not above the exact one multiplied by this.
const ABOVE_SQUARE_ROUNDINGS: f32 = 1.0 + 16.0 * UNIT_ROUNDOFF_F32;
/// A bound on the rounding of a sum and a product.
const ABOVE_SUM_ROUNDINGS: f32 = 1.0 + 4.0 * UNIT_ROUNDOFF_F32;
/// The same in f64. It also covers the difference between the scales of any two axes of a space that is treated as
/// similar to the world.
const ABOVE_WORLD_ROUNDINGS: f64 = 1.0 + 1.0 / (1u64 << 36) as f64;

impl TreePoint {
    /// Makes a point in a tree's coordinates, given a bound on the error of the final distances to the tree's contents.
    /// Returns `None` for a point that is far from the tree.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(place: DVec3, error: f64) -> Option<Self> {
        let is_near = place.x.abs() <= FARTHEST && place.y.abs() <= FARTHEST && place.z.abs() <= FARTHEST;
        if !(is_near && error <= FARTHEST) {
            return None;
        }
        let rounded = place.as_vec3();
        let moved = sqrt((rounded.as_dvec3() - place).length_squared());
        Some(Self { place: rounded.extend(0.0).to_array(), moved, error })
    }

    /// Returns the point in lanes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn in_lanes<S: Simd, V: SimdBase<S, Element = f32>>(&self, simd: S) -> Axes<V> {
        splat(simd, self.place)
    }

    /// Let `distance` be computed in f64. Returns a distance from the rounded point that includes everything that may
    /// be as near as `distance`.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn reach_of(&self, distance: f64) -> f32 {
        round_up((distance + self.error) * ABOVE_WORLD_ROUNDINGS + self.moved).min(MOST)
    }

    /// Returns the slack with which [`reach_by`](Self::reach_by) turns an upper bound of a distance from the rounded
    /// point into a distance to search.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn slack(&self) -> f32 {
        round_up(2.0 * (self.moved + self.error))
    }

    /// Let an object be at most `upper_bound` away from the rounded point. Returns a distance from the rounded point
    /// that includes everything that may be as near as this object.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn reach_by(slack: f32, upper_bound: f32) -> f32 {
        (upper_bound + slack) * ABOVE_SUM_ROUNDINGS
    }

    /// Returns the limit of a traversal for everything within a distance from the rounded point.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn limit(reach: f32) -> f32 {
        reach * reach * ABOVE_SQUARE_ROUNDINGS + f32::MIN_POSITIVE
    }
}

/// A point in lanes.
pub(in crate::bvh) struct PointLanes<S: Simd> {
    simd: S,
    place: Axes<f32x8<S>>,
}

impl<S: Simd> PointLanes<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::bvh) fn new(simd: S, point: &TreePoint) -> Self {
        Self { simd, place: point.in_lanes(simd) }
    }

    /// Returns how far the point is below or above each box along an axis, given the boxes' planes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn gap(&self, axis: usize, bounds: &[f32; 2 * WIDTH]) -> f32x8<S> {
        let place = self.place[axis];
        let below = f32x8::from_slice(self.simd, planes(bounds, 0)) - place;
        let above = place - f32x8::from_slice(self.simd, planes(bounds, WIDTH));
        below.larger(above).larger(f32x8::splat(self.simd, 0.0))
    }
}

impl<S: Simd> BoxTest for PointLanes<S> {
    /// Returns the boxes whose distance is at most the square root of `limit`, and the square of the distance of each
    /// box.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn enter(&self, Node { bounds: [x, y, z], .. }: &Node, limit: f32) -> (LaneMask, [f32; WIDTH]) {
        self.simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let simd = &self.simd;
                let (gap_x, gap_y, gap_z) = (self.gap(0, x), self.gap(1, y), self.gap(2, z));
                let squares = gap_x.mul_add(gap_x, gap_y.mul_add(gap_y, gap_z * gap_z));
                // An empty place is infinitely far, and the limit is finite.
                let near = LaneMask::of(*simd, squares.simd_le(f32x8::splat(*simd, limit)));
                let mut stored = [0.0; WIDTH];
                squares.store_slice(&mut stored);
                (near, stored)
            },
        )
    }
}

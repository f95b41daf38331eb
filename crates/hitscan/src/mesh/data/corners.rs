//! The corners of triangles in a tree's coordinates.

use super::clip;
use crate::geom::aabb::Aabb;
use crate::math::float::{round_down, round_up};
use crate::tri::Triangle8;
use glam::{DVec3, Vec3};

/// Triangles in a frame's coordinates.
pub(in crate::mesh) struct Corners<'a> {
    pub(in crate::mesh) positions: &'a [Vec3],
    pub(in crate::mesh) triangles: &'a [[u32; 3]],
    pub(in crate::mesh) scale: f64,
    pub(in crate::mesh) factors: [f32; 2],
    /// True if no coordinate underflows in the frame.
    pub(in crate::mesh) are_exact: bool,
}

impl Corners<'_> {
    /// Returns the corners, not yet in the frame.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn unframed(&self, triangle: u32) -> [Vec3; 3] {
        let [a, b, c] = self.triangles[triangle as usize];
        [self.positions[a as usize], self.positions[b as usize], self.positions[c as usize]]
    }

    pub(in crate::mesh) fn exact(&self, triangle: u32) -> [DVec3; 3] {
        self.unframed(triangle).map(|corner| corner.as_dvec3() * self.scale)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn bounds(&self, triangle: u32) -> Aabb {
        if !self.are_exact {
            return self.rounded_bounds(triangle);
        }
        let [first, second] = self.factors;
        let [a, b, c] = self.unframed(triangle);
        let [a, b, c] = [a, b, c].map(|corner| corner.extend(0.0) * first * second);
        Aabb { min: a.min(b).min(c).truncate(), max: a.max(b).max(c).truncate() }
    }

    #[cold]
    fn rounded_bounds(&self, triangle: u32) -> Aabb {
        let [a, b, c] = self.exact(triangle);
        rounded_outwards(a.min(b).min(c), a.max(b).max(c))
    }

    /// Returns a box around the part of a triangle inside a cell.
    pub(in crate::mesh) fn clipped(&self, triangle: u32, cell: &Aabb) -> Aabb {
        let (low, high) = clip::bounds(self.exact(triangle), cell);
        let (part, own) = (rounded_outwards(low, high), self.bounds(triangle));
        Aabb { min: part.min.max(cell.min).max(own.min), max: part.max.min(cell.max).min(own.max) }
    }

    /// Stores the corners of a block's triangles in the block. Returns the box around the triangles.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn fit(&self, block: &mut Triangle8) -> Aabb {
        let bounds = block.fit(|triangle| self.unframed(triangle), self.factors);
        if self.are_exact {
            return bounds;
        }
        block.numbers().fold(Aabb::EMPTY, |all, triangle| all.union(&self.bounds(triangle)))
    }
}

fn rounded_outwards(low: DVec3, high: DVec3) -> Aabb {
    Aabb { min: Vec3::from_array(low.to_array().map(round_down)), max: Vec3::from_array(high.to_array().map(round_up)) }
}

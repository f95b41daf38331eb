//! The triangles of a mesh that a volume comes near.

use super::{Mesh, MeshData};
use crate::geom::ray::LocalRay;
use crate::math::float::smaller;
use crate::simd::dispatch;
use crate::tri::triangle8::SIZE;
use crate::tri::{NearTriangleVisitor, SweptVolume, sweep_leaves};
use glam::Vec3;

impl Mesh {
    pub(super) fn near_triangles(&self, ray: &LocalRay, volume: &impl SweptVolume, show: &mut NearTriangleVisitor<'_>) {
        let shared = &*self.shared;
        // The corners are those of the block, which is in the cache.
        let show = &mut |place| shared.show(shared.triangle_at(place), shared.corners_at(place), show);
        dispatch!(simd => sweep_leaves::<_, _, _, SIZE>(simd, (shared, &shared.frame), ray, volume, show));
    }
}

impl MeshData {
    /// Shows the triangles of a leaf of the tree, and those that they stand for.
    pub(super) fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        for triangle in self.blocks.numbers(leaf as usize) {
            self.show(triangle, self.triangle(triangle), &mut |triangle, corners| {
                show(triangle, corners);
                0.0
            });
        }
    }

    /// Shows the numbers of the same triangles.
    pub(super) fn leaf_numbers(&self, leaf: u32, show: &mut dyn FnMut(u32)) {
        for triangle in self.blocks.numbers(leaf as usize) {
            show(triangle);
            self.repeats.of_triangle(triangle).for_each(&mut *show);
        }
    }

    /// Shows a triangle, and those that it stands for; returns the smallest of the answers.
    #[inline(always)]
    pub(super) fn show(&self, triangle: u32, corners: [Vec3; 3], show: &mut NearTriangleVisitor<'_>) -> f32 {
        let t_max = show(triangle, corners);
        self.repeats.of_triangle(triangle).fold(t_max, |t_max, other| smaller(show(other, corners), t_max))
    }
}

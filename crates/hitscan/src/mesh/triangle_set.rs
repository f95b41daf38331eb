//! A mesh as a set of triangles.

use super::Mesh;
use crate::bvh::{Bvh8, NormalizedSpace, TreePoint};
use crate::geom::aabb::Aabb;
use crate::geom::culling::Cull;
use crate::geom::ray::LocalRay;
use crate::geom::transform::InstanceRay;
use crate::simd::dispatch;
use crate::tri::{
    Counting, FoundTriangle, NearTriangleVisitor, NearestVisitor, Offer, SweptVolume, TriangleSet, is_clear,
    show_nearest,
};
use core::ops::ControlFlow;
use glam::{DVec3, Vec2, Vec3};

impl TriangleSet for Mesh {
    fn closest(&self, ray: InstanceRay<'_>, from: f64, cull: Cull) -> Option<FoundTriangle> {
        Self::closest(self, ray, from, cull)
    }

    fn has_any(&self, ray: InstanceRay<'_>, from: f64, cull: Cull) -> bool {
        Self::has_any(self, ray, from, cull)
    }

    fn each<'a>(&'a self, ray: &LocalRay, from: f64, skipped: &[u32], offer: &'a mut Offer<'a>) -> ControlFlow<()> {
        Self::each(self, ray, from, skipped, offer)
    }

    fn near(&self, ray: &LocalRay, volume: &dyn SweptVolume, show: &mut NearTriangleVisitor<'_>) {
        self.near_triangles(ray, volume, show);
    }

    fn nearest(&self, point: (&TreePoint, f64), counting: Counting, show: &mut NearestVisitor<'_>) {
        let shared = &*self.shared;
        dispatch!(simd => show_nearest(simd, shared, point, counting, show));
    }

    fn tree(&self) -> (&Bvh8, &NormalizedSpace) {
        (&self.shared.tree, &self.shared.frame)
    }

    fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        self.shared.leaf(leaf, show);
    }

    fn leaf_in_box(&self, leaf: u32, bounds: &Aabb, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        self.shared.leaf_in_box(leaf, bounds, show);
    }

    fn leaf_numbers(&self, leaf: u32, show: &mut dyn FnMut(u32)) {
        self.shared.leaf_numbers(leaf, show);
    }

    fn all_have_area(&self) -> bool {
        self.shared.all_have_area
    }

    fn bounds(&self) -> Aabb {
        Self::bounds(self)
    }

    fn found_corners(&self, found: FoundTriangle) -> [DVec3; 3] {
        self.shared.found_corners(found)
    }

    #[inline(always)]
    fn has_cut_outs(&self) -> bool {
        Self::has_cut_outs(self)
    }

    fn is_hole(&self, triangle: u32, uv: Vec2) -> bool {
        Self::is_hole(self, triangle, uv)
    }
}

impl Mesh {
    /// Returns whether every triangle surely is farther from a local point than a distance. It is `false` if f32 cannot tell.
    pub(crate) fn is_clear_within(&self, point: DVec3, distance: f64) -> bool {
        let shared = &*self.shared;
        let scale = shared.frame.scale;
        let Some(point) = TreePoint::new(point * scale, 0.0) else { return false };
        dispatch!(simd => is_clear(simd, shared, (&point, distance * scale)))
    }
}

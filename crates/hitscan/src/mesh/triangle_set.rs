//! A mesh as a set of triangles.

use super::Mesh;
use crate::bvh::{Bvh8, NormalizedSpace, TreePoint};
use crate::geom::aabb::Aabb;
use crate::geom::culling::Cull;
use crate::geom::ray::LocalRay;
use crate::geom::transform::InstanceRay;
use crate::math::float::{inverse_power_of_two, larger};
use crate::simd::dispatch;
use crate::tri::{
    Counting, FoundTriangle, NearTriangleVisitor, NearestVisitor, Offer, SIZE, SweptVolume, TriangleSet, clearance,
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
        dispatch!(simd => show_nearest::<_, _, SIZE>(simd, shared, point, counting, show));
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
    /// Returns a lower bound on the distance from a local point to every triangle, of which only what is below `limit` matters. It is 0 if f32 cannot tell.
    pub(crate) fn clearance(&self, point: DVec3, limit: f64) -> f64 {
        let shared = &*self.shared;
        let scale = shared.frame.scale;
        let Some(point) = TreePoint::new(point * scale, 0.0) else { return 0.0 };
        let least = dispatch!(simd => clearance::<_, _, SIZE>(simd, shared, (&point, limit * scale)));
        larger(least, 0.0) * inverse_power_of_two(scale)
    }
}

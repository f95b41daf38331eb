//! Surfaces of numbered triangles, as scenes see them.

use super::degenerate::has_area;
use super::leaf_corners::LeafCorners;
use super::leaf_visitors::{FoundTriangle, Offer};
use super::leaves::{Leaves, NearTriangleVisitor, TrianglePlace};
use super::mesh_hit::point_at;
use super::nearest_triangles::{Counting, NearestVisitor};
use super::sweep_traversal::SweptVolume;
use crate::bvh::{Bvh8, MissingSlabs, NormalizedSpace, SlabTree, TreePoint};
use crate::geom::aabb::Aabb;
use crate::geom::culling::Cull;
use crate::geom::hit::RawHit;
use crate::geom::ray::LocalRay;
use crate::geom::transform::InstanceRay;
use crate::math::dvec3_lanes::DVec3Lanes;
use crate::shape::{Verdict, barycentrics, triangle_normal};
use core::ops::ControlFlow;
use glam::{DVec2, DVec3, Vec2, Vec3};

/// A mesh or a height field: a surface whose triangles are in the leaves of a tree.
pub(crate) trait LeafSurface {
    fn leaves(&self) -> &impl Leaves;

    /// Returns whether it may have holes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn has_cut_outs(&self) -> bool {
        false
    }

    /// Returns whether there is a hole in a triangle, at these barycentrics.
    fn is_hole(&self, _triangle: u32, _uv: Vec2) -> bool {
        false
    }

    /// Returns the slabs of its tree, if there are any.
    fn slabs(&self, _missing: MissingSlabs) -> Option<&SlabTree> {
        None
    }
}

/// A mesh or a height field, whichever it is.
pub(crate) trait TriangleSet {
    /// Returns the hit with the smallest t in the ray's range. If several triangles have this t, it is the hit on the triangle with the lowest number. If
    /// `from` is above 0, there is no hit before it.
    fn closest(&self, ray: InstanceRay<'_>, from: f64, cull: Cull) -> Option<FoundTriangle>;

    /// Returns whether there is a hit in the ray's range.
    fn has_any(&self, ray: InstanceRay<'_>, from: f64, cull: Cull) -> bool;

    /// Calls `offer` with every hit in the range of a local ray that may still matter, with some more than once. If
    /// `from` is above 0, there is no hit before it. Triangles that are skipped need not be offered.
    fn each<'a>(&'a self, ray: &LocalRay, from: f64, skipped: &[u32], offer: &'a mut Offer<'a>) -> ControlFlow<()>;

    /// Calls `show` with every triangle that a volume whose middle moves along the ray may touch, with some more than once.
    fn near(&self, ray: &LocalRay, volume: &dyn SweptVolume, show: &mut NearTriangleVisitor<'_>);

    /// Calls `show` with the triangles within a distance that may be nearest to a point in the coordinates of its tree. The order is approximately from near to
    /// far, and some triangles come more than once. Some of them may have no area.
    fn nearest(&self, point: (&TreePoint, f64), counting: Counting, show: &mut NearestVisitor<'_>);

    /// Returns its tree, and the normalized space of the tree.
    fn tree(&self) -> (&Bvh8, &NormalizedSpace);

    /// Returns the slabs of its tree, if there are any.
    fn slabs(&self, missing: MissingSlabs) -> Option<&SlabTree>;

    /// Calls `show` with the number and the local corners of every triangle of a leaf of the tree.
    fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; 3]));

    /// Calls `show` with the triangles of a leaf of the tree whose own boxes touch a box in the coordinates of the
    /// tree. It may show other triangles, too.
    fn leaf_in_box(&self, leaf: u32, bounds: &Aabb, show: &mut dyn FnMut(u32, [Vec3; 3]));

    /// Calls `show` with the number of every triangle of a leaf of the tree.
    fn leaf_numbers(&self, leaf: u32, show: &mut dyn FnMut(u32));

    /// Writes the corners of a leaf's triangles, in the coordinates of the tree.
    fn leaf_corners(&self, leaf: u32, corners: &mut LeafCorners);

    /// Calls `show` with the number and the local corners of the triangle at a place, and of each of its duplicates.
    fn triangles_at(&self, place: TrianglePlace, show: &mut dyn FnMut(u32, [Vec3; 3]));

    /// Returns whether every triangle of the tree certainly has an area.
    fn all_have_area(&self) -> bool;

    /// Returns whether one of its triangles, given its local corners, has an area.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn has_area(&self, corners: [Vec3; 3]) -> bool {
        self.all_have_area() || has_area(corners)
    }

    /// Returns a local box around all triangles.
    fn bounds(&self) -> Aabb;

    /// Returns the local corners of a triangle that was found.
    fn found_corners(&self, found: FoundTriangle) -> [DVec3; 3];

    /// Returns whether it may have holes.
    fn has_cut_outs(&self) -> bool;

    /// Returns whether there is a hole in a triangle, at these barycentrics.
    fn is_hole(&self, triangle: u32, uv: Vec2) -> bool;

    /// Returns a complete hit, as shapes return it.
    fn raw_hit(&self, ray: &LocalRay, found: FoundTriangle) -> RawHit {
        let uv = Some(barycentrics(ray.line(), self.found_corners(found)));
        let Verdict { t, side } = found.verdict;
        RawHit { t, exact_t: t.into(), side, feature: 0, crossing: 0, uv }
    }

    /// Returns the point of a triangle that was found, its front normal of any length, both local, and the barycentrics.
    fn surface_at(&self, ray: &LocalRay, found: FoundTriangle) -> (DVec3, DVec3, DVec2) {
        surface_at(ray.line(), self.found_corners(found))
    }
}

/// Implements [`TriangleSet`] for a [`LeafSurface`]. An implementation for all types with [`LeafSurface`] would be generic, and compiled again in each
/// crate that makes a scene.
macro_rules! triangle_set {
    ($surface:ty) => {
        const _: () = {
            use $crate::tri::triangle_set_names::*;

            impl TriangleSet for $surface {
                fn closest(&self, ray: InstanceRay<'_>, from: f64, cull: Cull) -> Option<FoundTriangle> {
                    let leaves = self.leaves();
                    dispatch!(simd => leaves.closest(simd, ray, from, cull))
                }

                fn has_any(&self, ray: InstanceRay<'_>, from: f64, cull: Cull) -> bool {
                    let leaves = self.leaves();
                    dispatch!(simd => leaves.has_any(simd, ray, from, cull))
                }

                fn each<'a>(
                    &'a self,
                    ray: &LocalRay,
                    from: f64,
                    skipped: &[u32],
                    offer: &'a mut Offer<'a>,
                ) -> ControlFlow<()> {
                    let leaves = self.leaves();
                    dispatch!(simd => leaves.each(simd, (ray, from), skipped, offer))
                }

                fn near(&self, ray: &LocalRay, volume: &dyn SweptVolume, show: &mut NearTriangleVisitor<'_>) {
                    let leaves = self.leaves();
                    dispatch!(simd => sweep_leaves(simd, leaves, ray, volume, show));
                }

                fn nearest(&self, point: (&TreePoint, f64), counting: Counting, show: &mut NearestVisitor<'_>) {
                    let leaves = self.leaves();
                    dispatch!(simd => show_nearest(simd, leaves, point, counting, show));
                }

                fn tree(&self) -> (&Bvh8, &NormalizedSpace) {
                    (self.leaves().tree(), self.leaves().frame())
                }

                fn slabs(&self, missing: MissingSlabs) -> Option<&SlabTree> {
                    LeafSurface::slabs(self, missing)
                }

                fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; 3])) {
                    self.leaves().leaf(leaf, show);
                }

                fn leaf_in_box(&self, leaf: u32, bounds: &Aabb, show: &mut dyn FnMut(u32, [Vec3; 3])) {
                    self.leaves().leaf_in_box(leaf, bounds, show);
                }

                fn leaf_numbers(&self, leaf: u32, show: &mut dyn FnMut(u32)) {
                    self.leaves().leaf_numbers(leaf, show);
                }

                fn leaf_corners(&self, leaf: u32, corners: &mut LeafCorners) {
                    let leaves = self.leaves();
                    *corners = dispatch!(simd => leaves.leaf_corners(simd, leaf));
                }

                fn triangles_at(&self, place: TrianglePlace, show: &mut dyn FnMut(u32, [Vec3; 3])) {
                    self.leaves().show(place, &mut |triangle, corners| {
                        show(triangle, corners);
                        0.0
                    });
                }

                fn all_have_area(&self) -> bool {
                    self.leaves().all_have_area()
                }

                fn bounds(&self) -> Aabb {
                    self.leaves().bounds()
                }

                fn found_corners(&self, found: FoundTriangle) -> [DVec3; 3] {
                    self.leaves().found_corners(found.place)
                }

                #[cfg_attr(target_family = "wasm", inline)]
                #[cfg_attr(not(target_family = "wasm"), inline(always))]
                fn has_cut_outs(&self) -> bool {
                    LeafSurface::has_cut_outs(self)
                }

                fn is_hole(&self, triangle: u32, uv: Vec2) -> bool {
                    LeafSurface::is_hole(self, triangle, uv)
                }
            }
        };
    };
}
pub(crate) use triangle_set;

/// The names in [`triangle_set!`].
pub(crate) mod names {
    pub(crate) use super::super::leaf_corners::LeafCorners;
    pub(crate) use super::super::leaf_search::LeafSearch;
    pub(crate) use super::super::leaf_visitors::{FoundTriangle, Offer};
    pub(crate) use super::super::leaves::{Leaves, NearTriangleVisitor, TrianglePlace};
    pub(crate) use super::super::nearest_triangles::{Counting, NearestVisitor, show_nearest};
    pub(crate) use super::super::sweep_traversal::{SweptVolume, sweep_leaves};
    pub(crate) use super::{LeafSurface, TriangleSet};
    pub(crate) use crate::bvh::{Bvh8, MissingSlabs, NormalizedSpace, SlabTree, TreePoint};
    pub(crate) use crate::geom::aabb::Aabb;
    pub(crate) use crate::geom::culling::Cull;
    pub(crate) use crate::geom::ray::LocalRay;
    pub(crate) use crate::geom::transform::InstanceRay;
    pub(crate) use crate::simd::dispatch;
    pub(crate) use core::ops::ControlFlow;
    pub(crate) use glam::{DVec3, Vec2, Vec3};
}

/// Returns the point of a triangle that a ray is known to hit, its front normal of any length, and the barycentrics.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn surface_at<V: DVec3Lanes>(line: [V; 2], corners: [V; 3]) -> (V, V, DVec2) {
    let uv = barycentrics(line, corners);
    (point_at(corners, uv), triangle_normal(corners), uv)
}

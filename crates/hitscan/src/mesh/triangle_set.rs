//! A mesh as a set of triangles.

use super::Mesh;
use crate::bvh::{MissingSlabs, QueryBox, SlabTree, TreePoint};
use crate::geom::aabb::Extent;
use crate::simd::dispatch;
use crate::tri::{LeafSurface, Leaves, is_clear, triangle_set};
use core::ops::ControlFlow;
use glam::{DVec3, Vec2, Vec3};

impl LeafSurface for Mesh {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn leaves(&self) -> &impl Leaves {
        &*self.shared
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn has_cut_outs(&self) -> bool {
        Self::has_cut_outs(self)
    }

    fn is_hole(&self, triangle: u32, uv: Vec2) -> bool {
        Self::is_hole(self, triangle, uv)
    }

    fn slabs(&self, missing: MissingSlabs) -> Option<&SlabTree> {
        self.shared.slabs(missing)
    }
}

triangle_set!(Mesh);

impl Mesh {
    /// Calls `show` with the triangles of the tree whose boxes touch the box of a triangle, some more than once. Of triangles that coincide, the tree may have
    /// only one, and [`duplicates_of`](Self::duplicates_of) has the others.
    pub(crate) fn near_triangle(&self, [a, b, c]: [Vec3; 3], show: &mut dyn FnMut(u32)) {
        let shared = &*self.shared;
        let scale = shared.frame.scale;
        let (low, high) = (a.min(b).min(c).as_dvec3() * scale, a.max(b).max(c).as_dvec3() * scale);
        let bounds = Extent { low, high }.rounded();
        let _ = shared.tree.approach(&QueryBox { low, high, weight: DVec3::ONE }, 0.0, &mut |leaf| {
            shared.numbers_in_box(leaf, &bounds, show);
            ControlFlow::Continue(0.0)
        });
    }

    /// Returns whether there are triangles that are not in the tree because they coincide with one that is.
    pub(crate) fn has_duplicates(&self) -> bool {
        !self.shared.repeats.is_empty()
    }

    /// Returns the triangles that are not in the tree because they coincide with this one, in order.
    pub(crate) fn duplicates_of(&self, triangle: u32) -> impl Iterator<Item = u32> {
        self.shared.repeats.of_triangle(triangle)
    }

    /// Returns whether every triangle is certainly farther than `distance` from a local point. If f32 cannot
    /// tell, the answer is `false`.
    pub(crate) fn is_clear_within(&self, point: DVec3, distance: f64) -> bool {
        let shared = &*self.shared;
        let scale = shared.frame.scale;
        let Some(point) = TreePoint::new(point * scale, 0.0) else { return false };
        dispatch!(simd => is_clear(simd, shared, (&point, distance * scale)))
    }
}

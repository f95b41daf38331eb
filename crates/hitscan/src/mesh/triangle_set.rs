//! A mesh as a set of triangles.

use super::Mesh;
use crate::bvh::{MissingSlabs, SlabTree, TreePoint};
use crate::simd::dispatch;
use crate::tri::{LeafSurface, Leaves, is_clear, triangle_set};
use glam::{DVec3, Vec2};

impl LeafSurface for Mesh {
    #[inline(always)]
    fn leaves(&self) -> &impl Leaves {
        &*self.shared
    }

    #[inline(always)]
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
    /// Returns whether every triangle is certainly farther than `distance` from a local point. If f32 cannot
    /// tell, the answer is `false`.
    pub(crate) fn is_clear_within(&self, point: DVec3, distance: f64) -> bool {
        let shared = &*self.shared;
        let scale = shared.frame.scale;
        let Some(point) = TreePoint::new(point * scale, 0.0) else { return false };
        dispatch!(simd => is_clear(simd, shared, (&point, distance * scale)))
    }
}

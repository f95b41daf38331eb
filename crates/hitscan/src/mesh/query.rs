//! Ray against mesh.

use super::kernel::Found;
use super::{Mesh, Shared};
use crate::filter::Cull;
use crate::float::round_vec3;
use crate::hit::{RawHit, Side, facing, reported_normal};
use crate::ray::{LocalRay, Ray};
use crate::shape::{Details, Verdict, barycentrics, triangle_normal};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::{DVec2, DVec3, Vec2, Vec3};

/// Where a ray meets a mesh, in the mesh's local space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshHit {
    /// In multiples of the ray's direction: the exact value, rounded once.
    pub t: f32,
    /// From the triangle's corners by the barycentrics, so it is as near to the triangle as f32 can say.
    pub point: Vec3,
    /// The triangle's own front normal, unit length.
    pub normal: Vec3,
    /// The side that the ray met.
    pub side: Side,
    /// Which triangle, in the order they were given.
    pub triangle: u32,
    /// Barycentrics (u, v): P = (1-u-v) A + u B + v C.
    pub uv: Vec2,
}

impl MeshHit {
    /// Of a ray and a triangle that may be in coordinates `unit` times as large, a power of two.
    #[inline(always)]
    pub(super) fn new(ray: &LocalRay, corners: [DVec3; 3], details: &Details, unit: f64, found: Found) -> Self {
        let Found { triangle, verdict: Verdict { t, side }, .. } = found;
        let uv = details.barycentrics(ray, corners);
        Self {
            t,
            point: round_vec3(point_at(corners, uv) * unit),
            normal: reported_normal(details.normal(corners), side, ray.direction),
            side,
            triangle,
            uv: uv.as_vec2(),
        }
    }

    /// The normal turned against the ray.
    pub fn facing_normal(&self) -> Vec3 {
        facing(self.normal, self.side)
    }
}

impl Mesh {
    /// The closest hit; of equal t the lowest triangle. `None` on a miss or for an unusable ray.
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        self.cast_with(ray, Cull::None)
    }

    /// [`cast`](Self::cast) that passes through one side of the triangles.
    pub fn cast_with(&self, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        self.closest_own(ray, cull)
    }

    /// Whether the ray hits any triangle.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        self.is_blocked_with(ray, Cull::None)
    }

    /// [`is_blocked`](Self::is_blocked) that passes through one side of the triangles.
    pub fn is_blocked_with(&self, ray: &Ray, cull: Cull) -> bool {
        self.has_any_own(ray, cull)
    }

    /// Every triangle hit, by t and then triangle, into a buffer that is cleared first. Two on a shared edge.
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        self.cast_all_with(ray, Cull::None, hits);
    }

    /// [`cast_all`](Self::cast_all) that passes through one side of the triangles.
    pub fn cast_all_with(&self, ray: &Ray, cull: Cull, hits: &mut Vec<MeshHit>) {
        hits.clear();
        let Some(ray) = LocalRay::new(ray) else { return };
        let _ = self.each(&ray, 0.0, &mut |found| {
            if cull.keeps(found.verdict.side) {
                hits.push(self.shared.report(&ray, found));
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        hits.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
        // A triangle may be in several leaves.
        hits.dedup_by_key(|hit| hit.triangle);
    }

    /// A hit in full, as shapes have it.
    pub(crate) fn raw_hit(&self, ray: &LocalRay, found: Found) -> RawHit {
        let uv = Some(barycentrics(ray, self.shared.found_corners(found)));
        let Verdict { t, side } = found.verdict;
        RawHit { t, exact_t: t.into(), side, feature: 0, crossing: 0, uv }
    }

    /// The front normal of a triangle, local, of any length.
    pub(super) fn front_normal(&self, triangle: u32) -> DVec3 {
        triangle_normal(self.corners(triangle))
    }

    /// The point of a triangle that was found, its front normal of any length, both local, and the barycentrics.
    pub(crate) fn surface_at(&self, ray: &LocalRay, found: Found) -> (DVec3, DVec3, DVec2) {
        let corners = self.shared.found_corners(found);
        let details = Details::new(ray, corners);
        let uv = details.barycentrics(ray, corners);
        (point_at(corners, uv), details.normal(corners), uv)
    }
}

#[inline(always)]
fn point_at([a, b, c]: [DVec3; 3], uv: DVec2) -> DVec3 {
    a * (1.0 - uv.x - uv.y) + b * uv.x + c * uv.y
}

impl Shared {
    /// A hit in full.
    pub(super) fn report(&self, ray: &LocalRay, found: Found) -> MeshHit {
        let corners = self.found_corners(found);
        MeshHit::new(ray, corners, &Details::new(ray, corners), 1.0, found)
    }
}

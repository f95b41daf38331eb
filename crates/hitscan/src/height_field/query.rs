//! Ray against height field.

use super::HeightField;
use crate::filter::Cull;
use crate::mesh::{FoundTriangle, MeshHit};
use crate::ray::{LocalRay, Ray};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DAffine3;

impl HeightField {
    /// The closest hit; of equal t the lowest triangle. `None` on a miss or for an unusable ray.
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        self.cast_with(ray, Cull::None)
    }

    /// [`cast`](Self::cast) that passes through one side of the ground.
    pub fn cast_with(&self, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let found = self.closest(&LocalRay::new(ray)?, &DAffine3::IDENTITY, 0.0, cull)?;
        Some(self.report(ray, found))
    }

    /// Whether the ray hits the ground.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        self.is_blocked_with(ray, Cull::None)
    }

    /// [`is_blocked`](Self::is_blocked) that passes through one side of the ground.
    pub fn is_blocked_with(&self, ray: &Ray, cull: Cull) -> bool {
        LocalRay::new(ray).is_some_and(|ray| self.has_any(&ray, &DAffine3::IDENTITY, 0.0, cull))
    }

    /// Every triangle hit, by t and then triangle, into a buffer that is cleared first. Two on a shared edge.
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        self.cast_all_with(ray, Cull::None, hits);
    }

    /// [`cast_all`](Self::cast_all) that passes through one side of the ground.
    pub fn cast_all_with(&self, ray: &Ray, cull: Cull, hits: &mut Vec<MeshHit>) {
        hits.clear();
        let Some(local) = LocalRay::new(ray) else { return };
        let _ = self.each(&local, 0.0, &mut |found| {
            if cull.keeps(found.verdict.side) {
                hits.push(self.report(ray, found));
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        hits.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
    }

    /// A hit in full.
    fn report(&self, ray: &Ray, found: FoundTriangle) -> MeshHit {
        MeshHit::new(found.triangle, found.verdict, *ray, self.shared.triangle(found.triangle), 1.0)
    }
}

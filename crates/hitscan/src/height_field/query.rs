//! Ray against height field.

use super::HeightField;
use crate::filter::Cull;
use crate::mesh::{MeshHit, Surface};
use crate::ray::{LocalRay, Ray};
use alloc::vec::Vec;
use core::ops::ControlFlow;

impl HeightField {
    /// The closest hit; of equal t the lowest triangle. `None` on a miss or for an unusable ray.
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        self.cast_with(ray, Cull::None)
    }

    /// [`cast`](Self::cast) that passes through one side of the ground.
    pub fn cast_with(&self, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        self.closest_own(ray, cull)
    }

    /// Whether the ray hits the ground.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        self.is_blocked_with(ray, Cull::None)
    }

    /// [`is_blocked`](Self::is_blocked) that passes through one side of the ground.
    pub fn is_blocked_with(&self, ray: &Ray, cull: Cull) -> bool {
        self.has_any_own(ray, cull)
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
                hits.push(self.shared.report(ray, found));
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        hits.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
    }
}

//! Ray queries of a height field.

use super::HeightField;
use crate::collections::sort::SharedSort;
use crate::geom::culling::{Cull, Culled};
use crate::geom::ray::{LocalRay, Ray};
use crate::tri::{MeshHit, TriangleSet};
use alloc::vec::Vec;
use core::ops::ControlFlow;

impl HeightField {
    /// Returns the closest hit, and the lowest triangle among hits with equal t. Returns `None` on a miss or for an
    /// unusable ray.
    ///
    /// ```
    /// use hitscan::{HeightField, Ray};
    ///
    /// let ground = HeightField::new(3, 3, [2.0, 2.0], &[1.0; 9])?;
    /// let hit = ground.cast(&Ray::new([0.5, 4.0, 0.25], [0.0, -1.0, 0.0])).unwrap();
    /// assert_eq!((hit.t, ground.cell_of(hit.triangle)), (3.0, Some([0, 0])));
    /// # Ok::<(), hitscan::HeightFieldError>(())
    /// ```
    #[doc = include_str!("../query/edges/own_ray.md")]
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        self.closest_hit(ray, Cull::None)
    }

    /// Returns whether the ray hits the ground.
    ///
    /// ```
    /// use hitscan::{HeightField, Ray};
    ///
    /// let ground = HeightField::new(3, 3, [2.0, 2.0], &[1.0; 9])?;
    /// assert!(ground.is_blocked(&Ray::between([0.5, 2.0, 0.5], [0.5, 0.0, 0.5])));
    /// assert!(!ground.is_blocked(&Ray::between([0.5, 3.0, 0.5], [0.5, 2.0, 0.5])));
    /// # Ok::<(), hitscan::HeightFieldError>(())
    /// ```
    #[doc = include_str!("../query/edges/own_ray.md")]
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        self.has_any_hit(ray, Cull::None)
    }

    /// Collects every triangle that the ray hits, by t and then by triangle, into a buffer that is cleared first. A hit
    /// on a shared edge is a hit on both triangles.
    ///
    /// ```
    /// use hitscan::{HeightField, Ray};
    ///
    /// let ground = HeightField::new(3, 3, [2.0, 2.0], &[1.0; 9])?;
    /// let mut hits = Vec::new();
    /// ground.cast_all(&Ray::new([0.5, 4.0, 0.25], [0.0, -1.0, 0.0]), &mut hits);
    /// assert_eq!(hits.len(), 1);
    /// # Ok::<(), hitscan::HeightFieldError>(())
    /// ```
    #[doc = include_str!("../query/edges/own_ray.md")]
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        self.every(ray, Cull::None, hits);
    }

    /// Returns a view of the ground in which rays pass through one of its sides.
    #[doc(alias("backface", "back_face_culling", "two_sided"))]
    pub fn culled(&self, cull: Cull) -> Culled<'_, Self> {
        Culled { surface: self, cull }
    }

    fn every(&self, ray: &Ray, cull: Cull, hits: &mut Vec<MeshHit>) {
        hits.clear();
        let Some(local) = LocalRay::new(ray) else { return };
        let _ = self.each(&local, 0.0, &[], &mut |found, _| {
            if cull.keeps(found.verdict.side) {
                hits.push(self.shared.report(ray, found));
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        hits.sort_shared_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
    }
}

impl Culled<'_, HeightField> {
    /// Answers as [`HeightField::cast`] does, but only hits on the sides that the view keeps count.
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        self.surface.closest_hit(ray, self.cull)
    }

    /// Answers as [`HeightField::is_blocked`] does, but only hits on the sides that the view keeps count.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        self.surface.has_any_hit(ray, self.cull)
    }

    /// Answers as [`HeightField::cast_all`] does, but only hits on the sides that the view keeps count.
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        self.surface.every(ray, self.cull, hits);
    }
}

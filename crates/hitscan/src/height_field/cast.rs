//! Ray queries of a height field.

use super::HeightField;
use crate::collections::sort::SharedSort;
use crate::geom::culling::{Cull, Culled};
use crate::geom::ray::{LocalRay, Ray};
use crate::geom::transform::InstanceRay;
use crate::simd::dispatch;
use crate::tri::{LeafSearch, MeshHit, TriangleSet};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DAffine3;

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
    /// # Ok::<(), hitscan::error::HeightFieldError>(())
    /// ```
    #[doc = include_str!("../query/edges/own_ray.md")]
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        self.culled(Cull::None).cast(ray)
    }

    /// Returns whether the ray hits the ground.
    ///
    /// ```
    /// use hitscan::{HeightField, Ray};
    ///
    /// let ground = HeightField::new(3, 3, [2.0, 2.0], &[1.0; 9])?;
    /// assert!(ground.is_blocked(&Ray::between([0.5, 2.0, 0.5], [0.5, 0.0, 0.5])));
    /// assert!(!ground.is_blocked(&Ray::between([0.5, 3.0, 0.5], [0.5, 2.0, 0.5])));
    /// # Ok::<(), hitscan::error::HeightFieldError>(())
    /// ```
    #[doc = include_str!("../query/edges/own_ray.md")]
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        self.culled(Cull::None).is_blocked(ray)
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
    /// # Ok::<(), hitscan::error::HeightFieldError>(())
    /// ```
    #[doc = include_str!("../query/edges/own_ray.md")]
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        self.culled(Cull::None).cast_all(ray, hits);
    }

    /// Returns a view of the ground in which rays pass through one of its sides.
    #[doc(alias("backface", "back_face_culling", "two_sided"))]
    pub fn culled(&self, cull: Cull) -> Culled<'_, Self> {
        Culled { surface: self, cull }
    }
}

/// Says whether a ray in the field's own space uses the search of instances, so that only one search is compiled. This is so in WebAssembly, where each byte is
/// downloaded. The answers are the same; a separate search is faster.
const IS_SHARED: bool = cfg!(target_family = "wasm");

/// Calls `ask` with the image of a ray in an instance that is not moved. Returns `None` for an unusable ray.
fn in_place<T>(ray: &Ray, ask: impl FnOnce(InstanceRay<'_>) -> T) -> Option<T> {
    let ray = LocalRay::new(ray)?;
    Some(ask(InstanceRay { ray: &ray, to_local: &DAffine3::IDENTITY.into(), t_max: ray.t_max }))
}

impl Culled<'_, HeightField> {
    /// Casts as [`HeightField::cast`] does, but ignores hits on the culled side.
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        let (shared, cull) = (&*self.surface.shared, self.cull);
        if IS_SHARED {
            let found = in_place(ray, |ray| self.surface.closest(ray, 0.0, cull))??;
            return Some(shared.report(ray, found));
        }
        dispatch!(simd => shared.closest_hit(simd, ray, cull))
    }

    /// Casts as [`HeightField::is_blocked`] does, but ignores hits on the culled side.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        let (shared, cull) = (&*self.surface.shared, self.cull);
        if IS_SHARED {
            return in_place(ray, |ray| self.surface.has_any(ray, 0.0, cull)).unwrap_or(false);
        }
        dispatch!(simd => shared.has_any_hit(simd, ray, cull))
    }

    /// Casts as [`HeightField::cast_all`] does, but ignores hits on the culled side.
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        hits.clear();
        let Some(local) = LocalRay::new(ray) else { return };
        let _ = self.surface.each(&local, 0.0, &[], &mut |found, _| {
            if self.cull.keeps(found.verdict.side) {
                hits.push(self.surface.shared.report(ray, found));
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        hits.sort_shared_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
    }
}

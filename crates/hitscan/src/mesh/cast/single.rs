//! Ray queries of a mesh.

use crate::collections::sort::SharedSort;
use crate::geom::culling::{BothSides, Cull, Culled};
use crate::geom::ray::{LocalRay, Ray};
use crate::mesh::{Mesh, MeshData};
use crate::tri::{FoundTriangle, MeshHit, TriangleSet};
use alloc::vec::Vec;
use core::ops::ControlFlow;

impl Mesh {
    /// Returns the closest hit. Among hits with equal t, it is the hit on the triangle with the lowest number. Returns
    /// `None` on a miss or for an unusable ray.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let hit = mesh.cast(&Ray::new([0.25, 0.5, 2.0], [0.0, 0.0, -1.0])).unwrap();
    /// assert_eq!((hit.t, hit.triangle, hit.uv().to_array()), (2.0, 0, [0.25, 0.5]));
    /// assert!(mesh.cast(&Ray::new([0.75, 0.5, 2.0], [0.0, 0.0, -1.0])).is_none());
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../../query/edges/own_ray.md")]
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        // This test comes first, so that an answer without holes is not copied. The copy would take 12 instructions.
        if self.has_cut_outs() { self.closest_past_holes(ray, Cull::None) } else { self.closest_hit(ray, BothSides) }
    }

    /// Returns whether the ray hits any triangle.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// assert!(mesh.is_blocked(&Ray::between([0.25, 0.5, 1.0], [0.25, 0.5, -1.0])));
    /// assert!(!mesh.is_blocked(&Ray::between([0.25, 0.5, 2.0], [0.25, 0.5, 1.0])));
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../../query/edges/own_ray.md")]
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        if self.has_cut_outs() { self.has_any_past_holes(ray, Cull::None) } else { self.has_any_hit(ray, BothSides) }
    }

    /// Collects every triangle that the ray hits, by t and then by triangle, into a buffer that is cleared first. A hit
    /// on a shared edge is a hit on both triangles.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray};
    ///
    /// let mesh = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2, 0, 2, 3])?;
    /// let mut hits = Vec::new();
    /// mesh.cast_all(&Ray::new([0.5, 0.5, 1.0], [0.0, 0.0, -1.0]), &mut hits);
    /// assert_eq!(hits.iter().map(|hit| (hit.t, hit.triangle)).collect::<Vec<_>>(), [(1.0, 0), (1.0, 1)]);
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../../query/edges/own_ray.md")]
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        self.culled(Cull::None).cast_all(ray, hits);
    }

    /// Returns a view of the mesh in which rays pass through one side of its triangles.
    ///
    /// ```
    /// use hitscan::{Cull, Mesh, Ray};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let from_behind = Ray::new([0.25, 0.25, -1.0], [0.0, 0.0, 1.0]);
    /// assert!(mesh.cast(&from_behind).is_some());
    /// assert!(mesh.culled(Cull::Back).cast(&from_behind).is_none());
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc(alias("backface", "back_face_culling", "two_sided"))]
    pub fn culled(&self, cull: Cull) -> Culled<'_, Self> {
        Culled { surface: self, cull }
    }

    /// Returns whether a hit is at a hole.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn is_open_at(&self, hit: &MeshHit) -> bool {
        self.has_cut_outs() && self.is_hole(hit.triangle, hit.uv())
    }

    #[cold]
    fn closest_past_holes(&self, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let hit = self.closest_hit(ray, cull)?;
        if self.is_open_at(&hit) { self.closest_solid(ray, cull) } else { Some(hit) }
    }

    #[cold]
    fn has_any_past_holes(&self, ray: &Ray, cull: Cull) -> bool {
        self.has_any_hit(ray, cull) && self.closest_solid(ray, cull).is_some()
    }

    /// Returns the closest hit that is not in a hole. It is called if the closest hit of all is in a hole.
    #[cold]
    pub(in crate::mesh) fn closest_solid(&self, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let local = LocalRay::new(ray)?;
        let mut closest: Option<MeshHit> = None;
        let _ = self.each(&local, 0.0, &[], &mut |found, _| {
            let hit = self.shared.report(ray, found);
            let is_before = |best: &MeshHit| hit.t.total_cmp(&best.t).then(hit.triangle.cmp(&best.triangle)).is_lt();
            let is_closer = closest.as_ref().is_none_or(is_before);
            if is_closer && cull.keeps(hit.side) && !self.is_open_at(&hit) {
                closest = Some(hit);
            }
            ControlFlow::Continue(closest.as_ref().map_or(f32::INFINITY, |best| best.t))
        });
        closest
    }
}

impl Culled<'_, Mesh> {
    /// Casts as [`Mesh::cast`] does, but ignores hits on the culled side.
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        let Self { surface: mesh, cull } = *self;
        if mesh.has_cut_outs() { mesh.closest_past_holes(ray, cull) } else { mesh.closest_hit(ray, cull) }
    }

    /// Casts as [`Mesh::is_blocked`] does, but ignores hits on the culled side.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        let Self { surface: mesh, cull } = *self;
        if mesh.has_cut_outs() { mesh.has_any_past_holes(ray, cull) } else { mesh.has_any_hit(ray, cull) }
    }

    /// Casts as [`Mesh::cast_all`] does, but ignores hits on the culled side.
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        let Self { surface: mesh, cull } = *self;
        hits.clear();
        let Some(local) = LocalRay::new(ray) else { return };
        let _ = mesh.each(&local, 0.0, &[], &mut |found, _| {
            let hit = mesh.shared.report(ray, found);
            if cull.keeps(hit.side) && !mesh.is_open_at(&hit) {
                hits.push(hit);
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        hits.sort_shared_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
        // A triangle may be in several leaves.
        hits.dedup_by_key(|hit| hit.triangle);
    }
}

impl MeshData {
    /// Returns the hit in full.
    pub(in crate::mesh) fn report(&self, ray: &Ray, found: FoundTriangle) -> MeshHit {
        MeshHit::new(found.triangle, found.verdict, *ray, self.triangle(found.triangle), 1.0)
    }
}

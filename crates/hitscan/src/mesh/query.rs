//! Ray queries of a mesh.

use super::extent::CornerTurn;
use super::search::Found;
use super::{Mesh, Shared};
use crate::filter::{BothSides, Cull, Culled};
use crate::float::{round_vec3, unit};
use crate::hit::{Side, facing};
use crate::ray::{LocalRay, Ray};
use crate::shape::{Verdict, barycentrics, triangle_normal};
use crate::vector::Vector;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use glam::{DVec2, DVec3, Vec2, Vec3};

/// A hit of a ray on a mesh or a height field, in its local space. It stores the corners of its triangle; other values are computed when they are requested.
#[derive(Clone, Copy)]
pub struct MeshHit {
    /// Distance along the ray, in units of its direction: the exact value, rounded once.
    pub t: f32,
    /// The side that the ray met.
    pub side: Side,
    /// Index of the triangle, in the order in which triangles were given.
    pub triangle: u32,
    ray: Ray,
    /// The corners, in units of this many of the mesh's units, a power of two.
    corners: [Vec3; 3],
    unit: f64,
    turn: CornerTurn,
}

impl MeshHit {
    #[inline(always)]
    pub(crate) fn new(triangle: u32, Verdict { t, side }: Verdict, ray: Ray, corners: [Vec3; 3], unit: f64) -> Self {
        Self { t, side, triangle, ray, corners, unit, turn: CornerTurn::NONE }
    }

    /// Returns the same hit, with corners that begin with another one.
    #[inline(always)]
    pub(super) fn turned(self, turn: CornerTurn) -> Self {
        Self { turn, ..self }
    }

    /// Returns the barycentrics (u, v): P = (1-u-v) A + u B + v C.
    pub fn uv(&self) -> Vec2 {
        self.barycentrics().as_vec2()
    }

    /// Returns the point. It is computed from the triangle's corners by the barycentrics, so it is as near to the triangle as f32 allows.
    pub fn point(&self) -> Vec3 {
        round_vec3(point_at(self.corners(), self.barycentrics()))
    }

    /// Returns the triangle's own front normal, of unit length.
    pub fn normal(&self) -> Vec3 {
        unit(triangle_normal(self.corners())).map_or(Vec3::ZERO, round_vec3)
    }

    fn corners(&self) -> [DVec3; 3] {
        self.turn.back(self.corners).map(|corner| corner.as_dvec3() * self.unit)
    }

    /// Returns the barycentrics before they are rounded to f32.
    fn barycentrics(&self) -> DVec2 {
        barycentrics(self.ray.local().line(), self.corners())
    }

    /// Returns the normal turned against the ray.
    pub fn facing_normal(&self) -> Vec3 {
        facing(self.normal(), self.side)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for MeshHit {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("MeshHit", 6)?;
        fields.serialize_field("t", &self.t)?;
        fields.serialize_field("side", &self.side)?;
        fields.serialize_field("triangle", &self.triangle)?;
        fields.serialize_field("uv", &self.uv())?;
        fields.serialize_field("point", &self.point())?;
        fields.serialize_field("normal", &self.normal())?;
        fields.end()
    }
}

/// Compares the values that they report.
impl PartialEq for MeshHit {
    fn eq(&self, other: &Self) -> bool {
        let said = |hit: &Self| (hit.t, hit.side, hit.triangle, hit.uv(), hit.point(), hit.normal());
        said(self) == said(other)
    }
}

impl fmt::Debug for MeshHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeshHit")
            .field("t", &self.t)
            .field("point", &self.point())
            .field("normal", &self.normal())
            .field("side", &self.side)
            .field("triangle", &self.triangle)
            .field("uv", &self.uv())
            .finish()
    }
}

impl Mesh {
    /// Returns the closest hit; of equal t the lowest triangle. `None` on a miss or for an unusable ray.
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        // This comes first, so that an answer without holes is not moved: that is 12 instructions of a ray.
        if self.has_cut_outs() { self.closest_past_holes(ray, Cull::None) } else { self.closest_own(ray, BothSides) }
    }

    /// Returns whether the ray hits any triangle.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        if self.has_cut_outs() { self.has_any_past_holes(ray, Cull::None) } else { self.has_any_own(ray, BothSides) }
    }

    /// Collects every triangle hit, by t and then triangle, into a buffer that is cleared first. A hit on a shared edge counts for both triangles.
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        self.every(ray, Cull::None, hits);
    }

    /// Returns the mesh as rays meet it if they pass through one side of its triangles.
    ///
    /// ```
    /// use hitscan::{Cull, Mesh, Ray};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let from_behind = Ray::new([0.25, 0.25, -1.0], [0.0, 0.0, 1.0]);
    /// assert!(mesh.cast(&from_behind).is_some());
    /// assert!(mesh.culled(Cull::Back).cast(&from_behind).is_none());
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    #[doc(alias("backface", "back_face_culling", "two_sided"))]
    pub fn culled(&self, cull: Cull) -> Culled<'_, Self> {
        Culled { surface: self, cull }
    }

    fn every(&self, ray: &Ray, cull: Cull, hits: &mut Vec<MeshHit>) {
        hits.clear();
        let Some(local) = LocalRay::new(ray) else { return };
        let _ = self.each(&local, 0.0, &[], &mut |found| {
            let hit = self.shared.report(ray, found);
            if cull.keeps(hit.side) && !self.is_open_at(&hit) {
                hits.push(hit);
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        hits.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
        // A triangle may be in several leaves.
        hits.dedup_by_key(|hit| hit.triangle);
    }

    /// Returns whether a hit is at a hole.
    #[inline(always)]
    pub(super) fn is_open_at(&self, hit: &MeshHit) -> bool {
        self.has_cut_outs() && self.is_hole(hit.triangle, hit.uv())
    }

    #[cold]
    fn closest_past_holes(&self, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let hit = self.closest_own(ray, cull)?;
        if self.is_open_at(&hit) { self.closest_solid(ray, cull) } else { Some(hit) }
    }

    #[cold]
    fn has_any_past_holes(&self, ray: &Ray, cull: Cull) -> bool {
        self.has_any_own(ray, cull) && self.closest_solid(ray, cull).is_some()
    }

    /// Returns the closest hit that is not in a hole, after the closest of all was in one.
    #[cold]
    pub(super) fn closest_solid(&self, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let local = LocalRay::new(ray)?;
        let mut closest: Option<MeshHit> = None;
        let _ = self.each(&local, 0.0, &[], &mut |found| {
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
    /// Answers as [`Mesh::cast`] does.
    pub fn cast(&self, ray: &Ray) -> Option<MeshHit> {
        let Self { surface: mesh, cull } = *self;
        if mesh.has_cut_outs() { mesh.closest_past_holes(ray, cull) } else { mesh.closest_own(ray, cull) }
    }

    /// Answers as [`Mesh::is_blocked`] does.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        let Self { surface: mesh, cull } = *self;
        if mesh.has_cut_outs() { mesh.has_any_past_holes(ray, cull) } else { mesh.has_any_own(ray, cull) }
    }

    /// Answers as [`Mesh::cast_all`] does.
    pub fn cast_all(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        self.surface.every(ray, self.cull, hits);
    }
}

#[inline(always)]
pub(super) fn point_at<V: Vector>([a, b, c]: [V; 3], uv: DVec2) -> V {
    a * (1.0 - uv.x - uv.y) + b * uv.x + c * uv.y
}

impl Shared {
    /// Returns the hit in full.
    pub(super) fn report(&self, ray: &Ray, found: Found) -> MeshHit {
        MeshHit::new(found.triangle, found.verdict, *ray, self.triangle(found.triangle), 1.0)
    }
}

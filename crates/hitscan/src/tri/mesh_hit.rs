//! A hit on a mesh or a height field.

use super::corner_rotation::CornerRotation;
use crate::geom::hit::{Side, facing};
use crate::geom::ray::Ray;
use crate::math::dvec3_lanes::DVec3Lanes;
use crate::math::float::{round_vec3, unit};
use crate::shape::{Verdict, barycentrics, triangle_normal};
use core::fmt;
use glam::{DVec2, DVec3, Vec2, Vec3};

/// A hit of a ray on a mesh or a height field, in its local space. It stores the corners of its triangle; other values are computed when they are requested.
#[derive(Clone, Copy)]
pub struct MeshHit {
    /// Distance along the ray, in units of its direction: the exact value, rounded once.
    pub t: f32,
    /// The side that the ray hit.
    pub side: Side,
    /// Index of the triangle, in the order in which triangles were given.
    pub triangle: u32,
    ray: Ray,
    /// The corners, in multiples of `unit`, which is a power of two in the mesh's own units.
    corners: [Vec3; 3],
    unit: f64,
    rotation: CornerRotation,
}

impl MeshHit {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(triangle: u32, Verdict { t, side }: Verdict, ray: Ray, corners: [Vec3; 3], unit: f64) -> Self {
        Self { t, side, triangle, ray, corners, unit, rotation: CornerRotation::NONE }
    }

    /// Returns the same hit with rotated corners.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn rotated(self, rotation: CornerRotation) -> Self {
        Self { rotation, ..self }
    }

    /// Returns the barycentrics (u, v): P = (1-u-v) A + u B + v C.
    pub fn uv(&self) -> Vec2 {
        self.barycentrics().as_vec2()
    }

    /// Returns the point. It is computed from the triangle's corners and the barycentrics. So it is as near to the triangle as f32 allows.
    pub fn point(&self) -> Vec3 {
        round_vec3(point_at(self.corners(), self.barycentrics()))
    }

    /// Returns the triangle's own front normal, of unit length.
    pub fn normal(&self) -> Vec3 {
        unit(triangle_normal(self.corners())).map_or(Vec3::ZERO, round_vec3)
    }

    fn corners(&self) -> [DVec3; 3] {
        self.rotation.undo(self.corners).map(|corner| corner.as_dvec3() * self.unit)
    }

    /// Returns the barycentrics before they are rounded to f32.
    fn barycentrics(&self) -> DVec2 {
        barycentrics(self.ray.local().line(), self.corners())
    }

    /// Returns the normal, flipped to face the ray.
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

/// Compares the values that are reported.
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

/// Returns the point of a triangle at barycentrics.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn point_at<V: DVec3Lanes>([a, b, c]: [V; 3], uv: DVec2) -> V {
    a * (1.0 - uv.x - uv.y) + b * uv.x + c * uv.y
}

//! What a question to a scene answers.

use crate::collect::Key;
use crate::hit::{Side, facing};
use crate::ray::Ray;
use crate::scene::{Revision, Scene};
use core::fmt;
use core::hash::Hash;
use glam::{DVec3, Vec2, Vec3};

/// Where a ray meets an entity, in world space. Hits are equal if all that they say is.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Hit<K> {
    /// The entity.
    pub id: K,
    /// Which part of a compound, in the order it was made from; else 0.
    pub part: u32,
    /// In multiples of the ray's direction.
    pub t: f32,
    /// On a mesh or a height field from the triangle's corners by the barycentrics, on a shape along the ray; rounded once. Relative to
    /// the query's origin.
    pub point: Vec3,
    /// The surface's own outward (front) normal, unit length. A mirrored entity keeps its outside.
    pub normal: Vec3,
    /// The side that the ray met, decided in the entity's space.
    pub side: Side,
    /// Which triangle of a mesh or a height field; `None` on a shape.
    pub triangle: Option<u32>,
    /// On a shape of your own the number that it gave, as [`CustomHit::feature`](crate::CustomHit::feature); else `None`.
    pub feature: Option<u32>,
    /// On a triangle barycentrics (u, v), P = (1-u-v) A + u B + v C; on a quad the coordinates along its edges; on a shape of your own
    /// what it gave; else `None`.
    pub uv: Option<Vec2>,
    /// Where this hit stands among all.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) key: Key,
    /// The entity as it was then.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) revision: Revision,
    /// The point before it was rounded, relative to no origin.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) exact_point: DVec3,
    /// The ray that made it, and where that really started.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) origin: Vec3,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) direction: Vec3,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) exact_origin: DVec3,
    /// The query's origin.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) relative_to: DVec3,
}

/// By the public fields: the others are about how the hit came to be.
impl<K: PartialEq> PartialEq for Hit<K> {
    fn eq(&self, other: &Self) -> bool {
        let said = |hit: &Self| (hit.part, hit.t, hit.point, hit.normal, hit.side, hit.triangle, hit.feature, hit.uv);
        self.id == other.id && said(self) == said(other)
    }
}

impl<K: fmt::Debug> fmt::Debug for Hit<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hit")
            .field("id", &self.id)
            .field("part", &self.part)
            .field("t", &self.t)
            .field("point", &self.point)
            .field("normal", &self.normal)
            .field("side", &self.side)
            .field("triangle", &self.triangle)
            .field("feature", &self.feature)
            .field("uv", &self.uv)
            .finish_non_exhaustive()
    }
}

impl<K> Hit<K> {
    /// The point before it was rounded to f32, in world space, whatever the query's origin.
    pub fn point_f64(&self) -> DVec3 {
        self.exact_point
    }

    /// The normal turned against the ray.
    pub fn facing_normal(&self) -> Vec3 {
        facing(self.normal, self.side)
    }

    /// The direction of a perfect bounce of the ray that made this hit, of the same length.
    pub fn reflect(&self) -> Vec3 {
        let (d, n) = (self.direction.as_dvec3(), self.normal.as_dvec3());
        (d - n * (2.0 * d.dot(n) / n.length_squared())).as_vec3()
    }

    /// The ray from this hit's point in the direction of a perfect bounce. To cast with a query
    /// [`after`](crate::Query::after) this hit.
    pub fn bounce(&self) -> Ray {
        Ray::with_direction(self.point, self.reflect())
    }

    /// The ray that goes on from this hit's point as before, into or out of what was hit. To cast with a query
    /// [`after`](crate::Query::after) this hit.
    pub fn onward(&self) -> Ray {
        Ray::with_direction(self.point, self.direction)
    }
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// The texture coordinates at a hit, interpolated; `None` unless it is on a mesh with texture coordinates that is
    /// still there.
    pub fn texcoord(&self, hit: &Hit<K>) -> Option<Vec2> {
        self.part_of(&hit.id, hit.part)?.geometry.mesh()?.texcoord_at(hit.triangle?, hit.uv?)
    }

    /// Whether a hit is at a hole of its mesh, as those of a query with [`CutOuts::Solid`](crate::CutOuts::Solid) may be; `false` unless it is on a
    /// mesh that is still there.
    pub fn is_hole(&self, hit: &Hit<K>) -> bool {
        let mesh = self.part_of(&hit.id, hit.part).and_then(|part| part.geometry.mesh());
        mesh.zip(hit.triangle.zip(hit.uv)).is_some_and(|(mesh, (triangle, uv))| mesh.is_hole(triangle, uv))
    }

    /// The vertex normals at a hit, interpolated, unit length in world space; `None` unless it is on a mesh with vertex
    /// normals that is still there.
    pub fn interpolated_normal(&self, hit: &Hit<K>) -> Option<Vec3> {
        let part = self.part_of(&hit.id, hit.part)?;
        let local = part.geometry.mesh()?.normal_at(hit.triangle?, hit.uv?)?;
        crate::float::unit(part.world_normal(local.as_dvec3())).map(crate::float::round_vec3)
    }
}

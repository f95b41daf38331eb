//! What a question to a scene answers.

use super::RayView;
use super::leaving::Corner;
use crate::collect::Key;
use crate::float::length;
use crate::hit::{Side, facing};
use crate::ray::{LocalRay, Ray};
use crate::scene::{Part, Revision};
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
    /// On the surface, rounded once: from the corners of a triangle or quad by the coordinates there, on other shapes along the ray and then moved
    /// onto the surface. Relative to the query's origin.
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
    /// At a point where the ray before it ended too, what came before.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) corner: Option<Corner>,
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
    /// The same hit under another id: of a scene whose ids are the caller's own, for what asks by those of a model; or the other way round.
    ///
    /// ```
    /// use hitscan::{Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert(("guard", 7), Sphere::new(1.0), DVec3::ZERO)?;
    /// let hit = scene.cast(&Ray::new([0.0, 0.0, 3.0], [0.0, 0.0, -1.0])).unwrap();
    /// assert_eq!(hit.map_id(|(_, node)| node).id, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map_id<L>(self, id: impl FnOnce(K) -> L) -> Hit<L> {
        Hit {
            id: id(self.id),
            part: self.part,
            t: self.t,
            point: self.point,
            normal: self.normal,
            side: self.side,
            triangle: self.triangle,
            feature: self.feature,
            uv: self.uv,
            key: self.key,
            revision: self.revision,
            exact_point: self.exact_point,
            origin: self.origin,
            direction: self.direction,
            exact_origin: self.exact_origin,
            corner: self.corner,
            relative_to: self.relative_to,
        }
    }

    /// The point before it was rounded to f32, in world space, whatever the query's origin.
    pub fn point_f64(&self) -> DVec3 {
        self.exact_point
    }

    /// The line of the ray that made this hit.
    pub(super) fn leg(&self) -> LocalRay {
        LocalRay {
            origin: self.exact_origin,
            direction: self.direction.as_dvec3(),
            t_min: f32::NEG_INFINITY,
            t_max: f32::INFINITY,
        }
    }

    /// The normal turned against the ray.
    pub fn facing_normal(&self) -> Vec3 {
        facing(self.normal, self.side)
    }

    /// The direction of a perfect bounce of the ray that made this hit, of the same length.
    ///
    /// A ray that grazes the surface is turned away from it by as much as rounding may have turned it into it, 2^-22, so
    /// that the bounce is on the side that was hit.
    pub fn reflect(&self) -> Vec3 {
        let (d, n) = (self.direction.as_dvec3(), self.normal.as_dvec3());
        let bounced = d - n * (2.0 * d.dot(n) / n.length_squared());
        let facing = facing(n, self.side);
        let lacking = rounding_along(n) * length(d) - bounced.dot(facing);
        (if lacking > 0.0 { bounced + facing * lacking } else { bounced }).as_vec3()
    }

    /// The ray from this hit's point in the direction of a perfect bounce. It is to be cast
    /// [`after`](crate::RayQueries::after) this hit: then it leaves every surface that passes through the point, and meets those
    /// that are ahead of the ray there. A bounce in a corner has t = 0, once for each wall.
    ///
    /// ```
    /// use hitscan::{Quad, Ray, RayQueries, Scene, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// for (tile, x) in [-5.0, 0.0].into_iter().enumerate() {
    ///     scene.insert(tile, Quad::new([x, 0.0, -5.0], [0.0, 0.0, 10.0], [5.0, 0.0, 0.0]), DVec3::ZERO)?;
    /// }
    /// // Onto the seam of two tiles of a floor.
    /// let hit = scene.cast(&Ray::with_direction([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0])).unwrap();
    /// assert_eq!((hit.point, hit.bounce().direction), (Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0)));
    /// assert!(scene.after(&hit).cast(&hit.bounce()).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounce(&self) -> Ray {
        Ray::with_direction(self.point, self.reflect())
    }

    /// The ray that goes on from this hit's point as before, into or out of what was hit. It is to be cast
    /// [`after`](crate::RayQueries::after) this hit. Other surfaces in the same place, as where two boxes share a face, count
    /// one after the other at t = 0, each once.
    pub fn onward(&self) -> Ray {
        Ray::with_direction(self.point, self.direction)
    }
}

/// How far rounding may turn a direction into a surface, relative to its length: the normal by less than 2^-24 and the
/// direction by 2^-24, less than 2^-23 together, and as much again. A normal along an axis is not rounded, nor is that
/// component of a bounce.
pub(super) fn rounding_along(normal: DVec3) -> f64 {
    let is_axis = normal.to_array().iter().filter(|&&x| x == 0.0).count() == 2;
    if is_axis { 0.0 } else { 2.0 * f64::from(f32::EPSILON) }
}

/// The surface that a hit is on, as the scene has it now: the answer of [`RayQueries::surface`](super::RayQueries::surface).
#[derive(Clone, Copy)]
pub struct HitSurface<'a> {
    part: Option<&'a Part>,
    triangle: Option<u32>,
    uv: Option<Vec2>,
}

impl fmt::Debug for HitSurface<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HitSurface")
            .field("texcoord", &self.texcoord())
            .field("is_hole", &self.is_hole())
            .field("interpolated_normal", &self.interpolated_normal())
            .finish()
    }
}

impl<'a, K: Copy + Eq + Hash> RayView<'a, K> {
    /// What a mesh has at a hit.
    pub(super) fn surface_at(&self, hit: &Hit<K>) -> HitSurface<'a> {
        HitSurface { part: self.view.scene.part_of(&hit.id, hit.part), triangle: hit.triangle, uv: hit.uv }
    }
}

impl HitSurface<'_> {
    /// The texture coordinates, interpolated; `None` unless it is a mesh with texture coordinates.
    pub fn texcoord(&self) -> Option<Vec2> {
        self.part?.geometry.mesh()?.texcoord_at(self.triangle?, self.uv?)
    }

    /// Whether it is a hole of the mesh, as hits with [`CutOuts::Solid`](crate::CutOuts::Solid) may be; `false` unless it is a mesh.
    pub fn is_hole(&self) -> bool {
        let mesh = self.part.and_then(|part| part.geometry.mesh());
        mesh.zip(self.triangle.zip(self.uv)).is_some_and(|(mesh, (triangle, uv))| mesh.is_hole(triangle, uv))
    }

    /// The vertex normals, interpolated, of unit length in world space; `None` unless it is a mesh with vertex normals.
    #[doc(alias("smooth_normal", "shading_normal"))]
    pub fn interpolated_normal(&self) -> Option<Vec3> {
        let part = self.part?;
        let local = part.geometry.mesh()?.normal_at(self.triangle?, self.uv?)?;
        crate::float::unit(part.world_normal(local.as_dvec3())).map(crate::float::round_vec3)
    }
}

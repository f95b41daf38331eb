//! The answer of a query to a scene.

use super::self_hit::PathCorner;
use crate::geom::hit::{Side, facing};
use crate::geom::ray::{LocalRay, Ray};
use crate::math::float::length;
use crate::query::RayView;
use crate::query::answer::by_public_fields;
use crate::query::collect::HitKey;
use crate::scene::{Part, Revision};
use core::fmt;
use core::hash::Hash;
use glam::{DVec3, Vec2, Vec3};

/// A hit of a ray on an entity, in world space. Two hits are equal if all their public fields are.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Hit<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound, in the order of [`Compound::iter`](crate::Compound::iter); 0 for other
    /// entities.
    pub part: u32,
    /// The distance along the ray, in multiples of the ray's direction.
    pub t: f32,
    /// The point on the surface, relative to the query's origin, rounded once. On a triangle or quad it is computed from the corners and the coordinates `uv`.
    /// On other shapes it is computed along the ray, and then moved onto the surface.
    pub point: Vec3,
    /// The surface's own outward (front) normal, of unit length. A mirrored entity keeps its outside.
    pub normal: Vec3,
    /// The side that the ray hit, decided in the entity's own space.
    pub side: Side,
    /// The triangle of a mesh or a height field; `None` on a shape.
    pub triangle: Option<u32>,
    /// The number from [`CustomHit::feature`](crate::custom::CustomHit::feature) on a custom shape; otherwise `None`.
    pub feature: Option<u32>,
    /// The barycentrics (u, v) on a triangle, with P = (1-u-v) A + u B + v C, or the coordinates along the edges of a
    /// quad. A custom shape gives its own values. On other shapes, this is `None`.
    pub uv: Option<Vec2>,
    /// The position of this hit in the order of all hits.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::query) key: HitKey,
    /// The revision of the entity at the time of the hit.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::query) revision: Revision,
    /// The point before it was rounded, in world space.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::query) exact_point: DVec3,
    /// The ray that made the hit, as it was given. `exact_origin` is the point in world space at which it really
    /// started.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::query) origin: Vec3,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::query) direction: Vec3,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::query) exact_origin: DVec3,
    /// The surfaces that earlier rays passed at this point, if the previous ray also ended there.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::query) corner: Option<PathCorner>,
    /// The query's origin.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) relative_to: DVec3,
}

by_public_fields!(
    Hit<K> { id, part, t, point, normal, side, triangle, feature, uv }
    beside { key, revision, exact_point, origin, direction, exact_origin, corner, relative_to }
);

impl<K> Hit<K> {
    /// Returns the same hit under another id. Use it to convert a scene's id into an id of your own, or back into the
    /// id of a model. The model's methods that take a hit need the model's id.
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
        self.with_id(id)
    }

    /// Returns the point in world space before it was rounded to f32, whatever the query's origin.
    pub fn point_f64(&self) -> DVec3 {
        self.exact_point
    }

    /// Returns the ray that made this hit, extended to its whole line.
    pub(in crate::query) fn leg(&self) -> LocalRay {
        LocalRay {
            origin: self.exact_origin,
            direction: self.direction.as_dvec3(),
            t_min: f32::NEG_INFINITY,
            t_max: f32::INFINITY,
        }
    }

    /// Returns the normal, flipped to face the ray.
    pub fn facing_normal(&self) -> Vec3 {
        facing(self.normal, self.side)
    }

    /// Returns the direction of a perfect reflection of the ray that made this hit. It has the length of the ray's direction.
    ///
    /// If the ray grazes the surface, the direction is turned away from the surface by 2^-22. This is the largest
    /// angle by which rounding may have turned it into the surface. The reflection thus stays on the side that was
    /// hit.
    pub fn reflect(&self) -> Vec3 {
        let (d, n) = (self.direction.as_dvec3(), self.normal.as_dvec3());
        let bounced = d - n * (2.0 * d.dot(n) / n.length_squared());
        let facing = facing(n, self.side);
        let lacking = rounding_along(n) * length(d) - bounced.dot(facing);
        (if lacking > 0.0 { bounced + facing * lacking } else { bounced }).as_vec3()
    }

    /// Returns the ray from this hit's point in the direction of a perfect reflection. Cast it
    /// [`after`](crate::RayQueries::after) this hit. It then leaves every surface that passes through the point, except a
    /// surface that is ahead of the ray there. The ray hits such a surface. In a corner, a bounce hits the next wall at t =
    /// 0, once for each wall.
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

    /// Returns the ray that continues from this hit's point in the same direction, into or out of the entity. Cast it [`after`](crate::RayQueries::after)
    /// this hit. Other surfaces at the same place, for example where two boxes share a face, are hit one after the other. Each is hit once, at t = 0.
    pub fn onward(&self) -> Ray {
        Ray::with_direction(self.point, self.direction)
    }
}

/// Returns a bound on the component into a surface that rounding may give to a direction along the surface. The
/// bound is a fraction of the direction's length. Rounding turns the normal by an angle of less than 2^-24 and the
/// direction by 2^-24. Together they turn by less than 2^-23, and the bound is twice that angle. For a normal along
/// an axis the bound is 0. Neither this normal nor the component of a bounce along it is rounded.
pub(in crate::query) fn rounding_along(normal: DVec3) -> f64 {
    let is_axis = normal.to_array().iter().filter(|&&x| x == 0.0).count() == 2;
    if is_axis { 0.0 } else { 2.0 * f64::from(f32::EPSILON) }
}

/// The surface of a hit as it is in the scene now: the answer of [`RayQueries::surface`](crate::query::RayQueries::surface).
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

impl<'a, K: Clone + Eq + Hash> RayView<'a, K> {
    /// Returns the data of a mesh at a hit.
    pub(in crate::query) fn surface_at(&self, hit: &Hit<K>) -> HitSurface<'a> {
        HitSurface { part: self.view.scene.part_of(&hit.id, hit.part), triangle: hit.triangle, uv: hit.uv }
    }
}

impl HitSurface<'_> {
    /// Returns the interpolated texture coordinates; `None` unless the hit is on a mesh with texture coordinates. If a mesh
    /// that hitscan-io made has texture coordinates for some triangles only, they are zero on the other triangles.
    pub fn texcoord(&self) -> Option<Vec2> {
        self.part?.geometry.mesh()?.texcoord_at(self.triangle?, self.uv?)
    }

    /// Returns whether the hit is in a hole of a mesh, which is possible with [`CutOuts::Solid`](crate::CutOuts::Solid); `false` unless the hit is on a mesh.
    pub fn is_hole(&self) -> bool {
        let mesh = self.part.and_then(|part| part.geometry.mesh());
        mesh.zip(self.triangle.zip(self.uv)).is_some_and(|(mesh, (triangle, uv))| mesh.is_hole(triangle, uv))
    }

    /// Returns the interpolated vertex normal, of unit length in world space; `None` unless the hit is on a mesh with vertex normals.
    #[doc(alias("smooth_normal", "shading_normal"))]
    pub fn interpolated_normal(&self) -> Option<Vec3> {
        let part = self.part?;
        let local = part.geometry.mesh()?.normal_at(self.triangle?, self.uv?)?;
        crate::math::float::unit(part.world_normal(local.as_dvec3())).map(crate::math::float::round_vec3)
    }
}

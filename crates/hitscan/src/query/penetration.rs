//! How deep a volume is in what is around it, and the way out.

use super::form::form_of;
use super::overlap::{Standing, Thing, deepest_first};
use super::{Filter, Query};
use crate::float::{reported_direction, round_vec3};
use crate::proximity::{Depth, depth};
use crate::scene::Scene;
use crate::sweep::{Pose, Volume};
use alloc::vec::Vec;
use core::fmt;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// How deep a volume is in a convex thing: a triangle, or a part of an entity that is none.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Penetration<K> {
    /// The entity.
    pub id: K,
    /// Which part of a compound; else 0.
    pub part: u32,
    /// On a mesh or height field the triangle; else `None`.
    pub triangle: Option<u32>,
    /// How far the volume has to be moved, in world units; 0 where it touches.
    pub depth: f32,
    /// The direction to move it in, of unit length, in world space.
    pub normal: Vec3,
    /// On the surface of the thing, where the volume is deepest; relative to the query's origin if there is one.
    pub point: Vec3,
    /// Before it was rounded to f32.
    #[cfg_attr(feature = "serde", serde(skip))]
    exact: Depth,
}

impl<K> Penetration<K> {
    /// The motion that takes the volume out of this thing, so that it touches it and no more.
    pub fn way_out(&self) -> DVec3 {
        self.exact.way_out()
    }

    /// The point before it was rounded to f32, in world space, whatever the query's origin.
    pub fn point_f64(&self) -> DVec3 {
        self.exact.point
    }
}

/// By the public fields.
impl<K: PartialEq> PartialEq for Penetration<K> {
    fn eq(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.part, of.triangle, of.depth, of.normal, of.point);
        self.id == other.id && said(self) == said(other)
    }
}

impl<K: fmt::Debug> fmt::Debug for Penetration<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Penetration")
            .field("id", &self.id)
            .field("part", &self.part)
            .field("triangle", &self.triangle)
            .field("depth", &self.depth)
            .field("normal", &self.normal)
            .field("point", &self.point)
            .finish_non_exhaustive()
    }
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// What a volume is deepest in, where it is, and the shortest way out of that; `None` if it [overlaps](Self::overlaps) nothing.
    ///
    /// It is the way out of one convex thing: of a triangle, or of a part that is none. Where there are several, mend the deepest, ask again, and so on; or take them all
    /// ([`penetrations`](Self::penetrations)).
    ///
    /// - Of things as deep the entity inserted first comes first, then the lower part, then the lower triangle.
    /// - Where a ball's or capsule's middle is outside, the way out is from the nearest point, in closed form for triangles, balls and capsules. Where it is
    ///   within, and for boxes and hulls, it is found among all directions: the shortest to 2^-40 of the sizes, but for things that are round without a radius (cylinder, cone, disc, what is stretched), from
    ///   deep within which it is a way out for sure, and in all tests longer than the shortest by less than 2e-5 of the sizes (most by none), though that is not proved.
    /// - A triangle and a plane have no inside: from as near on both sides, it is to the side of the volume's middle. From within a ring (torus), where its circle is in the volume's core, and
    ///   from its hole, where away from one side of it is into another, it is out of its hull.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, Scene, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// let (person, mut at) = (Capsule::new(0.5, 2.0), DVec3::new(0.0, 0.75, 0.0));
    /// let deepest = scene.penetration(person, at).unwrap();
    /// assert_eq!((deepest.id, deepest.depth, deepest.normal), ("floor", 0.25, Vec3::Y));
    /// at += deepest.way_out();
    /// assert!(scene.penetration(person, at).is_none_or(|touch| touch.depth < 1e-6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("depenetration", "compute_penetration", "mtv", "minimum_translation_vector"))]
    pub fn penetration(&self, volume: impl Into<Volume>, at: impl Into<Pose>) -> Option<Penetration<K>> {
        self.penetration_with(volume, at, &Query::new())
    }

    /// [`penetration`](Self::penetration) of what the query lets count, as for [`overlaps_with`](Self::overlaps_with).
    pub fn penetration_with<F: Filter<K>>(
        &self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        query: &Query<K, F>,
    ) -> Option<Penetration<K>> {
        let mut all = Vec::new();
        self.penetrations_with(volume, at, query, &mut all);
        all.first().copied()
    }

    /// Everything that a volume touches or overlaps, each triangle and each part that is none once, with the shortest way out of it, the deepest first, into a buffer that is
    /// cleared first. See [`penetration`](Self::penetration).
    ///
    /// ```
    /// use hitscan::{Aabb, Penetration, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// scene.insert("wall", Aabb::new([2.0, 0.0, -9.0], [3.0, 5.0, 9.0]), DVec3::ZERO)?;
    /// let mut contacts: Vec<Penetration<&str>> = Vec::new();
    /// scene.penetrations(Sphere::new(1.0), [1.5, 0.75, 0.0], &mut contacts);
    /// let said: Vec<_> = contacts.iter().map(|contact| (contact.id, contact.depth, contact.normal)).collect();
    /// assert_eq!(said, [("wall", 0.5, Vec3::NEG_X), ("floor", 0.25, Vec3::Y)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn penetrations(&self, volume: impl Into<Volume>, at: impl Into<Pose>, penetrations: &mut Vec<Penetration<K>>) {
        self.penetrations_with(volume, at, &Query::new(), penetrations);
    }

    /// [`penetrations`](Self::penetrations) of what the query lets count, as for [`overlaps_with`](Self::overlaps_with).
    pub fn penetrations_with<F: Filter<K>>(
        &self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        query: &Query<K, F>,
        penetrations: &mut Vec<Penetration<K>>,
    ) {
        penetrations.clear();
        let Some(standing) = Standing::new(self, query, &volume.into(), &at.into()) else { return };
        let center = standing.center();
        let mut found = Vec::new();
        let _ = standing.run(&mut |part, touching| {
            if let Some(form) = form_of(part, center)
                && let Some(owner) = self.owner(part)
            {
                let exact = depth(&form, &standing.piece(), &touching).in_world(center);
                let penetration = Penetration {
                    id: owner.key,
                    part: part.index,
                    triangle: touching.triangle.map(|(number, ..)| number),
                    depth: exact.depth as f32,
                    normal: reported_direction(exact.normal),
                    point: round_vec3(exact.point - query.origin),
                    exact,
                };
                found.push((Thing::new(part, &touching), exact.depth, penetration));
            }
            ControlFlow::Continue(())
        });
        penetrations.extend(deepest_first(found));
    }
}

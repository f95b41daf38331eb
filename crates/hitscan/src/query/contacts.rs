//! Where a volume rests on what it touches: a few points of each contact.

use super::form::form_of;
use super::overlap::{Standing, Thing, deepest_first};
use super::{Filter, Query};
use crate::float::{reported_direction, round_vec3};
use crate::proximity::{Depth, Rest, depth, manifold};
use crate::scene::Scene;
use crate::sweep::{Pose, Volume};
use alloc::vec::Vec;
use core::fmt;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// One of the points in which a volume touches a convex thing: a triangle, or a part of an entity that is none.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ContactPoint<K> {
    /// The entity.
    pub id: K,
    /// Which part of a compound; else 0.
    pub part: u32,
    /// On a mesh or height field the triangle; else `None`.
    pub triangle: Option<u32>,
    /// How deep the volume is in the thing here, along the normal, in world units; 0 where it touches.
    pub depth: f32,
    /// The shortest way out of the thing, of unit length, in world space; the same for all its points.
    pub normal: Vec3,
    /// On the surface of the thing; relative to the query's origin if there is one.
    pub point: Vec3,
    /// On the surface of the volume, so much deeper; relative to the query's origin if there is one.
    pub on_volume: Vec3,
    /// Before it was rounded to f32.
    #[cfg_attr(feature = "serde", serde(skip))]
    exact: Depth,
}

impl<K> ContactPoint<K> {
    /// The points on the thing and on the volume before they were rounded to f32, in world space, whatever the query's origin.
    pub fn points_f64(&self) -> [DVec3; 2] {
        self.exact.points()
    }

    /// The depth before it was rounded to f32.
    pub fn depth_f64(&self) -> f64 {
        self.exact.depth
    }

    /// The normal before it was rounded to f32.
    pub fn normal_f64(&self) -> DVec3 {
        self.exact.normal
    }
}

/// By the public fields.
impl<K: PartialEq> PartialEq for ContactPoint<K> {
    fn eq(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.part, of.triangle, of.depth, of.normal, of.point, of.on_volume);
        self.id == other.id && said(self) == said(other)
    }
}

impl<K: fmt::Debug> fmt::Debug for ContactPoint<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContactPoint")
            .field("id", &self.id)
            .field("part", &self.part)
            .field("triangle", &self.triangle)
            .field("depth", &self.depth)
            .field("normal", &self.normal)
            .field("point", &self.point)
            .field("on_volume", &self.on_volume)
            .finish_non_exhaustive()
    }
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// The points in which a volume touches or overlaps what is where it is: of each triangle, and each part that is none, one to four with the same normal (a contact
    /// manifold), into a buffer that is cleared first. What solves for forces, or rests a crate on a floor, wants these; for the way out of one thing alone see
    /// [`penetration`](Self::penetration).
    ///
    /// - The things are those of [`penetrations`](Self::penetrations), in its order, and the first point of each is the deepest, as deep as that is. The others are no deeper, and in
    ///   contact by themselves: what hangs over an edge, or is tilted away, has none there.
    /// - A ball or a point has one point. A capsule on a face has two, or one if it is tilted so that only its lower end touches; up to two has what touches a capsule, or the side of a cylinder or cone, with a face. A box or hull
    ///   with a face on a face has up to four: corners of what the faces have in common, those with the largest area of which the deepest is one. The
    ///   rim of a cap or disc has four points.
    /// - The faces are those least inclined to the normal, where each is farthest along it. Where one of both has none that is less than
    ///   89.9 degrees from it, there is one point; so for capsules on each other, rings (tori) and shapes of your own.
    /// - Points are on both faces, and between their sides seen along the normal, up to 2^-40 of the sizes over the cosine of the slope of the steeper one.
    /// - No two points of a thing are nearer to each other than 2^-20 of the volume's size.
    /// - Each triangle of a mesh has its own points, so a box that rests on two triangles has up to eight.
    ///
    /// ```
    /// use hitscan::{Aabb, ContactPoint, Scene, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// let chest = Aabb::new([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]);
    /// let mut contacts: Vec<ContactPoint<&str>> = Vec::new();
    /// scene.contact_points(chest, [2.0, 0.375, 0.0], &mut contacts);
    /// assert_eq!(contacts.len(), 4);
    /// assert!(contacts.iter().all(|of| (of.id, of.depth, of.normal) == ("floor", 0.125, Vec3::Y)));
    /// assert!(contacts.iter().any(|of| of.on_volume == Vec3::new(2.5, -0.125, 0.5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("manifold", "contact_manifold", "collide_shape"))]
    pub fn contact_points(&self, volume: impl Into<Volume>, at: impl Into<Pose>, contacts: &mut Vec<ContactPoint<K>>) {
        self.contact_points_with(volume, at, &Query::new(), contacts);
    }

    /// [`contact_points`](Self::contact_points) of what the query lets count, as for [`overlaps_with`](Self::overlaps_with).
    pub fn contact_points_with<F: Filter<K>>(
        &self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        query: &Query<K, F>,
        contacts: &mut Vec<ContactPoint<K>>,
    ) {
        contacts.clear();
        let volume = volume.into();
        let Some(standing) = Standing::new(self, query, &volume, &at.into()) else { return };
        let hull = if let Volume::ConvexHull(hull) = &volume { Some(hull) } else { None };
        let center = standing.center();
        let mut found = Vec::new();
        let _ = standing.run(&mut |part, touching| {
            if let Some(form) = form_of(part, center)
                && let Some(owner) = self.owner(part)
            {
                let piece = standing.piece();
                let way = depth(&form, &piece, &touching);
                let points =
                    manifold(&form, (&piece, hull), &touching, &way).into_iter().map(|Rest { depth, point }| {
                        let exact = Depth { depth, point, ..way }.in_world(center);
                        let [point, on_volume] = exact.points().map(|point| round_vec3(point - query.origin));
                        ContactPoint {
                            id: owner.key,
                            part: part.index,
                            triangle: touching.triangle.map(|(number, ..)| number),
                            depth: depth as f32,
                            normal: reported_direction(way.normal),
                            point,
                            on_volume,
                            exact,
                        }
                    });
                found.push((Thing::new(part, &touching), way.depth, points.collect::<Vec<_>>()));
            }
            ControlFlow::Continue(())
        });
        contacts.extend(deepest_first(found).flatten());
    }
}

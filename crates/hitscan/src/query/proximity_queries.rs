//! The questions about a place: overlaps, penetration and closest points.

use super::sealed::Source;
use super::{ClosestPoint, ContactPoint, Overlap, Penetration};
use crate::sweep::{Pose, Volume};
use alloc::vec::Vec;
use glam::DVec3;

/// The questions about a place in a [`Scene`](crate::Scene) or a [`View`](crate::View): what a volume overlaps there and what is nearest. It is in scope with
/// `use hitscan::prelude::*`.
///
/// Volumes, points and answers are in world space and units, relative to the view's [origin](crate::Scene::relative_to). What has to count is chosen by a
/// [`Filter`](crate::Filter), whose sides are those that the volume's middle or the point is on, inside being the back of a solid; what it sees as `t` is 0 for
/// volumes and the distance for points.
pub trait ProximityQueries<'a>: Source<'a> {
    /// Whether a volume touches or overlaps anything where it is, in world space.
    ///
    /// **Touching counts**, as far as f64 can tell it from being apart, as in [`sweep`](crate::SweepQueries::sweep), of which this is the motion of length 0. Solids count with
    /// their inside; a mesh is its surface, and a volume that is wholly inside of one overlaps nothing, nor does a point that is in no surface. Triangles without area are
    /// never touched, holes that are cut out by a texture are solid, and a shape of your own counts if it [says how far it
    /// reaches](crate::CustomShape::farthest). What is not finite, is above 1e70, or a volume that is not valid touches nothing.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, ProximityQueries, Scene, Sphere, Volume, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("crate", Aabb::new([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]), DVec3::ZERO)?;
    /// assert!(scene.overlaps(Sphere::new(0.5), [1.5, 1.0, 0.0])); // touches
    /// assert!(!scene.overlaps(Sphere::new(0.5), [1.75, 1.0, 0.0]));
    /// assert!(scene.overlaps(Volume::Point, [0.0, 1.0, 0.0]));
    /// assert!(!scene.overlaps(Capsule::new(0.25, 2.0), [0.0, 3.5, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/overlap.md")]
    #[doc(alias("check_sphere", "check_box", "check_capsule", "intersection_test"))]
    fn overlaps(self, volume: impl Into<Volume>, at: impl Into<Pose>) -> bool {
        self.view().any_overlap(&volume.into(), &at.into())
    }

    /// Every entity that a volume touches or overlaps, once, in the order in which they were inserted, into a buffer that is cleared first. See [`overlaps`](Self::overlaps).
    ///
    /// ```
    /// use hitscan::{ProximityQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// for id in 0..5 {
    ///     scene.insert(id, Sphere::new(1.0), DVec3::new(3.0 * f64::from(id), 0.0, 0.0))?;
    /// }
    /// let mut near = Vec::new();
    /// scene.overlap_entities(Sphere::new(2.5), [6.0, 0.0, 0.0], &mut near);
    /// assert_eq!(near, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/overlap.md")]
    #[doc(alias("overlap_sphere", "overlap_box", "overlap_capsule", "intersect_shape", "sensor", "trigger"))]
    fn overlap_entities(self, volume: impl Into<Volume>, at: impl Into<Pose>, entities: &mut Vec<Self::Key>) {
        self.view().overlapping_entities(&volume.into(), &at.into(), entities);
    }

    /// Everything that a volume touches or overlaps, each triangle and each part that is none once, in the order of entity, part, triangle; into a buffer that is
    /// cleared first. See [`overlaps`](Self::overlaps).
    ///
    /// ```
    /// use hitscan::{Mesh, ProximityQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
    /// let mut scene = Scene::new();
    /// scene.insert("wall", Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?, DVec3::ZERO)?;
    /// let mut all = Vec::new();
    /// scene.overlap_all(Sphere::new(0.5), [3.5, 0.5, 0.25], &mut all);
    /// assert_eq!(all.iter().map(|of| of.triangle).collect::<Vec<_>>(), [Some(0)]);
    /// scene.overlap_all(Sphere::new(0.5), [2.0, 2.0, 0.25], &mut all);
    /// assert_eq!(all.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/overlap.md")]
    fn overlap_all(self, volume: impl Into<Volume>, at: impl Into<Pose>, overlaps: &mut Vec<Overlap<Self::Key>>) {
        self.view().every_overlap(&volume.into(), &at.into(), overlaps);
    }

    /// What a volume is deepest in, where it is, and the shortest way out of that; `None` if it [overlaps](Self::overlaps) nothing.
    ///
    /// It is the way out of one convex thing: of a triangle, or of a part that is none. Where there are several, mend the deepest, ask again, and so on; or take them all
    /// ([`penetration_all`](Self::penetration_all)).
    ///
    /// - Of things as deep the entity inserted first comes first, then the lower part, then the lower triangle.
    /// - Where a ball's or capsule's middle is outside, the way out is from the nearest point, in closed form for triangles, balls and capsules. Where it is
    ///   within, and for boxes and hulls, it is found among all directions: the shortest to 2^-40 of the sizes, but for things that are round without a radius (cylinder, cone, disc, what is stretched), from
    ///   deep within which it is a way out for sure, and in all tests longer than the shortest by less than 2e-5 of the sizes (most by none), though that is not proved.
    /// - A triangle and a plane have no inside: from as near on both sides, it is to the side of the volume's middle. From within a ring (torus), where its circle is in the volume's core, and
    ///   from its hole, where away from one side of it is into another, it is out of its hull.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, ProximityQueries, Scene, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// let (person, mut at) = (Capsule::new(0.5, 2.0), DVec3::new(0.0, 0.75, 0.0));
    /// let deepest = scene.penetration(person, at).unwrap();
    /// assert_eq!((deepest.id, deepest.depth, deepest.normal), ("floor", 0.25, Vec3::Y));
    /// at += deepest.separation();
    /// assert!(scene.penetration(person, at).is_none_or(|touch| touch.depth < 1e-6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/overlap.md")]
    #[doc(alias("depenetration", "compute_penetration", "mtv", "minimum_translation_vector"))]
    fn penetration(self, volume: impl Into<Volume>, at: impl Into<Pose>) -> Option<Penetration<Self::Key>> {
        let mut all = Vec::new();
        self.view().penetrations(&volume.into(), &at.into(), &mut all);
        all.first().copied()
    }

    /// Everything that a volume touches or overlaps, each triangle and each part that is none once, with the shortest way out of it, the deepest first, into a buffer that is
    /// cleared first. See [`penetration`](Self::penetration).
    ///
    /// ```
    /// use hitscan::{Aabb, Penetration, ProximityQueries, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// scene.insert("wall", Aabb::new([2.0, 0.0, -9.0], [3.0, 5.0, 9.0]), DVec3::ZERO)?;
    /// let mut contacts: Vec<Penetration<&str>> = Vec::new();
    /// scene.penetration_all(Sphere::new(1.0), [1.5, 0.75, 0.0], &mut contacts);
    /// let said: Vec<_> = contacts.iter().map(|contact| (contact.id, contact.depth, contact.normal)).collect();
    /// assert_eq!(said, [("wall", 0.5, Vec3::NEG_X), ("floor", 0.25, Vec3::Y)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/overlap.md")]
    fn penetration_all(
        self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        penetrations: &mut Vec<Penetration<Self::Key>>,
    ) {
        self.view().penetrations(&volume.into(), &at.into(), penetrations);
    }

    /// The points in which a volume touches or overlaps what is where it is: of each triangle, and each part that is none, one to four with the same normal (a contact
    /// manifold), into a buffer that is cleared first. What solves for forces, or rests a crate on a floor, wants these; for the way out of one thing alone see
    /// [`penetration`](Self::penetration).
    ///
    /// - The things are those of [`penetration_all`](Self::penetration_all), in its order, and the first point of each is the deepest, as deep as that is. The others are no deeper, and in
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
    /// use hitscan::{Aabb, ContactPoint, ProximityQueries, Scene, glam::{DVec3, Vec3}};
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
    #[doc = include_str!("edges/overlap.md")]
    #[doc(alias("manifold", "contact_manifold", "collide_shape"))]
    fn contact_points(
        self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        contacts: &mut Vec<ContactPoint<Self::Key>>,
    ) {
        self.view().every_contact(&volume.into(), &at.into(), contacts);
    }

    /// The nearest point of all surfaces in the scene, in world space and units: on an entity that is scaled unevenly too, the nearest in the world.
    /// `None` in a scene without a surface, and for a point that is not finite or above 1e70.
    ///
    /// - Surfaces count, not what is in them: from inside a solid it is the nearest point of its surface, or of another thing that is there.
    ///   [`signed_distance`](ClosestPoint::signed_distance) says which. Is the point in anything? [`overlaps`](Self::overlaps) with
    ///   [`Volume::Point`](crate::Volume::Point).
    /// - Of equal distance, as f64 computes it, the entity inserted first wins, then the lower part, then the lower triangle.
    /// - The distance to every solid, under every transform, is within 32 roundings of f64 of the coordinates involved, from outside and inside. A ring
    ///   (torus) that is stretched is within 64 as long as 1,024 divisions of its surface are enough to prove it, and else the best of what was found.
    ///   For a [shape of your own](crate::CustomShape), it is within 1e-7 of the sizes from outside and within 2e-5 from inside in all tests, though that
    ///   is not proved.
    /// - A mesh has an inside if it is closed: if along eight lines through the point as many fronts are met as backs, exactly, with the same number
    ///   ahead. The point is inside where there are more backs than fronts ahead; on the surface it is outside. A closed mesh that faces inwards has no inside.
    ///   A mesh with a hole may count as closed where no such line goes through the hole.
    /// - Holes that are cut out by a texture are solid, triangles without area do not count, and a shape of your own does if it
    ///   [says how far it reaches](crate::CustomShape::farthest).
    ///
    /// ```
    /// use hitscan::{Aabb, Containment, ProximityQueries, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("crate", Aabb::new([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]), DVec3::ZERO)?;
    /// scene.insert("lamp", Sphere::new(0.5), DVec3::new(0.0, 9.0, 0.0))?;
    /// let nearest = scene.closest_point([4.0, 1.5, 0.0]).unwrap();
    /// assert_eq!((nearest.id, nearest.distance, nearest.point), ("crate", 3.0, Vec3::new(1.0, 1.5, 0.0)));
    /// let within = scene.closest_point([0.0, 1.75, 0.0]).unwrap();
    /// assert_eq!((within.signed_distance(), within.normal), (Some(-0.25), Vec3::Y));
    /// assert_eq!(within.containment, Containment::Inside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/point.md")]
    #[doc(alias("project_point", "nearest_point", "sdf", "signed_distance"))]
    fn closest_point(self, point: impl Into<DVec3>) -> Option<ClosestPoint<Self::Key>> {
        self.view().closest(point.into(), f64::INFINITY)
    }

    /// [`closest_point`](Self::closest_point) that is no farther away than `max_distance`, itself included. A largest distance that is NaN finds nothing.
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("lamp", Sphere::new(0.5), DVec3::new(0.0, 3.0, 0.0))?;
    /// assert!(scene.closest_point_within([0.0, 0.0, 0.0], 2.5).is_some());
    /// assert!(scene.closest_point_within([0.0, 0.0, 0.0], 2.4).is_none());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc = include_str!("edges/point.md")]
    fn closest_point_within(self, point: impl Into<DVec3>, max_distance: f64) -> Option<ClosestPoint<Self::Key>> {
        self.view().closest(point.into(), max_distance)
    }
}

impl<'a, S: Source<'a>> ProximityQueries<'a> for S {}

//! Questions about a place: overlaps, penetration, contact points and closest points.

use crate::convex::{Pose, Volume};
use crate::query::sealed::Source;
use crate::query::{ClosestPoint, ContactPoint, Overlap, Penetration};
use alloc::vec::Vec;
use glam::DVec3;

/// Queries about a place in a [`Scene`](crate::Scene) or a [`View`](crate::View). They find the overlaps of a volume
/// there, and the surface nearest to a point. `use hitscan::prelude::*` brings the trait into scope.
///
/// Volumes, points and answers are in world space and units, relative to the view's
/// [origin](crate::Scene::relative_to). A [`Filter`](crate::Filter) chooses the accepted entities and surfaces. For an
/// overlap, the filter gets 0 as `t`; for a closest point, it gets the distance. A volume touches a solid on its front.
/// It touches a flat surface, such as a triangle or a plane, on the side that the volume's centre is on. A point that
/// is inside a solid is on the back of its surface.
pub trait ProximityQueries<'a>: Source<'a> {
    /// Returns whether a volume touches or overlaps anything.
    ///
    /// - **Touching is an overlap**, as far as f64 can distinguish it from a gap. The answer is the same as for a [`sweep`](crate::SweepQueries::sweep) with a
    ///   zero motion.
    /// - A solid includes its inside. A mesh is only a surface, so a volume that is wholly inside a mesh does not overlap it.
    /// - Triangles without area are ignored. Cut-out holes are solid. A custom shape is included if it implements
    ///   [`farthest`](crate::custom::CustomShape::farthest).
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
    #[doc = include_str!("../edges/overlap.md")]
    #[doc(alias("check_sphere", "check_box", "check_capsule", "intersection_test"))]
    fn overlaps(self, volume: impl Into<Volume>, at: impl Into<Pose>) -> bool {
        self.view().any_overlap(&volume.into(), &at.into())
    }

    /// Writes the key of every entity that a volume [touches or overlaps](Self::overlaps) into a buffer, which is
    /// cleared first. Entities are in the order in which they were inserted.
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
    #[doc = include_str!("../edges/overlap.md")]
    #[doc(alias("overlap_sphere", "overlap_box", "overlap_capsule", "intersect_shape", "sensor", "trigger"))]
    fn overlap_entities(self, volume: impl Into<Volume>, at: impl Into<Pose>, entities: &mut Vec<Self::Key>) {
        self.view().overlapping_entities(&volume.into(), &at.into(), entities);
    }

    /// Writes everything that a volume [touches or overlaps](Self::overlaps) into a buffer, which is cleared first:
    /// each triangle of a mesh or height field, and each other part. The order is by entity, then part, then triangle.
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
    #[doc = include_str!("../edges/overlap.md")]
    fn overlap_all(self, volume: impl Into<Volume>, at: impl Into<Pose>, overlaps: &mut Vec<Overlap<Self::Key>>) {
        self.view().every_overlap(&volume.into(), &at.into(), overlaps);
    }

    /// Returns the deepest penetration of a volume, and the shortest translation that ends it.
    ///
    /// The translation leads out of one triangle or one other part, not out of everything. If a volume overlaps several
    /// things, apply the translation and call this again, until the depth is below a tolerance of yours. A volume that
    /// only touches still has a penetration, of depth 0. Limit the number of calls to a few, because two walls may push
    /// to and fro. Or use [`penetration_all`](Self::penetration_all).
    ///
    /// - Among equal depths, the entity that was inserted first wins, then the lower part, then the lower triangle.
    /// - The depth is exact to 2^-40 of the sizes. The exception is a volume deep inside a cylinder, a cone, a disc or a stretched shape. There the translation
    ///   certainly leads out, but may be longer than the shortest one. In all tests the excess is below 2e-5 of the sizes; no bound is proved.
    /// - A triangle or a plane has no inside. If the separations to both sides are equally short, the answer leads to
    ///   the side of the volume's centre.
    /// - For a torus, the translation is along the normal of the nearest place if that leads out of the torus. Otherwise it
    ///   leads out of the torus's convex hull, or is along the torus's axis.
    /// - A triangle or box may be a piece of a flat surface, hidden by another piece. Then the translation is along
    ///   the surface's normal, by the depth of the volume in the hidden piece.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, ProximityQueries, Scene, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// let (person, mut at) = (Capsule::new(0.5, 2.0), DVec3::new(0.0, 0.75, 0.0));
    /// let deepest = scene.penetration(person, at).unwrap();
    /// assert_eq!((deepest.id, deepest.depth, deepest.normal), ("floor", 0.25, Vec3::Y));
    /// for _ in 0..4 {
    ///     let Some(deepest) = scene.penetration(person, at).filter(|deepest| deepest.depth > 1e-6) else { break };
    ///     at += deepest.separation();
    /// }
    /// assert!(scene.penetration(person, at).is_none_or(|touch| touch.depth < 1e-6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../edges/overlap.md")]
    #[doc(alias("depenetration", "compute_penetration", "mtv", "minimum_translation_vector"))]
    fn penetration(self, volume: impl Into<Volume>, at: impl Into<Pose>) -> Option<Penetration<Self::Key>> {
        let mut all = Vec::new();
        self.view().penetrations(&volume.into(), &at.into(), &mut all);
        all.into_iter().next()
    }

    /// Writes everything that a volume touches or overlaps, with the shortest translation out of each thing, into a buffer,
    /// which is cleared first. The largest depth is first.
    ///
    /// Each triangle of a mesh or height field counts at most once, and so does each other part. If a surface bends,
    /// the separation from one triangle also leads out of the neighbours that it hides. Hidden neighbours are not reported
    /// here; [`overlap_all`](Self::overlap_all) reports them. The rules of [`penetration`](Self::penetration) hold.
    ///
    /// ```
    /// use hitscan::glam::{DVec3, Vec3};
    /// use hitscan::query::Penetration;
    /// use hitscan::{Aabb, ProximityQueries, Scene, Sphere};
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
    #[doc = include_str!("../edges/overlap.md")]
    fn penetration_all(
        self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        penetrations: &mut Vec<Penetration<Self::Key>>,
    ) {
        self.view().penetrations(&volume.into(), &at.into(), penetrations);
    }

    /// Writes the contact manifolds of a volume into a buffer, which is cleared first. For each triangle and each
    /// other part that the volume touches or overlaps, a manifold has one to four points with one normal.
    ///
    /// Use it to compute forces, or to let a crate rest on a floor. If only the separation is needed, use
    /// [`penetration`](Self::penetration).
    ///
    /// - The parts are the same as in [`penetration_all`](Self::penetration_all), in the same order. The first point of
    ///   each part has the depth that is reported there. No other point of the part is deeper, and each of them is
    ///   itself in contact.
    /// - A ball or a point has one contact point. A capsule on a face has two, or one if it is tilted so far that only
    ///   its lower end touches. A face on a capsule, or on the side of a cylinder or cone, has up to two.
    /// - A box or hull with a face on another face has up to four points. One is the deepest corner of the intersection of the two faces. The others are the
    ///   corners that span the largest area with it. A round cap or disc has four points on its rim.
    /// - There is one point if either side has no face within 89.9 degrees of the normal. Examples are a capsule on a capsule, a torus and a custom shape.
    /// - Points are on both surfaces, within 2^-40 of the sizes, divided by the cosine of the steeper face's slope. For
    ///   cylinders, cones, custom shapes and stretched shapes the bound is 2^-17 of the sizes, for a torus 2^-18.
    /// - A triangle or box may be a piece of a flat surface. Then it has the surface's normal, and its own depth along that normal. The deepest of the
    ///   surface's pieces is the piece below the volume's deepest point, if the volume touches that piece.
    /// - Two points of a part are at least 2^-20 of the volume's size apart.
    /// - Each triangle of a mesh has its own points, so a box that rests on two triangles has up to eight. The triangles
    ///   that [`penetration_all`](Self::penetration_all) leaves out have no points.
    ///
    /// ```
    /// use hitscan::glam::{DVec3, Vec3};
    /// use hitscan::query::ContactPoint;
    /// use hitscan::{Aabb, ProximityQueries, Scene};
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
    #[doc = include_str!("../edges/overlap.md")]
    #[doc(alias("manifold", "contact_manifold", "collide_shape"))]
    fn contact_points(
        self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        contacts: &mut Vec<ContactPoint<Self::Key>>,
    ) {
        self.view().every_contact(&volume.into(), &at.into(), contacts);
    }

    /// Returns the nearest point of all surfaces. The distance is measured in the world, even for entities with a
    /// non-uniform scale.
    ///
    /// - The answer is on a surface: from inside a solid it is the nearest point of any surface. [`ClosestPoint::signed_distance`] is negative if the point is
    ///   inside the entity of the answer. To ask whether the point is inside anything, use [`overlaps`](Self::overlaps) with
    ///   [`Volume::Point`](crate::Volume::Point).
    /// - Among distances that are equal in f64, the entity that was inserted first wins, then the lower part, then the
    ///   lower triangle.
    /// - The error of the distance to a solid is at most 32 f64 roundings of the coordinates involved, under every transform,
    ///   from outside and inside. For a stretched torus it is at most 64 roundings if 1,024 subdivisions of its surface prove that. Otherwise, the answer is
    ///   the best point found. For a [custom shape](crate::custom::CustomShape) no bound is proved. In all tests the error is below 1e-7 of the sizes from
    ///   outside and 2e-5 from inside.
    /// - A mesh has an inside if it is closed. It is treated as closed if each of eight lines through the point crosses as many fronts as backs. The excess of
    ///   backs over fronts ahead of the point must also be the same on all eight lines. The point is inside if that excess is positive, and a point on the
    ///   surface is outside. A closed mesh that faces inwards has no inside. A mesh with a hole is treated as closed if none of the lines passes through the
    ///   hole.
    /// - Cut-out holes are solid. Triangles without area are ignored. A custom shape is included if it implements
    ///   [`farthest`](crate::custom::CustomShape::farthest).
    ///
    /// ```
    /// use hitscan::glam::{DVec3, Vec3};
    /// use hitscan::query::Containment;
    /// use hitscan::{Aabb, ProximityQueries, Scene, Sphere};
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
    #[doc = include_str!("../edges/point.md")]
    #[doc(alias("project_point", "nearest_point", "sdf", "signed_distance"))]
    fn closest_point(self, point: impl Into<DVec3>) -> Option<ClosestPoint<Self::Key>> {
        self.view().find_closest_point(point.into(), f64::INFINITY)
    }

    /// Returns the nearest point of all surfaces if it is at most `max_distance` away. The rules of
    /// [`closest_point`](Self::closest_point) hold. A `max_distance` that is NaN finds nothing.
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
    #[doc = include_str!("../edges/point.md")]
    fn closest_point_within(self, point: impl Into<DVec3>, max_distance: f64) -> Option<ClosestPoint<Self::Key>> {
        self.view().find_closest_point(point.into(), max_distance)
    }
}

impl<'a, S: Source<'a>> ProximityQueries<'a> for S {}

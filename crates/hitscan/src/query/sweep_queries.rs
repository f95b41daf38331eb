//! The questions that moving volumes ask.

use super::sealed::SweepSource;
use super::{SweepHit, SweepView};
use crate::sweep::{ContactFilter, Pose, Volume};
use alloc::vec::Vec;
use glam::DVec3;

/// The questions that moving volumes ask of a [`Scene`](crate::Scene), a [`View`](crate::View) or a [`SweepView`](crate::SweepView). It is in scope with
/// `use hitscan::prelude::*`.
///
/// Volumes, motions and answers are in world space and units, relative to the view's [origin](crate::Scene::relative_to). What has to count is chosen by a
/// [`Filter`](crate::Filter), whose sides are those that the volume's middle is on, and by [`contact_filter`](Self::contact_filter).
pub trait SweepQueries<'a>: SweepSource<'a> {
    /// Which contacts count: with [`ContactFilter::Ahead`] not those that the motion leaves or slides along.
    ///
    /// ```
    /// use hitscan::{ContactFilter, Plane, Scene, Sphere, SweepQueries, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Plane::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, DVec3::ZERO)?;
    /// let (ball, on_the_floor) = (Sphere::new(0.5), DVec3::new(0.0, 0.5, 0.0));
    /// assert!(scene.sweep(ball, on_the_floor, Vec3::X).is_some());
    /// let ahead = scene.contact_filter(ContactFilter::Ahead);
    /// assert!(ahead.sweep(ball, on_the_floor, Vec3::X).is_none());
    /// assert!(ahead.sweep(ball, on_the_floor, Vec3::new(1.0, -0.1, 0.0)).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    fn contact_filter(self, contacts: ContactFilter) -> SweepView<'a, Self::Key> {
        SweepView { contacts, ..self.sweep_view() }
    }

    /// What a volume touches first when it is moved from a place by `motion`, in world space and units: t is the fraction of the motion, 0 and 1
    /// included. `None` if it touches nothing on the way.
    ///
    /// - The volume is a ball, a capsule, a box, a convex hull or a point, as it is in the world: an entity's transform scales the entity alone. It is turned by its
    ///   pose, and not on the way.
    /// - **Touching is a contact**, also of what it only brushes. What it touches or is in at the start is met at t = 0, and `start` tells the two apart;
    ///   [`contact_filter`](Self::contact_filter) leaves out what the motion moves away from or slides along.
    /// - What is touched first wins, by t before it was rounded; of triangles that f64 cannot tell apart so, faces come before edges before corners. Else the
    ///   entity inserted first wins, then the lower part, then the lower triangle.
    /// - A motion of zero asks what is touched where the volume is.
    /// - A ring (torus) may be met early on its inner side, by 2^-18 of its radius; by 3e-4 where more than 128 places around it are met at nearly one time, and by
    ///   1.2e-3 of the longest where a ring that is not round in the world is met at more than 64.
    /// - Solids are met from outside; a volume that starts within one is met at t = 0. A mesh is its surface, and has no inside. Holes of a
    ///   mesh that are cut out by a texture are solid for volumes. Triangles without area are never met, and a shape of your own is if it
    ///   [says how far it reaches](crate::CustomShape::farthest).
    /// - What is not finite, is above 1e70, or a volume that is not valid meets nothing.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, Scene, Sphere, SweepQueries, SweepStart, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("crate", Aabb::new([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]), DVec3::new(0.0, 0.0, -5.0))?;
    /// let ball = scene.sweep(&Sphere::new(0.5), [0.0, 1.0, 0.0], Vec3::new(0.0, 0.0, -7.0)).unwrap();
    /// assert_eq!((ball.id, ball.t, ball.normal), ("crate", 0.5, Vec3::Z)); // its centre stops at z = -3.5
    /// assert_eq!((ball.point, ball.start), (Vec3::new(0.0, 1.0, -4.0), SweepStart::Apart));
    /// assert!(scene.sweep(&Capsule::new(0.5, 1.8), [2.0, 1.0, 0.0], Vec3::new(0.0, 0.0, -7.0)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/sweep.md")]
    #[doc(alias(
        "spherecast",
        "sphere_cast",
        "capsulecast",
        "capsule_cast",
        "boxcast",
        "box_cast",
        "shapecast",
        "shape_cast",
        "cast_shape",
        "time_of_impact",
        "toi",
        "ccd"
    ))]
    fn sweep(
        self,
        volume: impl Into<Volume>,
        from: impl Into<Pose>,
        motion: impl Into<DVec3>,
    ) -> Option<SweepHit<Self::Key>> {
        self.sweep_view().first(&volume.into(), &from.into(), motion.into())
    }

    /// What a volume touches first while it goes from one pose to another: its middle straight, and turning the shorter way, both as fast at all
    /// times; t is the fraction of both. Otherwise as [`sweep`](Self::sweep), but for this:
    ///
    /// - The middle is the centre of a ball, capsule or box, of a hull the mean of its corners. Half a turn goes either way; more than that are several
    ///   questions.
    /// - It is never late, and passes through nothing, however fast it turns. A contact may be early: by 2^-20 of the sizes there (the largest coordinates of volume and
    ///   obstacle relative to its start); and what turns past something, nearer than a 4096th of the way that its tip makes in the turn, may meet it. A ring (torus)
    ///   that it comes near on many sides at once may be met early by 1.2e-3 of the ring's radius.
    /// - The feature is the face, always. It takes several times as long.
    ///
    /// ```
    /// use hitscan::{Aabb, Scene, Sphere, SweepQueries, glam::{DQuat, DVec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("post", Sphere::new(0.5), DVec3::new(1.5, 2.0, 0.0))?;
    /// let bar = Aabb::new([-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]); // a thin one along x
    /// let upright = DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0); // a quarter turn around z
    /// let hit = scene.sweep_rotating(bar, DVec3::ZERO, (DVec3::ZERO, upright)).unwrap();
    /// let angle = f64::atan2(2.0, 1.5) - f64::asin(0.5 / 2.5);
    /// assert!((f64::from(hit.t) - angle / core::f64::consts::FRAC_PI_2).abs() < 1e-5);
    /// # Ok::<(), hitscan::SceneError>(())
    /// ```
    #[doc = include_str!("edges/sweep.md")]
    #[doc(alias("cast_shapes_nonlinear", "nonlinear_cast", "rotating"))]
    fn sweep_rotating(
        self,
        volume: impl Into<Volume>,
        from: impl Into<Pose>,
        to: impl Into<Pose>,
    ) -> Option<SweepHit<Self::Key>> {
        self.sweep_view().first_rotating(&volume.into(), [&from.into(), &to.into()])
    }

    /// Everything that a volume touches on its way, each triangle and each part that is none once, where it is first touched, in the order of t
    /// before it was rounded, entity, part, triangle; into a buffer that is cleared first. It goes through all of it. See [`sweep`](Self::sweep).
    ///
    /// ```
    /// use hitscan::{Scene, Sphere, SweepHit, SweepQueries, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// for id in 0..3 {
    ///     scene.insert(id, Sphere::new(1.0), DVec3::new(0.0, 0.0, -4.0 * f64::from(id)))?;
    /// }
    /// let mut hits = Vec::new();
    /// scene.sweep_all(&Sphere::new(1.0), [0.0, 0.0, 4.0], Vec3::new(0.0, 0.0, -8.0), &mut hits);
    /// assert_eq!(hits.iter().map(|hit| (hit.id, hit.t)).collect::<Vec<_>>(), [(0, 0.25), (1, 0.75)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/sweep.md")]
    #[doc(alias("spherecast_all", "shapecast_all"))]
    fn sweep_all(
        self,
        volume: impl Into<Volume>,
        from: impl Into<Pose>,
        motion: impl Into<DVec3>,
        hits: &mut Vec<SweepHit<Self::Key>>,
    ) {
        self.sweep_view().every(&volume.into(), &from.into(), motion.into(), hits);
    }
}

impl<'a, S: SweepSource<'a>> SweepQueries<'a> for S {}

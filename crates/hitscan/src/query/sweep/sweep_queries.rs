//! Questions that are asked with moving volumes.

use crate::convex::{Pose, Volume};
use crate::query::sealed::SweepSource;
use crate::query::{SweepHit, SweepView};
use crate::sweep::ContactFilter;
use alloc::vec::Vec;
use glam::DVec3;

/// Sweeps of volumes (shape casts) against a [`Scene`](crate::Scene), a [`View`](crate::View) or a [`SweepView`](crate::query::SweepView).
/// `use hitscan::prelude::*` brings the trait into scope.
///
/// Volumes, motions and answers are in world space and units, relative to the view's
/// [origin](crate::Scene::relative_to). A [`Filter`](crate::Filter) chooses the accepted entities and surfaces, and
/// [`contact_filter`](Self::contact_filter) the reported contacts. A solid is always hit on its front. A flat surface,
/// such as a triangle or a plane, is hit on the side that the volume's centre is on at the start.
pub trait SweepQueries<'a>: SweepSource<'a> {
    /// Chooses which contacts are reported. [`ContactFilter::Ahead`] ignores contacts that the motion moves away from or slides along.
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

    /// Returns the first contact of a volume that moves by `motion` from a pose, without rotating. t is the fraction of
    /// the motion, from 0 to 1.
    ///
    /// - The volume is a ball, a capsule, a box, a convex hull or a point. Its size is in world units: the transform of
    ///   an entity scales the entity alone.
    /// - **Touching is a contact**, even if the volume only grazes. Everything that the volume touches or overlaps at
    ///   the start is hit at t = 0, and [`SweepHit::start`] distinguishes touching and overlapping.
    ///   [`contact_filter`](Self::contact_filter) can exclude surfaces that the motion moves away from.
    /// - The earliest contact wins, by its t before rounding. Among triangles whose t is equal in f64, faces win over
    ///   edges, and edges over corners. After that the entity that was inserted first wins, then the lower part, then
    ///   the lower triangle.
    /// - A zero motion finds the contacts of the volume at its start.
    /// - **A motion with a NaN silently hits nothing**, and so does any other bad input: see bad input below, and
    ///   [`Volume::validate`].
    /// - A mesh is only a surface, without an inside. Cut-out holes are solid for volumes. Triangles without area are never
    ///   hit. A custom shape is hit if it implements [`farthest`](crate::custom::CustomShape::farthest).
    /// - A ball or a point hits a round torus exactly. Other volumes may hit the torus early on its inner side, by
    ///   2^-18 of its radius. If more than 128 places around the ring are hit at nearly the same time, the error is
    ///   about 3e-4 of the radius. Any volume may hit a stretched torus early, by about 1.2e-3 of the longest radius.
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
    #[doc = include_str!("../edges/sweep.md")]
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
        self.sweep_view().first_sweep_hit(&volume.into(), &from.into(), motion.into())
    }

    /// Returns the first contact of a volume that moves and rotates from one pose to another.
    ///
    /// The centre moves along a straight line while the volume makes the shorter of the two possible rotations, both at constant speed. The answer's t is the
    /// fraction of the motion and of the rotation. The rules of [`sweep`](Self::sweep) hold, with these differences:
    ///
    /// - The centre is the middle of a ball, capsule or box, and the mean of a hull's corners. A rotation by exactly
    ///   half a turn may be in either direction. Split a longer rotation into several calls.
    /// - A contact is never late, and nothing is passed through, however fast the volume rotates. It may be early by
    ///   2^-20 of the sizes, which are the largest coordinates of volume and obstacle relative to the start. It is no earlier
    ///   than the contact of the ball around the volume's centre that contains the volume.
    /// - A volume that rotates past an obstacle at a small gap may hit it. A gap is small if it is less than 1/4096 of the arc that the volume's tip makes.
    /// - A torus that the volume approaches on many sides at once may be hit early by 1.2e-3 of its radius. After a bounded
    ///   number of steps the contact with an arc's hull is the answer, which may be earlier still.
    /// - The feature is always the face. The call takes several times as long as `sweep`.
    ///
    /// ```
    /// use hitscan::{Aabb, Scene, Sphere, SweepQueries, glam::{DQuat, DVec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("post", Sphere::new(0.5), DVec3::new(1.5, 2.0, 0.0))?;
    /// let bar = Aabb::new([-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]); // a segment along x
    /// let upright = DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0); // a quarter turn around z
    /// let hit = scene.sweep_rotating(bar, DVec3::ZERO, (DVec3::ZERO, upright)).unwrap();
    /// let angle = f64::atan2(2.0, 1.5) - f64::asin(0.5 / 2.5);
    /// assert!((f64::from(hit.t) - angle / core::f64::consts::FRAC_PI_2).abs() < 1e-5);
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[doc = include_str!("../edges/sweep.md")]
    #[doc(alias("cast_shapes_nonlinear", "nonlinear_cast", "rotating"))]
    fn sweep_rotating(
        self,
        volume: impl Into<Volume>,
        from: impl Into<Pose>,
        to: impl Into<Pose>,
    ) -> Option<SweepHit<Self::Key>> {
        self.sweep_view().first_rotating_hit(&volume.into(), [&from.into(), &to.into()])
    }

    /// Writes every contact of a moving volume into a buffer, which is cleared first. The volume passes through everything.
    ///
    /// Each triangle of a mesh or height field is hit once, where it is first touched. So is each other part. Contacts
    /// are ordered by their t before rounding, then by entity, part and triangle. The rules of [`sweep`](Self::sweep)
    /// hold.
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
    #[doc = include_str!("../edges/sweep.md")]
    #[doc(alias("spherecast_all", "shapecast_all"))]
    fn sweep_all(
        self,
        volume: impl Into<Volume>,
        from: impl Into<Pose>,
        motion: impl Into<DVec3>,
        hits: &mut Vec<SweepHit<Self::Key>>,
    ) {
        self.sweep_view().every_sweep_hit(&volume.into(), &from.into(), motion.into(), hits);
    }
}

impl<'a, S: SweepSource<'a>> SweepQueries<'a> for S {}

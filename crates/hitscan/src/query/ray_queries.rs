//! The questions that rays ask.

use super::sealed::RaySource;
use super::{
    Explanation, Ground, Hit, PathHit, PointMove, RayView, SolidInterval, Trajectory, TrajectoryHit, Visibility,
};
use crate::columns::{HitColumns, RayBatch};
use crate::error::BatchError;
use crate::filter::{CutOuts, Inside};
use crate::ray::Ray;
use alloc::vec::Vec;
use glam::Vec3;

/// The questions that rays ask of a [`Scene`](crate::Scene), a [`View`](crate::View) or a [`RayView`](crate::RayView). It is in scope with
/// `use hitscan::prelude::*`.
///
/// Rays and answers are in world space and units, relative to the view's [origin](crate::Scene::relative_to). What has to count is chosen by a
/// [`Filter`](crate::Filter), and by the options [`when_inside`](Self::when_inside), [`cut_outs`](Self::cut_outs) and [`after`](Self::after), which rays alone have.
///
/// For every question:
///
/// - A ray that starts inside a solid meets its exit, with [`Side::Back`](crate::Side::Back), unless [`when_inside`](Self::when_inside) says otherwise.
/// - Both sides of a surface count, unless [`Filter::cull`](crate::Filter::cull) says otherwise.
/// - The range of t is closed: a hit exactly at `t_min` or `t_max`, as reported, counts.
/// - A ray that is not usable ([`Ray::validate`] says why) hits nothing, nor does one from an origin that is not finite.
pub trait RayQueries<'a>: RaySource<'a> {
    /// What a ray that starts inside a solid answers.
    ///
    /// ```
    /// use hitscan::{Inside, Ray, RayQueries, Scene, Side, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("bubble", Sphere::new(2.0), DVec3::ZERO)?;
    /// let out = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(scene.cast(&out).map(|hit| (hit.t, hit.side)), Some((2.0, Side::Back)));
    /// assert_eq!(scene.when_inside(Inside::Solid).cast(&out).map(|hit| (hit.t, hit.side)), Some((0.0, Side::Inside)));
    /// assert!(scene.when_inside(Inside::Ignore).cast(&out).is_none());
    /// # Ok::<(), hitscan::SceneError>(())
    /// ```
    #[must_use]
    fn when_inside(self, inside: Inside) -> RayView<'a, Self::Key> {
        RayView { inside, ..self.ray_view() }
    }

    /// Whether the holes of meshes let rays through: they do unless this says otherwise.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::{AlphaMask, CutOuts};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let pane = Mesh::new(&corners, &[0, 1, 2])?.with_texcoords(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])?;
    /// let mut scene = Scene::new();
    /// scene.insert("hole", pane.with_cut_out(AlphaMask::new(1, 1, [0])?)?, DVec3::ZERO)?;
    /// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]);
    /// assert!(!scene.is_blocked(&ray));
    /// assert!(scene.cut_outs(CutOuts::Solid).is_blocked(&ray));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    fn cut_outs(self, cut_outs: CutOuts) -> RayView<'a, Self::Key> {
        RayView { cut_outs, ..self.ray_view() }
    }

    /// Only hits after this one, without an epsilon to be chosen.
    ///
    /// Only hits behind that one in the order of t, entity, part, triangle count for the ray that made it.
    ///
    /// A ray that starts at the hit's point, such as [`Hit::bounce`] and [`Hit::onward`], is taken to start at the point
    /// as it was before it was rounded to f32. It leaves every surface that passes through that point, of any entity, and
    /// goes on to what is ahead. Whether a surface there is left or ahead depends on the way alone: it is ahead if the straight line
    /// from just before the point to just after it crosses the surface. So a ricochet on the seam of two tiles meets neither of them
    /// again, and one in a corner meets the wall that it runs into, at t = 0. A ray into a solid meets its far side. On a ray
    /// that goes on through the surface that was hit, each of several surfaces in one place counts once, in the stated
    /// order.
    ///
    /// A surface passes through the point if it is as near as rounding can have moved either of them: see
    /// docs/robustness.md. A [`CustomShape`](crate::CustomShape) does not say where its surface is; only one that was hit is left.
    ///
    /// It is for the motion that goes on; pushing against the surface again with it goes through, as a shot does. A hit
    /// of an entity that has been moved or replaced since, or of another scene, leaves no surface out.
    ///
    /// ```
    /// use hitscan::{Quad, Ray, RayQueries, Scene, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("mirror", Quad::new([-5.0, 0.0, -5.0], [0.0, 0.0, 10.0], [10.0, 0.0, 0.0]), DVec3::ZERO)?;
    /// let hit = scene.cast(&Ray::with_direction([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0])).unwrap();
    /// assert!(scene.after(&hit).cast(&hit.bounce()).is_none());
    /// # Ok::<(), hitscan::SceneError>(())
    /// ```
    #[must_use]
    fn after(self, hit: impl Into<Option<&'a Hit<Self::Key>>>) -> RayView<'a, Self::Key> {
        RayView { after: hit.into(), ..self.ray_view() }
    }

    /// What the ray hits first.
    ///
    /// Of hits with the same t, the entity inserted first wins, then the lower part, then the lower triangle.
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// let hit = scene.cast(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0])).unwrap();
    /// assert_eq!((hit.id, hit.t, hit.point, hit.normal), ("near", 4.0, Vec3::new(0.0, 0.0, -4.0), Vec3::Z));
    /// assert!(scene.cast(&Ray::new([0.0, 3.0, 0.0], [0.0, 0.0, -1.0])).is_none());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("raycast", "ray_cast", "intersect_ray", "pick", "trace"))]
    fn cast(self, ray: &Ray) -> Option<Hit<Self::Key>> {
        self.ray_view().closest(ray)
    }

    /// Whether the ray hits anything in its range. It stops at the first thing that it finds, so it costs less than [`cast`](Self::cast).
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// assert!(scene.is_blocked(&Ray::between([0.0, 0.0, 0.0], [0.0, 0.0, -7.0])));
    /// assert!(!scene.is_blocked(&Ray::between([0.0, 0.0, 0.0], [0.0, 0.0, -3.0])));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("linecast", "occluded", "any_hit", "shadow_ray", "intersects_ray"))]
    fn is_blocked(self, ray: &Ray) -> bool {
        self.ray_view().any(ray)
    }

    /// Every hit in order, into a buffer that is cleared first: each triangle touched, and each crossing of a solid. A
    /// buffer that is large enough is not reallocated.
    ///
    /// The order is that of t, then of entity, part and triangle. On an edge that two triangles share, both are hit.
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// let mut hits = Vec::new(); // to be used again
    /// scene.cast_all(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]), &mut hits);
    /// let crossings: Vec<_> = hits.iter().map(|hit| (hit.id, hit.t, hit.side)).collect();
    /// assert_eq!(crossings[..2], [("near", 4.0, Side::Front), ("near", 6.0, Side::Back)]);
    /// assert_eq!(crossings[2..], [("far", 8.0, Side::Front), ("far", 10.0, Side::Back)]);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("raycast_all", "ray_cast_all", "intersect_all"))]
    fn cast_all(self, ray: &Ray, hits: &mut Vec<Hit<Self::Key>>) {
        self.ray_view().every(ray, hits);
    }

    /// The first `n` hits in order, or all if there are fewer, into a buffer that is cleared first: what [`cast_all`](Self::cast_all) would
    /// begin with, without looking behind them.
    ///
    /// It keeps no more than `n` hits in between, so a buffer with room for so many is not reallocated. Meant for a few: each of them takes
    /// a time of the order of `n` besides. None for an `n` of 0 or an unusable ray.
    ///
    /// ```
    /// use hitscan::{Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// let mut hits = Vec::new();
    /// scene.cast_first_n(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]), 3, &mut hits);
    /// assert_eq!(hits.iter().map(|hit| (hit.id, hit.t)).collect::<Vec<_>>(), [("near", 4.0), ("near", 6.0), ("far", 8.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("raycast_non_alloc", "max_hits"))]
    fn cast_first_n(self, ray: &Ray, n: usize, hits: &mut Vec<Hit<Self::Key>>) {
        self.ray_view().first_n(ray, n, hits);
    }

    /// Every entity that the ray hits, once, with its nearest hit, in the order of these hits, into a buffer that is cleared first.
    ///
    /// A mesh is left after its nearest hit, so that this costs far less than [`cast_all`](Self::cast_all) where entities have many
    /// surfaces. A buffer with room for as many hits as parts are hit is not reallocated. Nothing for an unusable ray.
    ///
    /// ```
    /// use hitscan::{Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// let mut hits = Vec::new();
    /// scene.cast_entities(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]), &mut hits);
    /// assert_eq!(hits.iter().map(|hit| (hit.id, hit.t)).collect::<Vec<_>>(), [("near", 4.0), ("far", 8.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    fn cast_entities(self, ray: &Ray, hits: &mut Vec<Hit<Self::Key>>) {
        self.ray_view().first_of_each_entity(ray, hits);
    }

    /// [`cast`](Self::cast) of every ray, which are a slice or [columns](crate::RayColumns): the answers are the same, bit for bit, and in the order of the
    /// rays. On all threads, with the feature `parallel`, and in bounded memory.
    ///
    /// ```
    /// use hitscan::{Ray, RayQueries, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// let rays = [0.0, 2.0].map(|x| Ray::new([x, 0.0, 0.0], Vec3::NEG_Z));
    /// let mut hits = [None; 2];
    /// scene.cast_batch(&rays, &mut hits)?;
    /// assert_eq!(hits.map(|hit| hit.map(|hit| (hit.id, hit.t))), [Some(("ball", 4.0)), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Not as many answers as rays; then no answer is written.
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("raycast_batch", "raycast_command"))]
    fn cast_batch<'r>(
        self,
        rays: impl Into<RayBatch<'r>>,
        hits: &mut [Option<Hit<Self::Key>>],
    ) -> Result<(), BatchError>
    where
        Self::Key: Send + Sync,
    {
        self.ray_view().closest_of_each(rays.into(), hits)
    }

    /// [`is_blocked`](Self::is_blocked) of every ray, as [`cast_batch`](Self::cast_batch).
    ///
    /// ```
    /// use hitscan::{Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// let rays = [0.0, 2.0].map(|x| Ray::between([x, 0.0, 0.0], [x, 0.0, -9.0]));
    /// let mut blocked = [false; 2];
    /// scene.is_blocked_batch(&rays, &mut blocked)?;
    /// assert_eq!(blocked, [true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`cast_batch`](Self::cast_batch).
    #[doc = include_str!("edges/ray.md")]
    fn is_blocked_batch<'r>(self, rays: impl Into<RayBatch<'r>>, blocked: &mut [bool]) -> Result<(), BatchError>
    where
        Self::Key: Send + Sync,
    {
        self.ray_view().any_of_each(rays.into(), blocked)
    }

    /// [`cast`](Self::cast) of every ray, into columns: the same bits, without allocation, on all threads with the feature `parallel`.
    ///
    /// ```
    /// use hitscan::{HitColumns, RayColumns, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// let (x, zero, down) = ([0.0, 2.0], [0.0; 2], [-1.0; 2]);
    /// let rays = RayColumns::new([&x, &zero, &zero], [&zero, &zero, &down]);
    /// let (mut t, mut ids) = ([0.0; 2], [None; 2]);
    /// scene.cast_columns(&rays, HitColumns { t: Some(&mut t), id: Some(&mut ids), ..HitColumns::default() })?;
    /// assert_eq!((t, ids), ([4.0, f32::INFINITY], [Some("ball"), None]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A column of another length than the first of the rays'; then nothing is written.
    #[doc = include_str!("edges/ray.md")]
    fn cast_columns<'r>(self, rays: impl Into<RayBatch<'r>>, hits: HitColumns<'_, Self::Key>) -> Result<(), BatchError>
    where
        Self::Key: Send + Sync,
    {
        self.ray_view().closest_in_columns(rays.into(), hits)
    }

    /// The first hit along the segments from point to point; `None` on a miss.
    ///
    /// Segments are closed, and each ends exactly where the next one begins: nothing slips through a joint, and of what is exactly at a joint the
    /// earlier segment answers. Equal neighbours are passed over. Fewer than two points, or any that is not finite, hit nothing.
    ///
    /// With [`after`](Self::after) a hit of the same path, the next one along it is answered; after a hit of another ray, the first segment leaves
    /// that surface. A path that goes the very same segment twice goes on from its first time.
    ///
    /// ```
    /// use hitscan::{RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(4.0, 3.0, 0.0))?;
    /// let corner = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 8.0, 0.0]];
    /// let met = scene.cast_path(&corner).unwrap();
    /// assert_eq!((met.hit.id, met.segment, met.hit.t, met.distance), ("ball", 1, 0.25, 6.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    fn cast_path<P: Copy + Into<Vec3>>(self, points: &[P]) -> Option<PathHit<Self::Key>> {
        self.ray_view().along_path(points)
    }

    /// The first hit along a ballistic arc, which is followed by chords that are nowhere further from it than `tolerance`, in world units; `None`
    /// on a miss, or where [`Trajectory::validate`] says no.
    ///
    /// So what the arc misses by less than the tolerance may be hit, and what it grazes by less may be missed; nothing slips through
    /// between two chords. The time is that of the arc itself. With [`after`](Self::after) a hit of the same trajectory and tolerance, the next one along it
    /// is answered; after a hit of another ray, the first chord leaves that surface.
    ///
    /// ```
    /// use hitscan::{Plane, RayQueries, Scene, Trajectory, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ground", Plane::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, DVec3::ZERO)?;
    /// let thrown = Trajectory::new([0.0, 2.0, 0.0], [3.0, 3.0, 0.0], [0.0, -10.0, 0.0]);
    /// let landed = scene.cast_trajectory(&thrown, 0.01).unwrap();
    /// assert_eq!((landed.hit.id, landed.time, landed.velocity.y), ("ground", 1.0, -7.0));
    /// assert!((landed.hit.point - thrown.at(landed.time)).length() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    fn cast_trajectory(self, trajectory: &Trajectory, tolerance: f32) -> Option<TrajectoryHit<Self::Key>> {
        self.ray_view().along_trajectory(trajectory, tolerance)
    }

    /// Every stretch of the ray's range inside of a solid or a closed mesh, by where it begins, then by entity and part, into a buffer that
    /// is cleared first.
    ///
    /// Solids are those of [`Inside`], convex hulls and shapes of your own. A mesh counts as its triangles face: a ray is inside while it has gone
    /// through more fronts than backs, counted from infinitely far behind its origin; an edge or a corner between triangles counts as
    /// what a line right beside it goes through, so that it is one crossing, or none where the ray only touches. Planes, quads, discs, triangles and
    /// height fields have no inside, and no intervals.
    ///
    /// An interval has a length: where f32 gives entry and exit the same t, there is none. A mesh that is not closed, or faces inwards, gives
    /// intervals of length 0 with [`IntervalEnd::Open`](crate::IntervalEnd::Open) for surfaces without a counterpart: for an exit while outside, and for the entry after which the ray
    /// never comes out again.
    ///
    /// How thick is what a bullet would go through, and what is left of it?
    ///
    /// ```
    /// use hitscan::{Aabb, Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("door", Aabb::new([-1.0, 0.0, -0.05], [1.0, 2.0, 0.05]), DVec3::new(0.0, 0.0, -3.0))?;
    /// scene.insert("guard", Sphere::new(0.5), DVec3::new(0.0, 1.0, -5.0))?;
    /// let resistance = |id| if id == "door" { 300.0 } else { 900.0 }; // of its power, a metre
    ///
    /// let (mut power, mut intervals) = (100.0, Vec::new());
    /// scene.solid_intervals(&Ray::new([0.0, 1.0, 0.0], [0.0, 0.0, -1.0]), &mut intervals);
    /// let mut stopped = None;
    /// for interval in &intervals {
    ///     let needed = resistance(interval.id) * interval.thickness();
    ///     if needed > power {
    ///         stopped = Some((interval.id, interval.t_enter + power / resistance(interval.id)));
    ///         break;
    ///     }
    ///     power -= needed;
    /// }
    /// let (id, t) = stopped.unwrap();
    /// assert!(id == "guard" && (t - 4.578).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("thickness", "wallbang", "bullet_penetration"))]
    fn solid_intervals(self, ray: &Ray, intervals: &mut Vec<SolidInterval<Self::Key>>) {
        self.ray_view().intervals(ray, intervals);
    }

    /// Whether nothing stands between a point of one entity and a point of another, neither of which counts as an
    /// obstacle itself.
    ///
    /// Obstacles at either end count: feet on a floor are hidden by the floor. Equal points see each other; points that are not finite, or too far apart for
    /// f32, see nothing.
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("player", Sphere::new(0.5), DVec3::new(0.0, 1.0, 0.0))?;
    /// scene.insert("guard", Sphere::new(0.5), DVec3::new(0.0, 1.0, -8.0))?;
    /// let (eye, head) = (Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 1.0, -8.0));
    /// assert!(scene.line_of_sight(("player", eye), ("guard", head)));
    /// scene.insert("door", Aabb::new([-1.0, 0.0, -4.1], [1.0, 2.0, -3.9]), DVec3::ZERO)?;
    /// assert!(!scene.line_of_sight(("player", eye), ("guard", head)));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("visible", "can_see", "linecast", "occlusion"))]
    fn line_of_sight(self, from: (Self::Key, impl Into<Vec3>), to: (Self::Key, impl Into<Vec3>)) -> bool {
        let ((viewer, eye), (target, point)) = (from, to);
        self.ray_view().is_clear_between((viewer, eye.into()), (target, point.into()))
    }

    /// Whether nothing is on the straight way between two points, both ends included.
    ///
    /// Equal points see each other; points that are not finite, or too far apart for f32, see nothing. For two entities, which are no obstacles
    /// themselves, there is [`line_of_sight`](Self::line_of_sight).
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("pillar", Sphere::new(1.0), DVec3::ZERO)?;
    /// assert!(!scene.sees([0.0, 0.0, 5.0], [0.0, 0.0, -5.0]));
    /// assert!(scene.sees([2.0, 0.0, 5.0], [2.0, 0.0, -5.0]));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("visible", "can_see", "linecast", "occlusion"))]
    fn sees(self, eye: impl Into<Vec3>, point: impl Into<Vec3>) -> bool {
        self.ray_view().is_clear(eye.into(), point.into())
    }

    /// How many of these points can be seen from an eye: those with nothing on the straight way there, both ends included.
    ///
    /// For a volume take its [`Shape::sample_points`](crate::Shape::sample_points), moved to where it is, and exclude the entity itself. A point
    /// at the eye is seen; one that is not finite is not.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, Filter, RayQueries, Scene, Shape, glam::{DVec3, Vec3}};
    ///
    /// let (body, place) = (Shape::from(Capsule::new(0.4, 1.8)), Vec3::new(0.0, 0.9, -8.0));
    /// let mut scene = Scene::new();
    /// scene.insert("player", body, place.as_dvec3())?;
    /// let eye = Vec3::new(0.0, 0.9, 0.0);
    /// scene.insert("wall", Aabb::new([-1.0, 0.0, -0.1], [1.0, 0.9, 0.1]), DVec3::new(0.0, 0.0, -4.0))?;
    /// let points: Vec<Vec3> = body.sample_points(100, 1).into_iter().map(|point| place + point).collect();
    /// let seen = scene.with(&Filter::new().exclude("player")).visibility(eye, &points);
    /// assert!(seen.total == 100 && (0.4..0.6).contains(&seen.fraction()), "the wall hides the lower half");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("exposure", "cover"))]
    fn visibility<P: Copy + Into<Vec3>>(self, eye: impl Into<Vec3>, points: &[P]) -> Visibility {
        self.ray_view().seen(eye.into(), points)
    }

    /// What is at most `reach` below a point, `up` being any vector upwards; `None` if nothing is, or for a zero `up`.
    ///
    /// Ask from well above the ground, such as the hip: a point on it is rounded to below it as often as not.
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// let ground = scene.ground_below([0.0, 1.5, 0.0], Vec3::Y, 2.0).unwrap();
    /// assert_eq!((ground.hit.id, ground.hit.t, ground.slope_cos), ("floor", 1.5, 1.0));
    /// assert!(scene.ground_below([0.0, 1.5, 0.0], Vec3::Y, 1.0).is_none());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("ground_check", "floor", "snap_to_ground"))]
    fn ground_below(self, point: impl Into<Vec3>, up: impl Into<Vec3>, reach: f32) -> Option<Ground<Self::Key>> {
        self.ray_view().ground(point.into(), up.into(), reach)
    }

    /// Moves a point until it is `skin` away from something ahead, or on it for a skin of 0; both ends of the motion
    /// count.
    ///
    /// To slide, move on by `slide`, a few times for corners. A point that is moved frame after frame needs a skin: a
    /// position on a surface is rounded to f32, to behind it as often as not, and the next motion would go through.
    /// Choose far more than that rounding (a ten-millionth of the coordinates), such as 0.01 in a world of metres.
    ///
    /// A motion of zero meets nothing; one that is not finite does not move the point.
    ///
    /// ```
    /// use hitscan::{Plane, RayQueries, Scene, glam::Vec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Plane::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, Vec3::ZERO)?;
    /// let (mut position, mut motion) = (Vec3::new(0.0, 1.0, 0.0), Vec3::new(4.0, -2.0, 0.0));
    /// for _ in 0..3 {
    ///     let moved = scene.move_point(position, motion, 0.01);
    ///     (position, motion) = (moved.position, moved.slide);
    /// }
    /// assert!((position - Vec3::new(4.0, 0.01, 0.0)).length() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    #[doc(alias("slide", "collide_and_slide"))]
    fn move_point(self, from: impl Into<Vec3>, motion: impl Into<Vec3>, skin: f32) -> PointMove<Self::Key> {
        self.ray_view().moved_point(from.into(), motion.into(), skin)
    }

    /// Why the ray does not hit the entity under this key, or that it does.
    ///
    /// For people who wonder: it asks up to eight questions. A filter is asked too.
    ///
    /// ```
    /// use hitscan::{Explanation, Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(scene.explain(&ray, &"far").to_string(), "it would be hit at t 8, but \"near\" is before it, at t 4");
    /// assert_eq!(scene.explain(&ray.with_range(0.0, 2.0), &"near").to_string(), "it is at t 4, beyond the ray's t_max of 2");
    /// let past = Ray::new([4.0, 0.0, 3.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(scene.explain(&past, &"near"), Explanation::Apart { distance: 3.0, t: 7.0 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("edges/ray.md")]
    fn explain(self, ray: &Ray, key: &Self::Key) -> Explanation<Self::Key> {
        self.ray_view().explanation(ray, key)
    }
}

impl<'a, S: RaySource<'a>> RayQueries<'a> for S {}

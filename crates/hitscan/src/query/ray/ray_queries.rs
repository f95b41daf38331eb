//! Questions that are asked with rays.

use super::cast_path::PathHit;
use super::move_point::{Ground, PointMove};
use crate::error::BatchError;
use crate::geom::culling::{CutOuts, Inside};
use crate::geom::hit_lists::AllHitColumns;
use crate::geom::ray::Ray;
use crate::geom::ray_columns::{HitColumns, RayBatch};
use crate::parallel::Threads;
use crate::query::sealed::RaySource;
use crate::query::{Explanation, Hit, HitSurface, RayView, SolidInterval, Trajectory, TrajectoryHit, Visibility};
use alloc::vec::Vec;
use glam::Vec3;

/// Ray queries against a [`Scene`](crate::Scene), a [`View`](crate::View) or a [`RayView`](crate::query::RayView). `use hitscan::prelude::*` brings the trait
/// into scope.
///
/// Rays and answers are in world space and units, relative to the view's [origin](crate::Scene::relative_to). A [`Filter`](crate::Filter) chooses the accepted
/// entities and surfaces. The options [`when_inside`](Self::when_inside), [`cut_outs`](Self::cut_outs) and [`after`](Self::after) exist for rays alone.
///
/// These rules hold for every query, unless its own table of edges says otherwise:
///
/// - A ray that starts inside a solid hits its exit, with [`Side::Back`](crate::Side::Back), unless [`when_inside`](Self::when_inside) says otherwise.
/// - Both sides of a surface are hit, unless [`Filter::cull`](crate::Filter::cull) says otherwise.
/// - The range of t is closed: a reported t of `t_min` or `t_max` is a hit.
/// - An unusable ray hits nothing, and [`Ray::validate`] says why. With an origin that is not finite, no ray hits anything.
pub trait RayQueries<'a>: RaySource<'a> {
    /// Chooses the hit of a ray that starts inside a solid.
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
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[must_use]
    fn when_inside(self, inside: Inside) -> RayView<'a, Self::Key> {
        RayView { inside, ..self.ray_view() }
    }

    /// Chooses whether rays pass through the cut-out holes of meshes. They do by default.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::CutOuts;
    /// use hitscan::mesh::AlphaMask;
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

    /// Continues from an earlier hit: only later hits are found. There is no epsilon to choose. The argument is a
    /// `&Hit`, or an `Option<&Hit>` for a loop that begins without a hit.
    ///
    /// - **The same ray again**: only hits behind the earlier one are found, in the order of t, entity, part and
    ///   triangle.
    /// - **A ray that starts at the hit's point**, such as [`Hit::bounce`] or [`Hit::onward`]. Consider the surfaces of
    ///   any entity that pass through that point. A surface is ahead if the ray crosses it there. The ray hits the
    ///   surfaces that are ahead, and leaves the others. So a ricochet at the seam of two tiles hits neither tile
    ///   again. A ricochet in a corner hits the wall that it runs into, at t = 0. A ray into a solid hits the far side
    ///   of the solid.
    /// - **Coincident surfaces**: a ray may pass through the surface of the earlier hit. Then it also hits each of the
    ///   other surfaces in the same place, once, in the order of entity, part and triangle.
    ///
    /// The ray starts at the exact point of the hit, not at the point rounded to f32. A surface is treated as passing
    /// through that point if rounding alone can explain the distance between the two. The bound is in
    /// docs/robustness.md. If a [`CustomShape`](crate::custom::CustomShape) was hit, the ray leaves only the surface
    /// that was hit.
    ///
    /// Use this for a motion that continues. A ray that is sent back into the surface passes through it, as a shot does.
    /// If the entity was moved or replaced since, or the hit is of another scene, no surface is skipped. If other
    /// entities were inserted or moved since, the middle of the scene's coordinates may have changed. Then t is rounded
    /// differently, and the same ray may hit the same surface again.
    ///
    /// ```
    /// use hitscan::{Quad, Ray, RayQueries, Scene, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("mirror", Quad::new([-5.0, 0.0, -5.0], [0.0, 0.0, 10.0], [10.0, 0.0, 0.0]), DVec3::ZERO)?;
    /// let hit = scene.cast(&Ray::with_direction([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0])).unwrap();
    /// assert!(scene.after(&hit).cast(&hit.bounce()).is_none());
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[must_use]
    fn after(self, hit: impl Into<Option<&'a Hit<Self::Key>>>) -> RayView<'a, Self::Key> {
        RayView { after: hit.into(), ..self.ray_view() }
    }

    /// Returns the nearest hit of the ray.
    ///
    /// Among hits with equal t, the entity that was inserted first wins, then the lower part, then the lower triangle.
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
    #[doc = include_str!("../edges/ray.md")]
    #[doc(alias("raycast", "ray_cast", "intersect_ray", "pick", "trace"))]
    fn cast(self, ray: &Ray) -> Option<Hit<Self::Key>> {
        self.ray_view().cast_closest(ray)
    }

    /// Returns whether the ray hits anything in its range. The search stops at any hit, so it costs less than [`cast`](Self::cast).
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
    #[doc = include_str!("../edges/ray.md")]
    #[doc(alias("linecast", "occluded", "any_hit", "shadow_ray", "intersects_ray"))]
    fn is_blocked(self, ray: &Ray) -> bool {
        self.ray_view().cast_any(ray)
    }

    /// Writes every hit into a buffer, which is cleared first: each triangle that the ray touches, and each crossing of a solid's surface.
    ///
    /// Hits are ordered by t, then by entity, part and triangle. On an edge that two triangles share, both are hit. A buffer that is large enough is not
    /// reallocated.
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
    #[doc = include_str!("../edges/ray.md")]
    #[doc(alias("raycast_all", "ray_cast_all", "intersect_all"))]
    fn cast_all(self, ray: &Ray, hits: &mut Vec<Hit<Self::Key>>) {
        self.ray_view().cast_every(ray, hits);
    }

    /// Writes the first `n` hits of [`cast_all`](Self::cast_all), or all if there are fewer, into a buffer, which is
    /// cleared first. The search ends at the last of them.
    ///
    /// A buffer with room for `n` hits is not reallocated. The cost of each hit that is found grows with `n`, so `n`
    /// should be small. An `n` of 0 gives no hits.
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
    #[doc = include_str!("../edges/ray.md")]
    #[doc(alias("raycast_non_alloc", "max_hits"))]
    fn cast_first_n(self, ray: &Ray, n: usize, hits: &mut Vec<Hit<Self::Key>>) {
        self.ray_view().cast_first_hits(ray, n, hits);
    }

    /// Writes the nearest hit of every entity that the ray hits, in the order of [`cast_all`](Self::cast_all), into a buffer, which is cleared first.
    ///
    /// This costs far less than [`cast_all`](Self::cast_all) where entities have many surfaces, since the search in a
    /// mesh ends at its nearest hit. A buffer with room for one hit of each part is not reallocated.
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
    #[doc = include_str!("../edges/ray.md")]
    fn cast_entities(self, ray: &Ray, hits: &mut Vec<Hit<Self::Key>>) {
        self.ray_view().first_of_each_entity(ray, hits);
    }

    /// Answers [`cast`](Self::cast) for every ray, in the order of the rays. The rays are a slice or [columns](crate::batch::RayColumns).
    ///
    /// The answers have the same bits as for single rays. With the feature `parallel` all threads are used, and memory
    /// stays bounded.
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
    /// Returns an error, and writes no answer, if `hits` is not as long as `rays`.
    #[doc = include_str!("../edges/ray.md")]
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

    /// Answers [`is_blocked`](Self::is_blocked) for every ray, in the order of the rays, as [`cast_batch`](Self::cast_batch) does.
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
    /// Returns an error, and writes no answer, if `blocked` is not as long as `rays`.
    #[doc = include_str!("../edges/ray.md")]
    fn is_blocked_batch<'r>(self, rays: impl Into<RayBatch<'r>>, blocked: &mut [bool]) -> Result<(), BatchError>
    where
        Self::Key: Send + Sync,
    {
        self.ray_view().any_of_each(rays.into(), blocked)
    }

    /// Answers [`cast`](Self::cast) for every ray, into columns of your choice: one slice for t, one for the keys, and so on.
    ///
    /// The answers have the same bits as for single rays. Nothing is allocated, and `uv`, `point` and `normal` are
    /// computed only if they have a column. With the feature `parallel` all threads are used.
    ///
    /// ```
    /// use hitscan::batch::{HitColumns, RayColumns};
    /// use hitscan::glam::DVec3;
    /// use hitscan::{RayQueries, Scene, Sphere};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// let (x, zero, down) = ([0.0, 2.0], [0.0; 2], [-1.0; 2]);
    /// let rays = RayColumns::new([&x, &zero, &zero], [&zero, &zero, &down]);
    /// let (mut t, mut ids) = ([0.0; 2], [None; 2]);
    /// scene.cast_columns(&rays, HitColumns { t: Some(&mut t), ..HitColumns::new(&mut ids) })?;
    /// assert_eq!((t, ids), ([4.0, f32::INFINITY], [Some("ball"), None]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error, and writes nothing, if the length of a column is not the number of rays.
    #[doc = include_str!("../edges/columns.md")]
    fn cast_columns<'r>(self, rays: impl Into<RayBatch<'r>>, hits: HitColumns<'_, Self::Key>) -> Result<(), BatchError>
    where
        Self::Key: Send + Sync,
    {
        self.ray_view().closest_in_columns(rays.into(), hits)
    }

    /// Answers [`cast_all`](Self::cast_all) for every ray, into columns of your choice, on at most `threads` threads.
    ///
    /// The hits have the same bits as for single rays, in the same order, and only the values that have a column are computed.
    ///
    /// ```
    /// use hitscan::batch::{AllHitColumns, Threads};
    /// use hitscan::glam::DVec3;
    /// use hitscan::{Ray, RayQueries, Scene, Sphere};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// let rays = [2.0, 0.0].map(|x| Ray::new([x, 0.0, 0.0], [0.0, 0.0, -1.0]));
    /// let (mut offsets, mut ids, mut t) = (Vec::new(), Vec::new(), Vec::new());
    /// let hits = AllHitColumns { id: Some(&mut ids), t: Some(&mut t), ..AllHitColumns::new(&mut offsets) };
    /// scene.cast_all_columns(&rays, Threads::AtMost(1), hits)?;
    /// assert_eq!((offsets, ids, t), (vec![0, 0, 2], vec!["ball"; 2], vec![4.0, 6.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error, and writes nothing, if a column of the rays is not as long as the first one.
    #[doc = include_str!("../edges/all_columns.md")]
    fn cast_all_columns<'r>(
        self,
        rays: impl Into<RayBatch<'r>>,
        threads: Threads,
        hits: AllHitColumns<'_, Self::Key>,
    ) -> Result<(), BatchError>
    where
        Self::Key: Send + Sync,
    {
        self.ray_view().every_in_columns(rays.into(), threads, hits)
    }

    /// Returns the first hit along a polyline.
    ///
    /// Each segment ends exactly where the next one begins, so nothing slips through a joint. Equal neighbouring points are skipped.
    ///
    /// The answer [`after`](Self::after) a hit of the same path is the next hit along the path. If the path runs through the
    /// segment of that hit twice, the search continues from the first of the two. After a hit of another ray, the first
    /// segment leaves the surface of that hit.
    ///
    /// ```
    /// use hitscan::{RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(4.0, 3.0, 0.0))?;
    /// let corner = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 8.0, 0.0]];
    /// let found = scene.cast_path(&corner).unwrap();
    /// assert_eq!((found.hit.id, found.segment, found.hit.t, found.distance), ("ball", 1, 0.25, 6.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../edges/path.md")]
    fn cast_path<P: Copy + Into<Vec3>>(self, points: &[P]) -> Option<PathHit<Self::Key>> {
        self.ray_view().along_path(points)
    }

    /// Returns the first hit along a ballistic arc.
    ///
    /// The arc is replaced by chords that stay within `tolerance` of it, in world units. A surface that the arc misses by
    /// less than the tolerance may be hit. A surface that the arc enters by less than the tolerance may be missed.
    /// Nothing slips through between two chords. The reported time is a time on the arc itself, not on a chord.
    ///
    /// The answer [`after`](Self::after) a hit of the same trajectory and tolerance is the next hit along the trajectory.
    /// After a hit of another ray, the first chord leaves the surface of that hit.
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
    #[doc = include_str!("../edges/path.md")]
    fn cast_trajectory(self, trajectory: &Trajectory, tolerance: f32) -> Option<TrajectoryHit<Self::Key>> {
        self.ray_view().along_trajectory(trajectory, tolerance)
    }

    /// Writes every interval of the ray that is inside a solid or a closed mesh into a buffer, which is cleared first.
    /// Intervals are ordered by where they begin, then by entity and part.
    ///
    /// - [`Inside`] lists the solids. Planes, quads, discs, triangles and height fields have no inside, and so no intervals.
    /// - The ray is inside a mesh while its line has passed through more fronts than backs, counted from infinitely far
    ///   behind its origin. An edge or a corner between triangles is one crossing, or none if the ray only touches it.
    /// - An interval whose ends have the same t in f32 is left out.
    /// - A mesh may be open, or face inwards. Each surface without a counterpart then gives an interval of length 0, with
    ///   [`IntervalEnd::Open`](crate::query::IntervalEnd::Open) at the other end.
    /// - [`when_inside`](Self::when_inside) and [`Filter::cull`](crate::Filter::cull) have no effect.
    ///
    /// Terrain, planes and sheets have no inside, and so no thickness. They stop a bullet only if you
    /// [`cast`](Self::cast) for them, too. An interval of length 0 says that the ray hit a mesh of unknown thickness.
    ///
    /// This example finds how far a bullet gets through solids:
    ///
    /// ```
    /// use hitscan::{Aabb, Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("door", Aabb::new([-1.0, 0.0, -0.05], [1.0, 2.0, 0.05]), DVec3::new(0.0, 0.0, -3.0))?;
    /// scene.insert("guard", Sphere::new(0.5), DVec3::new(0.0, 1.0, -5.0))?;
    /// let resistance = |id| if id == "door" { 300.0 } else { 900.0 }; // the power that a metre takes
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
    #[doc = include_str!("../edges/intervals.md")]
    #[doc(alias("thickness", "wallbang", "bullet_penetration"))]
    fn solid_intervals(self, ray: &Ray, intervals: &mut Vec<SolidInterval<Self::Key>>) {
        self.ray_view().intervals(ray, intervals);
    }

    /// Returns whether no third entity is on the segment between a point of one entity and a point of another. The two
    /// entities themselves do not block it.
    ///
    /// Surfaces at both ends block the view. So a floor hides feet that stand on it. Aim above the floor, or exclude the floor by a filter. A key that is not
    /// in the scene excludes nothing.
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
    #[doc = include_str!("../edges/sight.md")]
    #[doc(alias("visible", "can_see", "linecast", "occlusion"))]
    fn line_of_sight(self, from: (Self::Key, impl Into<Vec3>), to: (Self::Key, impl Into<Vec3>)) -> bool {
        let ((viewer, eye), (target, point)) = (from, to);
        self.ray_view().is_clear_between((viewer, eye.into()), (target, point.into()))
    }

    /// Returns whether nothing is on the segment between two points, both ends included.
    ///
    /// Use [`line_of_sight`](Self::line_of_sight) for points of two entities that are not treated as obstacles
    /// themselves. Entities that the view's filter leaves out hide nothing. So let the filter select all obstacles,
    /// without glass, triggers and the two entities themselves.
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
    #[doc = include_str!("../edges/sight.md")]
    #[doc(alias("visible", "can_see", "linecast", "occlusion"))]
    fn sees(self, eye: impl Into<Vec3>, point: impl Into<Vec3>) -> bool {
        self.ray_view().is_clear(eye.into(), point.into())
    }

    /// Counts the points that an eye [`sees`](Self::sees).
    ///
    /// To ask how much of a shape is visible, pass its [`Shape::sample_points`](crate::Shape::sample_points), moved to
    /// where it is, and exclude the entity itself. Entities that the view's filter leaves out hide nothing.
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
    #[doc = include_str!("../edges/sight.md")]
    #[doc(alias("exposure", "cover"))]
    fn visibility<P: Copy + Into<Vec3>>(self, eye: impl Into<Vec3>, points: &[P]) -> Visibility {
        self.ray_view().seen(eye.into(), points)
    }

    /// Returns the ground at most `reach` below a point. `up` is a vector of any length.
    ///
    /// Call it with a point well above the ground, such as the hip. A point on the ground may be below it by rounding.
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
    #[doc = include_str!("../edges/ground.md")]
    #[doc(alias("ground_check", "floor", "snap_to_ground"))]
    fn ground_below(self, point: impl Into<Vec3>, up: impl Into<Vec3>, reach: f32) -> Option<Ground<Self::Key>> {
        self.ray_view().ground(point.into(), up.into(), reach)
    }

    /// Moves a point along a motion until it is `skin` away from the first surface, or on the surface if `skin` is 0.
    ///
    /// To slide along surfaces, repeat with the `slide` of the answer as the motion; a few times are enough for
    /// corners. A point that moves every frame needs a skin. Without a skin, rounding may move the point from the surface
    /// to its other side, and the next motion passes through. Choose a skin far above that rounding, which is a
    /// ten-millionth of the coordinates: 0.01 suits a world in metres.
    ///
    /// A zero motion hits nothing.
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
    #[doc = include_str!("../edges/move.md")]
    #[doc(alias("slide", "collide_and_slide"))]
    fn move_point(self, from: impl Into<Vec3>, motion: impl Into<Vec3>, skin: f32) -> PointMove<Self::Key> {
        self.ray_view().moved_point(from.into(), motion.into(), skin)
    }

    /// Returns the data of a mesh at a hit: the texture coordinates, the interpolated normal, and whether the hit is in a
    /// hole. Filters and options have no effect. Every value of the answer is `None` or `false` if the hit is not on
    /// a mesh. The same holds if its entity is no longer in the scene.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::glam::Vec2;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = Mesh::new(&corners, &[0, 1, 2])?.with_texcoords(&[[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])?;
    /// let mut scene = Scene::new();
    /// scene.insert("poster", mesh, DVec3::ZERO)?;
    /// let hit = scene.cast(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0])).unwrap();
    /// assert_eq!(scene.surface(&hit).texcoord(), Some(Vec2::new(0.5, 1.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("texcoord", "uv", "smooth_normal"))]
    fn surface(self, hit: &Hit<Self::Key>) -> HitSurface<'a> {
        self.ray_view().surface_at(hit)
    }

    /// Explains why the ray does not hit the entity under this key, or says that it does.
    ///
    /// This is for debugging: it costs up to six casts. The view's filter and options apply, and the answer's `Display` is a sentence.
    ///
    /// ```
    /// use hitscan::glam::DVec3;
    /// use hitscan::query::Explanation;
    /// use hitscan::{Ray, RayQueries, Scene, Sphere};
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
    #[doc = include_str!("../edges/explain.md")]
    fn explain(self, ray: &Ray, key: &Self::Key) -> Explanation<Self::Key> {
        self.ray_view().explanation(ray, key)
    }
}

impl<'a, S: RaySource<'a>> RayQueries<'a> for S {}

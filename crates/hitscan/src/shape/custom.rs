//! The caller's own shape.

use crate::bvh::{Slack, box_interval};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::{FromInside, Inside};
use crate::geom::hit::{ShapeHit, Side, reported_normal};
use crate::geom::ray::{LocalRay, Ray};
use crate::math::float::reported_t;
use crate::shape::{Heading, RayStart};
use alloc::sync::Arc;
use core::fmt;
use core::ops::ControlFlow;
use glam::{DVec3, Vec2};

/// A shape of your own for scenes: a distance field, voxels, a patch. It provides its bounds, and where a ray crosses
/// its surface. The scene does the rest: transforms, layers, culling, filters, order, and
/// [`RayQueries::after`](crate::RayQueries::after).
///
/// A scene relies on some rules for its answers, but not for its safety. The same ray gets the same hits every time, in
/// the order of t. Every hit is inside the bounds. Sides alternate as on the surface of a solid, where the exit is
/// [`Side::Back`]. These hits are ignored: a hit whose t is NaN, outside the ray's range, or smaller than the t of the
/// previous hit. So are a hit that is outside of the bounds by more than f32 resolves, and every hit that is offered
/// after `Break`. None of this panics or affects the hits of other entities.
///
/// ```
/// use core::ops::ControlFlow;
/// use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
/// use hitscan::glam::DVec3;
/// use hitscan::{Aabb, Ray, RayQueries, Scene, Side};
///
/// /// Everything below y = 0, 2 wide and deep.
/// struct Pool;
///
/// impl CustomShape for Pool {
///     fn bounds(&self) -> Aabb {
///         Aabb::new([-1.0, 0.0, -1.0], [1.0, 0.0, 1.0])
///     }
///
///     fn cast(&self, ray: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
///         let t = -ray.origin.y / ray.direction.y; // NaN and infinity are passed over
///         let side = if ray.direction.y < 0.0 { Side::Front } else { Side::Back };
///         let _ = offer(CustomHit::new(t, DVec3::Y, side)); // whether it is in the bounds is checked
///     }
/// }
///
/// let mut scene = Scene::new();
/// scene.insert("pool", Custom::new(Pool), DVec3::new(0.0, 1.0, 0.0))?;
/// let hit = scene.cast(&Ray::new([0.5, 3.0, 0.5], [0.0, -1.0, 0.0])).unwrap();
/// assert_eq!((hit.id, hit.t), ("pool", 2.0));
/// assert!(!scene.is_blocked(&Ray::new([1.5, 3.0, 0.5], [0.0, -1.0, 0.0])));
/// # Ok::<(), hitscan::error::SceneError>(())
/// ```
pub trait CustomShape: Send + Sync {
    /// Returns a box around all hits, in the shape's own space. It is infinite along the directions in which the shape is infinite. [`Custom::new`] calls this
    /// once.
    fn bounds(&self) -> Aabb;

    /// Offers the crossings of the surface in the ray's closed range, in the order of t, until `offer` returns `Break`.
    ///
    /// A ray that begins inside offers the exit first. `offer` returns `Break` once no further hit matters: often after the first hit.
    fn cast(&self, ray: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>);

    /// Returns the point of the shape that is farthest along a direction of unit length. Moving volumes use it
    /// ([`SweepQueries::sweep`](crate::SweepQueries::sweep)): they hit the convex hull of these points. Return `None`,
    /// as the default does, for a shape that is not convex or has no such function. Volumes then pass through it. The
    /// bounds are no substitute, because volumes would hit the empty parts of them.
    fn farthest(&self, _direction: DVec3) -> Option<DVec3> {
        None
    }
}

/// A ray as a [`CustomShape`] receives it: in the shape's own space, in f64. Its direction has any length, and t is the
/// same as for the ray in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CustomRay {
    /// The point at t = 0.
    pub origin: DVec3,
    /// The direction of growing t. It is never zero, and its length is the unit of t.
    pub direction: DVec3,
    /// The smallest t that is accepted. The reported t may be rounded up from it.
    pub t_min: f64,
    /// The largest t that is accepted, which may be infinite.
    pub t_max: f64,
}

impl CustomRay {
    /// Returns the point at t.
    pub fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }
}

/// A crossing of a ray with the surface of a [`CustomShape`], in the shape's own space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CustomHit {
    /// Distance along the ray, in units of its direction.
    pub t: f64,
    /// The outward (front) normal, of any length.
    pub normal: DVec3,
    /// The side that the ray hits; never [`Side::Inside`].
    pub side: Side,
    /// Coordinates on the surface, reported as [`Hit::uv`](crate::Hit::uv).
    pub uv: Option<Vec2>,
    /// A number of your own for the feature that was hit, such as a voxel. It is reported as
    /// [`Hit::feature`](crate::Hit::feature).
    pub feature: u32,
}

impl CustomHit {
    /// Makes a crossing without coordinates, on feature 0.
    pub fn new(t: f64, normal: DVec3, side: Side) -> Self {
        Self { t, normal, side, uv: None, feature: 0 }
    }
}

/// A [`CustomShape`] with its bounds, as a scene takes it. Clones share the shape.
#[derive(Clone)]
pub struct Custom {
    shape: Arc<dyn CustomShape>,
    bounds: Aabb,
}

impl FromInside<'_, Custom> {
    /// Casts as [`Custom::cast`] does, but rays that start inside are treated as the view chooses.
    pub fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
        self.solid.closest(ray, self.inside)
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Custom").field("bounds", &self.bounds).finish_non_exhaustive()
    }
}

impl From<Arc<dyn CustomShape>> for Custom {
    fn from(shape: Arc<dyn CustomShape>) -> Self {
        Self { bounds: shape.bounds(), shape }
    }
}

/// An accepted hit, and its reported t.
#[derive(Clone, Copy)]
pub(crate) struct CustomFound {
    pub(crate) t: f32,
    /// The number of hits with the same t that come before it.
    pub(crate) rank: u32,
    pub(crate) hit: CustomHit,
}

impl Custom {
    /// Wraps a shape of your own.
    pub fn new(shape: impl CustomShape + 'static) -> Self {
        Self::from(Arc::new(shape) as Arc<dyn CustomShape>)
    }

    /// Returns the shape.
    pub fn shape(&self) -> &dyn CustomShape {
        &*self.shape
    }

    /// Returns the bounds that the shape gave to [`new`](Self::new).
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Checks whether a scene accepts the shape: its bounds must not be empty or contain a NaN.
    ///
    /// # Errors
    /// Returns an error for such bounds.
    pub fn validate(&self) -> Result<(), ShapeError> {
        let Aabb { min, max } = self.bounds;
        if self.bounds.is_empty() { Err(ShapeError::EmptyBox { min, max }) } else { Ok(()) }
    }

    /// Returns the closest hit of a ray in the shape's own space, as a scene would; `None` on a miss or for an unusable
    /// ray.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
    /// use hitscan::glam::DVec3;
    /// use hitscan::{Aabb, Ray, Side};
    ///
    /// /// The plane y = 0, as far as 1 from the axes.
    /// struct Tile;
    ///
    /// impl CustomShape for Tile {
    ///     fn bounds(&self) -> Aabb {
    ///         Aabb::new([-1.0, 0.0, -1.0], [1.0, 0.0, 1.0])
    ///     }
    ///
    ///     fn cast(&self, ray: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
    ///         let side = if ray.direction.y < 0.0 { Side::Front } else { Side::Back };
    ///         let _ = offer(CustomHit::new(-ray.origin.y / ray.direction.y, DVec3::Y, side));
    ///     }
    /// }
    ///
    /// let hit = Custom::new(Tile).cast(&Ray::new([0.5, 3.0, 0.5], [0.0, -1.0, 0.0])).unwrap();
    /// assert_eq!((hit.t, hit.side), (3.0, Side::Front));
    /// ```
    #[doc = include_str!("../query/edges/own_ray.md")]
    pub fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
        self.closest(ray, Inside::Exit)
    }

    /// Returns the shape with a choice for rays that start inside.
    pub fn when_inside(&self, inside: Inside) -> FromInside<'_, Self> {
        FromInside { solid: self, inside }
    }

    fn closest(&self, ray: &Ray, inside: Inside) -> Option<ShapeHit> {
        let ray = LocalRay::new(ray)?;
        let mut closest = None;
        let _ = self.each(&ray, inside, RayStart::Anywhere, &mut |found| {
            closest = Some(found);
            ControlFlow::Break(())
        });
        closest.map(|CustomFound { t, hit, .. }| ShapeHit {
            t,
            normal: reported_normal(hit.normal, hit.side, ray.direction),
            side: hit.side,
            uv: hit.uv,
        })
    }

    /// Offers the accepted hits, in the order of t.
    pub(crate) fn each(
        &self,
        ray: &LocalRay,
        inside: Inside,
        start: RayStart,
        offer: &mut dyn FnMut(CustomFound) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (near, far) = box_interval(ray, Slack::NONE, self.bounds.min.as_dvec3(), self.bounds.max.as_dvec3());
        let is_usable = ray.origin.is_finite() && ray.direction.is_finite() && ray.direction != DVec3::ZERO;
        if !is_usable || self.bounds.is_empty() || !(near <= far) {
            return ControlFlow::Continue(());
        }
        let last = f64::NEG_INFINITY;
        let mut filter =
            RuleFilter { ray: *ray, near, far, inside, start, last, offered: None, progress: Progress::Start };
        let mut flow = ControlFlow::Continue(());
        self.shape.cast(&filter.asked(), &mut |hit| {
            if flow.is_continue() && filter.progress != Progress::Over {
                flow = filter.take(hit, offer);
            }
            if filter.progress == Progress::Over { ControlFlow::Break(()) } else { flow }
        });
        flow
    }
}

/// Passes on the hits that obey the rules and are accepted.
struct RuleFilter {
    ray: LocalRay,
    /// The smallest t at which the ray is in the bounds.
    near: f64,
    far: f64,
    inside: Inside,
    start: RayStart,
    /// The t of the hit before.
    last: f64,
    /// The t and the rank of the last hit that was passed on.
    offered: Option<(f32, u32)>,
    progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// No hit so far has obeyed the rules.
    Start,
    Within,
    /// Hits are now beyond the range.
    Over,
}

impl RuleFilter {
    /// Returns the ray that is given to the shape.
    fn asked(&self) -> CustomRay {
        let LocalRay { origin, direction, t_min, t_max } = self.ray;
        // If the start is inside, the exit reveals it, however far away it is.
        let t_max = if self.looks_for_exit() { f32::INFINITY } else { t_max };
        // Values of t are compared as reported, in f32. So a t that is out of the range by less than one f32 step may be rounded into it.
        CustomRay { origin, direction, t_min: t_min.next_down().into(), t_max: t_max.next_up().into() }
    }

    fn looks_for_exit(&self) -> bool {
        self.inside != Inside::Exit && self.start == RayStart::Anywhere && self.progress == Progress::Start
    }

    fn take(&mut self, hit: CustomHit, offer: &mut dyn FnMut(CustomFound) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some((t, hit)) = self.checked(hit) else { return ControlFlow::Continue(()) };
        let progress = core::mem::replace(&mut self.progress, Progress::Within);
        self.last = hit.t;
        if progress == Progress::Start && self.pass_first(&hit, offer)? == FirstHit::Skipped {
            return ControlFlow::Continue(());
        }
        if t > self.ray.t_max {
            self.progress = Progress::Over;
            return ControlFlow::Continue(());
        }
        offer(self.ranked(t, hit))
    }

    fn ranked(&mut self, t: f32, hit: CustomHit) -> CustomFound {
        let rank = self.offered.filter(|(last, _)| *last == t).map_or(0, |(_, rank)| rank.saturating_add(1));
        self.offered = Some((t, rank));
        CustomFound { t, rank, hit }
    }

    /// Returns the hit and its reported t if t is in order, in the range, and in the bounds within the resolution of
    /// f32. The hit is moved into the bounds.
    fn checked(&self, hit: CustomHit) -> Option<(f32, CustomHit)> {
        let reported = reported_t(hit.t)?;
        if !(self.near as f32 <= reported && reported <= self.far as f32) || hit.side == Side::Inside {
            return None;
        }
        let exact = hit.t.max(self.near).min(self.far);
        let t = reported_t(exact)?;
        let is_asked_for = self.ray.t_min <= t && (t <= self.ray.t_max || self.looks_for_exit());
        (is_asked_for && exact >= self.last).then_some((t, CustomHit { t: exact, ..hit }))
    }

    /// Handles the first hit, which reveals where the ray starts. If an exit comes first, the start is inside.
    fn pass_first(
        &mut self,
        hit: &CustomHit,
        offer: &mut dyn FnMut(CustomFound) -> ControlFlow<()>,
    ) -> ControlFlow<(), FirstHit> {
        let side = hit.side;
        let t = self.ray.t_min + 0.0;
        ControlFlow::Continue(match self.start {
            // A ray that leaves the surface outwards can only hit a front next. A back is the surface that the ray left. The ray hits it because its origin was
            // rounded.
            RayStart::OnSurface(Heading::Outwards) if side == Side::Back => FirstHit::Skipped,
            RayStart::OnSurface(Heading::Inwards) if side == Side::Front => FirstHit::Skipped,
            RayStart::Anywhere if side == Side::Back && self.inside == Inside::Ignore => FirstHit::Skipped,
            RayStart::Anywhere if side == Side::Back && self.inside == Inside::Solid && t.is_finite() => {
                let inside = CustomHit { t: t.into(), side: Side::Inside, uv: None, ..*hit };
                offer(self.ranked(t, inside))?;
                FirstHit::Counts
            }
            _ => FirstHit::Counts,
        })
    }
}

/// The treatment of the first hit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstHit {
    Counts,
    Skipped,
}

//! The axis-aligned rectangle: bounds of everything in the plane, and a shape to be hit.

use super::ray::LocalRay2;
use super::{RawHits, Ray2, RayTest2, ShapeError2, Span, area_hits, area_queries};
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::shape::{Slab, slab_span};
use core::array::from_fn;
use glam::{DVec2, Vec2};

/// An axis-aligned rectangle. It is closed: its sides and corners belong to it. It may be flat.
///
/// A ray from outside hits the entry, and a ray from inside hits the exit. Touching a side or corner is a hit, decided
/// exactly. If a direction component is 0 and the origin lies on a side's line, the ray is treated as between that
/// pair of sides. On a corner, the normal of the x side is used. t is computed in f64 with two roundings.
///
/// ```
/// use hitscan::d2::{Ray2, Rect};
///
/// let tile = Rect::new([0.5, 0.5], [2.0, 2.0]);
/// let ray = Ray2::with_direction([-2.0, -2.0], [2.0, 2.0]);
/// assert!(tile.is_blocked(&ray));
/// assert_eq!(tile.interval(&ray), Some((1.25, 2.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// The corner of smallest coordinates.
    pub min: Vec2,
    /// The corner of largest coordinates.
    pub max: Vec2,
}

area_queries!(Rect);

impl Rect {
    /// The empty rectangle, from which a union starts. It hits nothing.
    pub const EMPTY: Self = Self { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    /// Makes a rectangle from its smallest and its largest corner.
    pub fn new(min: impl Into<Vec2>, max: impl Into<Vec2>) -> Self {
        Self { min: min.into(), max: max.into() }
    }

    /// Makes a rectangle of this full size around `center`.
    pub fn from_center_size(center: impl Into<Vec2>, size: impl Into<Vec2>) -> Self {
        let (center, half) = (center.into(), size.into() * 0.5);
        Self { min: center - half, max: center + half }
    }

    /// Returns the smallest rectangle around some points; [`EMPTY`](Self::EMPTY) if there are none. NaN components are ignored.
    pub fn from_points(points: impl IntoIterator<Item = Vec2>) -> Self {
        points.into_iter().fold(Self::EMPTY, |rect, p| Self { min: rect.min.min(p), max: rect.max.max(p) })
    }

    /// Returns the smallest rectangle around both rectangles.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns whether the rectangle contains no point: a minimum is above its maximum, or a component is NaN.
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// Returns whether a point is inside the rectangle or on its outline.
    ///
    /// ```
    /// use hitscan::d2::Rect;
    ///
    /// let rect = Rect::new([0.0, 0.0], [4.0, 2.0]);
    /// assert!(rect.contains([4.0, 1.0]), "it is on a side");
    /// assert!(!rect.contains([4.5, 1.0]));
    /// ```
    #[doc = include_str!("../query/edges/contains_2d.md")]
    pub fn contains(&self, point: impl Into<Vec2>) -> bool {
        let point = point.into();
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Returns the centre.
    pub fn center(&self) -> Vec2 {
        ((self.min.as_dvec2() + self.max.as_dvec2()) * 0.5).as_vec2()
    }

    /// Returns the full side lengths; they are negative where the rectangle is empty.
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// Returns where the ray's whole line enters and leaves the rectangle, `(t_enter, t_exit)`. The interval may begin
    /// before t_min or end after t_max. Returns `None` if the line misses the rectangle, or if the rectangle is outside
    /// the ray's range.
    pub fn interval(&self, ray: &Ray2) -> Option<(f32, f32)> {
        let ray = LocalRay2::in_plane(ray)?;
        let span = self.span(&ray)?;
        let (enter, exit) = (span.enter.t as f32 + 0.0, span.exit.t as f32 + 0.0);
        (enter <= ray.t_max && ray.t_min <= exit).then_some((enter, exit))
    }

    fn span(&self, ray: &LocalRay2) -> Option<Span> {
        if self.is_empty() {
            return None;
        }
        let (min, max) = (self.min.as_dvec2(), self.max.as_dvec2());
        let (o, d) = (ray.origin, ray.direction);
        slab_span::<2>(from_fn(|i| Slab { low: min[i], high: max[i], origin: o[i], direction: d[i] }))
    }
}

impl RayTest2 for Rect {
    fn hits(&self, ray: &LocalRay2, inside: Inside) -> RawHits {
        area_hits(self.span(ray), ray, inside)
    }

    fn outward_normal(&self, _: &LocalRay2, hit: &RawHit) -> DVec2 {
        let axis = DVec2::AXES[hit.feature / 2];
        if hit.feature % 2 == 1 { axis } else { -axis }
    }

    fn bounds(&self) -> Rect {
        *self
    }

    fn validate(&self) -> Result<(), ShapeError2> {
        if self.is_empty() { Err(ShapeError2::EmptyRect { min: self.min, max: self.max }) } else { Ok(()) }
    }
}

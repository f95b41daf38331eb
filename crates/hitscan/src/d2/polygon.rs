//! Ray against convex polygon.

use super::line_predicates::orientation;
use super::ray::LocalRay2;
use super::{RawHits, RayTest2, Rect, ShapeError2, area_hits, area_queries, convex_polygon};
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use alloc::vec::Vec;
use core::cmp::Ordering;
use glam::{DVec2, Vec2};

/// A closed convex polygon with an inside: its sides and corners belong to it. The normals point outwards.
///
/// Hit or miss is decided exactly on the f32 input; t is the exact quotient rounded once. Each query tests every corner.
///
/// ```
/// use hitscan::Inside;
/// use hitscan::d2::{ConvexPolygon, Ray2, ShapeError2};
///
/// let rock = ConvexPolygon::new([[0.0, 0.0], [2.0, 0.0], [3.0, 2.0], [0.0, 2.0]])?;
/// let ray = Ray2::new([1.0, 1.0], [1.0, 0.0]);
/// assert_eq!(rock.cast_t(&ray), Some(1.5));
/// assert!(rock.when_inside(Inside::Ignore).cast(&ray).is_none());
///
/// let arrow = ConvexPolygon::new([[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 1.0]]);
/// assert_eq!(arrow, Err(ShapeError2::NotConvex { index: 3 }));
/// # Ok::<(), ShapeError2>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolygon {
    /// The corners, counter-clockwise.
    corners: Vec<Vec2>,
}

area_queries!(ConvexPolygon);

impl ConvexPolygon {
    /// Makes a polygon from its corners in order, in either orientation. Corners on a straight side are allowed.
    ///
    /// # Errors
    /// Returns an error that names the first invalid item, decided exactly. It is an error if there are fewer than
    /// three corners, or if a corner is not finite or repeats the previous one. The corners must not all be on one
    /// line. The outline must be convex and go around once.
    pub fn new(corners: impl IntoIterator<Item = impl Into<Vec2>>) -> Result<Self, ShapeError2> {
        let mut corners: Vec<Vec2> = corners.into_iter().map(Into::into).collect();
        if winding(&corners)? == Ordering::Less {
            corners[1..].reverse();
        }
        Ok(Self { corners })
    }

    /// Returns its corners, counter-clockwise from the first that was given.
    pub fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    /// Returns whether a point is in the polygon or on its outline, decided exactly.
    ///
    /// ```
    /// use hitscan::d2::ConvexPolygon;
    ///
    /// let diamond = ConvexPolygon::new([[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0], [0.0, -2.0]])?;
    /// assert!(diamond.contains([1.0, 1.0]), "it is on a side");
    /// assert!(!diamond.contains([1.0, 1.001]));
    /// # Ok::<(), hitscan::d2::ShapeError2>(())
    /// ```
    #[doc = include_str!("../query/edges/contains_2d.md")]
    pub fn contains(&self, point: impl Into<Vec2>) -> bool {
        let point = point.into();
        point.is_finite() && convex_polygon::contains(&self.corners, point)
    }
}

/// Returns the orientation of a convex polygon: `Greater` for counter-clockwise, `Less` for clockwise.
fn winding(corners: &[Vec2]) -> Result<Ordering, ShapeError2> {
    let count = corners.len();
    if count < 3 {
        return Err(ShapeError2::TooFewCorners { count });
    }
    if let Some(index) = corners.iter().position(|corner| !corner.is_finite()) {
        return Err(ShapeError2::Corner { index, position: corners[index] });
    }
    let around = |i: usize| [corners[(i + count - 1) % count], corners[i], corners[(i + 1) % count]];
    if let Some(index) = (0..count).find(|&i| around(i)[0] == corners[i]) {
        return Err(ShapeError2::Repeated { index });
    }
    let turn = |i: usize| {
        let [a, b, c] = around(i);
        orientation(a, b, c)
    };
    if (0..count).all(|i| turn(i) == Ordering::Equal) {
        return Err(ShapeError2::NoArea);
    }
    // The turn at an outermost corner has the orientation of the outline, whatever the other turns are. If there is no turn, the outline goes straight back
    // there.
    let outermost = outermost(corners);
    let winding = turn(outermost);
    if winding == Ordering::Equal {
        return Err(ShapeError2::NotConvex { index: outermost });
    }
    let goes_on = |i: usize| match turn(i) {
        Ordering::Equal => heading(around(i)[0], corners[i]) == heading(corners[i], around(i)[2]),
        turn => turn == winding,
    };
    if let Some(index) = (0..count).find(|&i| !goes_on(i)) {
        return Err(ShapeError2::NotConvex { index });
    }
    // Every turn is less than half a circle, so in each lap the heading enters each half of the directions once.
    let starts_lap = |i: &usize| {
        let [a, b, c] = around(*i);
        is_upward(a, b) != (winding == Ordering::Greater) && is_upward(b, c) == (winding == Ordering::Greater)
    };
    match (0..count).filter(starts_lap).nth(1) {
        Some(index) => Err(ShapeError2::NotConvex { index }),
        None => Ok(winding),
    }
}

/// Returns the corner of smallest x, and among corners with equal x the corner of smallest y. This corner is not
/// between two other corners on a straight line.
fn outermost(corners: &[Vec2]) -> usize {
    let key = |i: &usize| (corners[*i].x, corners[*i].y);
    let order = |i: &usize, j: &usize| key(i).partial_cmp(&key(j)).unwrap_or(Ordering::Equal);
    (0..corners.len()).min_by(order).unwrap_or(0)
}

/// Returns the signs of the two components of b - a. For two parallel edges, they are equal if and only if the edges have the same direction.
fn heading(a: Vec2, b: Vec2) -> [Option<Ordering>; 2] {
    [b.x.partial_cmp(&a.x), b.y.partial_cmp(&a.y)]
}

/// Returns whether the angle of an edge with the x axis is at least 0 and less than half a circle.
fn is_upward(a: Vec2, b: Vec2) -> bool {
    b.y > a.y || (b.y == a.y && b.x > a.x)
}

impl RayTest2 for ConvexPolygon {
    fn hits(&self, ray: &LocalRay2, inside: Inside) -> RawHits {
        area_hits(convex_polygon::span(&self.corners, ray), ray, inside)
    }

    fn outward_normal(&self, _: &LocalRay2, hit: &RawHit) -> DVec2 {
        convex_polygon::edge(&self.corners, hit.feature).normal()
    }

    fn bounds(&self) -> Rect {
        Rect::from_points(self.corners.iter().copied())
    }

    fn validate(&self) -> Result<(), ShapeError2> {
        winding(&self.corners).map(|_| ())
    }
}

//! Ray against axis-aligned box.

use super::{Crossing, RawHits, RayTest, Span, Spans, Start, resolve, solid_queries};
use crate::aabb::Aabb;
use crate::error::ShapeError;
use crate::exact::{self, Term};
use crate::filter::Inside;
use crate::float::UNIT_ROUNDOFF;
use crate::hit::RawHit;
use crate::ray::{LocalRay, Ray};
use core::cmp::Ordering;
use glam::DVec3;

solid_queries!(Aabb);

impl Aabb {
    /// Where the ray's whole line enters and leaves the box, `(t_enter, t_exit)`, which may begin before t_min or end after t_max; `None` if
    /// the line misses the box or passes it outside the ray's range.
    pub fn interval(&self, ray: &Ray) -> Option<(f32, f32)> {
        let ray = LocalRay::new(ray)?;
        let span = self.span(&ray)?;
        let (enter, exit) = (span.enter.t as f32 + 0.0, span.exit.t as f32 + 0.0);
        (enter <= ray.t_max && ray.t_min <= exit).then_some((enter, exit))
    }

    /// The slab test (T. L. Kay, J. T. Kajiya, "Ray Tracing Complex Scenes", 1986) by division, which unlike a product with
    /// the reciprocal is monotone; where entry and exit cannot be told apart after rounding, they are compared exactly.
    fn span(&self, ray: &LocalRay) -> Option<Span> {
        if self.is_empty() {
            return None;
        }
        let mut enter: Option<Slab> = None;
        let mut exit: Option<Slab> = None;
        for axis in 0..3 {
            let (low, high) = (f64::from(self.min[axis]), f64::from(self.max[axis]));
            let (o, d) = (ray.origin[axis], ray.direction[axis]);
            if d == 0.0 {
                if !(low <= o && o <= high) {
                    return None;
                }
                continue;
            }
            let (near, far) = if d > 0.0 { (low, high) } else { (high, low) };
            let entry = Slab::new(near, o, d, axis);
            let leave = Slab::new(far, o, d, axis);
            // Strictly: on an edge the first axis keeps its face.
            if enter.is_none_or(|e| entry.compare(&e) == Ordering::Greater) {
                enter = Some(entry);
            }
            if exit.is_none_or(|e| leave.compare(&e) == Ordering::Less) {
                exit = Some(leave);
            }
        }
        let (enter, exit) = (enter?, exit?);
        let order = enter.compare(&exit);
        if order == Ordering::Greater {
            return None;
        }
        let enter_t = enter.reported();
        // Not before the entry, where rounding swapped two that differ by less than it.
        let exit_t = if order == Ordering::Equal { enter_t } else { exit.reported().max(enter_t) };
        Some(Span {
            enter: Crossing { t: enter_t, feature: face(enter.axis, enter.direction > 0.0) },
            exit: Crossing { t: exit_t, feature: face(exit.axis, exit.direction < 0.0) },
        })
    }
}

/// Where the ray's line crosses one face's plane, t = (plane - origin) / direction in one component.
#[derive(Clone, Copy)]
struct Slab {
    plane: f64,
    origin: f64,
    direction: f64,
    t: f64,
    axis: usize,
}

impl Slab {
    fn new(plane: f64, origin: f64, direction: f64, axis: usize) -> Self {
        Self { plane, origin, direction, t: (plane - origin) / direction, axis }
    }

    /// t in f64, but such that its f32 is the exact quotient rounded once.
    fn reported(&self) -> f64 {
        // Two roundings, and a third here.
        let error = 4.0 * UNIT_ROUNDOFF * self.t.abs();
        if (self.t - error) as f32 == (self.t + error) as f32 {
            return self.t;
        }
        let along = |sign, x| Term(sign, DVec3::X * x, DVec3::Y, DVec3::Z);
        let numerator = [along(1.0, self.plane), along(-1.0, self.origin)];
        exact::quotient(&numerator, &[along(1.0, self.direction)]).map_or(self.t, f64::from)
    }

    /// The true order of the two quotients: that of the f64s if they differ by more than their two roundings each,
    /// else by cross-multiplication.
    fn compare(&self, other: &Self) -> Ordering {
        let error = 4.0 * UNIT_ROUNDOFF * (self.t.abs() + other.t.abs());
        let difference = self.t - other.t;
        if difference.abs() > error {
            return difference.total_cmp(&0.0);
        }
        if !(self.plane.is_finite() && other.plane.is_finite()) {
            return self.t.total_cmp(&other.t);
        }
        let order = exact::sign_of_products(&[
            [self.plane, other.direction, 1.0, 1.0],
            [-self.origin, other.direction, 1.0, 1.0],
            [-other.plane, self.direction, 1.0, 1.0],
            [other.origin, self.direction, 1.0, 1.0],
        ]);
        if (self.direction < 0.0) == (other.direction < 0.0) { order } else { order.reverse() }
    }
}

/// A face's code: twice the axis, plus one for the face of the larger coordinate.
fn face(axis: usize, low: bool) -> u8 {
    2 * axis as u8 + u8::from(!low)
}

impl RayTest for Aabb {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: Start) -> RawHits {
        resolve(Spans::from_option(self.span(ray)), ray, inside, start)
    }

    fn outward_normal(&self, _: &LocalRay, hit: &RawHit) -> DVec3 {
        let axis = DVec3::AXES[usize::from(hit.feature / 2)];
        if hit.feature % 2 == 1 { axis } else { -axis }
    }

    fn bounds(&self) -> Aabb {
        *self
    }

    fn validate(&self) -> Result<(), ShapeError> {
        if self.is_empty() { Err(ShapeError::EmptyBox { min: self.min, max: self.max }) } else { Ok(()) }
    }
}

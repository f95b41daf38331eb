//! Evenly spread points in shapes.

use super::{RayStart, Shape};
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::Side;
use crate::geom::ray::LocalRay;
use crate::math::float::round_vec3;
use crate::math::splitmix64::splitmix64;
use alloc::vec::Vec;
use glam::{DVec3, Vec3};

impl Shape {
    /// Returns points in a solid, or on a flat shape, spread evenly in its local space. They are the same for the same seed, on every platform.
    ///
    /// Use them to measure how much of a thing is visible: [`RayQueries::visibility`](crate::RayQueries::visibility). Points of a solid are inside or on its
    /// surface. For a shape that fills less than a hundredth of its box, there are fewer than `count` points, or none. A plane, and a shape that
    /// [`validate`](Self::validate) rejects, have no points. At most 256 places are tried for each point.
    ///
    /// ```
    /// use hitscan::{Capsule, Shape, glam::Vec3};
    ///
    /// let body = Shape::from(Capsule::new(0.4, 1.8));
    /// let points = body.sample_points(64, 7);
    /// assert_eq!((points.len(), &points), (64, &body.sample_points(64, 7)));
    /// assert!(points.iter().all(|point| body.bounds().contains(*point)));
    /// ```
    pub fn sample_points(&self, count: usize, seed: u64) -> Vec<Vec3> {
        let bounds = self.bounds();
        if self.validate().is_err() || !(bounds.min.is_finite() && bounds.max.is_finite()) {
            return Vec::new();
        }
        let (tries, axis) = (count.saturating_mul(TRIES), self.axis_across());
        evenly(&bounds, seed).take(tries).filter_map(|point| self.sample(point, axis)).take(count).collect()
    }

    /// Returns a point of the shape's box if the point is in the solid. For a flat shape, returns the point on the shape along an axis that crosses it.
    fn sample(&self, point: DVec3, axis: Option<DVec3>) -> Option<Vec3> {
        let line = |direction| LocalRay { origin: point, direction, t_min: f32::NEG_INFINITY, t_max: f32::INFINITY };
        if let Some(is_inside) = self.test().quick_inside(point) {
            return is_inside.then(|| round_vec3(point));
        }
        let Some(axis) = axis else {
            let ray = LocalRay { t_min: 0.0, ..line(DVec3::X) };
            let hits = self.test().hits(&ray, Inside::Solid, RayStart::Anywhere);
            return hits.iter().any(|hit| hit.side == Side::Inside).then(|| round_vec3(point));
        };
        let line = line(axis);
        let hit = self.test().hits(&line, Inside::Exit, RayStart::Anywhere).iter().next()?;
        Some(round_vec3(line.at(hit.exact_t)))
    }

    /// Returns the axis that is nearest to the normal of a flat shape.
    fn axis_across(&self) -> Option<DVec3> {
        let (_, normal) = self.test().front()?;
        Some(DVec3::AXES[normal.abs().max_position()])
    }
}

/// The number of points of the box that are tried for each point of a shape.
const TRIES: usize = 256;

/// Returns an endless sequence of points of a box with low discrepancy: the additive recurrence of the root of x^4 = x + 1 (M. Roberts, "The Unreasonable
/// Effectiveness of Quasirandom Sequences", 2018), shifted by the seed (R. Cranley, T. Patterson, "Randomization of Number Theoretic Methods for Multiple
/// Integration", 1976). It uses whole numbers, so that it is the same everywhere.
fn evenly(bounds: &Aabb, seed: u64) -> impl Iterator<Item = DVec3> {
    let step = [0.819_172_513_396_164_5, 0.671_043_606_703_789_3, 0.549_700_477_901_970_3]
        .map(|part: f64| (part * TURN) as u64);
    let (min, size) = (bounds.min.as_dvec3(), bounds.max.as_dvec3() - bounds.min.as_dvec3());
    let mut state = seed;
    let shift: [u64; 3] = core::array::from_fn(|_| splitmix64(&mut state));
    (1..u64::MAX).map(move |number| {
        let part = |axis: usize| shift[axis].wrapping_add(number.wrapping_mul(step[axis])) as f64 / TURN;
        min + size * DVec3::new(part(0), part(1), part(2))
    })
}

/// This is 2^64.
const TURN: f64 = 18_446_744_073_709_551_616.0;

//! Entity collisions by ray: a moving point, the ground below, and line of sight.

use super::{Candidate, Hit, Query};
use crate::float::round_vec3;
use crate::ray::Ray;
use crate::scene::Scene;
use core::hash::Hash;
use glam::Vec3;

/// How far a moving point came, and how it would go on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PointMove<K> {
    /// Where it ends: at the hit's point, or after the whole motion.
    pub position: Vec3,
    /// What stopped it; its t is the fraction of the motion. `None` if nothing did.
    pub hit: Option<Hit<K>>,
    /// The part of the motion that was not made; zero if nothing stopped it.
    pub remaining: Vec3,
    /// The remaining motion without its component into the surface: the motion to try next to slide along it.
    pub slide: Vec3,
}

/// What a point stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ground<K> {
    /// Where; its t is the distance below the point.
    pub hit: Hit<K>,
    /// Cosine of the slope: the ground's facing normal along the up direction. 1 is level, 0 a wall.
    pub slope_cos: f32,
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// Moves a point until it meets something: both ends of the motion count. A zero motion meets nothing.
    ///
    /// To slide, move on from `position` by `slide` with a query [`after`](Query::after) the hit.
    pub fn move_point(&self, from: impl Into<Vec3>, motion: impl Into<Vec3>) -> PointMove<K> {
        self.move_point_with(from, motion, &Query::new())
    }

    /// [`move_point`](Self::move_point) against what the query lets count.
    pub fn move_point_with<F: Fn(&Candidate<'_, K>) -> bool>(
        &self,
        from: impl Into<Vec3>,
        motion: impl Into<Vec3>,
        query: &Query<K, F>,
    ) -> PointMove<K> {
        let (from, motion) = (from.into(), motion.into());
        let ray = Ray::with_direction(from, motion).with_range(0.0, 1.0);
        let Some(hit) = self.cast_with(&ray, query) else {
            return PointMove { position: ray.at(1.0), hit: None, remaining: Vec3::ZERO, slide: Vec3::ZERO };
        };
        let remaining = motion.as_dvec3() * (1.0 - f64::from(hit.t));
        let normal = hit.normal.as_dvec3();
        let slide = remaining - normal * (remaining.dot(normal) / normal.length_squared());
        let [remaining, slide] = [remaining, slide].map(round_vec3);
        PointMove { position: hit.point, hit: Some(hit), remaining, slide }
    }

    /// What is at most `reach` below a point, `up` being any vector upwards; `None` if nothing is, or for a zero `up`.
    pub fn ground_below(&self, point: impl Into<Vec3>, up: impl Into<Vec3>, reach: f32) -> Option<Ground<K>> {
        self.ground_below_with(point, up, reach, &Query::new())
    }

    /// [`ground_below`](Self::ground_below) among what the query lets count.
    pub fn ground_below_with<F: Fn(&Candidate<'_, K>) -> bool>(
        &self,
        point: impl Into<Vec3>,
        up: impl Into<Vec3>,
        reach: f32,
        query: &Query<K, F>,
    ) -> Option<Ground<K>> {
        let down = Ray::new(point, -up.into()).with_range(0.0, reach);
        let hit = self.cast_with(&down, query)?;
        let slope_cos = -hit.facing_normal().as_dvec3().dot(down.direction.as_dvec3()) as f32;
        Some(Ground { hit, slope_cos })
    }

    /// Whether nothing stands between a point of one entity and a point of another, neither of which counts as an
    /// obstacle itself.
    ///
    /// Obstacles at either end count. Equal points see each other.
    pub fn line_of_sight(&self, from: (K, Vec3), to: (K, Vec3)) -> bool {
        self.line_of_sight_with(from, to, &Query::new())
    }

    /// [`line_of_sight`](Self::line_of_sight) with the query's obstacles, less the two entities.
    pub fn line_of_sight_with<F: Fn(&Candidate<'_, K>) -> bool>(
        &self,
        (viewer, eye): (K, Vec3),
        (target, point): (K, Vec3),
        query: &Query<K, F>,
    ) -> bool {
        let others = query.by_ref().exclude(viewer).exclude(target);
        !self.is_blocked_with(&Ray::between(eye, point), &others)
    }
}

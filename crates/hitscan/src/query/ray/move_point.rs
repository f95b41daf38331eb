//! Collisions with entities by rays: a moving point, the ground below a point, and line of sight.

use super::hit::{Hit, rounding_along};
use crate::geom::ray::Ray;
use crate::math::float::{length, round_vec3};
use crate::query::view::RayView;
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// The result of moving a point: the motion that was made, and the motion that remains.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PointMove<K> {
    /// The end position.
    pub position: Vec3,
    /// The fraction of the motion that was made, from 0 to 1.
    pub fraction: f32,
    /// The hit that stopped the point. Its t is the fraction of the motion at which the point would be on the surface.
    /// If only the skin reaches the surface, the t is above 1. `None` if nothing stopped the point.
    pub hit: Option<Hit<K>>,
    /// The part of the motion that was not made; zero if nothing stopped the point.
    pub remaining: Vec3,
    /// The remaining motion without its component into the surface. It never points into the surface. Make this motion next to slide along the surface.
    pub slide: Vec3,
}

/// The ground that a point stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ground<K> {
    /// The hit. Its t is the distance below the point.
    pub hit: Hit<K>,
    /// Cosine of the slope, between the ground's facing normal and the up direction. It is 1 on level ground and 0 at a wall.
    pub slope_cos: f32,
}

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Moves a point until its distance from a surface is the skin.
    pub(in crate::query) fn moved_point(&self, from: Vec3, motion: Vec3, skin: f32) -> PointMove<K> {
        // The ray continues beyond the end, because the end may be within the skin of something.
        let ray = Ray::with_direction(from, motion);
        let skin = f64::from(skin.max(0.0));
        let stop = self.cast_closest(&ray).map(|hit| {
            let normal = hit.facing_normal().as_dvec3();
            // If the point only grazes a surface, as far as f64 can tell, its whole path to the surface is within the skin.
            let speed = (-motion.as_dvec3().dot(normal)).max(0.0);
            let fraction = if skin > 0.0 { f64::from(hit.t) - skin / speed } else { f64::from(hit.t) };
            (hit, normal, fraction.max(0.0))
        });
        let Some((hit, normal, fraction)) = stop.filter(|(_, _, fraction)| *fraction <= 1.0) else {
            let moves = ray.validate().is_ok();
            let position = if moves { ray.at(1.0) } else { from };
            let fraction = if moves { 1.0 } else { 0.0 };
            return PointMove { position, fraction, hit: None, remaining: Vec3::ZERO, slide: Vec3::ZERO };
        };
        let remaining = motion.as_dvec3() * (1.0 - fraction);
        let position = if skin > 0.0 { ray.at(fraction as f32) } else { hit.point };
        PointMove {
            position,
            fraction: fraction as f32,
            hit: Some(hit),
            remaining: round_vec3(remaining),
            slide: along(remaining, normal),
        }
    }

    /// Returns the ground below a point.
    pub(in crate::query) fn ground(&self, point: Vec3, up: Vec3, reach: f32) -> Option<Ground<K>> {
        let down = Ray::new(point, -up).with_range(0.0, reach);
        let hit = self.cast_closest(&down)?;
        let slope_cos = -hit.facing_normal().as_dvec3().dot(down.direction.as_dvec3()) as f32;
        Some(Ground { hit, slope_cos })
    }

    /// Returns whether nothing is between two points. The entities that the points belong to are ignored.
    pub(in crate::query) fn is_clear_between(&self, (viewer, eye): (K, Vec3), (target, point): (K, Vec3)) -> bool {
        let view = self.view;
        let filter = view.filter.cloned().unwrap_or_default().layers(view.layers).cull(view.cull);
        let others = filter.exclude(viewer).exclude(target);
        RayView { view: view.with(&others), ..*self }.is_clear(eye, point)
    }

    /// Returns whether nothing is on the segment between two points, both ends included. Equal points see each other.
    pub(in crate::query) fn is_clear(&self, eye: Vec3, point: Vec3) -> bool {
        let sight = Ray::between(eye, point);
        eye.is_finite() && (eye == point || (sight.validate().is_ok() && !self.cast_any(&sight)))
    }
}

/// Returns a motion without its component along a unit normal. The motion is rotated away from the surface by the largest angle by which rounding may rotate it
/// into the surface.
fn along(motion: DVec3, normal: DVec3) -> Vec3 {
    let slide = motion - normal * (motion.dot(normal) / normal.length_squared());
    round_vec3(slide + normal * (rounding_along(normal) * length(slide)))
}

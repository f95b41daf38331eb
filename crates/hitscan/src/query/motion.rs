//! Entity collisions by ray: a moving point, the ground below, and line of sight.

use super::hit::rounding_along;
use super::{Hit, RayView};
use crate::float::{length, round_vec3};
use crate::ray::Ray;
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// How far a moving point came, and how it would go on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PointMove<K> {
    /// Where it ends.
    pub position: Vec3,
    /// How much of the motion was made, 0 to 1.
    pub fraction: f32,
    /// What stopped it; its t is the fraction of the motion at which the point would be on the surface, above 1 where
    /// only the skin reaches it. `None` if nothing did.
    pub hit: Option<Hit<K>>,
    /// The part of the motion that was not made; zero if nothing stopped it.
    pub remaining: Vec3,
    /// The remaining motion without its component into the surface, and never into it: the motion to try next to slide
    /// along it.
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

impl<K: Copy + Eq + Hash> RayView<'_, K> {
    /// How far a point moves until it is within a skin of something.
    pub(super) fn moved_point(&self, from: Vec3, motion: Vec3, skin: f32) -> PointMove<K> {
        // Beyond the end too: the end may be within the skin of something.
        let ray = Ray::with_direction(from, motion);
        let skin = f64::from(skin.max(0.0));
        let stop = self.closest(&ray).map(|hit| {
            let normal = hit.facing_normal().as_dvec3();
            // Against a surface that is only grazed, as far as f64 can tell, every way to it is within the skin.
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

    /// The ground below a point.
    pub(super) fn ground(&self, point: Vec3, up: Vec3, reach: f32) -> Option<Ground<K>> {
        let down = Ray::new(point, -up).with_range(0.0, reach);
        let hit = self.closest(&down)?;
        let slope_cos = -hit.facing_normal().as_dvec3().dot(down.direction.as_dvec3()) as f32;
        Some(Ground { hit, slope_cos })
    }

    /// Whether nothing is between two points; the entities that they belong to do not count.
    pub(super) fn is_clear_between(&self, (viewer, eye): (K, Vec3), (target, point): (K, Vec3)) -> bool {
        let view = self.view;
        let filter = view.filter.cloned().unwrap_or_default().layers(view.layers).cull(view.cull);
        let others = filter.exclude(viewer).exclude(target);
        RayView { view: view.with(&others), ..*self }.is_clear(eye, point)
    }

    /// Whether nothing is between two points, both of which count as seen.
    pub(super) fn is_clear(&self, eye: Vec3, point: Vec3) -> bool {
        let sight = Ray::between(eye, point);
        eye.is_finite() && (eye == point || (sight.validate().is_ok() && !self.any(&sight)))
    }
}

/// A motion without its component along a unit normal, turned away from the surface by what rounding may turn it into
/// it.
fn along(motion: DVec3, normal: DVec3) -> Vec3 {
    let slide = motion - normal * (motion.dot(normal) / normal.length_squared());
    round_vec3(slide + normal * (rounding_along(normal) * length(slide)))
}

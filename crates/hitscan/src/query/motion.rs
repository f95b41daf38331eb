//! Entity collisions by ray: a moving point, the ground below, and line of sight.

use super::hit::rounding_along;
use super::{Filter, Hit, Query};
use crate::float::{length, round_vec3};
use crate::ray::Ray;
use crate::scene::Scene;
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

impl<K: Copy + Eq + Hash> Scene<K> {
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
    /// use hitscan::{Plane, Scene, glam::Vec3};
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
    #[doc(alias("slide", "collide_and_slide"))]
    pub fn move_point(&self, from: impl Into<Vec3>, motion: impl Into<Vec3>, skin: f32) -> PointMove<K> {
        self.move_point_with(from, motion, skin, &Query::new())
    }

    /// [`move_point`](Self::move_point) against what the query lets count.
    pub fn move_point_with<F: Filter<K>>(
        &self,
        from: impl Into<Vec3>,
        motion: impl Into<Vec3>,
        skin: f32,
        query: &Query<K, F>,
    ) -> PointMove<K> {
        let (from, motion) = (from.into(), motion.into());
        // Beyond the end too: the end may be within the skin of something.
        let ray = Ray::with_direction(from, motion);
        let skin = f64::from(skin.max(0.0));
        let stop = self.cast_with(&ray, query).map(|hit| {
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

    /// What is at most `reach` below a point, `up` being any vector upwards; `None` if nothing is, or for a zero `up`.
    ///
    /// Ask from well above the ground, such as the hip: a point on it is rounded to below it as often as not.
    #[doc(alias("ground_check", "floor", "snap_to_ground"))]
    pub fn ground_below(&self, point: impl Into<Vec3>, up: impl Into<Vec3>, reach: f32) -> Option<Ground<K>> {
        self.ground_below_with(point, up, reach, &Query::new())
    }

    /// [`ground_below`](Self::ground_below) among what the query lets count.
    pub fn ground_below_with<F: Filter<K>>(
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
    /// Obstacles at either end count. Equal points see each other; points that are not finite, or too far apart for
    /// f32, see nothing.
    #[doc(alias("visible", "can_see", "linecast", "occlusion"))]
    pub fn line_of_sight(&self, from: (K, impl Into<Vec3>), to: (K, impl Into<Vec3>)) -> bool {
        self.line_of_sight_with(from, to, &Query::new())
    }

    /// [`line_of_sight`](Self::line_of_sight) with the query's obstacles, less the two entities.
    pub fn line_of_sight_with<F: Filter<K>>(
        &self,
        (viewer, eye): (K, impl Into<Vec3>),
        (target, point): (K, impl Into<Vec3>),
        query: &Query<K, F>,
    ) -> bool {
        self.is_clear(eye.into(), point.into(), &query.by_ref().exclude(viewer).exclude(target))
    }

    /// Whether nothing is between two points.
    pub(super) fn is_clear<F: Filter<K>>(&self, eye: Vec3, point: Vec3, query: &Query<K, F>) -> bool {
        let sight = Ray::between(eye, point);
        eye.is_finite() && (eye == point || (sight.validate().is_ok() && !self.is_blocked_with(&sight, query)))
    }
}

/// A motion without its component along a unit normal, turned away from the surface by what rounding may turn it into
/// it.
fn along(motion: DVec3, normal: DVec3) -> Vec3 {
    let slide = motion - normal * (motion.dot(normal) / normal.length_squared());
    round_vec3(slide + normal * (rounding_along(normal) * length(slide)))
}

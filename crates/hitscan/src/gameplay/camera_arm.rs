//! A camera that stays behind a target without clipping into walls.

use crate::convex::is_usable;
use crate::math::float::unit;
use crate::query::{SweepQueries, View};
use crate::shape::Sphere;
use crate::sweep::ContactFilter;
use core::hash::Hash;
use glam::DVec3;

/// An arm that holds a camera away from a target, as far as there is room.
///
/// ```
/// use hitscan::gameplay::CameraArm;
/// use hitscan::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.insert("wall", Aabb::new([-5.0, 0.0, 3.0], [5.0, 4.0, 3.5]), DVec3::ZERO)?;
/// scene.insert("hero", Capsule::new(0.3, 1.8), [0.0, 0.9, 0.0])?;
/// let others = Filter::new().exclude("hero");
/// let arm = CameraArm { length: 6.0, radius: 0.25 };
/// let end = arm.end(scene.with(&others), [0.0, 1.6, 0.0], [0.0, 0.0, 1.0]);
/// assert_eq!((end.blocked_by, end.length), (Some("wall"), 2.75));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraArm {
    /// The distance of the camera from its target if nothing blocks it, in world units.
    pub length: f64,
    /// The radius of the ball that the camera keeps free around itself. Choose at least the distance from the eye to a corner
    /// of the near plane.
    pub radius: f32,
}

/// The place of a camera at the end of its arm.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ArmEnd<K> {
    /// The place of the camera, relative to the view's origin.
    pub position: DVec3,
    /// The distance of the camera from the target.
    pub length: f64,
    /// The entity that blocks the full length; `None` if nothing does.
    pub blocked_by: Option<K>,
}

impl CameraArm {
    /// Returns the end of the arm that goes from a target in a direction of any length. Exclude the target's own entity with a filter.
    ///
    /// If the target stands against a wall, the camera may touch or overlap that wall at the start of the arm. The wall
    /// does not stop the camera if it moves away from the wall. But if the target point is inside a solid, there is no
    /// room at all. With bad input, including a negative length, the end is at the target.
    ///
    /// ```
    /// use hitscan::gameplay::CameraArm;
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("wall", Aabb::new([-5.0, 0.0, 3.0], [5.0, 4.0, 3.5]), DVec3::ZERO)?;
    /// let end = |length: f64| CameraArm { length, radius: 0.25 }.end(&scene, [0.0, 1.6, 0.0], [0.0, 0.0, 2.0]);
    /// assert_eq!((end(6.0).blocked_by, end(6.0).length), (Some("wall"), 2.75));
    /// assert_eq!((end(2.75).blocked_by, end(2.75).length), (None, 2.75)); // It only touches the wall.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/arm.md")]
    pub fn end<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<View<'a, K>>,
        target: impl Into<DVec3>,
        direction: impl Into<DVec3>,
    ) -> ArmEnd<K> {
        let (view, target) = (view.into(), target.into());
        let motion = unit(direction.into()).map_or(DVec3::ZERO, |along| along * self.length);
        let lens = Sphere::new(self.radius);
        let is_usable = self.length >= 0.0 && is_usable(motion) && is_usable(view.origin + target);
        if !is_usable || motion == DVec3::ZERO || lens.validate().is_err() {
            return ArmEnd { position: target, length: 0.0, blocked_by: None };
        }
        let hit = view.contact_filter(ContactFilter::Ahead).sweep(lens, target, motion);
        let motion = motion * hit.as_ref().map_or(1.0, |hit| hit.t_f64());
        ArmEnd { position: target + motion, length: motion.length(), blocked_by: hit.map(|hit| hit.id) }
    }
}

//! Ledges to hang on.

use crate::math::float::unit;
use crate::query::{SweepHit, SweepQueries, View};
use crate::shape::Sphere;
use crate::sweep::ContactFilter;
use core::hash::Hash;
use glam::DVec3;

/// A probe for the edge of a surface in front of a character, at a height where hands reach.
///
/// ```
/// use hitscan::gameplay::LedgeProbe;
/// use hitscan::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.insert("roof", Aabb::new([-5.0, 0.0, 1.0], [5.0, 2.0, 5.0]), DVec3::ZERO)?;
/// let probe = LedgeProbe { reach: 1.0, lowest: 1.2, highest: 2.4, radius: 0.05, max_slope: 0.6 };
/// let ledge = probe.find(&scene, [0.0, 0.0, 0.3], [0.0, 0.0, 1.0], DVec3::Y).unwrap();
/// assert_eq!(ledge.id, "roof");
/// assert!((ledge.point - DVec3::new(0.0, 2.0, 1.0)).length() < 1e-6);
/// assert!((ledge.wall_normal - DVec3::NEG_Z).length() < 1e-6);
/// assert!(probe.find(&scene, [0.0, 1.0, 0.3], [0.0, 0.0, 1.0], DVec3::Y).is_none()); // now it is a step of 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LedgeProbe {
    /// The distance ahead at which an edge is looked for, in world units.
    pub reach: f64,
    /// The least height of the edge above the feet.
    pub lowest: f64,
    /// The largest height of the edge above the feet.
    pub highest: f64,
    /// The radius of the ball that feels for the surface: about that of a hand. It falls through no gap that is narrower.
    pub radius: f32,
    /// The steepest surface behind the edge, in radians from level.
    pub max_slope: f64,
}

/// An edge with a surface behind it and a wall below. All vectors are in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ledge<K> {
    /// The entity of the surface.
    pub id: K,
    /// The point of the edge in front of the character.
    pub point: DVec3,
    /// The unit normal of the surface.
    pub top_normal: DVec3,
    /// The unit normal of the wall below the edge.
    pub wall_normal: DVec3,
}

impl LedgeProbe {
    /// Finds the nearest edge ahead of the feet, in a direction of any length across `up`, which is of any length
    /// too. Leave the character itself out with a filter.
    ///
    /// The way of the hand, up from the feet at the highest edge and then ahead, must be free. Returns `None` if there is no edge, and for bad input.
    pub fn find<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<View<'a, K>>,
        feet: impl Into<DVec3>,
        forward: impl Into<DVec3>,
        up: impl Into<DVec3>,
    ) -> Option<Ledge<K>> {
        let (view, feet, up) = (view.into(), feet.into(), unit(up.into())?);
        let forward = unit(forward.into().reject_from_normalized(up))?;
        let hand = Hand { view, ball: Sphere::new(self.radius) };
        let radius = f64::from(self.radius);
        let is_usable = radius > 0.0 && self.reach.is_finite() && (0.0..=self.highest).contains(&self.lowest);
        let above = feet + up * (self.highest + radius);
        if !is_usable
            || hand.meets(feet + up * (self.lowest + radius), above - (feet + up * (self.lowest + radius))).is_some()
        {
            return None;
        }
        let steps = (self.reach / radius).min(MOST_STEPS) as u32;
        let free = hand.meets(above, forward * self.reach).map_or(self.reach, |hit| hit.t_f64() * self.reach);
        (1..=steps)
            .map(|step| self.reach * f64::from(step) / f64::from(steps))
            .take_while(|ahead| *ahead <= free)
            .find_map(|ahead| {
                let top = hand.meets(above + forward * ahead, up * (self.lowest - self.highest))?;
                let top_normal = top.surface_normal.as_dvec3();
                if top_normal.dot(up) < libm::cos(self.max_slope) || top.t_f64() == 0.0 {
                    return None;
                }
                // The hand feels for the wall just below the surface.
                let height = (top.point_f64() - feet).dot(up);
                let below = feet + up * (height - radius);
                let wall = hand.meets(below, forward * (ahead + radius))?;
                let wall_normal = wall.surface_normal.as_dvec3();
                let point = wall.point_f64() + up * (height - (wall.point_f64() - feet).dot(up));
                (wall_normal.dot(forward) < 0.0).then_some(Ledge { id: top.id, point, top_normal, wall_normal })
            })
    }
}

/// A probe feels at so many places at most.
const MOST_STEPS: f64 = 64.0;

/// A ball that feels for surfaces.
struct Hand<'a, K> {
    view: View<'a, K>,
    ball: Sphere,
}

impl<K: Clone + Eq + Hash> Hand<'_, K> {
    fn meets(&self, from: DVec3, motion: DVec3) -> Option<SweepHit<K>> {
        self.view.contact_filter(ContactFilter::Ahead).sweep(self.ball, from, motion)
    }
}

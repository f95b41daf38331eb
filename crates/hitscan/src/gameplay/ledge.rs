//! Ledges that a character can hang on.

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
    /// The distance ahead within which an edge is searched for, in world units.
    pub reach: f64,
    /// The least height of the edge above the feet.
    pub lowest: f64,
    /// The largest height of the edge above the feet.
    pub highest: f64,
    /// The radius of the ball that probes the surface: about the size of a hand. The ball does not fall through gaps that
    /// are narrower than itself.
    pub radius: f32,
    /// The largest slope of the surface behind an edge, in radians from level. An edge in front of a steeper surface
    /// is ignored.
    pub max_slope: f64,
}

/// An edge with a surface behind it and a wall below. The vectors are in world space, and the point is relative to the view's origin.
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
    /// Returns the nearest edge ahead of the feet. `forward` and `up` may have any length, but must not be parallel.
    /// Exclude the character's own entity with a filter.
    ///
    /// The path of the hand, up from `lowest` to `highest` above the feet and then ahead, must be free. The probe samples
    /// the surface at distances ahead that are one to two radii apart, but at no more than 64 places. So it may miss edges
    /// of thin things if its reach is more than 64 radii. Returns `None` if there is no edge, and for bad input.
    ///
    /// ```
    /// use hitscan::gameplay::LedgeProbe;
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("wall", Aabb::new([-5.0, 0.0, 1.0], [5.0, 2.0, 3.0]), DVec3::ZERO)?;
    /// let find = |lowest: f64, highest: f64| {
    ///     let probe = LedgeProbe { reach: 1.0, lowest, highest, radius: 0.05, max_slope: 0.6 };
    ///     probe.find(&scene, [0.0, 0.0, 0.5], DVec3::Z, DVec3::Y)
    /// };
    /// assert_eq!(find(1.2, 2.4).map(|ledge| (ledge.id, ledge.top_normal)), Some(("wall", DVec3::Y)));
    /// assert!(find(1.2, 1.9).is_none() && find(2.1, 2.4).is_none()); // The edge is too high, or too low.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/ledge.md")]
    pub fn find<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<View<'a, K>>,
        feet: impl Into<DVec3>,
        forward: impl Into<DVec3>,
        up: impl Into<DVec3>,
    ) -> Option<Ledge<K>> {
        let up = unit(up.into())?;
        let forward = unit(forward.into())?.reject_from_normalized(up);
        let forward = unit(forward).filter(|_| forward.length_squared() > LEAST_ACROSS)?;
        let hand = Hand { probe: self, view: view.into(), feet: feet.into(), forward, up };
        let radius = f64::from(self.radius);
        let is_usable = radius > 0.0 && self.reach > 0.0 && self.reach.is_finite() && self.max_slope.is_finite();
        if !(is_usable && (0.0..=self.highest).contains(&self.lowest)) {
            return None;
        }
        let free = hand.room_ahead()?;
        let steps = (self.reach / radius).clamp(1.0, MOST_STEPS) as u32;
        let step = self.reach / f64::from(steps);
        let places = (1..=steps).map(|number| step * f64::from(number));
        places.take_while(|ahead| *ahead <= free).find_map(|ahead| hand.ledge_at(ahead, step))
    }
}

/// The square of the sine of the angle between forward and up must be larger than this. The horizontal direction is
/// then accurate to 4e-10, because the difference from which it is computed has an error of 4 u, with u = 2^-53
/// (docs/robustness/characters.md).
const LEAST_ACROSS: f64 = 1e-12;

/// The maximum number of places at which a probe samples the surface.
const MOST_STEPS: f64 = 64.0;

/// A ball that probes surfaces.
struct Hand<'p, 'a, K> {
    probe: &'p LedgeProbe,
    view: View<'a, K>,
    feet: DVec3,
    forward: DVec3,
    up: DVec3,
}

impl<K: Clone + Eq + Hash> Hand<'_, '_, K> {
    fn meets(&self, from: DVec3, motion: DVec3) -> Option<SweepHit<K>> {
        self.view.contact_filter(ContactFilter::Ahead).sweep(Sphere::new(self.probe.radius), from, motion)
    }

    /// Returns the center of the hand when the hand lies on a surface at this height above the feet.
    fn on(&self, height: f64) -> DVec3 {
        self.feet + self.up * (height + f64::from(self.probe.radius))
    }

    /// Returns the point of a hit, relative to the origin of the view, and its height above the feet.
    fn point_of(&self, hit: &SweepHit<K>) -> (DVec3, f64) {
        let point = hit.point_f64() - self.view.origin;
        (point, (point - self.feet).dot(self.up))
    }

    /// Returns the free distance ahead at the height `highest` of the probe; `None` if the hand cannot move up to that
    /// height.
    fn room_ahead(&self) -> Option<f64> {
        let LedgeProbe { lowest, highest, reach, .. } = *self.probe;
        if self.meets(self.on(lowest), self.up * (highest - lowest)).is_some() {
            return None;
        }
        Some(self.meets(self.on(highest), self.forward * reach).map_or(reach, |hit| hit.t_f64() * reach))
    }

    fn is_walkable(&self, normal: DVec3) -> bool {
        normal.dot(self.up) >= libm::cos(self.probe.max_slope)
    }

    /// Returns the ledge at a distance ahead, if there is one. Probes downwards for the surface, and then forwards, below
    /// the height of the surface, for the wall under its edge. The wall may be nearer than `ahead` by at most a step and the
    /// hand's width.
    fn ledge_at(&self, ahead: f64, step: f64) -> Option<Ledge<K>> {
        let LedgeProbe { lowest, highest, radius, .. } = *self.probe;
        let top = self.meets(self.on(highest) + self.forward * ahead, self.up * (lowest - highest))?;
        let top_normal = top.surface_normal.as_dvec3();
        if !self.is_walkable(top_normal) || top.t_f64() == 0.0 {
            return None;
        }
        let (radius, (_, height)) = (f64::from(radius), self.point_of(&top));
        let wall = self.meets(self.on(height - 2.0 * radius), self.forward * (ahead + radius))?;
        let wall_normal = wall.surface_normal.as_dvec3();
        let (at_wall, below) = self.point_of(&wall);
        let is_wall = wall.t_f64() > 0.0 && wall_normal.dot(self.forward) < 0.0 && !self.is_walkable(wall_normal);
        let is_near = (at_wall - self.feet).dot(self.forward) >= ahead - step - 2.0 * radius;
        let point = at_wall + self.up * (height - below);
        (is_wall && is_near).then_some(Ledge { id: top.id, point, top_normal, wall_normal })
    }
}

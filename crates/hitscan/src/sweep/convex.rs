//! A volume against a convex solid that is known by its farthest points: conservative advancement.
//!
//! Each step finds a plane between the two, and moves the volume until it touches that plane: never too far, as nothing of the solid is on this side of
//! it (B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, 2.3.2; G. van den Bergen, "Ray Casting against General Convex
//! Objects", 2004).

use super::gjk::{Corner, Separation, separation};
use super::{Contacts, Feature, Met, Mover, SweepStart};
use crate::float::{sqrt, unit};
use crate::hit::Side;
use glam::DVec3;

/// All within a radius of the hull of something, relative to the volume's start.
pub(super) struct Convex<F> {
    /// Its point that is farthest along a direction.
    pub(super) farthest: F,
    pub(super) radius: f64,
    /// At least its largest coordinate.
    pub(super) size: f64,
}

/// Distances are found to this part of the sizes of what is there: so a contact is reported so much early at most, and never late by more than rounding.
pub(super) const RESOLUTION: f64 = 1.0 / (1u64 << 40) as f64;
/// Steps that each halve the distance at least would be about as many.
const MOST_STEPS: usize = 64;

impl<F: Fn(DVec3) -> DVec3> Convex<F> {
    /// The first contact up to t = `limit`.
    pub(super) fn meet(&self, mover: &Mover, limit: f64) -> Option<Met> {
        let radius = self.radius + mover.body.radius;
        let resolution = RESOLUTION * (self.size + mover.body.size() + radius);
        let mut t = 0.0;
        let mut separation = self.separation(mover, t, resolution);
        let distance = sqrt(separation.nearest.at.length_squared());
        if separation.normal.is_none() || distance <= radius + resolution {
            return self.start(mover, &separation, (distance, radius, resolution));
        }
        for _ in 0..MOST_STEPS {
            let normal = separation.normal.or_else(|| unit(-mover.motion))?;
            let speed = -normal.dot(mover.motion);
            if !(speed > 0.0) {
                return None;
            }
            let step = (separation.least - radius).max(0.0) / speed;
            let distance = sqrt(separation.nearest.at.length_squared());
            if distance <= radius + resolution || step <= f64::EPSILON * t {
                let graze = mover.contacts == Contacts::Ahead && speed * (1.0 - t) <= resolution;
                return (!graze).then(|| self.met(mover, t + step, normal, SweepStart::Apart));
            }
            t += step;
            if !(t <= limit) {
                return None;
            }
            separation = self.separation(mover, t, resolution);
        }
        let normal = separation.normal.or_else(|| unit(-mover.motion))?;
        Some(self.met(mover, t, normal, SweepStart::Apart))
    }

    /// From the moving segment to the solid without its radius: to their Minkowski difference.
    fn separation(&self, mover: &Mover, t: f64, resolution: f64) -> Separation {
        let position = mover.motion * t;
        let farthest = |direction: DVec3| {
            let core = mover.body.core.farthest(-direction) + position;
            Corner { at: (self.farthest)(direction) - core, core }
        };
        separation(farthest, position - (self.farthest)(DVec3::X), resolution * 0.25)
    }

    fn start(
        &self,
        mover: &Mover,
        separation: &Separation,
        (distance, radius, resolution): (f64, f64, f64),
    ) -> Option<Met> {
        let Some(normal) = separation.normal else {
            let against = unit(-mover.motion).unwrap_or(DVec3::ZERO);
            return Some(self.met(mover, 0.0, against, SweepStart::Penetrating));
        };
        let leaves = normal.dot(mover.motion) >= -resolution;
        if leaves && mover.contacts == Contacts::Ahead {
            return None;
        }
        let start = if distance >= radius - resolution { SweepStart::Touching } else { SweepStart::Penetrating };
        Some(self.met(mover, 0.0, normal, start))
    }

    fn met(&self, mover: &Mover, t: f64, normal: DVec3, start: SweepStart) -> Met {
        let Corner { at, core } = self.separation(mover, t, 0.0).nearest;
        let point = at + core + normal * self.radius;
        Met { t, start, point, normal, feature: Feature::Face, side: Side::Front }
    }
}

//! A volume against a convex solid that is known by its farthest points: conservative advancement.
//!
//! Each step finds a plane between the two, and moves the volume until it touches that plane: never too far, as nothing of the solid is on this side of
//! it (B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, 2.3.2; G. van den Bergen, "Ray Casting against General Convex
//! Objects", 2004).

use super::body::Core;
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
/// The first one is the root of what is resolved: by so much is what touches apart then, and a way out that is off by as much is right to what is resolved.
const SMALLER_BY: [f64; 6] = [1.0 / (1u64 << 20) as f64, 1.0 / 1024.0, 1.0 / 32.0, 0.25, 0.5, 1.0];
/// Steps that each halve the distance at least would be about as many.
const MOST_STEPS: usize = 64;

impl<F: Fn(DVec3) -> DVec3> Convex<F> {
    /// The first contact up to t = `limit`.
    pub(super) fn meet(&self, mover: &Mover, limit: f64) -> Option<Met> {
        let radius = self.radius + mover.body.radius;
        let resolution = RESOLUTION * (self.size + mover.body.size() + radius);
        let mut t = 0.0;
        let mut separation = self.separation(mover, 1.0, t, resolution);
        let distance = sqrt(separation.nearest.at.length_squared());
        if separation.normal.is_none() || distance <= radius + resolution {
            return self.start(mover, &separation, (distance, radius, resolution));
        }
        let mut normal = separation.normal?;
        for _ in 0..MOST_STEPS {
            // Where the distance is as good as 0, it touches the plane that it was moved to.
            normal = separation.normal.unwrap_or(normal);
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
            separation = self.separation(mover, 1.0, t, resolution);
        }
        Some(self.met(mover, t, normal, SweepStart::Apart))
    }

    /// From the solid without its radius to the moving core, which is smaller around its middle by a factor: to their Minkowski difference.
    fn separation(&self, mover: &Mover, scale: f64, t: f64, resolution: f64) -> Separation {
        let position = mover.motion * t;
        let farthest = |direction: DVec3| {
            let core = mover.body.core.farthest(-direction) * scale + position;
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
        let parted = separation.normal.map(|normal| (normal, distance - radius));
        let Some((normal, gap)) = parted.or_else(|| self.parted(mover, resolution)) else {
            let against = unit(-mover.motion).unwrap_or(DVec3::ZERO);
            return Some(self.met(mover, 0.0, against, SweepStart::Penetrating));
        };
        let leaves = normal.dot(mover.motion) >= -resolution;
        if leaves && mover.contacts == Contacts::Ahead {
            return None;
        }
        let start = if gap >= -resolution { SweepStart::Touching } else { SweepStart::Penetrating };
        Some(self.met(mover, 0.0, normal, start))
    }

    /// The way out of the solid for a core that starts in contact with it, and the gap along it: from the largest core around the same middle that is
    /// apart. None if the middle is in the solid.
    fn parted(&self, mover: &Mover, resolution: f64) -> Option<(DVec3, f64)> {
        let with_gap = |normal: DVec3| {
            let lowest = mover.body.core.farthest(-normal) - (self.farthest)(normal);
            (normal, lowest.dot(normal) - self.radius - mover.body.radius)
        };
        if let Core::Box(_) = mover.body.core {
            // A flat one that lies on something is not apart however small it is.
            let mut sides = mover.outline.faces.iter().map(|face| with_gap(-face.normal));
            if let Some(side) = sides.find(|(_, gap)| *gap >= -resolution) {
                return Some(side);
            }
        }
        let normal_of = |part: f64| self.separation(mover, 1.0 - part, 0.0, resolution).normal;
        SMALLER_BY.into_iter().find_map(normal_of).map(with_gap)
    }

    fn met(&self, mover: &Mover, t: f64, normal: DVec3, start: SweepStart) -> Met {
        let Corner { at, core } = self.separation(mover, 1.0, t, 0.0).nearest;
        let point = at + core + normal * self.radius;
        Met { t, start, point, normal, feature: Feature::Face, side: Side::Front }
    }
}

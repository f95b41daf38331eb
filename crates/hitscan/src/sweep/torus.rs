//! A volume against a ring, which is not convex: arcs of it are in capsules that are, and shorter arcs in thinner ones.

use super::convex::Convex;
use super::support::farther;
use super::{Met, Mover};
use crate::float::{largest, unit};
use crate::shape::Torus;
use glam::{DAffine3, DVec3};

/// How far an arc may be from its chord when it is not divided any more, relative to the circle's radius: so much early is a contact at most.
const RESOLUTION: f64 = 1.0 / (1 << 18) as f64;
/// The first arcs: so many that a chord is at most as far from its arc as a twelfth of the radius.
const ARCS: u32 = 8;

/// A ring, placed relative to the volume's start.
pub(super) struct Ring<'a> {
    pub(super) torus: &'a Torus,
    pub(super) to_world: DAffine3,
    pub(super) mover: &'a Mover,
}

/// From one angle to another, and between them.
#[derive(Clone, Copy)]
struct Arc {
    from: f64,
    to: f64,
}

impl Ring<'_> {
    pub(super) fn meet(&self, limit: f64) -> Option<Met> {
        let step = core::f64::consts::TAU / f64::from(ARCS);
        let mut best = None;
        for number in 0..ARCS {
            let from = f64::from(number) * step;
            let arc = Arc { from, to: from + step };
            if let Some(met) = self.meet_arc(arc, limit) {
                self.visit(arc, met, limit, &mut best);
            }
        }
        best
    }

    /// Given the contact with what is around an arc: the half that is met first is divided first, as far as it may be met before what was found.
    fn visit(&self, arc: Arc, met: Met, limit: f64, best: &mut Option<Met>) {
        if best.is_some_and(|best| met.t >= best.t) {
            return;
        }
        if arc.sagitta() <= RESOLUTION {
            *best = Some(met);
            return;
        }
        let limit = best.map_or(limit, |met| met.t);
        let mut halves = arc.halves().map(|half| (half, self.meet_arc(half, limit)));
        let t_of = |(_, met): &(Arc, Option<Met>)| met.map_or(f64::INFINITY, |met| met.t);
        if t_of(&halves[1]) < t_of(&halves[0]) {
            halves.swap(0, 1);
        }
        for (half, met) in halves {
            if let Some(met) = met {
                self.visit(half, met, limit, best);
            }
        }
    }

    /// The first contact with a capsule around an arc.
    fn meet_arc(&self, arc: Arc, limit: f64) -> Option<Met> {
        let Torus { major, minor } = *self.torus;
        let major = f64::from(major);
        let radius = f64::from(minor) + major * arc.sagitta();
        let ends = [arc.from, arc.to].map(|angle| DVec3::new(libm::cos(angle), 0.0, libm::sin(angle)) * major);
        let linear = self.to_world.matrix3;
        let farthest = |direction: DVec3| {
            let local = linear.transpose() * direction;
            let round = unit(local).unwrap_or(DVec3::X) * radius;
            self.to_world.transform_point3(farther(ends, local) + round)
        };
        let size = largest(self.to_world.translation) + (major + radius) * super::shapes::scale(&linear);
        Convex { farthest, radius: 0.0, size }.meet(self.mover, limit)
    }
}

impl Arc {
    /// How far it is from its chord at most, relative to the circle's radius, rounded up.
    fn sagitta(self) -> f64 {
        let quarter = libm::sin((self.to - self.from) * 0.25);
        2.0 * quarter * quarter + 4.0 * f64::EPSILON
    }

    fn halves(self) -> [Self; 2] {
        let middle = 0.5 * (self.from + self.to);
        [Self { to: middle, ..self }, Self { from: middle, ..self }]
    }
}

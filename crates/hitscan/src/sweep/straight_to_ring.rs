//! What goes straight against a ring, by places of its circle.
//!
//! A place, as thick as the ring is there, is convex. On the way to it planes are found between the two, and from how far an arc is behind these follows up
//! to when the volume surely does not meet the arc. The arc that may be met first is divided first.

use super::body::Core;
use super::convex::{self, Detail};
use super::gjk::{Corner, Separation, separation};
use super::torus::Ring;
use super::{Arc, Contacts, Met};
use crate::float::{larger, length, smaller};
use alloc::collections::BinaryHeap;
use core::cmp::Ordering;
use glam::DVec3;

/// How far an arc may be from its chord when it is not divided any more, relative to the circle's radius: so much early is a contact at most.
const RESOLUTION: f64 = 1.0 / (1 << 18) as f64;
/// The first arcs.
const ARCS: u32 = 8;
/// So many arcs are divided at most of a ring that is round, by what has a few farthest points. Where more of them are met at nearly the same time, on the inner
/// side, the contact is early by about what a 512th of the circle is from its chord: 2e-5 of the radius.
const MOST_ARCS: usize = 512;
/// The same of other rings and volumes: early by 3e-4 of the radius.
const MOST_SLOW_ARCS: usize = 128;
/// With so many planes one arc is looked at.
const MOST_PLANES: usize = 16;

/// Distances to an arc are found to this part of how far that is from its chord.
const ROUGH: f64 = 1.0 / 16.0;

/// An arc that may have to be divided.
struct Open {
    /// Nothing of it is met before.
    from: f64,
    arc: Arc,
    /// Whether that is when its hull is met, and it is not divided any more.
    is_met: bool,
}

impl Ord for Open {
    /// The greatest is what may be met first; of equal ones the shortest, which is nearer to being a place.
    fn cmp(&self, other: &Self) -> Ordering {
        other.from.total_cmp(&self.from).then_with(|| other.arc.sagitta().total_cmp(&self.arc.sagitta()))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}

/// One volume on its way to a ring.
struct Way<'a> {
    ring: &'a Ring<'a>,
    /// What matters ends here.
    limit: f64,
    resolution: f64,
    open: BinaryHeap<Open>,
}

/// The first contact of what does not turn, up to t = `limit`.
pub(super) fn meet(ring: &Ring<'_>, limit: f64) -> Option<Met> {
    let body = &ring.mover.body;
    let resolution = convex::RESOLUTION * (ring.size() + body.size() + body.radius);
    let mut way = Way { ring, limit, resolution, open: BinaryHeap::new() };
    let step = core::f64::consts::TAU / f64::from(ARCS);
    for number in 0..ARCS {
        let from = f64::from(number) * step;
        way.look_at(Arc::between(from, from + step), 0.0);
    }
    way.run()
}

impl Way<'_> {
    fn run(mut self) -> Option<Met> {
        let mut left = match self.ring.mover.body.core {
            Core::Segment(_) if self.ring.similar.is_some() => MOST_ARCS,
            _ => MOST_SLOW_ARCS,
        };
        while let Some(Open { from, arc, is_met }) = self.open.pop() {
            if is_met || left == 0 {
                let met = self.ring.meet_arc(arc, (0.0, self.limit), Detail::All);
                if let Some(met) = met {
                    return Some(Met { t: smaller(met.t, from), ..met });
                }
            } else if arc.sagitta() > RESOLUTION {
                left -= 1;
                arc.halves().into_iter().for_each(|half| self.look_at(half, from));
            } else if let Some(met) = self.ring.meet_arc(arc, (0.0, self.limit), Detail::Time) {
                self.open.push(Open { from: larger(from, met.t), arc, is_met: true });
            }
        }
        None
    }

    /// Looks at an arc, nothing of which is met before a time.
    fn look_at(&mut self, arc: Arc, from: f64) {
        let Some(mut from) = self.clear_until(&arc, from) else { return };
        if from == 0.0 && self.ring.mover.contacts == Contacts::Ahead {
            // What is in contact at the start may not count, and then all of the hull does not.
            let Some(met) = self.ring.meet_arc(arc, (0.0, self.limit), Detail::Time) else { return };
            from = larger(from, met.t);
        }
        self.open.push(Open { from, arc, is_met: false });
    }

    /// A time before which nothing of an arc is met, by planes between the volume and the place in its middle; `None` if nothing is up to the limit.
    fn clear_until(&self, arc: &Arc, from: f64) -> Option<f64> {
        let (ring, mover) = (self.ring, self.ring.mover);
        let (place, core) = (Arc { ends: [arc.middle; 2], middle: arc.middle }, &mover.body.core);
        // A plane is found for no more than shorter arcs may tell.
        let off = arc.sagitta() * ring.radius();
        let resolution = larger(self.resolution * 0.25, off * ROUGH);
        let mut t = from;
        for _ in 0..MOST_PLANES {
            let farthest = |direction: DVec3| {
                let core = core.farthest(-direction) + mover.motion * t;
                Corner { at: ring.farthest(&place, direction) - core, core }
            };
            let first = mover.motion * t - ring.farthest(&place, DVec3::X);
            let Separation { normal: Some(normal), .. } = separation(farthest, first, resolution) else {
                break;
            };
            let lowest = normal.dot(core.farthest(-normal) + mover.motion * t) - mover.body.radius;
            let gap = lowest - normal.dot(ring.farthest(arc, normal)) - ring.minor_apart();
            if gap <= self.resolution {
                break;
            }
            let speed = -normal.dot(mover.motion);
            if !(speed > 0.0) {
                return None;
            }
            let before = t;
            t += gap / speed;
            if !(t <= self.limit) {
                return None;
            }
            if (t - before) * length(mover.motion) <= off {
                break;
            }
        }
        Some(t)
    }
}

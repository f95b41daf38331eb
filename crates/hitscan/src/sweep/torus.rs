//! A volume against a ring, which is not convex: the hulls of its arcs are, and those of shorter arcs are closer to it. What goes straight is met by places.

use super::convex::{Convex, Detail};
use super::shapes::similar;
use super::{Met, Mover, arc, straight_to_ring};
use crate::float::{largest, length, unit};
use crate::shape::Torus;
use alloc::collections::BinaryHeap;
use core::cmp::Ordering;
use glam::{DAffine3, DVec3};

/// How far an arc may be from its chord when it is not divided any more, relative to the circle's radius: so much early is a contact at most.
const RESOLUTION: f64 = 1.0 / (1 << 18) as f64;
/// The first arcs: so many that a chord is at most as far from its arc as a twelfth of the radius.
const ARCS: u32 = 8;
/// So many arcs are divided at most of what turns: where more are met at nearly the same time, the contact is early by 1.2e-3 of the radius.
const MOST_TURNED_ARCS: usize = 64;

/// A ring, placed relative to the volume's start.
pub(super) struct Ring<'a> {
    pub(super) torus: &'a Torus,
    pub(super) to_world: DAffine3,
    pub(super) mover: &'a Mover,
    /// By how much its transform scales, if it keeps what is round round, and that is of use.
    pub(super) similar: Option<f64>,
}

/// An arc that may have to be divided, and the contact with what is around it.
struct Open {
    arc: Arc,
    met: Met,
}

impl Ord for Open {
    /// The greatest is that which is met first; of equal ones the shortest, then that of the least angles.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = other.met.t.total_cmp(&self.met.t);
        let by_length = other.arc.sagitta().total_cmp(&self.arc.sagitta());
        by_time.then(by_length).then(other.arc.from.total_cmp(&self.arc.from))
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

/// From one angle to another, and between them.
#[derive(Clone, Copy)]
struct Arc {
    from: f64,
    to: f64,
}

impl<'a> Ring<'a> {
    pub(super) fn new(torus: &'a Torus, to_world: DAffine3, mover: &'a Mover) -> Self {
        // What turns is met by hulls that are as thick as the ring.
        let similar = if mover.turning.is_some() { None } else { similar(&to_world.matrix3) };
        Self { torus, to_world, mover, similar }
    }

    /// The first contact up to t = `limit`.
    pub(super) fn meet(&self, limit: f64) -> Option<Met> {
        if self.mover.turning.is_some() { self.meet_turning(limit) } else { straight_to_ring::meet(self, limit) }
    }

    /// Of what turns. The arc whose hull is met first is divided first; no part of an arc is met before the arc's hull is.
    fn meet_turning(&self, limit: f64) -> Option<Met> {
        let step = core::f64::consts::TAU / f64::from(ARCS);
        let mut open = BinaryHeap::new();
        let put = |open: &mut BinaryHeap<Open>, arc: Arc, from: f64| {
            open.extend(self.meet_arc(arc.hull(), (from, limit), Detail::Time).map(|met| Open { arc, met }));
        };
        for number in 0..ARCS {
            let from = f64::from(number) * step;
            put(&mut open, Arc { from, to: from + step }, 0.0);
        }
        let mut left = MOST_TURNED_ARCS;
        while let Some(Open { arc, met }) = open.pop() {
            if arc.sagitta() <= RESOLUTION || left == 0 {
                return self.meet_arc(arc.hull(), (met.t, limit), Detail::All);
            }
            left -= 1;
            arc.halves().into_iter().for_each(|half| put(&mut open, half, met.t));
        }
        None
    }

    /// The first contact with the hull of an arc.
    pub(super) fn meet_arc(&self, arc: arc::Arc, range: (f64, f64), detail: Detail) -> Option<Met> {
        let farthest = |direction: DVec3| self.farthest(&arc, direction);
        Convex { farthest, radius: self.minor_apart(), size: self.size() }.meet_from(self.mover, range, detail)
    }

    /// The point of an arc's hull that is farthest along a direction, as thick as the ring is, but for [`minor_apart`](Self::minor_apart).
    pub(super) fn farthest(&self, arc: &arc::Arc, direction: DVec3) -> DVec3 {
        let local = self.to_world.matrix3.transpose() * direction;
        let on_circle = arc.farthest(local) * f64::from(self.torus.major);
        let beside = match self.similar {
            Some(_) => DVec3::ZERO,
            None => unit(local).unwrap_or(DVec3::X) * f64::from(self.torus.minor),
        };
        self.to_world.transform_point3(on_circle + beside)
    }

    /// How thick it is around what [`farthest`](Self::farthest) is of.
    pub(super) fn minor_apart(&self) -> f64 {
        self.similar.map_or(0.0, |scale| scale * f64::from(self.torus.minor))
    }

    /// At least its largest coordinate.
    pub(super) fn size(&self) -> f64 {
        let thickness = f64::from(self.torus.major) + f64::from(self.torus.minor);
        largest(self.to_world.translation) + thickness * super::shapes::scale(&self.to_world.matrix3)
    }

    /// At least the radius of its circle in the world.
    pub(super) fn radius(&self) -> f64 {
        let linear = self.to_world.matrix3;
        let stretch = self.similar.unwrap_or_else(|| length(linear.x_axis) + length(linear.z_axis));
        stretch * f64::from(self.torus.major)
    }
}

impl Arc {
    fn hull(self) -> arc::Arc {
        arc::Arc::between(self.from, self.to)
    }

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

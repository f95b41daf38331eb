//! A ring (torus), which is not convex: each arc of it is in a hull that is, and shorter arcs in smaller ones.

use super::piece::{Arc, Core, Piece, Thickness};
use crate::float::{length, sqrt, unit};
use crate::shape::Torus;
use crate::sweep::similar;
use alloc::collections::BinaryHeap;
use core::cmp::Ordering;
use glam::{DAffine3, DVec3};

/// How far an arc may be from its chord when it is not divided any more, relative to the circle's radius: what is on the inner side of the ring is found
/// nearer by so much at most.
pub(super) const RESOLUTION: f64 = 1.0 / (1 << 20) as f64;
/// The first arcs.
const ARCS: u32 = 8;

/// A ring, placed relative to an origin.
#[derive(Clone, Copy)]
pub(crate) struct Ring<'a> {
    pub(crate) torus: &'a Torus,
    pub(crate) to_world: DAffine3,
    /// By how much its transform scales, if it keeps what is round round.
    pub(crate) similar: Option<f64>,
}

/// What is found of an arc.
pub(crate) struct OfArc<T> {
    /// At most what it may be of any part of the arc.
    pub(crate) least: f64,
    /// What that may be off by, whatever the arc is.
    pub(crate) error: f64,
    /// The point of the arc's hull that it is found for.
    pub(crate) point: DVec3,
    pub(crate) found: T,
}

/// An arc that may have to be divided.
struct Open<T> {
    arc: Arc,
    sagitta: f64,
    of: OfArc<T>,
}

impl<T> Ord for Open<T> {
    /// The greatest is that of the least bound; of equal ones the shortest, which is nearer to being enough.
    fn cmp(&self, other: &Self) -> Ordering {
        other.of.least.total_cmp(&self.of.least).then(other.sagitta.total_cmp(&self.sagitta))
    }
}

impl<T> PartialOrd for Open<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Open<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Open<T> {}

impl<'a> Ring<'a> {
    pub(crate) fn new(torus: &'a Torus, to_world: DAffine3) -> Self {
        Self { torus, to_world, similar: similar(&to_world.matrix3) }
    }

    /// The hull of all of it.
    pub(crate) fn hull(&self) -> Piece<'a> {
        self.piece(Arc::WHOLE)
    }

    /// An arc's hull, as thick as the ring is.
    fn piece(&self, arc: Arc) -> Piece<'a> {
        let (ring, to_world) = (self.torus, self.to_world);
        let (thickness, radius) = match self.similar {
            Some(scale) => (Thickness::Apart, scale * f64::from(ring.minor)),
            None => (Thickness::Own, 0.0),
        };
        Piece::new(Core::Arc { arc, ring, to_world, thickness }, radius)
    }

    /// The least of what `measure` finds of arcs; `None` if it finds nothing of any.
    ///
    /// The arc of least bound is divided first: where that is so short that it is as good as its hull, or the hull was nearest at the arc itself, nothing
    /// else is nearer. Nor is anything that can be told from it, where the way between arc and hull is in what the bound is off by: all arcs of a small ring
    /// would be divided to the end, as all are as far from a thing that is larger by far.
    pub(crate) fn least<T>(&self, measure: &mut dyn FnMut(&Piece<'a>) -> Option<OfArc<T>>) -> Option<T> {
        let step = TAU / f64::from(ARCS);
        let arcs = (0..ARCS).map(|number| {
            let from = f64::from(number) * step;
            Arc::between(from, from + step)
        });
        let mut open = BinaryHeap::new();
        let mut put = |open: &mut BinaryHeap<Open<T>>, arc: Arc| {
            open.extend(measure(&self.piece(arc)).map(|of| Open { arc, sagitta: arc.sagitta(), of }));
        };
        arcs.for_each(|arc| put(&mut open, arc));
        let radius = self.radius();
        while let Some(Open { arc, sagitta, of }) = open.pop() {
            if sagitta <= RESOLUTION || sagitta * radius <= of.error || self.is_on_circle(of.point) {
                return Some(of.found);
            }
            arc.halves().into_iter().for_each(|half| put(&mut open, half));
        }
        None
    }

    /// The place of its circle that is nearest to a point, as thick as the ring is; `None` if its transform does not keep it round.
    pub(crate) fn beside(&self, point: DVec3) -> Option<Piece<'a>> {
        self.similar?;
        let local = self.to_world.matrix3.transpose() * (point - self.to_world.translation);
        let place = unit(DVec3::new(local.x, 0.0, local.z)).unwrap_or(DVec3::X);
        Some(self.piece(Arc { ends: [place; 2], middle: place }))
    }

    /// At least how far its circle is from its middle in the world.
    fn radius(&self) -> f64 {
        let linear = self.to_world.matrix3;
        let stretch = self.similar.unwrap_or_else(|| length(linear.x_axis) + length(linear.z_axis));
        stretch * f64::from(self.torus.major)
    }

    /// Whether a point of an arc's hull is as far from the ring's middle as the circle is.
    fn is_on_circle(&self, point: DVec3) -> bool {
        let Some(scale) = self.similar else { return false };
        let radius = scale * f64::from(self.torus.major);
        let center = point - self.to_world.translation;
        (sqrt(center.length_squared()) - radius).abs() <= RESOLUTION * RESOLUTION * radius
    }
}

const TAU: f64 = core::f64::consts::TAU;

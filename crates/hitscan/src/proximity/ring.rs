//! A ring (torus), which is not convex: each arc of it is in a hull that is, and shorter arcs in smaller ones.

use super::piece::{Arc, Core, Piece, Thickness};
use crate::float::{largest, sqrt};
use crate::shape::Torus;
use crate::sweep::{scale, similar};
use alloc::vec::Vec;
use glam::{DAffine3, DVec3};

/// How far an arc may be from its chord when it is not divided any more, relative to the circle's radius: what is on the inner side of the ring is found
/// nearer by so much at most.
const RESOLUTION: f64 = 1.0 / (1 << 20) as f64;
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
    /// The point of the arc's hull that it is found for.
    pub(crate) point: DVec3,
    pub(crate) found: T,
}

impl<'a> Ring<'a> {
    pub(crate) fn new(torus: &'a Torus, to_world: DAffine3) -> Self {
        Self { torus, to_world, similar: similar(&to_world.matrix3) }
    }

    /// At least the largest coordinate.
    pub(crate) fn reach(&self) -> f64 {
        let size = f64::from(self.torus.major) + f64::from(self.torus.minor);
        largest(self.to_world.translation) + size * scale(&self.to_world.matrix3)
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
    /// else is nearer.
    pub(crate) fn least<T>(&self, measure: &mut dyn FnMut(&Piece<'a>) -> Option<OfArc<T>>) -> Option<T> {
        let step = core::f64::consts::TAU / f64::from(ARCS);
        let arcs = (0..ARCS).map(|number| {
            let from = f64::from(number) * step;
            Arc::between(from, from + step)
        });
        let mut open: Vec<(Arc, OfArc<T>)> = arcs.filter_map(|arc| Some((arc, measure(&self.piece(arc))?))).collect();
        loop {
            let order = |&a: &usize, &b: &usize| {
                let ((a, of_a), (b, of_b)) = (&open[a], &open[b]);
                of_a.least.total_cmp(&of_b.least).then(a.sagitta().total_cmp(&b.sagitta()))
            };
            let nearest = (0..open.len()).min_by(order)?;
            let (arc, of) = open.swap_remove(nearest);
            if arc.sagitta() <= RESOLUTION || self.is_on_circle(of.point) {
                return Some(of.found);
            }
            let halves = arc.halves();
            open.extend(halves.into_iter().filter_map(|half| Some((half, measure(&self.piece(half))?))));
        }
    }

    /// Whether a point of an arc's hull is as far from the ring's middle as the circle is.
    fn is_on_circle(&self, point: DVec3) -> bool {
        let Some(scale) = self.similar else { return false };
        let radius = scale * f64::from(self.torus.major);
        let center = point - self.to_world.translation;
        (sqrt(center.length_squared()) - radius).abs() <= RESOLUTION * RESOLUTION * radius
    }
}

//! A ring (torus), which is not convex: each arc of it is in a hull that is, and shorter arcs in smaller ones.

use super::piece::{Core, Piece, Thickness};
use crate::float::{length, sqrt, unit};
use crate::shape::Torus;
use crate::sweep::{Arc, similar};
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

impl<'a> Ring<'a> {
    pub(crate) fn new(torus: &'a Torus, to_world: DAffine3) -> Self {
        Self { torus, to_world, similar: similar(&to_world.matrix3) }
    }

    /// The hull of all of it.
    pub(crate) fn hull(&self) -> Piece<'a> {
        self.piece(Arc::WHOLE)
    }

    /// An arc's hull, as thick as the ring is.
    pub(super) fn piece(&self, arc: Arc) -> Piece<'a> {
        let (core, radius) = self.core(arc);
        Piece::new(core, radius)
    }

    /// The same as a core and its radius.
    pub(super) fn core(&self, arc: Arc) -> (Core<'a>, f64) {
        let (ring, to_world) = (self.torus, self.to_world);
        let (thickness, radius) = match self.similar {
            Some(scale) => (Thickness::Apart, scale * f64::from(ring.minor)),
            None if ring.minor == 0.0 => (Thickness::Apart, 0.0),
            None => (Thickness::Own, 0.0),
        };
        (Core::Arc { arc, ring, to_world, thickness }, radius)
    }

    /// A place of the circle, as thick as the ring is: its core and radius.
    pub(super) fn place(&self, at: DVec3) -> (Core<'a>, f64) {
        let (core, radius) = self.core(Arc { ends: [at; 2], middle: at });
        let core = match core {
            Core::Arc { thickness: Thickness::Apart, .. } => {
                Core::Point(self.to_world.transform_point3(at * f64::from(self.torus.major)))
            }
            core => core,
        };
        (core, radius)
    }

    /// Whether nothing nearer can be told from shorter arcs than this, given the point of its hull that is nearest, and what distances are off by.
    pub(super) fn is_enough(&self, arc: &Arc, point: DVec3, error: f64) -> bool {
        let sagitta = arc.sagitta();
        sagitta <= RESOLUTION || sagitta * self.radius() <= error || self.is_on_circle(point)
    }

    /// A place of the circle as thick as the ring is, near a point of an arc's hull: the nearest one if the ring is round in the world, else the middle of the
    /// arc; of all of the circle `None` then.
    pub(super) fn place_near(&self, arc: Option<&Arc>, point: DVec3) -> Option<Piece<'a>> {
        let of_middle = |arc: &Arc| {
            let (core, radius) = self.place(arc.middle);
            Piece::new(core, radius)
        };
        self.beside(point).or_else(|| arc.map(of_middle))
    }

    /// The place of its circle that is nearest to a point, as thick as the ring is; `None` if its transform does not keep it round.
    pub(crate) fn beside(&self, point: DVec3) -> Option<Piece<'a>> {
        self.similar?;
        let local = self.to_world.matrix3.transpose() * (point - self.to_world.translation);
        let place = unit(DVec3::new(local.x, 0.0, local.z)).unwrap_or(DVec3::X);
        let (core, radius) = self.place(place);
        Some(Piece::new(core, radius))
    }

    /// A point of it.
    pub(crate) fn some_point(&self) -> DVec3 {
        self.piece(Arc { ends: [DVec3::X; 2], middle: DVec3::X }).core.farthest(self.to_world.matrix3.x_axis)
    }

    /// At least how far its circle is from its middle in the world.
    pub(super) fn radius(&self) -> f64 {
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

/// The first arcs of the circle.
pub(super) fn first_arcs() -> impl Iterator<Item = Arc> {
    let step = TAU / f64::from(ARCS);
    (0..ARCS).map(move |number| {
        let from = f64::from(number) * step;
        Arc::between(from, from + step)
    })
}

const TAU: f64 = core::f64::consts::TAU;

#[cfg(test)]
mod tests {
    use super::super::gap::Gap;
    use super::super::two_rings::{self, Wanted};
    use super::*;
    use core::cell::Cell;
    use glam::DMat3;

    /// Two rings around one axis, one in the other's hole, stretched so that no place of either is known in closed form.
    #[test]
    fn few_pairs_of_arcs_are_measured_where_all_are_as_near() {
        let (outer, inner) = (Torus::new(3.0, 0.25), Torus::new(1.5, 0.25));
        let tall = DAffine3::from_mat3(DMat3::from_diagonal(DVec3::new(1.0, 2.0, 1.0)));
        let rings = [&outer, &inner].map(|torus| Ring::new(torus, tall));
        let count = Cell::new(0);
        let may_matter = |_: &Gap| {
            count.set(count.get() + 1);
            true
        };
        let wanted = Wanted { may_matter: &may_matter, ends_at_contact: false };
        let gap = two_rings::between([&rings[0], &rings[1]], &wanted).unwrap();
        assert!((gap.clearance - 1.0).abs() < 1e-3, "{}", gap.clearance);
        assert!(count.get() <= 480, "{}", count.get());
    }
}

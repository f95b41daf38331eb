//! The place of a ring's circle, as thick as the ring is there, that is nearest to something convex.
//!
//! A place is convex, so its distance is known, and a plane that keeps it apart. The same plane keeps the other places of an arc apart as far as they are
//! before it, which is in closed form. The arc that may be nearest is divided first, and the best place is followed downhill to where its distance has no
//! slope: so what is answered is the distance of a place, and not that of an arc's hull.

use super::gap::{self, Gap};
use super::piece::Piece;
use super::ring::{Ring, first_arcs};
use crate::float::larger;
use crate::sweep::Arc;
use alloc::collections::BinaryHeap;
use core::cmp::Ordering;
use glam::DVec3;

/// So many arcs are divided at most. Where more of them may be as near, to 3e-4 of the radius, another place may be nearer by less than that.
const MOST_ARCS: usize = 128;
/// No other place is looked for that is nearer by less than this part of the radius.
pub(super) const RESOLUTION: f64 = 1.0 / (1u64 << 30) as f64;
/// The first step downhill from the middle of one of the first arcs, in radians: about half of such an arc.
const FIRST_STEP: f64 = 0.4;
/// How often a step downhill is doubled at most, and how often the way is divided then.
const MOST_DOUBLINGS: usize = 4;
const MOST_DIVISIONS: usize = 32;

/// What is looked for.
#[derive(Clone, Copy)]
pub(super) struct Sought {
    /// What is farther apart does not matter, unless it is in contact.
    pub(super) limit: f64,
    /// Whether any contact is an answer, though not the nearest.
    pub(super) ends_at_contact: bool,
}

/// The gap between a ring and something convex, at the nearest place of the ring. What is farther than what matters may be any place.
pub(super) fn nearest_place(ring: &Ring<'_>, other: &Piece<'_>, sought: Sought) -> Option<Gap> {
    let hull = ring.hull();
    let error = gap::RESOLUTION * (hull.reach() + other.reach());
    let mut search = Search {
        ring,
        other,
        size: hull.size,
        error,
        tolerance: larger(error, RESOLUTION * ring.radius()),
        limit: larger(sought.limit, error),
        ends_at_contact: sought.ends_at_contact,
        best: None,
        open: BinaryHeap::new(),
    };
    search.run();
    search.best.map(|best| best.gap)
}

struct Search<'a> {
    ring: &'a Ring<'a>,
    other: &'a Piece<'a>,
    /// At least the largest coordinate of a place's core.
    size: f64,
    /// How far apart what is in contact may be at most.
    error: f64,
    tolerance: f64,
    limit: f64,
    ends_at_contact: bool,
    best: Option<Place>,
    open: BinaryHeap<Open>,
}

/// A place of the circle.
#[derive(Clone, Copy)]
struct Place {
    /// On the unit circle around y.
    at: DVec3,
    gap: Gap,
}

/// A unit direction from a ring to something, and the least height along it of that, less both radii.
#[derive(Clone, Copy)]
struct Plane {
    normal: DVec3,
    height: f64,
}

/// A place that is so far around the circle from another one.
#[derive(Clone, Copy)]
struct End {
    angle: f64,
    slope: f64,
    /// How far the cores are apart.
    apart: f64,
}

/// An arc that may have to be divided.
struct Open {
    /// At most the clearance of any place of it.
    least: f64,
    arc: Arc,
    plane: Plane,
    /// About half of its angle.
    step: f64,
}

impl Ord for Open {
    /// The greatest is the nearest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.least.total_cmp(&self.least)
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

impl Search<'_> {
    fn run(&mut self) {
        first_arcs().for_each(|arc| self.look_at(arc, None, FIRST_STEP));
        self.descend(FIRST_STEP);
        for _ in 0..MOST_ARCS {
            let Some(nearest) = self.open.pop().filter(|open| self.may_be_better(open.least)) else { break };
            let (before, step) = (self.clearance(), nearest.step * 0.5);
            nearest.arc.halves().into_iter().for_each(|half| self.look_at(half, Some(nearest.plane), step));
            if self.clearance() < before {
                self.descend(step);
            }
        }
    }

    /// Of the best place.
    fn clearance(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.gap.clearance)
    }

    /// Whether nothing else has to be looked at: no place is nearer than one whose core is in contact with the other core.
    fn is_done(&self) -> bool {
        self.best.is_some_and(|place| place.gap.is_nearest() || self.ends_at_contact && place.gap.is_contact())
    }

    /// Whether places with at least this clearance may be better than the best one: by more than what is looked for, or by being in contact.
    fn may_be_better(&self, least: f64) -> bool {
        let is_better = |best: Place| {
            let is_nearer = least < best.gap.clearance - self.tolerance;
            is_nearer || !best.gap.is_contact() && least <= self.error
        };
        least <= self.limit && !self.is_done() && self.best.is_none_or(is_better)
    }

    /// Looks at the middle of an arc, which a plane that is known may leave out.
    fn look_at(&mut self, arc: Arc, known: Option<Plane>, step: f64) {
        let before_known = known.map_or(f64::NEG_INFINITY, |plane| self.before(&arc, &plane));
        if !self.may_be_better(before_known) {
            return;
        }
        let place = self.place(arc.middle);
        self.offer(place);
        let plane = self.plane_of(&place.gap);
        let least = larger(before_known, self.before(&arc, &plane));
        if self.may_be_better(least) {
            self.open.push(Open { least, arc, plane, step });
        }
    }

    fn place(&self, at: DVec3) -> Place {
        let (core, radius) = self.ring.place(at);
        let gap = Gap::between(&Piece { core, radius, size: self.size }, self.other);
        // Places are found to no less, however exact the distance of one is.
        Place { at, gap: Gap { error: larger(gap.error, self.error), ..gap } }
    }

    fn offer(&mut self, place: Place) {
        if place.gap.clearance < self.clearance() || self.best.is_none() {
            self.best = Some(place);
        }
    }

    /// The plane across the shortest way, that nothing of the other thing is before.
    fn plane_of(&self, gap: &Gap) -> Plane {
        let lowest = gap.normal.dot(self.other.core.farthest(-gap.normal));
        Plane { normal: gap.normal, height: lowest - self.other.radius }
    }

    /// At least how far before a plane all places of an arc are.
    fn before(&self, arc: &Arc, plane: &Plane) -> f64 {
        let (core, radius) = self.ring.core(*arc);
        plane.height - plane.normal.dot(core.farthest(plane.normal)) - radius
    }

    /// By how much the clearance grows with the angle, from x to z.
    fn slope(&self, place: &Place) -> f64 {
        let along = DVec3::new(-place.at.z, 0.0, place.at.x);
        -place.gap.normal.dot(self.ring.to_world.matrix3 * along) * f64::from(self.ring.torus.major)
    }

    /// Follows the best place downhill, by steps that are doubled until it rises, and then between two places.
    fn descend(&mut self, step: f64) {
        let Some(start) = self.best.filter(|_| !self.is_done()) else { return };
        let slope = self.slope(&start);
        let step = if slope > 0.0 { -step } else { step };
        let mut low = End { angle: 0.0, slope, apart: start.gap.apart() };
        for doubling in 0..MOST_DOUBLINGS {
            let high = self.end(&start, step * f64::from(1u32 << doubling));
            if high.slope * slope <= 0.0 {
                return self.divide(&start, low, high);
            }
            low = high;
        }
    }

    /// Between two angles from a place with slopes of different signs: in turns where a line through the slopes is 0, as of what is smooth, and where the
    /// lines along both slopes meet, as of what is crossed.
    fn divide(&mut self, start: &Place, mut low: End, mut high: End) {
        for number in 0..MOST_DIVISIONS {
            let by = if number % 2 == 0 {
                (low.apart - high.apart + high.slope * (high.angle - low.angle)) / (high.slope - low.slope)
            } else {
                low.slope * (high.angle - low.angle) / (low.slope - high.slope)
            };
            if self.is_done() || !by.is_finite() {
                return;
            }
            let next = self.end(start, low.angle + by);
            if next.slope.abs() * (high.angle - low.angle).abs() <= self.error * 0.25 {
                return;
            }
            *(if next.slope * high.slope > 0.0 { &mut high } else { &mut low }) = next;
        }
    }

    /// Looks at the place that is so far around the circle from another one.
    fn end(&mut self, from: &Place, angle: f64) -> End {
        let along = DVec3::new(-from.at.z, 0.0, from.at.x);
        let place = self.place(from.at * libm::cos(angle) + along * libm::sin(angle));
        self.offer(place);
        End { angle, slope: self.slope(&place), apart: place.gap.apart() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::piece::Core;
    use super::*;
    use crate::shape::Torus;
    use glam::{DAffine3, DMat3};

    const ANY: Sought = Sought { limit: f64::INFINITY, ends_at_contact: false };

    /// A column in the middle of a ring's hole, as far from all of it.
    #[test]
    fn a_place_is_answered_where_all_are_as_near() {
        let torus = Torus::new(2.0, 0.25);
        let ring = Ring::new(&torus, DAffine3::IDENTITY);
        let column = Piece::new(Core::Segment([DVec3::NEG_Y, DVec3::Y]), 0.5);
        let found = nearest_place(&ring, &column, ANY).unwrap();
        assert!((found.clearance - 1.25).abs() < 1e-14, "{}", found.clearance);
    }

    /// A column that is nearly in the middle, in the hole of a ring that is round, and of one that is stretched across its circle.
    #[test]
    fn the_nearest_place_is_found_where_many_are_nearly_as_near() {
        let torus = Torus::new(2.0, 0.25);
        for (height, aside) in [(1.0, 1e-6), (1.0, 1e-3), (2.0, 1e-4)] {
            let stretched = DAffine3::from_mat3(DMat3::from_diagonal(DVec3::new(1.0, height, 1.0)));
            let ring = Ring::new(&torus, stretched);
            for angle in 0..40 {
                let angle = f64::from(angle) * 0.3;
                let off = DVec3::new(libm::cos(angle), 0.0, libm::sin(angle)) * aside;
                let column = Piece::new(Core::Segment([off - DVec3::Y, off + DVec3::Y]), 0.5);
                let found = nearest_place(&ring, &column, ANY).unwrap();
                let most = if height == 1.0 { 1e-9 } else { 1e-6 };
                assert!((found.clearance - 1.25 + aside).abs() < most, "{aside} {angle}: {}", found.clearance);
            }
        }
    }
}

//! The arcs of a torus that are hit, in the order in which they are divided.

use super::conservative_advancement::StepBudget;
use super::contact::{Contact, SweepStart};
use super::torus_arc::AngleRange;
use crate::collections::ordered::ordered_by_cmp;
use alloc::collections::BinaryHeap;
use core::cmp::Ordering;

/// Returns the time of a contact in steps of its rounding. A contact at the start comes before every later contact,
/// even if their times differ by less than rounding.
fn step_of(met: &Contact, rounding: f64) -> f64 {
    if met.start == SweepStart::Apart { libm::floor(met.t / rounding) } else { -1.0 }
}

/// An arc that may have to be divided, and the contact with its hull.
pub(super) struct ArcContact {
    pub(super) arc: AngleRange,
    pub(super) met: Contact,
    /// The time of the contact in steps of its rounding. If a flat face hits many arcs at one time, the shortest arc
    /// comes first. So the division of one arc is finished before the division of the next begins.
    step: f64,
}

impl Ord for ArcContact {
    /// The greatest arc is the one that is hit first, within rounding. Among arcs with equal times it is the shortest,
    /// then the one with the smallest angles.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = other.step.total_cmp(&self.step);
        let by_length = other.arc.sagitta().total_cmp(&self.arc.sagitta());
        by_time.then(by_length).then(other.arc.from.total_cmp(&self.arc.from))
    }
}

ordered_by_cmp!(ArcContact);

/// The arcs that are hit, and the work that is left for them.
pub(super) struct OpenArcs {
    pub(super) arcs: BinaryHeap<ArcContact>,
    pub(super) effort: StepBudget,
    /// Contacts up to this time are searched for.
    pub(super) limit: f64,
    /// The largest difference between times of the same contact that is due to rounding.
    pub(super) rounding: f64,
}

impl OpenArcs {
    pub(super) fn add(&mut self, arc: AngleRange, met: Option<Contact>) {
        self.arcs.extend(met.map(|met| ArcContact { arc, step: step_of(&met, self.rounding), met }));
    }

    /// Takes the arc that is hit first.
    pub(super) fn take_first(&mut self) -> Option<ArcContact> {
        self.arcs.pop()
    }

    /// Takes an arc that is hit at the start.
    pub(super) fn take_at_start(&mut self) -> Option<ArcContact> {
        if self.arcs.peek()?.met.start == SweepStart::Apart { None } else { self.arcs.pop() }
    }
}

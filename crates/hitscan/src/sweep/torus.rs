//! Sweeps of a volume against a torus. A torus is not convex, but the convex hulls of its arcs approximate it.
//! Shorter arcs approximate it better.

use super::Mover;
use super::conservative_advancement::{ConvexObstacle, Detail, StepBudget, TURNING_RESOLUTION};
use super::contact::{Contact, ContactFilter, SweepStart};
use super::torus_arc::{ARC_RESOLUTION, AngleRange, angle_of};
use super::torus_open::{ArcContact, OpenArcs};
use crate::convex::{BodyCore, RESOLUTION, arc, least_stretch, similar};
use crate::geom::ray::LocalRay;
use crate::geom::transform::Placement;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, length, smaller, unit};
use crate::shape::Torus;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use glam::{DAffine3, DVec3};

/// The number of initial arcs. With this number, a chord is at most a twelfth of the radius away from its arc.
const ARCS: u32 = 8;
/// The maximum number of arcs that are divided for a capsule without rotation and a torus that is round in the world. For these, the search converges in a few
/// steps. If more arcs are hit at nearly the same time, as on the inner side of the torus, the contact is early. It is early by about the sagitta of a 256th of
/// the circle, 8e-5 of the radius.
const MOST_ARCS: usize = 256;
/// The maximum number for other volumes, whose contact is early by 3e-4 of the radius.
const MOST_SLOW_ARCS: usize = 128;
/// The maximum number for rotating volumes and for tori that are not round in the world. The contact is early by
/// 1.2e-3 of the radius.
const FEWEST_ARCS: usize = 64;

/// The accuracy of a contact with an arc that will be divided, relative to the arc's distance from its chord.
const PART_OF_SAGITTA: f64 = 1.0 / 16.0;
/// This limits the distance of an arc from its chord, relative to the radius. Up to this limit, the contact of the arc
/// is found as accurately as f64 allows.
const FINE: f64 = 1.0 / (1 << 12) as f64;

/// Two times of contact are treated as equal if the volume moves little between them. The limit is this multiple of the accuracy of distances.
const ROUNDINGS: f64 = 4.0;

/// A ball that passes the torus at a distance of at most this multiple of the accuracy of distances may touch it.
const BRUSHING: f64 = 4.0;
/// The budget of a rotating volume for all arcs of a torus together, and for one of them. If it is too small for an
/// arc, the contact with the arc is too early. The tests of its halves then begin at that contact.
const EFFORT: StepBudget = StepBudget { planes: 768, steps: 16384 };
const EFFORT_OF_ARC: StepBudget = StepBudget { planes: 64, steps: 1024 };
/// The planes that a volume without rotation may use for all arcs of a stretched torus, where each arc needs many steps.
const EFFORT_OF_STRETCHED: StepBudget = StepBudget { planes: 384, steps: usize::MAX };
/// The planes for all arcs of a torus that is round in the world. Each arc takes few planes there, unless the volume
/// reaches the middle of a torus whose tube is thicker than its hole is wide.
const EFFORT_OF_ROUND: StepBudget = StepBudget { planes: 1024, steps: usize::MAX };
/// The number of arcs that the volume touches at the start but moves away from. After this many, the search for arcs that the motion presses into begins.
const MOST_LEFT_BEHIND: usize = 16;
/// The budget for an arc to improve a known contact.
const ONE_PLANE: StepBudget = StepBudget { planes: 1, steps: 1 };

/// A torus, placed relative to the volume's start.
pub(super) struct TorusObstacle<'a> {
    pub(super) torus: &'a Torus,
    pub(super) to_world: DAffine3,
    pub(super) mover: &'a Mover,
}

impl TorusObstacle<'_> {
    /// Returns the first contact up to t = `limit`.
    pub(super) fn meet(&self, limit: f64) -> Option<Contact> {
        match self.scale_of_ball() {
            Some(scale) => self.meet_ball(scale, limit),
            None => self.meet_arcs(limit),
        }
    }

    /// Returns the scale of the torus, if it is round in the world and the volume is a ball or a point without
    /// rotation.
    fn scale_of_ball(&self) -> Option<f64> {
        let Mover { body, turning, motion, .. } = self.mover;
        let is_ball = matches!(body.core, BodyCore::Segment(half) if half == DVec3::ZERO);
        let goes_straight = turning.is_none() && *motion != DVec3::ZERO;
        if is_ball && goes_straight { similar(&self.to_world.matrix3) } else { None }
    }

    /// Returns the first contact of a ball. Its centre moves along a line. The ball touches the torus where this line enters a torus whose tube is thicker by
    /// the ball's radius. The ball then touches the torus at the angle of that place around the axis, because the nearest point of the circle is there.
    fn meet_ball(&self, scale: f64, limit: f64) -> Option<Contact> {
        let to_local = Placement::new(self.to_world).ok()?.to_local;
        let (origin, direction) = (to_local.translation, to_local.matrix3 * self.mover.motion);
        let line = LocalRay { origin, direction, t_min: f32::NEG_INFINITY, t_max: f32::INFINITY };
        let doubt = RESOLUTION * (self.size() + self.mover.body.radius);
        let distance = (self.mover.body.radius + BRUSHING * doubt) / scale;
        let first = |distance: f64, (least, most): (f64, f64)| {
            let is_ahead = |&(enter, exit): &(f64, f64)| exit >= 0.0 && least <= enter && enter <= most;
            let enters = self.torus.near(&line, distance).filter(is_ahead).map(|(enter, _)| larger(enter, 0.0));
            let contacts = enters.filter_map(|enter| {
                let arc = AngleRange::around(angle_of(origin + direction * enter));
                self.meet_arc(arc, (0.0, limit), Detail::All, &mut StepBudget::OF_ONE.clone())
            });
            let contacts = contacts.filter(|met| !self.slides_along(met));
            contacts.reduce(|first, met| if met.t < first.t { met } else { first })
        };
        // A torus curves towards a ball that moves along its inner side. The ball may go deeper, even if it does
        // not press into the torus at the place that it touches at the start.
        let deeper = || {
            let beside = libm::hypot(origin.x, origin.z) - f64::from(self.torus.major);
            let start = libm::hypot(beside, origin.y) - f64::from(self.torus.minor);
            // The ball touches the torus before its centre is at the place where it goes deeper. So the limit does not apply to the time of the centre.
            first(smaller(start, distance) - ARC_RESOLUTION * f64::from(self.torus.major), (0.0, f64::INFINITY))
        };
        let is_sliding = self.mover.contacts == ContactFilter::Ahead;
        first(distance, (f64::NEG_INFINITY, limit)).or_else(|| if is_sliding { deeper() } else { None })
    }

    /// Returns the first contact of any volume. The arc that may be hit first is divided first.
    fn meet_arcs(&self, limit: f64) -> Option<Contact> {
        let step = core::f64::consts::TAU / f64::from(ARCS);
        let (mut left, effort) = self.most_arcs();
        let rounding = self.rounding();
        // All arcs that are treated as hit at the same time are included, whatever the limit is. Otherwise the limit
        // would affect the choice of the arc to divide.
        let limit = larger(rounding * (libm::floor(limit / rounding) + 1.0), limit);
        let mut open = OpenArcs { arcs: BinaryHeap::new(), effort, limit, rounding };
        for number in 0..ARCS {
            let from = f64::from(number) * step;
            let _ = self.put(&mut open, AngleRange { from, to: from + step }, 0.0);
        }
        let (mut left_behind, mut doubtful) = (0, Vec::new());
        loop {
            let first = if doubtful.is_empty() { open.take_first() } else { open.take_at_start() };
            let Some(ArcContact { arc, met, .. }) = first else {
                if doubtful.is_empty() {
                    return None;
                }
                if let Some(pressed) = self.pressed_at_start(core::mem::take(&mut doubtful), &mut open) {
                    return Some(self.at_place(pressed));
                }
                continue;
            };
            let is_start = met.start != SweepStart::Apart;
            // A rotating volume does not hit a part of an arc before it hits the arc's hull.
            let from = if self.mover.turning.is_some() { met.t } else { 0.0 };
            if is_start && left_behind == MOST_LEFT_BEHIND {
                doubtful.push(arc);
            } else if arc.is_short() || left == 0 {
                if let Some(last) = self.meet_undivided(arc, &met, (from, limit)) {
                    return Some(last);
                }
                if is_start {
                    left_behind += 1;
                    doubtful.extend((!arc.is_short()).then_some(arc));
                }
            } else {
                left -= 1;
                for half in arc.halves() {
                    if self.put(&mut open, half, from) {
                        left = 0;
                    }
                }
            }
        }
    }

    /// Adds an arc, if its hull is hit, and returns whether the budget is spent.
    fn put(&self, open: &mut OpenArcs, arc: AngleRange, from: f64) -> bool {
        let met = self.meet_arc(arc, (from, open.limit), Detail::Time(self.tolerance(arc)), &mut open.effort);
        open.add(arc, met);
        open.effort.is_spent()
    }

    /// Returns the contact with an arc that is not divided further. Returns `None` if the motion leaves the arc or slides along it, because such a contact is
    /// not reported. An arc whose budget is used up is treated as hit at the time that was reached. So the next arcs are tested too.
    fn meet_undivided(&self, arc: AngleRange, met: &Contact, range: (f64, f64)) -> Option<Contact> {
        let all = self.meet_arc(arc, range, Detail::All, &mut ONE_PLANE.clone());
        let all = all.filter(|all| !self.slides_along(all))?;
        let all = Contact { t: if self.mover.turning.is_some() { met.t } else { all.t }, ..all };
        let is_exact = arc.is_short() && met.start == SweepStart::Apart;
        Some(if is_exact { all } else { self.at_place(all) })
    }

    /// Returns whether the volume only slides along an arc, within the error of the contact's normal. In this case another arc may stop the volume,
    /// because a torus curves towards a volume that slides along its inner side.
    pub(super) fn slides_along(&self, met: &Contact) -> bool {
        let Mover { motion, contacts, turning, rounding, .. } = self.mover;
        if *contacts != ContactFilter::Ahead || turning.is_some() || met.normal == DVec3::ZERO {
            return false;
        }
        let apart = length(*motion * met.t - met.point);
        // The point on the torus is rounded as well. Its coordinates are at most the sum of the coordinates of the volume and of the torus.
        let places = 2.0 * rounding + 64.0 * UNIT_ROUNDOFF * largest(self.to_world.translation);
        let tilt = self.mover.tilt(met) + if apart > 0.0 { 2.0 * places / apart } else { 0.0 };
        -met.normal.dot(*motion) <= tilt * length(*motion)
    }

    /// Returns the accuracy with which a contact with an arc is found. It is a fraction of the arc's distance from its
    /// chord, because the arc is divided afterwards. For short arcs it is the best that f64 allows.
    pub(super) fn tolerance(&self, arc: AngleRange) -> f64 {
        let sagitta = arc.sagitta();
        let middle = 0.5 * (arc.from + arc.to);
        let linear = &self.to_world.matrix3;
        let bulge = || match similar(linear) {
            Some(_) => length(*linear * DVec3::new(libm::cos(middle), 0.0, libm::sin(middle))),
            // An arc of a long torus may be farther from its chord than the volume is large.
            None => least_stretch(linear),
        };
        if sagitta <= FINE { 0.0 } else { bulge() * f64::from(self.torus.major) * sagitta * PART_OF_SAGITTA }
    }

    pub(super) fn most_arcs(&self) -> (usize, StepBudget) {
        match self.mover.body.core {
            _ if self.mover.turning.is_some() => (FEWEST_ARCS, EFFORT),
            _ if similar(&self.to_world.matrix3).is_none() => (FEWEST_ARCS, EFFORT_OF_STRETCHED),
            BodyCore::Segment(_) => (MOST_ARCS, EFFORT_OF_ROUND),
            BodyCore::Box(_) | BodyCore::Hull(_) | BodyCore::Round(_) => (MOST_SLOW_ARCS, EFFORT_OF_ROUND),
        }
    }

    /// Returns the largest difference between times of the same contact that is due to rounding.
    fn rounding(&self) -> f64 {
        let resolution = if self.mover.turning.is_some() { TURNING_RESOLUTION } else { RESOLUTION };
        larger(
            f64::EPSILON,
            ROUNDINGS * resolution * (self.size() + self.mover.body.size() + self.mover.body.radius) / self.way(),
        )
    }

    /// Returns an upper bound of the coordinates of the torus.
    fn size(&self) -> f64 {
        let [major, minor] = [self.torus.major, self.torus.minor].map(f64::from);
        largest(self.to_world.translation) + (major + minor) * crate::convex::scale(&self.to_world.matrix3)
    }

    /// Returns the first contact with the hull of an arc.
    pub(super) fn meet_arc(
        &self,
        arc: AngleRange,
        range: (f64, f64),
        detail: Detail,
        effort: &mut StepBudget,
    ) -> Option<Contact> {
        let [major, minor] = [self.torus.major, self.torus.minor].map(f64::from);
        let (hull, linear, size) = (arc::Arc::between(arc.from, arc.to), self.to_world.matrix3, self.size());
        let on_arc =
            |local: DVec3, thick: DVec3| self.to_world.transform_point3(hull.farthest(local) * major + thick * minor);
        let mut own = EFFORT_OF_ARC.within(effort);
        let before = own;
        // The radius is separate, as for every shape that stays round. The core is then a short arc, whose support
        // function is nearly the same as for a segment.
        let met = if let Some(scale) = similar(&linear) {
            let farthest = |direction: DVec3| on_arc(linear.transpose() * direction, DVec3::ZERO);
            ConvexObstacle { farthest, radius: minor * scale, size }.meet_from(self.mover, range, detail, &mut own)
        } else {
            let farthest = |direction: DVec3| {
                let local = linear.transpose() * direction;
                on_arc(local, unit(local).unwrap_or(DVec3::X))
            };
            ConvexObstacle { farthest, radius: 0.0, size }.meet_from(self.mover, range, detail, &mut own)
        };
        effort.planes -= before.planes - own.planes;
        effort.steps -= before.steps - own.steps;
        met
    }
}

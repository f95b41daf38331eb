//! A sweep of a volume against a convex solid that is given by its support function: conservative advancement.
//!
//! Each step finds a plane between the two, and moves the volume until it touches that plane. No step is too long,
//! because no point of the solid is on this side of the plane (B. Mirtich, "Impulse-based Dynamic Simulation of Rigid
//! Body Systems", 1996, 2.3.2; G. van den Bergen, "Ray Casting against General Convex Objects", 2004).

use super::contact::{Contact, ContactFilter, SweepStart};
use super::mover::Mover;
use super::rotational_ccd::RotatedCore;
use crate::convex::{BodyCore, Feature, RESOLUTION, Separation, SupportPoint, separation, separation_within};
use crate::geom::hit::Side;
use crate::math::float::{larger, length, smaller, sqrt, unit};
use alloc::vec::Vec;
use glam::DVec3;

/// All points within a radius of a hull, relative to the volume's start.
pub(super) struct ConvexObstacle<F> {
    /// Its support function.
    pub(super) farthest: F,
    pub(super) radius: f64,
    /// An upper bound of the obstacle's coordinates.
    pub(super) size: f64,
}

/// The maximum number of steps. It would be enough if each step halved the distance.
const MOST_STEPS: usize = 64;
/// The relative accuracy for a rotating volume. Only a bound of its speed of approach is known, so convergence to the
/// last bit would take many steps.
pub(super) const TURNING_RESOLUTION: f64 = 1.0 / (1u64 << 20) as f64;
/// The maximum number of steps of a rotating volume, times [`LEFT_OF_GAP`]. A volume that passes an obstacle at a distance d needs about (the
/// path length of its farthest point in the rotation) / d steps towards one plane.
pub(super) const MOST_TURNING_STEPS: usize = 4096;
/// The fraction of the gap that is left after the steps towards a plane. It limits the number of further steps that
/// a motion of a given length takes.
const LEFT_OF_GAP: f64 = 0.5;
/// The maximum number of planes that a rotating volume is moved to.
const MOST_PLANES: usize = 256;

/// The fraction of the gap by which a plane for a rotating volume may be nearer than the best separating plane.
const PART_OF_GAP: f64 = 0.25;

/// If the fastest speed of the volume is more than this many times a bound of the speed near the solid, this bound is used instead.
const MUCH: f64 = 4.0;

/// A place is treated as near the solid up to this multiple of the volume's distance.
const AROUND: f64 = 4.0;

/// The relative accuracy of the distance between a volume and the solid when the intervals far from the solid are computed.
const RESOLUTION_OF_AWAY: f64 = 1.0 / 16.0;

/// The fraction by which a core may be shrunk to find the point at which it touches. It is the root of [`RESOLUTION`], the error of positions
/// (docs/robustness/sweep-round.md, "Contact at the start").
const LITTLE: f64 = 1.0 / (1 << 20) as f64;

/// An upper bound of the ratio between the distances of a cube's corners and faces from its centre.
const CORNER: f64 = 1.75;

/// The detail with which a contact is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Detail {
    /// Computes only whether there may be a contact, and when. At that time, the volume and the obstacle may be this far apart.
    Time(f64),
    All,
}

impl Detail {
    fn tolerance(self) -> f64 {
        if let Self::Time(tolerance) = self { tolerance } else { 0.0 }
    }
}

/// The remaining work. One convex shape has its own budget, and all arcs of a torus share one. A motion without
/// rotation uses planes only, and completes a step that it has begun.
#[derive(Clone, Copy)]
pub(super) struct StepBudget {
    /// The searches for a plane.
    pub(super) planes: usize,
    /// The steps towards a plane, each of one support point.
    pub(super) steps: usize,
}

impl StepBudget {
    /// The budget of one convex shape.
    pub(super) const OF_ONE: Self =
        Self { planes: MOST_PLANES, steps: (MOST_TURNING_STEPS as f64 / LEFT_OF_GAP) as usize };

    /// Returns the smaller of this budget and another one.
    pub(super) fn within(self, other: &Self) -> Self {
        Self { planes: self.planes.min(other.planes), steps: self.steps.min(other.steps) }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.planes == 0 || self.steps == 0
    }
}

/// A plane behind which the solid is, and the distance of a volume in front of it.
#[derive(Clone, Copy)]
struct SupportPlane {
    normal: DVec3,
    /// The distance of the volume from the plane at `t`.
    gap: f64,
    /// A bound of the speed with which the volume approaches the plane. It holds while the volume moves by no more than `within`.
    speed: f64,
    within: f64,
    t: f64,
}

impl<F: Fn(DVec3) -> DVec3> ConvexObstacle<F> {
    /// Returns the first contact up to t = `limit`.
    pub(super) fn meet(&self, mover: &Mover, limit: f64) -> Option<Contact> {
        let from = mover.turning.as_ref().map_or(0.0, |turning| turning.past_away(0.0));
        if from > limit {
            return None;
        }
        self.meet_from(mover, (from, limit), Detail::All, &mut StepBudget::OF_ONE.clone())
    }

    /// Does the same as [`meet`](Self::meet) for a volume that does not touch the solid before the time `from`.
    pub(super) fn meet_from(
        &self,
        mover: &Mover,
        (from, limit): (f64, f64),
        detail: Detail,
        effort: &mut StepBudget,
    ) -> Option<Contact> {
        let radius = self.radius + mover.body.radius;
        let resolution = RESOLUTION * (self.size + mover.body.size() + radius);
        let mut t = from;
        let mut separation = match mover.turning {
            None => self.separation(mover, t, resolution),
            Some(_) => self.on_the_way(mover, t, mover.motion * t - (self.farthest)(DVec3::X), resolution),
        };
        if mover.turning.is_none() {
            effort.planes = effort.planes.saturating_sub(1);
        }
        let distance = sqrt(separation.nearest.at.length_squared());
        if separation.normal.is_none() || distance <= radius + resolution {
            if from > 0.0 {
                return self.meet_from(mover, (0.0, limit), detail, effort);
            }
            if matches!(detail, Detail::Time(_)) {
                return self.start_of_hull(mover, &separation, (distance, radius, resolution));
            }
            return self.start(mover, &separation, (distance, radius, resolution));
        }
        let mut normal = separation.normal?;
        let (near, steps) = match mover.turning {
            None => (resolution, MOST_STEPS),
            Some(_) => (resolution / RESOLUTION * TURNING_RESOLUTION, effort.planes),
        };
        let near = larger(near, detail.tolerance());
        let (fastest, around) = (self.fastest(mover), self.around(mover));
        for _ in 0..steps {
            // If the distance is 0 within its accuracy, the direction is only rounding. Then the volume touches
            // the plane that it was moved to.
            normal = separation.normal.filter(|_| separation.least >= 0.0).unwrap_or(normal);
            let speed = mover.speed(-normal);
            if !(speed > 0.0) {
                return None;
            }
            let step = (separation.least - radius).max(0.0) / speed;
            let distance = sqrt(separation.nearest.at.length_squared());
            if distance <= radius + near || step <= f64::EPSILON * t {
                let graze = mover.contacts == ContactFilter::Ahead && speed * (1.0 - t) <= resolution;
                return (!graze).then(|| {
                    let normal = self.refined(mover, (t, detail), normal, resolution);
                    let t = self.touches(mover, (t, step), detail, (radius + near, resolution));
                    self.met(mover, (t, detail), normal, resolution)
                });
            }
            let gap = (separation.least - radius).max(0.0);
            let ahead = SupportPlane { normal, gap, speed, within: f64::INFINITY, t };
            t = match self.slow_towards(mover, (around, separation.least), normal, fastest) {
                _ if mover.turning.is_none() => t + step,
                Some(slow) => {
                    let ahead = SupportPlane { speed: slow, within: gap, ..ahead };
                    self.advance(mover, (&ahead, 0.0), limit, effort)
                }
                None => larger(self.advance(mover, (&ahead, 0.0), limit, effort), t + gap / fastest),
            };
            t = mover.turning.as_ref().map_or(t, |turning| turning.past_away(t));
            if !(t <= limit) {
                return None;
            }
            if mover.turning.is_some() && effort.is_spent() {
                break;
            }
            if mover.turning.is_none() {
                effort.planes = effort.planes.saturating_sub(1);
            }
            separation = match mover.turning {
                None => self.separation(mover, t, larger(near * 0.25, resolution)),
                Some(_) => self.on_the_way(mover, t, normal, larger(near * 0.25, resolution)),
            };
        }
        let normal = self.refined(mover, (t, detail), normal, resolution);
        Some(self.met(mover, (t, detail), normal, resolution))
    }

    /// Returns the time after a further step towards the plane, for a volume within a distance of the solid at t. If
    /// that step leads away again, it returns t itself. On a straight path the distance is a convex function of time.
    /// So a volume that comes into contact is no farther after the step. A volume that only grazes the solid, at a
    /// small angle to the plane, may already be far past the contact. The distance changes there by less than its
    /// accuracy.
    fn touches(&self, mover: &Mover, (t, step): (f64, f64), detail: Detail, (near, resolution): (f64, f64)) -> f64 {
        let is_short = step * length(mover.motion) <= resolution;
        if is_short || mover.turning.is_some() || matches!(detail, Detail::Time(_)) {
            return t + step;
        }
        let after = self.separation(mover, t + step, resolution).nearest.at;
        if length(after) <= near + resolution * 0.25 { t + step } else { t }
    }

    /// Returns the normal of a contact at t, given the normal of the last plane of a rotating volume.
    fn refined(&self, mover: &Mover, (t, detail): (f64, Detail), normal: DVec3, resolution: f64) -> DVec3 {
        if mover.turning.is_none() || matches!(detail, Detail::Time(_)) {
            return normal;
        }
        let separation = self.separation(mover, t, resolution);
        separation.normal.filter(|_| separation.least >= 0.0).unwrap_or(normal)
    }

    /// Returns when a rotating volume has closed about half of the gap to a place at the distance `short` in front of a plane. If that is after `limit`, it
    /// returns some time after `limit`. The plane stays where it is. So each step needs only one support point of the volume, and no search for another plane.
    fn advance(&self, mover: &Mover, (ahead, short): (&SupportPlane, f64), limit: f64, effort: &mut StepBudget) -> f64 {
        let SupportPlane { normal, gap, speed, within, t } = *ahead;
        let height = normal.dot((self.farthest)(normal)) + self.radius + mover.body.radius + short;
        let (mut t, mut left) = (t, gap);
        effort.planes = effort.planes.saturating_sub(1);
        while left > LEFT_OF_GAP * gap && t <= limit && effort.steps > 0 {
            effort.steps -= 1;
            let slowest = smaller(left, within) / speed;
            let step = mover.time_above(t, (normal, height)).map_or(slowest, |time| larger(time, slowest));
            if step <= f64::EPSILON * t {
                break;
            }
            t += step;
            left = normal.dot(mover.turned(t).farthest(-normal) + mover.motion * t) - height;
        }
        t
    }

    /// Returns the intervals of time in which a rotating volume is farther from the solid than half of a distance. If
    /// that takes more searches than the budget of one convex shape, it returns the intervals that were found until
    /// then.
    pub(super) fn away(&self, mover: &Mover, distance: f64) -> Vec<[f64; 2]> {
        let (mut away, mut began) = (Vec::new(), None);
        let mut effort = StepBudget::OF_ONE;
        let (fastest, around) = (self.fastest(mover), self.around(mover));
        let near_step = distance / self.slow(mover, (around, distance), fastest).unwrap_or(fastest);
        let mut t = 0.0;
        while t <= 1.0 && !effort.is_spent() {
            let Separation { normal, least, .. } = self.separation(mover, t, RESOLUTION_OF_AWAY * distance);
            let Some(normal) = normal.filter(|_| least - self.radius - mover.body.radius > distance) else {
                away.extend(began.take().map(|began| [began, t]));
                effort.planes -= 1;
                t += near_step;
                continue;
            };
            began = began.or(Some(t));
            let speed = mover.speed(-normal);
            if !(speed > 0.0) {
                t = f64::INFINITY;
                break;
            }
            let short = 0.5 * distance;
            let gap = least - self.radius - mover.body.radius - short;
            let ahead = SupportPlane { normal, gap, speed, within: f64::INFINITY, t };
            t = match self.slow_towards(mover, (around, least), normal, fastest) {
                Some(slow) => {
                    let ahead = SupportPlane { speed: slow, within: gap, ..ahead };
                    self.advance(mover, (&ahead, short), 1.0, &mut effort)
                }
                None => larger(self.advance(mover, (&ahead, short), 1.0, &mut effort), t + gap / fastest),
            };
        }
        let end = if t > 1.0 { f64::INFINITY } else { t };
        away.extend(began.map(|began| [began, end]));
        away
    }

    /// Returns an upper bound of the speed of any point of a core that can hit the solid. If a long volume rotates
    /// next to a small solid, only points near the middle come near the solid. Points farther away are much
    /// faster.
    fn fastest(&self, mover: &Mover) -> f64 {
        let way = length(mover.motion);
        let reach = CORNER * (self.size + self.radius + mover.body.radius + way);
        way + mover.turning.as_ref().map_or(0.0, |turning| turning.fastest(reach))
    }

    /// Returns the centre of a box around the solid, and the radius of a ball around this centre. The ball contains the solid enlarged by the volume's radius.
    /// For a volume that does not rotate, both are 0.
    fn around(&self, mover: &Mover) -> (DVec3, f64) {
        if mover.turning.is_none() {
            return (DVec3::ZERO, 0.0);
        }
        let ends = DVec3::AXES.map(|axis| (axis.dot((self.farthest)(-axis)), axis.dot((self.farthest)(axis))));
        let middle = DVec3::from_array(ends.map(|(low, high)| 0.5 * (low + high)));
        let half = DVec3::from_array(ends.map(|(low, high)| 0.5 * (high - low)));
        (middle, length(half) + self.radius + mover.body.radius)
    }

    /// Returns a bound on the speed of any point of a rotating core that is within a distance of the solid, given the ball from [`around`](Self::around).
    /// Returns `None` unless the bound is far lower than the fastest speed. A point that comes from farther away may be faster, but its path is longer by a
    /// larger factor.
    fn slow(&self, mover: &Mover, ((middle, size), distance): ((DVec3, f64), f64), fastest: f64) -> Option<f64> {
        let slow = mover.turning.as_ref()?.fastest_around(mover.motion, middle, size + distance);
        Some(slow).filter(|slow| slow * MUCH < fastest)
    }

    /// Returns the contact at the start of a volume without rotation, if it is in contact then. Also returns whether the motion presses into it, so that it is
    /// reported even under [`ContactFilter::Ahead`]. A volume without a radius is in contact if the gap is within the rounding error. The direction between the
    /// nearest points is then meaningless if the volume [is sharp](Mover::is_sharp) at this distance.
    pub(super) fn contact_at_start(&self, mover: &Mover, distance_of_place: f64) -> Option<(Contact, bool)> {
        let radius = self.radius + mover.body.radius;
        let resolution = RESOLUTION * (self.size + mover.body.size() + radius);
        let separation = self.separation(mover, 0.0, resolution);
        let distance = sqrt(separation.nearest.at.length_squared());
        if separation.normal.is_some() && distance > radius + resolution {
            return None;
        }
        let separation =
            Separation { normal: separation.normal.filter(|_| !mover.is_sharp(distance_of_place)), ..separation };
        Some(self.met_at_start(mover, &separation, (distance, radius, resolution)))
    }

    /// Returns a bound on the speed with which the volume approaches a plane with a given normal. The bound is at most [`slow`](Self::slow). A point that hits
    /// the solid may be near it all the time, and is then no faster along the normal than the bound for points there. Otherwise it comes from several times the
    /// distance.
    fn slow_towards(
        &self,
        mover: &Mover,
        ((middle, size), distance): ((DVec3, f64), f64),
        normal: DVec3,
        fastest: f64,
    ) -> Option<f64> {
        let slow = self.slow(mover, ((middle, size), distance), fastest)?;
        let (turning, reach) = (mover.turning.as_ref()?, size + AROUND * distance);
        let from_there = turning.fastest_around(mover.motion, middle, reach) / AROUND;
        let along = turning.fastest_along(mover.motion, middle, reach, -normal);
        Some(smaller(slow, larger(along, from_there)))
    }

    fn separation(&self, mover: &Mover, t: f64, resolution: f64) -> Separation {
        self.separation_of(mover.turned(t), (1.0, mover.motion * t), resolution)
    }

    /// Returns the [`separation`](Self::separation) of a rotating volume at a time, given an approximate direction from
    /// the solid. Its accuracy is the accuracy of the contact, or a fraction of the gap; the normal is refined at the
    /// end.
    fn on_the_way(&self, mover: &Mover, t: f64, first: DVec3, resolution: f64) -> Separation {
        let (core, position) = (mover.turned(t), mover.motion * t);
        let radius = self.radius + mover.body.radius;
        let resolution = resolution * 0.25;
        let enough = |distance: f64| larger(resolution, PART_OF_GAP * (distance - radius));
        separation_within(self.difference(core, (1.0, position)), first, resolution, enough)
    }

    /// Returns the separation of the solid without its radius from a core that is scaled by a factor and moved to a
    /// position. It is the separation of the origin from their Minkowski difference.
    fn separation_of(&self, core: RotatedCore<'_>, (scale, position): (f64, DVec3), resolution: f64) -> Separation {
        let first = position - (self.farthest)(DVec3::X);
        separation(self.difference(core, (scale, position)), first, resolution * 0.25)
    }

    fn difference(&self, core: RotatedCore<'_>, (scale, position): (f64, DVec3)) -> impl Fn(DVec3) -> SupportPoint {
        move |direction| {
            let core = core.farthest(-direction) * scale + position;
            SupportPoint { at: (self.farthest)(direction) - core, core }
        }
    }

    fn start(&self, mover: &Mover, separation: &Separation, sizes: (f64, f64, f64)) -> Option<Contact> {
        let (met, is_ahead) = self.met_at_start(mover, separation, sizes);
        (is_ahead || mover.contacts == ContactFilter::All).then_some(met)
    }

    /// Does the same as [`start`](Self::start) if this solid only contains the relevant one, as the hull of an arc does. A volume that touches the larger
    /// solid, and leaves it, never touches the smaller one. But a volume that is deep in the larger solid may be apart from the smaller one, and reach it
    /// later.
    fn start_of_hull(
        &self,
        mover: &Mover,
        separation: &Separation,
        (distance, radius, resolution): (f64, f64, f64),
    ) -> Option<Contact> {
        let leaves = separation.normal.is_some_and(|normal| {
            distance - radius >= -resolution
                && mover.speed(-normal) <= resolution
                && mover.contacts == ContactFilter::Ahead
        });
        (!leaves).then(|| at(DVec3::ZERO, DVec3::ZERO, SweepStart::Penetrating))
    }

    /// Returns the contact of a volume that starts in contact, and whether the motion presses into it.
    fn met_at_start(
        &self,
        mover: &Mover,
        separation: &Separation,
        (distance, radius, resolution): (f64, f64, f64),
    ) -> (Contact, bool) {
        let apart = separation.normal.map(|normal| (normal, distance - radius, separation.nearest));
        let Some((normal, gap, nearest)) = apart.or_else(|| self.way_out(mover, resolution)) else {
            let against = unit(-mover.motion).unwrap_or(DVec3::ZERO);
            return (at(DVec3::ZERO, against, SweepStart::Penetrating), true);
        };
        let start = if gap >= -resolution { SweepStart::Touching } else { SweepStart::Penetrating };
        let met = at(nearest.at + nearest.core + normal * self.radius, normal, start);
        (met, mover.speed(-normal) > resolution)
    }

    /// Returns the direction of separation, the gap along it and the touched point, for a core that starts in contact
    /// with the solid. Returns `None` if the centre is in the solid.
    ///
    /// The core grows from its centre until it touches the solid. As in the motion, no step is too long: each ends
    /// where the core touches a plane.
    fn way_out(&self, mover: &Mover, resolution: f64) -> Option<(DVec3, f64, SupportPoint)> {
        let core = &mover.body.core;
        let gap = |normal: DVec3| {
            let lowest = core.farthest(-normal) - (self.farthest)(normal);
            lowest.dot(normal) - self.radius - mover.body.radius
        };
        let shrunk = |scale: f64| self.separation_of(mover.turned(0.0), (scale, DVec3::ZERO), resolution);
        let (mut scale, mut out) = (0.0, None);
        for _ in 0..MOST_STEPS {
            let Separation { normal: Some(normal), least, .. } = shrunk(scale) else { break };
            let reach = -core.farthest(-normal).dot(normal);
            // A core that does not extend towards the solid comes no nearer as it grows.
            let reaches = reach > 0.0;
            out = Some((normal, if reaches { 4.0 * resolution / reach } else { f64::INFINITY }));
            let step = least / reach;
            if !(reaches && step > f64::EPSILON && scale < 1.0) {
                break;
            }
            scale = smaller(scale + step, 1.0);
        }
        // Core and solid are kept just apart, because there are no nearest points in contact. A core may hardly extend
        // towards the solid, like a flat core that is parallel to the solid's side. Such a core is apart only if it is
        // shrunk to almost nothing. Then the whole core is moved out instead.
        let touched = |normal: DVec3, less: f64, gap: f64| {
            if less <= LITTLE {
                return shrunk((scale - less).max(0.0)).nearest;
            }
            let depth = -(gap + self.radius + mover.body.radius);
            let position = normal * (depth + 4.0 * resolution);
            self.separation_of(mover.turned(0.0), (1.0, position), resolution).nearest
        };
        let grown = out.map(|(normal, less)| (normal, gap(normal), touched(normal, less, gap(normal))));
        // If a flat core lies on the solid, its centre is on the solid too, and no step was made.
        grown.or_else(|| {
            let mut sides = mover.outline.faces.iter().map(|face| (-face.normal, gap(-face.normal)));
            let (normal, gap) = sides.find(|(_, gap)| matches!(core, BodyCore::Box(_)) && *gap >= -resolution)?;
            Some((normal, gap, SupportPoint { at: DVec3::ZERO, core: DVec3::ZERO }))
        })
    }

    /// Returns the contact at t. The touched point is computed from a position in which the volume is almost in contact, because there are no nearest points in
    /// contact.
    fn met(&self, mover: &Mover, (t, detail): (f64, Detail), normal: DVec3, resolution: f64) -> Contact {
        if let Detail::Time(_) = detail {
            return Contact { t, ..at(DVec3::ZERO, normal, SweepStart::Apart) };
        }
        let back = if self.radius + mover.body.radius > resolution { DVec3::ZERO } else { normal * (4.0 * resolution) };
        let position = mover.motion * t + back;
        let SupportPoint { at: to, core } = self.separation_of(mover.turned(t), (1.0, position), resolution).nearest;
        Contact { t, ..at(to + core + normal * self.radius, normal, SweepStart::Apart) }
    }
}

fn at(point: DVec3, normal: DVec3, start: SweepStart) -> Contact {
    Contact { t: 0.0, start, point, normal, feature: Feature::Face, side: Side::Front }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{Pose, Volume};
    use crate::geom::aabb::Aabb;
    use crate::math::float::length;
    use crate::sweep::contact::ContactFilter;
    use crate::sweep::mover::Sweep;
    use core::cell::Cell;
    use glam::DQuat;

    /// Consider a bar whose tip passes a ball at a small distance. It needs a step each time that the tip moves by about this distance, but no search for a
    /// plane.
    #[test]
    fn few_farthest_points_are_taken_past_a_thing() {
        let bar = Volume::from(Aabb::new([-3.0, -0.01, -0.01], [3.0, 0.01, 0.01]));
        let turn = [DQuat::IDENTITY, DQuat::from_rotation_z(3.0)].map(|rotation| Pose::from((DVec3::ZERO, rotation)));
        let sweep = Sweep::turning(&bar, [&turn[0], &turn[1]], DVec3::ZERO, ContactFilter::All).unwrap();
        for (apart, meets) in [(2e-3, false), (1e-5, false), (-1e-2, true)] {
            let count = Cell::new(0);
            let center = DVec3::new(0.0, 4.0 + apart, 0.0);
            let farthest = |_: DVec3| {
                count.set(count.get() + 1);
                center
            };
            let corner = length(DVec3::new(3.0, 0.01, 0.01)) - 3.0;
            let ball = ConvexObstacle { farthest, radius: 1.0 - corner, size: 5.0 };
            let met = ball.meet(&sweep.mover, 1.0);
            assert_eq!(met.is_some(), meets, "{apart}: {met:?}");
            assert!(count.get() < 4000, "{apart}: {}", count.get());
        }
    }
}

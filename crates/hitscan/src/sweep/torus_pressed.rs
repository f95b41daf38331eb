//! The search among the places where a volume touches a torus at the start of a motion. It looks for a place that the motion presses into. It is made if the
//! motion leads away from many of these places.

use super::conservative_advancement::Detail;
use super::contact::{Contact, SweepStart};
use super::torus::TorusObstacle;
use super::torus_arc::AngleRange;
use super::torus_contact::PRESSED;
use super::torus_open::OpenArcs;
use crate::collections::ordered::ordered_by_cmp;
use crate::convex::{RESOLUTION, SupportPoint, arc::Arc, scale, separation, similar};
use crate::geom::transform::Placement;
use crate::math::float::{larger, length, sqrt, unit};
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;
use glam::{DAffine3, DVec3};

/// The maximum number of arcs that are divided.
const MOST_DIVIDED: usize = 64;
/// After a place was found that the motion presses into, at most this many further arcs are divided. They may have a place that the motion presses into more.
const MOST_BETTER: usize = 16;
/// The accuracy of a distance to an arc, relative to the square of its chord. The nearest point is then known to a fraction of the chord.
const PART_OF_CHORD: f64 = 1.0 / 64.0;

/// An arc with whose hull the volume is in contact at the start.
struct PressedArc {
    arc: AngleRange,
    /// An upper bound of the motion's speed into any place of the arc, times the distance between the volume and that place.
    most: f64,
}

impl Ord for PressedArc {
    /// The greatest arc is the one that the motion may press into most. Among equal arcs it is the longest, then the arc with the smallest angles.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.arc.sagitta().total_cmp(&other.arc.sagitta());
        self.most.total_cmp(&other.most).then(by_length).then(other.arc.from.total_cmp(&self.arc.from))
    }
}

ordered_by_cmp!(PressedArc);

impl TorusObstacle<'_> {
    /// Returns a contact at the start that the motion presses into, with one of the arcs whose hulls the volume touches at the start. It is the contact that
    /// the motion presses into most. Or it is the first contact into which the motion presses with at least half of its speed. If there is none, parts of these
    /// arcs that are hit later are added to the open arcs.
    ///
    /// Arcs are skipped if the motion certainly leads away from every point of them, however many such arcs there are. If the motion slides along more arcs
    /// than may be divided, only the middle of each remaining arc is tested.
    pub(super) fn pressed_at_start(&self, doubtful: Vec<AngleRange>, open: &mut OpenArcs) -> Option<Contact> {
        let mut effort = self.most_arcs().1;
        let placed = Placement::new(self.to_world).ok();
        let pressed_arc = |arc: AngleRange| self.pressed_arc(arc, placed.as_ref().map(|placed| &placed.to_local));
        let mut arcs: BinaryHeap<PressedArc> = doubtful.into_iter().filter_map(pressed_arc).collect();
        let (mut left, mut most): (usize, Option<Contact>) = (MOST_DIVIDED, None);
        while left > 0 {
            let Some(PressedArc { arc, .. }) = arcs.pop() else { break };
            left -= 1;
            if let Some(met) = self.pressed_in(arc) {
                left = left.min(MOST_BETTER);
                let pressed = self.pressed(&met);
                most = most.filter(|most| self.pressed(most) >= pressed).or(Some(met));
                if pressed >= PRESSED * self.way() {
                    break;
                }
            }
            let parts = if arc.is_short() { None } else { Some(arc.halves()) };
            for part in parts.into_iter().flatten().filter_map(pressed_arc) {
                let detail = Detail::Time(self.tolerance(part.arc));
                match self.meet_arc(part.arc, (0.0, open.limit), detail, &mut effort) {
                    Some(met) if met.start != SweepStart::Apart => arcs.push(part),
                    later => open.add(part.arc, later),
                }
            }
        }
        most.or_else(|| {
            arcs.into_iter().find_map(|PressedArc { arc, .. }| {
                let shortest = AngleRange::around(arc.middle());
                let met = self.meet_arc(shortest, (0.0, open.limit), Detail::All, &mut effort)?;
                let is_start = met.start != SweepStart::Apart;
                if !is_start {
                    open.add(shortest, Some(met));
                }
                (is_start && !self.slides_along(&met)).then_some(met)
            })
        })
    }

    /// Returns the speed of the motion into a contact.
    fn pressed(&self, met: &Contact) -> f64 {
        self.mover.speed(-met.normal)
    }

    /// Returns an upper bound of the speed of the volume.
    pub(super) fn way(&self) -> f64 {
        length(self.mover.motion) + self.mover.turning.as_ref().map_or(0.0, |turning| turning.fastest(f64::INFINITY))
    }

    /// Returns the contact at the start with the middle of an arc, or with the whole arc if it is not divided further. The motion must press into it.
    fn pressed_in(&self, arc: AngleRange) -> Option<Contact> {
        let tested = if arc.is_short() { arc } else { AngleRange::around(arc.middle()) };
        let met = self.meet_at_start(tested)?;
        (!self.slides_along(&met)).then_some(met)
    }

    /// Returns an arc, unless the motion presses into no place of it.
    ///
    /// Consider the vector from the volume to a place of the circle. The motion presses into the place if its component along this vector is positive. The
    /// volume is convex, so the vectors to two places differ by a vector in the ball whose diameter is the segment between these places. On a straight path, a
    /// volume that moves away from a place at the start never comes nearer to it. All computations are in the torus's own space, where it is round.
    fn pressed_arc(&self, arc: AngleRange, to_local: Option<&DAffine3>) -> Option<PressedArc> {
        let Some(to_local) = to_local else { return Some(PressedArc { arc, most: f64::INFINITY }) };
        let (hull, major) = (Arc::between(arc.from, arc.to), f64::from(self.torus.major));
        let (way, place, doubt) = self.way_to(&hull, arc.chord(), to_local);
        let motion = to_local.matrix3 * self.mover.motion;
        let fastest = length(motion);
        let turning = self.mover.turning.as_ref();
        let turning = turning.map_or(0.0, |turning| turning.fastest(f64::INFINITY) * scale(&to_local.matrix3));
        // The arc is in the triangle of its ends and the tangents there.
        let [from, to] = hull.ends;
        let corners =
            [from, to, hull.middle / libm::cos(0.5 * (arc.to - arc.from))].map(|corner| corner * major - place);
        let more = corners.map(|apart| 0.5 * (apart.dot(motion) + length(apart) * fastest));
        let more = more.into_iter().fold(0.0, larger) + arc.chord() * major * turning;
        let most = self.mover.speed(to_local.matrix3.transpose() * way) + more + doubt * (fastest + turning);
        (most > 0.0).then_some(PressedArc { arc, most })
    }

    /// Returns the vector from the volume at the start to the nearest point of the hull of an arc of the circle. It also returns that point and a bound of the
    /// error. All are in the torus's own space.
    pub(super) fn way_to(&self, hull: &Arc, chord: f64, to_local: &DAffine3) -> (DVec3, DVec3, f64) {
        let (body, major, linear) = (&self.mover.body, f64::from(self.torus.major), to_local.matrix3);
        // If the transform keeps balls round, the radius does not change the direction of the vector, and is left out.
        let radius = if similar(&linear).is_some() { 0.0 } else { body.radius };
        let farthest = |direction: DVec3| {
            let towards = linear.transpose() * -direction;
            let round = unit(towards).map_or(DVec3::ZERO, |towards| towards * radius);
            let core = to_local.transform_point3(body.core.farthest(towards) + round);
            SupportPoint { at: hull.farthest(direction) * major - core, core }
        };
        let size = major + length(to_local.translation) + scale(&linear) * (body.size() + radius);
        let accuracy = larger(RESOLUTION * size, PART_OF_CHORD * chord * chord * major);
        let found = separation(farthest, to_local.translation - hull.middle * major, accuracy);
        let SupportPoint { at: way, core } = found.nearest;
        if found.normal.is_none() {
            return (DVec3::ZERO, way + core, length(way));
        }
        let least = larger(found.least, 0.0);
        (way, way + core, sqrt(larger(way.length_squared() - least * least, 0.0)))
    }
}

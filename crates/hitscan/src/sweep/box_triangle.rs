//! A sweep of a box or hull against a triangle, in closed form.
//!
//! A volume and a triangle are in contact when the volume's displacement is in their Minkowski difference. The
//! difference is the set behind planes of three kinds: parallel to the triangle, to a face of the volume, or to an
//! edge of each (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996, use these separating axes for boxes at rest). The motion is clipped by the planes one by
//! one, like a line that is clipped by a polygon (M. Cyrus, J. Beck, "Generalized two- and three-dimensional clipping", 1978). Each plane, whatever its
//! direction, gets an offset by support functions. So no point of the difference is in front of it. So an inaccurate direction, for example from two edges that
//! are almost parallel, does no harm.

use super::contact::{Contact, ContactFilter, SweepStart};
use super::mover::Mover;
use crate::convex::{ConvexFace, Feature, point_triangle};
use crate::geom::hit::Side;
use crate::math::clip::clip;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, smaller, sqrt, unit};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// A triangle relative to a mover.
struct BoxTriangle<'a> {
    mover: &'a Mover,
    corners: [DVec3; 3],
    /// The unit normal, to the front if the transform does not mirror.
    normal: DVec3,
    /// The f64 error of a distance at the start.
    rounding: f64,
    /// The f64 error of a distance anywhere on the motion.
    margin: f64,
    /// The rounding error of the motion, as a length.
    slight: f64,
}

/// A plane that has the whole Minkowski difference behind it.
#[derive(Clone, Copy)]
struct BoundingPlane {
    /// The unit normal from the triangle to the volume.
    normal: DVec3,
    /// A lower bound of the gap along the normal at the start; a negative gap is the depth.
    gap: f64,
    of: Origin,
}

/// The features that a plane is parallel to.
#[derive(Clone, Copy)]
enum Origin {
    Triangle,
    Face,
    /// The edge of the triangle with this number, and an edge of the volume.
    Edge(u8),
}

/// The part of the motion that is behind all planes so far.
struct MotionInterval {
    /// The largest gap, and its plane.
    gap: f64,
    nearest: Option<BoundingPlane>,
    /// True if the volume touches a plane that the motion does not cross inwards.
    leaves: bool,
    /// The time when the volume is behind all planes, and the plane that it crosses last.
    t: f64,
    last: Option<BoundingPlane>,
    /// The time from which the motion is not in front of any plane by more than rounding.
    enter: f64,
    leave: f64,
}

/// Returns the first contact with a triangle, given with its plane's normal, up to t = `limit`.
pub(super) fn meet_triangle(mover: &Mover, (corners, normal): ([DVec3; 3], DVec3), limit: f64) -> Option<Contact> {
    let [a, b, c] = corners;
    let rounding = mover.body.rounding(larger(larger(largest(a), largest(b)), largest(c)));
    let slight = 64.0 * UNIT_ROUNDOFF * largest(mover.motion);
    BoxTriangle { mover, corners, normal, rounding, margin: rounding + slight, slight }.meet(limit)
}

impl BoxTriangle<'_> {
    fn meet(&self, limit: f64) -> Option<Contact> {
        let mut course = MotionInterval::WHOLE;
        if self.planes(&mut |plane| self.cut(&mut course, plane, limit)).is_break() {
            return None;
        }
        if course.gap <= self.rounding {
            return self.start(&course);
        }
        let t = self.contact(&course)?;
        let is_met = t >= 0.0 && t <= limit;
        let plane = course.last.filter(|_| is_met)?;
        if self.mover.contacts == ContactFilter::Ahead && self.grazes(&course, t) {
            return None;
        }
        Some(self.met(t, plane, SweepStart::Apart))
    }

    /// Returns the time of contact. If rounding has rotated the normal of a plane, the motion may almost slide along that plane. It may then cross the plane
    /// only after it has left the difference through another plane. The distance from the first plane is then within its rounding, and the contact is at the
    /// time when the volume is behind all planes up to rounding.
    fn contact(&self, course: &MotionInterval) -> Option<f64> {
        if course.t <= course.leave {
            return Some(course.t);
        }
        // Planes that are crossed before the last one were skipped.
        let mut enter = 0.0;
        let _ = self.planes(&mut |plane| {
            let speed = self.speed(&plane);
            if speed > self.slight {
                enter = larger((self.placed(plane).gap - self.margin) / speed, enter);
            }
            ControlFlow::Continue(())
        });
        Some(enter).filter(|&enter| enter <= course.leave)
    }

    /// Visits planes until the visitor breaks. The gaps of these planes are upper bounds.
    fn planes(&self, show: &mut impl FnMut(BoundingPlane) -> ControlFlow<()>) -> ControlFlow<()> {
        let outline = &self.mover.outline;
        for normal in [self.normal, -self.normal] {
            show(BoundingPlane { normal, gap: f64::INFINITY, of: Origin::Triangle })?;
        }
        for &ConvexFace { normal, offset } in &outline.faces {
            show(BoundingPlane { normal: -normal, gap: -offset - self.reach(-normal), of: Origin::Face })?;
        }
        let [a, b, c] = self.corners;
        for (number, (p, q)) in (0..).zip([(a, b), (b, c), (c, a)]) {
            let Some(along) = unit(q - p) else { continue };
            let outwards = along.cross(self.normal);
            for edge in &outline.edges {
                let across = along.cross(edge.along);
                let across = if across.dot(outwards) < 0.0 { -across } else { across };
                if edge.may_face(across)
                    && let Some(normal) = unit(across)
                {
                    let gap = edge.place.map_or(f64::INFINITY, |place| normal.dot(place.corner) - self.reach(normal));
                    show(BoundingPlane { normal, gap, of: Origin::Edge(number) })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the support distance of the triangle along a direction.
    fn reach(&self, direction: DVec3) -> f64 {
        let [a, b, c] = self.corners.map(|corner| corner.dot(direction));
        larger(larger(a, b), c)
    }

    /// Returns the plane with its accurate offset.
    fn placed(&self, plane: BoundingPlane) -> BoundingPlane {
        let lowest = self.mover.body.core.farthest(-plane.normal);
        BoundingPlane { gap: lowest.dot(plane.normal) - self.reach(plane.normal), ..plane }
    }

    /// Returns the speed with which the volume approaches a plane.
    fn speed(&self, plane: &BoundingPlane) -> f64 {
        -plane.normal.dot(self.mover.motion)
    }

    /// Cuts off the part of the motion in front of a plane; breaks if nothing is left.
    fn cut(&self, course: &mut MotionInterval, plane: BoundingPlane, limit: f64) -> ControlFlow<()> {
        let speed = self.speed(&plane);
        if course.is_cut(&plane, speed, self) {
            course.cut(self.placed(plane), speed, self);
        }
        if course.enter > course.leave || course.enter > limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Returns the contact of a volume that starts in contact.
    fn start(&self, course: &MotionInterval) -> Option<Contact> {
        let plane = course.nearest?;
        let is_deep = course.gap < -self.rounding;
        // A motion away from a convex set never returns to it.
        let leaves = course.leaves || self.speed(&plane) <= larger(self.slight, self.rounding);
        if leaves && self.mover.contacts == ContactFilter::Ahead && !(is_deep && self.has_middle()) {
            return None;
        }
        Some(self.met(0.0, plane, if is_deep { SweepStart::Penetrating } else { SweepStart::Touching }))
    }

    /// Returns whether the volume's centre starts in the triangle, so that the direction of separation is ambiguous.
    fn has_middle(&self) -> bool {
        sqrt(point_triangle(DVec3::ZERO, self.corners).square) <= self.rounding
    }

    /// Returns whether the motion goes no deeper into the difference than f64 can tell. The depth in the middle of the
    /// motion is at least half of the largest depth, because depth is concave.
    fn grazes(&self, course: &MotionInterval, t: f64) -> bool {
        let middle = 0.5 * (t + smaller(course.leave, 1.0));
        let is_near = |plane: &BoundingPlane| plane.gap - self.speed(plane) * middle >= -self.margin;
        let mut show = |plane: BoundingPlane| {
            let is_near = is_near(&plane) && is_near(&self.placed(plane));
            if is_near { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.planes(&mut show).is_break()
    }

    fn met(&self, t: f64, plane: BoundingPlane, start: SweepStart) -> Contact {
        let BoundingPlane { normal, of, .. } = plane;
        let feature = match of {
            Origin::Triangle => Feature::Face,
            Origin::Edge(edge) => Feature::Edge(edge),
            Origin::Face => self.feature(t, normal),
        };
        let height = self.normal.dot(self.mover.motion * t - self.corners[0]);
        let is_front = if height == 0.0 { normal.dot(self.normal) >= 0.0 } else { height > 0.0 };
        let side = if is_front { Side::Front } else { Side::Back };
        let point = match feature {
            Feature::Vertex(corner) => self.corners[usize::from(corner)],
            Feature::Face | Feature::Edge(_) => self.point(t, normal),
        };
        Contact { t, start, point, normal, feature, side }
    }

    /// Returns the feature of the triangle that touches a face of the volume at t. If a corner is the support point
    /// only by rounding, it may be beside that face. Then an edge at the corner, or the whole triangle, touches the
    /// face.
    fn feature(&self, t: f64, direction: DVec3) -> Feature {
        let farthest = self.farthest(direction, self.rounding);
        let mut found = farthest;
        let mut slack = self.rounding;
        for _ in 0..WIDENINGS {
            match found {
                Feature::Vertex(corner) if !self.is_touched(corner, t) => {
                    slack *= 16.0;
                    found = self.farthest(direction, slack);
                }
                _ => return found,
            }
        }
        farthest
    }

    /// Returns whether a corner is in the volume at t, expanded by the margin with which the search for touched features begins.
    fn is_touched(&self, corner: u8, t: f64) -> bool {
        let place = self.corners[usize::from(corner)] - self.mover.motion * t;
        self.mover.outline.faces.iter().all(|face| face.normal.dot(place) - face.offset <= 2.0 * self.margin)
    }

    /// Returns the feature of the triangle that is farthest along a direction, up to a tolerance.
    fn farthest(&self, direction: DVec3, slack: f64) -> Feature {
        let least = self.reach(direction) - slack;
        match self.corners.map(|corner| corner.dot(direction) >= least) {
            [true, true, true] => Feature::Face,
            [true, true, false] => Feature::Edge(0),
            [false, true, true] => Feature::Edge(1),
            [true, false, true] => Feature::Edge(2),
            [true, _, _] => Feature::Vertex(0),
            [_, true, _] => Feature::Vertex(1),
            _ => Feature::Vertex(2),
        }
    }

    /// Returns the mean of the corners of the part of the triangle that is in the volume at t.
    fn point(&self, t: f64, normal: DVec3) -> DVec3 {
        let mut margin = 2.0 * self.margin;
        // If several faces form a flat angle, rounding may leave the part inside all of them empty.
        for _ in 0..WIDENINGS {
            let patch = self.patch(t, margin);
            if !patch.is_empty() {
                return patch.iter().sum::<DVec3>() / patch.len() as f64;
            }
            margin *= 16.0;
        }
        let [a, b, c] = self.corners;
        let farther = |p: DVec3, q: DVec3| if q.dot(normal) > p.dot(normal) { q } else { p };
        farther(farther(a, b), c)
    }

    /// Returns the part of the triangle that is in the volume at t, expanded by a margin, as the corners of a polygon.
    fn patch(&self, t: f64, margin: f64) -> Vec<DVec3> {
        let shift = self.mover.motion * t;
        let mut patch = Vec::from(self.corners);
        let mut kept = Vec::with_capacity(8);
        for &ConvexFace { normal, offset } in &self.mover.outline.faces {
            clip(&patch, |p| normal.dot(p - shift) - offset - margin, &mut kept);
            core::mem::swap(&mut patch, &mut kept);
        }
        patch
    }
}

/// The maximum number of margins with which the touched part is computed, each 16 times as large as the previous one.
const WIDENINGS: usize = 6;

impl MotionInterval {
    const WHOLE: Self = Self {
        gap: f64::NEG_INFINITY,
        nearest: None,
        leaves: false,
        t: f64::NEG_INFINITY,
        last: None,
        enter: 0.0,
        leave: f64::INFINITY,
    };

    /// Returns whether a plane may change the result, given an upper bound of its gap.
    fn is_cut(&self, &BoundingPlane { gap, .. }: &BoundingPlane, speed: f64, pair: &BoxTriangle<'_>) -> bool {
        let is_start = self.gap <= pair.rounding && gap >= smaller(self.gap, -pair.rounding);
        let is_way = if speed > pair.slight {
            gap > speed * smaller(self.t, self.leave)
        } else if speed < -pair.slight {
            gap - pair.margin > speed * self.leave
        } else {
            gap > pair.margin
        };
        is_start || is_way
    }

    fn cut(&mut self, plane: BoundingPlane, speed: f64, pair: &BoxTriangle<'_>) {
        let (gap, margin) = (plane.gap, pair.margin);
        // Among planes with gaps that f64 cannot distinguish, the first one decides the feature.
        if self.nearest.is_none_or(|nearest| gap > nearest.gap + pair.rounding) {
            self.nearest = Some(plane);
        }
        self.gap = larger(gap, self.gap);
        self.leaves |= gap >= -pair.rounding && speed <= larger(pair.slight, pair.rounding);
        if speed > pair.slight {
            let t = gap / speed;
            if self.last.is_none_or(|last| pair.speed(&last) * t > last.gap + margin) {
                self.last = Some(plane);
            }
            self.t = larger(t, self.t);
            self.enter = larger((gap - margin) / speed, self.enter);
        } else if speed < -pair.slight {
            self.leave = smaller((gap - margin) / speed, self.leave);
        } else if gap > margin {
            self.leave = f64::NEG_INFINITY;
        }
    }
}

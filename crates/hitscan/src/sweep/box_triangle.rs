//! A box or hull against a triangle, in closed form.
//!
//! The two touch when the way that the volume has gone is in their Minkowski difference. That is what is behind planes of three kinds: parallel to the triangle, to a face of
//! the volume, or to an edge of each (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", 1996, has them for boxes at rest). The way is clipped
//! by them one by one, as a line is by a polygon (M. Cyrus, J. Beck, "Generalized two- and three-dimensional clipping", 1978). A plane is put where nothing of the
//! difference is in front of it, whatever its direction: so a direction that is rounding alone, as of edges that are almost parallel, does no harm.

use super::contact::{Contact, ContactFilter, SweepStart};
use super::mover::Mover;
use crate::convex::{ConvexFace, Feature, point_triangle};
use crate::geom::hit::Side;
use crate::math::clip::clip;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, smaller, sqrt, unit};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// A triangle as a mover sees it.
struct BoxTriangle<'a> {
    mover: &'a Mover,
    corners: [DVec3; 3],
    /// Of unit length, to the front if the transform does not mirror.
    normal: DVec3,
    /// How far f64 may be off in a distance at the start.
    rounding: f64,
    /// And anywhere on the way.
    margin: f64,
    /// What of the motion is no more than its own rounding.
    slight: f64,
}

/// A plane that the difference is behind.
#[derive(Clone, Copy)]
struct BoundingPlane {
    /// From the triangle to the volume, of unit length.
    normal: DVec3,
    /// At least how far apart the two are along it at the start; less than 0 is how deep.
    gap: f64,
    of: Origin,
}

/// What a plane is parallel to.
#[derive(Clone, Copy)]
enum Origin {
    Triangle,
    Face,
    /// To this edge of the triangle, and one of the volume.
    Edge(u8),
}

/// What the planes so far leave of the way.
struct MotionInterval {
    /// The largest gap, and the plane that has it.
    gap: f64,
    nearest: Option<BoundingPlane>,
    /// Whether it touches a plane from which it does not go inwards.
    leaves: bool,
    /// When it is behind all planes, and the one that is passed last.
    t: f64,
    last: Option<BoundingPlane>,
    /// The part of the way that is not before any plane by more than rounding.
    enter: f64,
    leave: f64,
}

/// The first contact with a triangle, given with its plane's normal, up to t = `limit`.
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

    /// The time of contact. Along a plane whose normal rounding has turned the way may all but slide, and pass it only after it has left what is behind
    /// another one: then it is never farther in front of that plane than rounding, and the contact is where no plane is ahead but for that.
    fn contact(&self, course: &MotionInterval) -> Option<f64> {
        if course.t <= course.leave {
            return Some(course.t);
        }
        // Planes that are passed before the last one were left out.
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

    /// Shows planes until one decides. Their gaps are at most too large.
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

    /// How far the triangle is along a direction.
    fn reach(&self, direction: DVec3) -> f64 {
        let [a, b, c] = self.corners.map(|corner| corner.dot(direction));
        larger(larger(a, b), c)
    }

    /// The plane where it really is.
    fn placed(&self, plane: BoundingPlane) -> BoundingPlane {
        let lowest = self.mover.body.core.farthest(-plane.normal);
        BoundingPlane { gap: lowest.dot(plane.normal) - self.reach(plane.normal), ..plane }
    }

    /// How fast the volume approaches.
    fn speed(&self, plane: &BoundingPlane) -> f64 {
        -plane.normal.dot(self.mover.motion)
    }

    /// Takes off what of the way is before a plane; a break if nothing is left.
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

    /// The contact of a volume that starts with one.
    fn start(&self, course: &MotionInterval) -> Option<Contact> {
        let plane = course.nearest?;
        let is_deep = course.gap < -self.rounding;
        // From a convex thing from which a motion leads away, it leads away for good.
        let leaves = course.leaves || self.speed(&plane) <= larger(self.slight, self.rounding);
        if leaves && self.mover.contacts == ContactFilter::Ahead && !(is_deep && self.has_middle()) {
            return None;
        }
        Some(self.met(0.0, plane, if is_deep { SweepStart::Penetrating } else { SweepStart::Touching }))
    }

    /// Whether the volume's middle starts in the triangle, so that there is no way out that is nearer than another.
    fn has_middle(&self) -> bool {
        sqrt(point_triangle(DVec3::ZERO, self.corners).square) <= self.rounding
    }

    /// Whether the way comes no deeper into the difference than f64 can tell. In its middle it is half as deep at least as anywhere, as depth is concave.
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

    /// The part of the triangle that touches a face of the volume at t. A corner that is farthest along the direction by hardly more than rounding may be beside that
    /// face, and then it is an edge at the corner, or all of the triangle, that touches.
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

    /// Whether a corner is in the volume at t, which is as much thicker as where what it touches is looked for first.
    fn is_touched(&self, corner: u8, t: f64) -> bool {
        let place = self.corners[usize::from(corner)] - self.mover.motion * t;
        self.mover.outline.faces.iter().all(|face| face.normal.dot(place) - face.offset <= 2.0 * self.margin)
    }

    /// The part of the triangle that is farthest along a direction, but for a slack.
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

    /// The mean of the corners of what of the triangle is in the volume then.
    fn point(&self, t: f64, normal: DVec3) -> DVec3 {
        let mut margin = 2.0 * self.margin;
        // Where faces meet at a flat angle, what is at once within rounding of both may not be within it of a point.
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

    /// The part of the triangle that is in the volume at t, which is thicker by a margin: the corners of a polygon.
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

/// How often what a volume touches is looked for with a larger margin.
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

    /// Whether a plane may change anything, if its gap is what it is at most.
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
        // Of planes that are equally near, as far as f64 can tell, the first says what is touched.
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

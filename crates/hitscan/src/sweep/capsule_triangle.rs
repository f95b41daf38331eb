//! A sweep of a sphere or capsule against a triangle, in closed form.
//!
//! A ball hits a triangle where its centre enters the expanded triangle. This consists of its plane moved by the radius to either side, cylinders around its
//! edges, and balls around its corners. A capsule hits the triangle where the middle of its segment enters the expanded Minkowski sum of the triangle and the
//! segment. That sum is a prism with two triangles, three parallelograms, nine edges and six corners. The first contact with the set is the earliest contact
//! with any of these pieces. Each piece alone gives a real contact, so overlapping pieces do no harm. Faces are enlarged by the rounding error.

use super::contact::{Contact, ContactFilter, SweepStart};
use super::mover::Mover;
use super::separating_plane::{ContactState, FlatFaces};
use crate::convex::{ClosestPair, Feature, point_triangle, segment_segment, segment_triangle};
use crate::geom::hit::Side;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, smaller, sqrt, unit};
use glam::DVec3;

/// A triangle relative to a mover.
struct CapsuleTriangle<'a> {
    mover: &'a Mover,
    /// The half of the volume's segment.
    half: DVec3,
    radius: f64,
    corners: [DVec3; 3],
    /// The unit normal, to the front if the transform does not mirror.
    normal: DVec3,
    /// The height of the start above the plane.
    height: f64,
    /// The component of the motion along the normal.
    climb: f64,
    /// The extent of the segment along the normal to either side.
    reach: f64,
    /// The f64 error of a distance.
    rounding: f64,
}

/// The first contact so far, with its piece.
#[derive(Clone, Copy)]
struct Touch {
    t: f64,
    /// The point on the triangle.
    point: DVec3,
    normal: DVec3,
    feature: Feature,
}

/// Returns the first contact of a ball or capsule with a triangle, given with its plane's normal, up to t = `limit`.
#[inline]
pub(super) fn meet_triangle(mover: &Mover, half: DVec3, triangle: ([DVec3; 3], DVec3), limit: f64) -> Option<Contact> {
    let flat = CapsuleTriangle::new(mover, half, triangle, limit)?;
    flat.at_start().unwrap_or_else(|| if flat.is_aside() || flat.is_late(limit) { None } else { flat.on_way(limit) })
}

/// Does the same as [`meet_triangle`] after an f32 filter. Few of the remaining triangles are to the side of the motion. So a further test that rejects them is
/// not worth its time.
#[inline]
pub(super) fn meet_near_triangle(
    mover: &Mover,
    half: DVec3,
    triangle: ([DVec3; 3], DVec3),
    limit: f64,
) -> Option<Contact> {
    let flat = CapsuleTriangle::new(mover, half, triangle, limit)?;
    // Until a triangle is hit, the limit is the end of the motion or just after it, and few triangles are beyond it.
    let is_late = || limit <= 1.0 && flat.is_late(limit);
    flat.at_start().unwrap_or_else(|| if is_late() { None } else { flat.on_way(limit) })
}

impl<'a> CapsuleTriangle<'a> {
    /// Returns `None` for a triangle behind the end of the motion, or beside it.
    #[inline]
    fn new(mover: &'a Mover, half: DVec3, (corners, normal): ([DVec3; 3], DVec3), limit: f64) -> Option<Self> {
        let [a, b, c] = corners;
        let (height, climb) = (-normal.dot(a), normal.dot(mover.motion));
        let reach = normal.dot(half).abs();
        let size = larger(larger(largest(a), largest(b)), largest(c));
        let radius = mover.body.radius;
        let rounding = mover.body.rounding(size);
        let (near, end) = (radius + reach + rounding, height + climb * limit);
        let is_near = !((height > near && end > near) || (height < -near && end < -near));
        is_near.then_some(Self { mover, half, radius, corners, normal, height, climb, reach, rounding })
    }

    fn is_capsule(&self) -> bool {
        self.half != DVec3::ZERO
    }

    /// Returns the result if the start decides it.
    fn at_start(&self) -> Option<Option<Contact>> {
        if self.may_touch_at_start()
            && let Some(pair) = self.pair_at_start()
        {
            return Some(self.start(&pair));
        }
        (self.mover.motion == DVec3::ZERO).then_some(None)
    }

    /// Returns the contact of a volume that starts apart from the triangle.
    fn on_way(&self, limit: f64) -> Option<Contact> {
        let touch = self.first(limit)?;
        let normal = if let Some(ContactState::Beside(normal)) = self.lie(&touch) { normal } else { touch.normal };
        Some(self.met(Touch { normal, ..touch }, SweepStart::Apart))
    }

    fn met(&self, Touch { t, point, normal, feature }: Touch, start: SweepStart) -> Contact {
        let middle_is_above = self.height + self.climb * t;
        let is_front = if middle_is_above == 0.0 { normal.dot(self.normal) >= 0.0 } else { middle_is_above > 0.0 };
        Contact { t, start, point, normal, feature, side: if is_front { Side::Front } else { Side::Back } }
    }

    fn may_touch_at_start(&self) -> bool {
        let room = self.half.abs() + DVec3::splat(self.radius + self.rounding);
        let [a, b, c] = self.corners;
        a.min(b).min(c).cmple(room).all()
            && a.max(b).max(c).cmpge(-room).all()
            && self.height.abs() <= self.radius + self.reach + self.rounding
    }

    /// Returns the closest points at the start, if the volume is in contact then.
    fn pair_at_start(&self) -> Option<ClosestPair> {
        let pair = if self.is_capsule() {
            segment_triangle(self.half, self.corners)
        } else {
            point_triangle(DVec3::ZERO, self.corners)
        };
        (sqrt(pair.square) <= self.radius + self.rounding).then_some(pair)
    }

    /// Returns the contact of a volume that starts in contact.
    fn start(&self, pair: &ClosestPair) -> Option<Contact> {
        let distance = sqrt(pair.square);
        let start =
            if distance >= self.radius - self.rounding { SweepStart::Touching } else { SweepStart::Penetrating };
        let away = if distance > self.rounding { (pair.core - pair.point) / distance } else { self.away_from_plane() };
        let leaves = away.dot(self.mover.motion) >= -self.slight();
        // A motion that leads away from a convex set never returns to it.
        if leaves && self.mover.contacts == ContactFilter::Ahead && !self.is_pierced(distance) {
            return None;
        }
        let touch = Touch { t: 0.0, point: pair.point, normal: away, feature: pair.feature };
        Some(match self.lie(&touch).filter(|_| start == SweepStart::Touching) {
            Some(ContactState::Beside(normal)) => self.met(Touch { normal, ..touch }, start),
            Some(ContactState::Across) => self.met(touch, SweepStart::Penetrating),
            None => self.met(touch, start),
        })
    }

    /// Returns the contact state of a volume whose radius is 0 or too small to give a direction. Returns `None` for other volumes, and for a ball on the face,
    /// where the normal of the triangle is known.
    fn lie(&self, touch: &Touch) -> Option<ContactState> {
        let size = self.corners.iter().fold(0.0, |most, &corner| larger(most, largest(corner)));
        let is_told = touch.feature == Feature::Face && !self.is_capsule();
        (!is_told && self.mover.is_sharp(size))
            .then(|| self.mover.lie(&FlatFaces::polygon(&self.corners, self.normal), touch.t, touch.point))
    }
    /// Returns whether the volume's core crosses the triangle, so that the direction of separation is ambiguous.
    fn is_pierced(&self, distance: f64) -> bool {
        distance <= self.rounding && self.radius + self.reach > self.rounding
    }

    /// Returns the direction of separation for a volume whose core touches the triangle. It is towards the side of the volume's centre, or towards the front if
    /// the centre is in the plane.
    fn away_from_plane(&self) -> DVec3 {
        if self.height < -self.rounding { -self.normal } else { self.normal }
    }

    /// Returns whether an edge separates the triangle from the motion. That is so if, seen along the motion, the path is on the outer side of the edge, farther
    /// away than the extent of the volume. This rejects most triangles beside the path. It rejects no triangle within the rounding error, so that no answer
    /// depends on it.
    fn is_aside(&self) -> bool {
        let ([a, b, c], motion) = (self.corners, self.mover.motion);
        let (ab, ac) = (b - a, c - a);
        let facing = motion.dot(ab.cross(ac));
        if !(facing.abs() > 64.0 * UNIT_ROUNDOFF * size(motion) * size(ab) * size(ac)) {
            return false;
        }
        let slack = 8.0 * self.rounding * size(motion);
        let is_beyond = |p: DVec3, q: DVec3| {
            let along = q - p;
            let (across, miss) = (motion.cross(along), motion.dot(p.cross(along)));
            let reach =
                || self.radius * sqrt(across.length_squared()) + across.dot(self.half).abs() + slack * size(along);
            miss * facing < 0.0 && miss.abs() > reach()
        };
        is_beyond(a, b) || is_beyond(b, c) || is_beyond(c, a)
    }

    /// Returns whether the triangle is certainly not hit up to a t. The test uses the triangle's distance from the volume at the time when the volume reaches
    /// the plane. If this is more than the radius, the volume must move farther to hit the triangle. If many triangles are coplanar, as in a floor, all are
    /// rejected but the few around the contact.
    fn is_late(&self, limit: f64) -> bool {
        let ([a, b, c], motion) = (self.corners, self.mover.motion);
        let speed = if self.height < 0.0 { self.climb } else { -self.climb };
        let core = self.height.abs() - self.reach;
        let t = if speed > 0.0 { larger(core - self.radius, 0.0) / speed } else { 0.0 };
        let core = larger(core - larger(speed, 0.0) * t, 0.0);
        let ends = [motion * t - self.half, motion * t + self.half];
        // This is a lower bound, because an upper bound replaces the length of an edge.
        let beyond = |p: DVec3, q: DVec3| {
            let inwards = self.normal.cross(q - p);
            smaller(-inwards.dot(ends[0] - p), -inwards.dot(ends[1] - p)) / size(q - p)
        };
        let beside = larger(larger(beyond(a, b), beyond(b, c)), larger(beyond(c, a), 0.0));
        let slack = 64.0 * (self.rounding + UNIT_ROUNDOFF * largest(motion));
        let apart = sqrt(core * core + beside * beside) - self.radius - slack;
        apart > (limit - t) * sqrt(motion.length_squared())
    }

    /// Returns the length below which a motion is within the rounding error.
    fn slight(&self) -> f64 {
        larger(self.rounding, 64.0 * UNIT_ROUNDOFF * largest(self.mover.motion))
    }

    /// Returns the first contact of the motion up to a t, if the volume starts apart.
    fn first(&self, limit: f64) -> Option<Touch> {
        let speed = sqrt(self.mover.motion.length_squared());
        let mut first = FirstTouch { flat: self, speed, touch: None, limit };
        if self.is_capsule() {
            first.of_prism();
        } else {
            first.of_triangle();
        }
        first.touch
    }

    /// Returns the edges, by their first corners.
    fn edges(&self) -> [[DVec3; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]]
    }
}

/// A face of the prism, with the facts that decide which of its edges and corners may be hit.
#[derive(Clone, Copy)]
struct PrismFace {
    /// True if the motion may cross the face inwards.
    is_entered: bool,
    /// True if the start may be in front of the face.
    is_seen: bool,
}

impl PrismFace {
    /// A thin face, whose normal may be wrong.
    const UNKNOWN: Self = Self { is_entered: true, is_seen: true };
    /// If the sine of the angle between the edges of a face is below this, the face is thin. A thin face is treated as unknown, which costs a few tests of
    /// pieces and changes no answer.
    const THIN: f64 = 1e-6;
    /// The error of the unit normal of a face that is not thin. The cross product of the edges is off by 4 u of the product of the edges' lengths. Each edge is
    /// rounded once. So its direction is off by 4 u / `THIN`. Its dot products with a place or the motion add 3 u. `DOUBT` is 200 times that, because it is
    /// only used to reject.
    const DOUBT: f64 = 200.0 * (4.0 * UNIT_ROUNDOFF / Self::THIN);

    /// Returns whether the edge or corner between facets may be hit. Its contact normal is between the normals of
    /// the facets. So one of them faces the start, and the motion crosses one of them.
    fn may_be_met_between(facets: &[Self]) -> bool {
        facets.iter().any(|facet| facet.is_entered) && facets.iter().any(|facet| facet.is_seen)
    }
}

/// The axis of a cylinder of the expanded prism.
#[derive(Clone, Copy)]
struct PieceAxis {
    along: DVec3,
    length: f64,
    /// The vector perpendicular to the line and the motion, and its length.
    across: DVec3,
    pace: f64,
}

/// The least t of the pieces so far.
struct FirstTouch<'a> {
    flat: &'a CapsuleTriangle<'a>,
    /// The length of the motion.
    speed: f64,
    touch: Option<Touch>,
    /// The time after which contacts do not matter.
    limit: f64,
}

impl FirstTouch<'_> {
    fn offer(&mut self, t: f64, touch: impl FnOnce(&Self) -> Touch) {
        if t <= self.limit && self.touch.is_none_or(|first| t < first.t) {
            self.touch = Some(touch(self));
            self.limit = t;
        }
    }

    /// Tests the triangle for a ball.
    fn of_triangle(&mut self) {
        // If a face is crossed in its interior, it is hit before its edges.
        if self.triangle(DVec3::ZERO) {
            return;
        }
        for (corner, [p, q]) in (0..).zip(self.flat.edges()) {
            let line = self.line(q - p);
            self.edge(corner, p, &line, DVec3::ZERO);
            self.corner(corner, p, DVec3::ZERO);
        }
    }

    /// Tests the prism for a capsule. The whole prism is behind the plane of each face. So if a face is hit from its front, no other piece is hit earlier.
    fn of_prism(&mut self) {
        let CapsuleTriangle { half, normal, height, reach, radius, rounding, .. } = *self.flat;
        // This is the end of the prism on the side of the front.
        let front = if normal.dot(half) < 0.0 { -half } else { half };
        if height.abs() - reach >= radius - rounding {
            // Both ends are equally near if the segment is parallel to the triangle's plane.
            let is_met = if reach <= rounding {
                self.triangle(-half) || self.triangle(half)
            } else {
                self.triangle(if height < 0.0 { -front } else { front })
            };
            if is_met {
                return;
            }
        }
        let edges = self.flat.edges();
        let mut sides = [PrismFace::UNKNOWN; 3];
        for (corner, ([p, q], side)) in (0..).zip(edges.into_iter().zip(&mut sides)) {
            let opposite = self.flat.corners[(usize::from(corner) + 2) % 3];
            match self.side(corner, [p, q], opposite) {
                Some(facet) => *side = facet,
                None => return,
            }
        }
        let ends = [(front, self.end(1.0)), (-front, self.end(-1.0))];
        let pillar = self.line(half * 2.0);
        for (corner, [p, q]) in (0..).zip(edges) {
            let (next, last) = (sides[usize::from(corner)], sides[(usize::from(corner) + 2) % 3]);
            let line = self.line(q - p);
            for (shift, end) in ends {
                if PrismFace::may_be_met_between(&[end, next]) {
                    self.edge(corner, p, &line, shift);
                }
                if PrismFace::may_be_met_between(&[end, next, last]) {
                    self.corner(corner, p, shift);
                }
            }
            if PrismFace::may_be_met_between(&[next, last]) {
                self.pillar(corner, p, &pillar);
            }
        }
    }

    /// Returns the facts about the triangle at one end of the prism. The sign is 1 for the end on the front side of the triangle, and -1 for the other end.
    fn end(&self, sign: f64) -> PrismFace {
        let CapsuleTriangle { corners: [a, b, c], normal, height, climb, reach, mover, .. } = *self.flat;
        let (ab, ac) = (b - a, c - a);
        if !(ab.cross(ac).length_squared()
            > PrismFace::THIN * PrismFace::THIN * ab.length_squared() * ac.length_squared())
        {
            return PrismFace::UNKNOWN;
        }
        let doubt = PrismFace::DOUBT * (size(a) + size(normal * reach));
        PrismFace {
            is_entered: sign * climb < PrismFace::DOUBT * size(mover.motion),
            is_seen: sign * height - reach > -doubt,
        }
    }

    /// Returns the normal from the contact point on a piece to the volume.
    fn normal(&self, t: f64, foot: DVec3) -> DVec3 {
        let motion = self.flat.mover.motion;
        unit(motion * t - foot).or_else(|| unit(-motion)).unwrap_or(DVec3::ZERO)
    }

    /// Returns whether a piece matters, given the greatest depth of the volume in it.
    fn counts(&self, deepest: f64) -> bool {
        self.flat.mover.contacts == ContactFilter::All || deepest > self.flat.rounding
    }

    /// Returns the time at which the moving point first comes within the radius of a plane. The arguments are its height above the plane at the start and the
    /// component of the motion along the normal. Returns `None` for a point that starts within the radius or does not come nearer.
    fn level(&self, height: f64, climb: f64) -> Option<f64> {
        let radius = self.flat.radius;
        let gap = larger(height.abs() - radius, 0.0);
        let speed = if height < 0.0 { climb } else { -climb };
        let is_met = speed > 0.0 && height.abs() >= radius - self.flat.rounding && self.counts(speed - gap);
        is_met.then(|| gap / speed)
    }

    /// Tests the triangle, moved by one end of the segment, and returns whether it is hit at any time.
    fn triangle(&mut self, shift: DVec3) -> bool {
        let CapsuleTriangle { mover, radius, corners: [a, b, c], normal, climb, .. } = *self.flat;
        let height = self.flat.height - normal.dot(shift);
        let Some(t) = self.level(height, climb) else { return false };
        let side = if height < 0.0 { -normal } else { normal };
        let point = mover.motion * t - side * radius - shift;
        // The triangle is enlarged by the rounding error of the position, so that nothing passes between two triangles.
        let margin = self.flat.rounding + 32.0 * UNIT_ROUNDOFF * largest(mover.motion * t);
        let is_within = |p: DVec3, q: DVec3| normal.dot((q - p).cross(point - p)) >= -margin * size(q - p);
        let is_met = is_within(a, b) && is_within(b, c) && is_within(c, a);
        if is_met {
            self.offer(t, |_| Touch { t, point, normal: side, feature: Feature::Face });
        }
        is_met
    }

    /// Tests the parallelogram that the segment sweeps along an edge. Returns `None` if it is hit from outside at any time: then no other piece is hit earlier.
    fn side(&mut self, edge: u8, [p, q]: [DVec3; 2], opposite: DVec3) -> Option<PrismFace> {
        let CapsuleTriangle { mover, half, radius, .. } = *self.flat;
        let (along, up) = (q - p, half * 2.0);
        let across = along.cross(up);
        let Some(normal) = unit(across) else { return Some(PrismFace::UNKNOWN) };
        let (height, climb) = (-normal.dot(p), normal.dot(mover.motion));
        let (area, inwards) = (sqrt(across.length_squared()), normal.dot(opposite - p));
        let outwards = if inwards > 0.0 { -1.0 } else { 1.0 };
        let is_parallel = !(area > PrismFace::THIN * size(along) * size(up));
        let is_thin = is_parallel || !(inwards.abs() > PrismFace::THIN * size(opposite - p));
        let facet = PrismFace {
            is_entered: is_thin || outwards * climb < PrismFace::DOUBT * size(mover.motion),
            is_seen: is_thin || outwards * height > -PrismFace::DOUBT * (size(p) + size(half)),
        };
        if !(facet.is_entered && facet.is_seen) {
            return Some(facet);
        }
        let Some(t) = self.level(height, climb) else { return Some(facet) };
        let side = if height < 0.0 { -normal } else { normal };
        let foot = mover.motion * t - side * radius - (p - half);
        let margin = self.flat.rounding + 32.0 * UNIT_ROUNDOFF * largest(mover.motion * t);
        let (u, v) = (normal.dot(foot.cross(up)) / area, normal.dot(along.cross(foot)) / area);
        let (margin_u, margin_v) = (margin * size(up) / area, margin * size(along) / area);
        if !((-margin_u..=1.0 + margin_u).contains(&u) && (-margin_v..=1.0 + margin_v).contains(&v)) {
            return Some(facet);
        }
        let mut point = p + along * u.clamp(0.0, 1.0);
        if is_parallel {
            // If rounding alone decides the position on the edge and on the side of the parallelogram, the contact is verified.
            let way = mover.motion * t;
            let pair = segment_segment(half, p - way, q - way, edge);
            if sqrt(pair.square) > radius + 4.0 * margin {
                return Some(facet);
            }
            point = pair.point + way;
        }
        self.offer(t, |_| Touch { t, point, normal: side, feature: Feature::Edge(edge) });
        (is_thin || outwards * height <= 0.0).then_some(facet)
    }

    /// Tests an edge of the triangle, moved by one end of the segment.
    fn edge(&mut self, edge: u8, p: DVec3, line: &PieceAxis, shift: DVec3) {
        let p = p + shift;
        let Some((t, s)) = self.cylinder(p, line) else { return };
        let foot = p + line.along * s;
        self.offer(t, |first| Touch {
            t,
            point: foot - shift,
            normal: first.normal(t, foot),
            feature: Feature::Edge(edge),
        });
    }

    /// Tests the cylinder that the segment sweeps at a corner.
    fn pillar(&mut self, corner: u8, p: DVec3, line: &PieceAxis) {
        let foot = p - self.flat.half;
        let Some((t, s)) = self.cylinder(foot, line) else { return };
        let feature = Feature::Vertex(corner);
        self.offer(t, |first| Touch { t, point: p, normal: first.normal(t, foot + line.along * s), feature });
    }

    /// Tests a corner of the triangle, moved by one end of the segment.
    fn corner(&mut self, corner: u8, p: DVec3, shift: DVec3) {
        let foot = p + shift;
        let Some(t) = self.ball(foot) else { return };
        self.offer(t, |first| Touch { t, point: p, normal: first.normal(t, foot), feature: Feature::Vertex(corner) });
    }

    fn line(&self, along: DVec3) -> PieceAxis {
        let across = self.flat.mover.motion.cross(along);
        PieceAxis { along, length: along.length_squared(), across, pace: sqrt(across.length_squared()) }
    }

    /// Returns the time when the moving point first comes within the radius of a line. Also returns the position
    /// along the line, which must be between its ends.
    ///
    /// All quantities are squared and multiplied by the length of the line's direction. No square root is taken of a
    /// difference of squares.
    fn cylinder(&self, p: DVec3, line: &PieceAxis) -> Option<(f64, f64)> {
        let (motion, radius) = (self.flat.mover.motion, self.flat.radius);
        let PieceAxis { along, length, across, pace, .. } = *line;
        let o = p.cross(along);
        let approach = across.dot(o);
        if !(approach > 0.0 && length > 0.0) {
            return None;
        }
        let miss = motion.dot(o);
        let reach = radius * pace;
        if !(miss.abs() <= reach && self.counts(radius - miss.abs() / pace)) {
            return None;
        }
        let (far, near) = (sqrt(o.length_squared()), radius * sqrt(length));
        let gap = (far - near) * (far + near);
        if gap < 0.0 {
            return None;
        }
        let t = gap / (approach + sqrt(length) * sqrt((reach - miss) * (reach + miss)));
        if !(t <= self.limit) {
            return None;
        }
        let s = (motion * t - p).dot(along) / length;
        (0.0..=1.0).contains(&s).then_some((t, s))
    }

    /// Returns the time when the moving point first comes within the radius of another point.
    fn ball(&self, p: DVec3) -> Option<f64> {
        let (motion, radius) = (self.flat.mover.motion, self.flat.radius);
        let (approach, speed) = (motion.dot(p), self.speed);
        if !(approach > 0.0) {
            return None;
        }
        let miss = sqrt(motion.cross(p).length_squared());
        let reach = radius * speed;
        if !(miss <= reach && self.counts(radius - miss / speed)) {
            return None;
        }
        let far = sqrt(p.length_squared());
        let gap = larger((far - radius) * (far + radius), 0.0);
        Some(gap / (approach + sqrt((reach - miss) * (reach + miss))))
    }
}

/// Returns an upper bound of the length of a vector that is less than twice the length.
fn size(v: DVec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

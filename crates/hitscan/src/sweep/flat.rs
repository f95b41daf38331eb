//! A volume against a triangle, in closed form.
//!
//! A ball meets a triangle where its centre meets what is all around it: its plane moved by the radius on either side, cylinders around its
//! edges, balls around its corners. A capsule does where the middle of its segment meets that of the triangle's Minkowski sum with the segment: of a
//! prism with two triangles, three parallelograms, nine edges and six corners. Of a convex thing the first of all pieces is the first contact,
//! and each piece alone is really in contact, so it does no harm if two claim a place between them; a face claims what rounding leaves open.

use super::closest::{Pair, point_triangle, segment_triangle};
use super::{Contacts, Feature, Met, Mover, SweepStart};
use crate::float::{UNIT_ROUNDOFF, larger, largest, smaller, sqrt, unit};
use crate::hit::Side;
use glam::DVec3;

/// A triangle as a mover sees it.
struct Flat<'a> {
    mover: &'a Mover,
    /// Of the volume's segment.
    half: DVec3,
    radius: f64,
    corners: [DVec3; 3],
    /// Of unit length, to the front if the transform does not mirror.
    normal: DVec3,
    /// How far the start is above the plane.
    height: f64,
    /// Of the motion, along the normal.
    climb: f64,
    /// How far the segment reaches along the normal to either side.
    reach: f64,
    /// How far f64 may be off in a distance.
    rounding: f64,
}

/// The pieces that may be met first, by what they are of.
#[derive(Clone, Copy)]
struct Touch {
    t: f64,
    /// On the triangle.
    point: DVec3,
    normal: DVec3,
    feature: Feature,
}

/// The first contact of a ball or capsule with a triangle up to t = `limit`; none with one without an area.
#[inline]
pub(super) fn meet_triangle(mover: &Mover, half: DVec3, corners: [DVec3; 3], limit: f64) -> Option<Met> {
    let [a, b, c] = corners;
    let normal = unit((b - a).cross(c - a))?;
    let (height, climb) = (-normal.dot(a), normal.dot(mover.motion));
    let reach = normal.dot(half).abs();
    let size = larger(larger(largest(a), largest(b)), largest(c));
    let radius = mover.body.radius;
    let rounding = mover.body.rounding(size);
    // Most triangles that are looked at are behind the end of the way, or beside it.
    let (near, end) = (radius + reach + rounding, height + climb * limit);
    if (height > near && end > near) || (height < -near && end < -near) {
        return None;
    }
    Flat { mover, half, radius, corners, normal, height, climb, reach, rounding }.meet(limit)
}

impl Flat<'_> {
    fn is_capsule(&self) -> bool {
        self.half != DVec3::ZERO
    }

    fn meet(&self, limit: f64) -> Option<Met> {
        if self.may_touch_at_start()
            && let Some(pair) = self.pair_at_start()
        {
            return self.start(&pair);
        }
        if self.mover.motion == DVec3::ZERO || self.is_aside() || self.is_late(limit) {
            return None;
        }
        let touch = self.first()?;
        Some(self.met(touch, SweepStart::Apart))
    }

    fn met(&self, Touch { t, point, normal, feature }: Touch, start: SweepStart) -> Met {
        let middle_is_above = self.height + self.climb * t;
        let is_front = if middle_is_above == 0.0 { normal.dot(self.normal) >= 0.0 } else { middle_is_above > 0.0 };
        Met { t, start, point, normal, feature, side: if is_front { Side::Front } else { Side::Back } }
    }

    fn may_touch_at_start(&self) -> bool {
        let room = self.half.abs() + DVec3::splat(self.radius + self.rounding);
        let [a, b, c] = self.corners;
        a.min(b).min(c).cmple(room).all()
            && a.max(b).max(c).cmpge(-room).all()
            && self.height.abs() <= self.radius + self.reach + self.rounding
    }

    /// The closest points at the start, if the volume is in contact then.
    fn pair_at_start(&self) -> Option<Pair> {
        let pair = if self.is_capsule() {
            segment_triangle(self.half, self.corners)
        } else {
            point_triangle(DVec3::ZERO, self.corners)
        };
        (sqrt(pair.square) <= self.radius + self.rounding).then_some(pair)
    }

    /// The contact of a volume that starts with one.
    fn start(&self, pair: &Pair) -> Option<Met> {
        let distance = sqrt(pair.square);
        let start =
            if distance >= self.radius - self.rounding { SweepStart::Touching } else { SweepStart::Penetrating };
        let away = if distance > self.rounding { (pair.core - pair.point) / distance } else { self.away_from_plane() };
        let leaves = away.dot(self.mover.motion) >= -self.slight();
        // From a convex thing from which a motion leads away, it leads away for good.
        if leaves && self.mover.contacts == Contacts::Ahead && !self.is_pierced(distance) {
            return None;
        }
        Some(self.met(Touch { t: 0.0, point: pair.point, normal: away, feature: pair.feature }, start))
    }

    /// Whether the volume's segment is on both sides, so that there is no way out that is nearer than another.
    fn is_pierced(&self, distance: f64) -> bool {
        distance <= self.rounding && self.radius + self.reach > self.rounding
    }

    /// The direction out of a triangle for what is in its plane: to the side that the volume's middle is on, or else the front.
    fn away_from_plane(&self) -> DVec3 {
        if self.height < -self.rounding { -self.normal } else { self.normal }
    }

    /// Whether an edge is between the triangle and the way: seen along the motion, the way is on the edge's other side, farther off than the volume reaches.
    /// So it is with most triangles that the way passes by. What rounding leaves open is not, so that no answer depends on it.
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

    /// Whether the triangle is certainly not met up to a t, by how far it is beside the volume when that comes to its plane: what is farther away than the
    /// radius is not met sooner than the motion is that long. Where many triangles are in one plane, as in a floor, it leaves the few around the contact.
    fn is_late(&self, limit: f64) -> bool {
        let ([a, b, c], motion) = (self.corners, self.mover.motion);
        let speed = if self.height < 0.0 { self.climb } else { -self.climb };
        let core = self.height.abs() - self.reach;
        let t = if speed > 0.0 { larger(core - self.radius, 0.0) / speed } else { 0.0 };
        let core = larger(core - larger(speed, 0.0) * t, 0.0);
        let ends = [motion * t - self.half, motion * t + self.half];
        // At least: for the length of an edge there is a larger number.
        let beyond = |p: DVec3, q: DVec3| {
            let inwards = self.normal.cross(q - p);
            smaller(-inwards.dot(ends[0] - p), -inwards.dot(ends[1] - p)) / size(q - p)
        };
        let beside = larger(larger(beyond(a, b), beyond(b, c)), larger(beyond(c, a), 0.0));
        let slack = 64.0 * (self.rounding + UNIT_ROUNDOFF * largest(motion));
        let apart = sqrt(core * core + beside * beside) - self.radius - slack;
        apart > (limit - t) * sqrt(motion.length_squared())
    }

    /// The part of a motion that is no more than rounding, over all of it.
    fn slight(&self) -> f64 {
        larger(self.rounding, 64.0 * UNIT_ROUNDOFF * largest(self.mover.motion))
    }

    /// What the motion meets first, if the start is apart.
    fn first(&self) -> Option<Touch> {
        let [a, b, c] = self.corners;
        let mut first = First { flat: self, touch: None };
        if !self.is_capsule() {
            first.triangle(DVec3::ZERO);
            // The inside of a face that is met is met before its edges.
            if first.touch.is_none() {
                for (corner, (p, q)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
                    first.edge(corner as u8, p, q, DVec3::ZERO);
                    first.corner(corner as u8, p, DVec3::ZERO);
                }
            }
            return first.touch;
        }
        for shift in [-self.half, self.half] {
            first.triangle(shift);
            for (corner, (p, q)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
                first.edge(corner as u8, p, q, shift);
                first.corner(corner as u8, p, shift);
            }
        }
        for (corner, (p, q)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
            first.side(corner as u8, p, q);
            first.pillar(corner as u8, p);
        }
        first.touch
    }
}

/// The least t of the pieces so far.
struct First<'a> {
    flat: &'a Flat<'a>,
    touch: Option<Touch>,
}

impl First<'_> {
    fn offer(&mut self, touch: Touch) {
        if touch.t <= 1.0 + f64::from(f32::EPSILON) && self.touch.is_none_or(|first| touch.t < first.t) {
            self.touch = Some(touch);
        }
    }

    /// From the foot on a piece to the volume.
    fn normal(&self, t: f64, foot: DVec3) -> DVec3 {
        let motion = self.flat.mover.motion;
        unit(motion * t - foot).or_else(|| unit(-motion)).unwrap_or(DVec3::ZERO)
    }

    /// Whether it matters how deep the volume comes into a piece at most.
    fn counts(&self, deepest: f64) -> bool {
        self.flat.mover.contacts == Contacts::All || deepest > self.flat.rounding
    }

    /// When the moving point is first at the radius from a plane in some height below it.
    fn level(&self, height: f64, climb: f64) -> Option<f64> {
        let radius = self.flat.radius;
        let gap = larger(height.abs() - radius, 0.0);
        let speed = if height < 0.0 { climb } else { -climb };
        let is_met = speed > 0.0 && height.abs() >= radius - self.flat.rounding && self.counts(speed - gap);
        is_met.then(|| gap / speed)
    }

    /// The triangle, moved by one end of the segment.
    fn triangle(&mut self, shift: DVec3) {
        let Flat { mover, radius, corners: [a, b, c], normal, climb, .. } = *self.flat;
        let height = self.flat.height - normal.dot(shift);
        let Some(t) = self.level(height, climb) else { return };
        let side = if height < 0.0 { -normal } else { normal };
        let point = mover.motion * t - side * radius - shift;
        // As far beside it as rounding may have put it: so nothing falls between two triangles.
        let margin = self.flat.rounding + 32.0 * UNIT_ROUNDOFF * largest(mover.motion * t);
        let is_within = |p: DVec3, q: DVec3| normal.dot((q - p).cross(point - p)) >= -margin * size(q - p);
        if is_within(a, b) && is_within(b, c) && is_within(c, a) {
            self.offer(Touch { t, point, normal: side, feature: Feature::Face });
        }
    }

    /// The parallelogram that the segment sweeps along an edge.
    fn side(&mut self, edge: u8, p: DVec3, q: DVec3) {
        let Flat { mover, half, radius, .. } = *self.flat;
        let (along, up) = (q - p, half * 2.0);
        let across = along.cross(up);
        let Some(normal) = unit(across) else { return };
        let height = -normal.dot(p);
        let Some(t) = self.level(height, normal.dot(mover.motion)) else { return };
        let side = if height < 0.0 { -normal } else { normal };
        let foot = mover.motion * t - side * radius - (p - half);
        let margin = self.flat.rounding + 32.0 * UNIT_ROUNDOFF * largest(mover.motion * t);
        let area = sqrt(across.length_squared());
        let (u, v) = (normal.dot(foot.cross(up)) / area, normal.dot(along.cross(foot)) / area);
        let (margin_u, margin_v) = (margin * size(up) / area, margin * size(along) / area);
        if (-margin_u..=1.0 + margin_u).contains(&u) && (-margin_v..=1.0 + margin_v).contains(&v) {
            let point = p + along * u.clamp(0.0, 1.0);
            self.offer(Touch { t, point, normal: side, feature: Feature::Edge(edge) });
        }
    }

    /// An edge of the triangle, moved by one end of the segment.
    fn edge(&mut self, edge: u8, p: DVec3, q: DVec3, shift: DVec3) {
        let (p, along) = (p + shift, q - p);
        let Some((t, s)) = self.cylinder(p, along) else { return };
        let foot = p + along * s;
        self.offer(Touch { t, point: foot - shift, normal: self.normal(t, foot), feature: Feature::Edge(edge) });
    }

    /// The segment at a corner.
    fn pillar(&mut self, corner: u8, p: DVec3) {
        let (foot, along) = (p - self.flat.half, self.flat.half * 2.0);
        let Some((t, s)) = self.cylinder(foot, along) else { return };
        let normal = self.normal(t, foot + along * s);
        self.offer(Touch { t, point: p, normal, feature: Feature::Vertex(corner) });
    }

    /// A corner of the triangle, moved by one end of the segment.
    fn corner(&mut self, corner: u8, p: DVec3, shift: DVec3) {
        let foot = p + shift;
        let Some(t) = self.ball(foot) else { return };
        self.offer(Touch { t, point: p, normal: self.normal(t, foot), feature: Feature::Vertex(corner) });
    }

    /// When the moving point first comes within the radius of a line, and where along it, if that is between its ends.
    ///
    /// All is squared and times the length of the line's direction; no difference of squares is taken of what has a root.
    fn cylinder(&self, p: DVec3, along: DVec3) -> Option<(f64, f64)> {
        let (motion, radius) = (self.flat.mover.motion, self.flat.radius);
        let (d, o) = (motion.cross(along), p.cross(along));
        let (approach, speed, length) = (d.dot(o), d.length_squared(), along.length_squared());
        if !(approach > 0.0 && length > 0.0) {
            return None;
        }
        let miss = motion.dot(o);
        let reach = radius * sqrt(speed);
        if !(miss.abs() <= reach && self.counts(radius - miss.abs() / sqrt(speed))) {
            return None;
        }
        let (far, near) = (sqrt(o.length_squared()), radius * sqrt(length));
        let gap = (far - near) * (far + near);
        if gap < 0.0 {
            return None;
        }
        let t = gap / (approach + sqrt(length) * sqrt((reach - miss) * (reach + miss)));
        let s = (motion * t - p).dot(along) / length;
        (0.0..=1.0).contains(&s).then_some((t, s))
    }

    /// When the moving point first comes within the radius of another one.
    fn ball(&self, p: DVec3) -> Option<f64> {
        let (motion, radius) = (self.flat.mover.motion, self.flat.radius);
        let (approach, speed) = (motion.dot(p), sqrt(motion.length_squared()));
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

/// At least its length, and less than twice that.
fn size(v: DVec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

//! The outlines of handles, and their distances from a cursor.

use super::handle::GizmoHandle;
use super::layout::GizmoLayout;
use core::f64::consts::TAU;
use glam::{DVec2, DVec3};

/// The distances from the middle at which arrows and bars begin and end, in gizmo sizes.
const ARM: [f64; 2] = [0.2, 1.0];

/// The distances at which the squares of planes begin and end along both axes.
const SQUARE: [f64; 2] = [0.35, 0.6];

/// Half of the side of the square in the middle.
const MIDDLE: f64 = 0.1;

/// The radius of the rings around axes, and the radius of the outer ring.
pub(super) const RING: f64 = 1.0;
pub(super) const OUTER_RING: f64 = 1.2;

/// The length and the radius of an arrow's tip, and half of the side of a bar's box, in gizmo sizes.
const TIP: [f64; 2] = [0.2, 0.06];
const BOX: f64 = 0.05;

/// The number of sides of a tip.
const SIDES: usize = 12;

/// The number of segments of a ring.
const SEGMENTS: usize = 64;

/// A ring shows the points that are at most this fraction of its radius behind its center. That is about half of
/// the ring, or all of it if it is seen from within 5.7 degrees of its axis.
const BEHIND: f64 = 0.1;

/// The depth, in depths of the gizmo, at which lines that go behind the camera are cut.
const NEAREST: f64 = 1e-3;

impl GizmoLayout {
    /// Calls `give` with the lines of a handle.
    pub(super) fn each_line(&self, handle: GizmoHandle, mut give: impl FnMut([DVec3; 2])) {
        let axis = self.axis_of(handle) * self.unit;
        match handle {
            GizmoHandle::TranslateAxis(_) | GizmoHandle::ScaleAxis(_) => give(ARM.map(|end| self.origin + axis * end)),
            GizmoHandle::TranslatePlane(_) | GizmoHandle::TranslateScreen | GizmoHandle::ScaleUniform => {
                let corners = self.square(handle);
                (0..4).for_each(|side| give([corners[side], corners[(side + 1) % 4]]));
            }
            GizmoHandle::RotateAxis(_) => {
                let (x, y) = self.axis_of(handle).any_orthonormal_pair();
                let radius = RING * self.unit;
                let is_near = |end: &DVec3| (*end - self.origin).dot(self.view) <= BEHIND * radius;
                let segments = self.circle([x, y].map(|side| side * radius));
                segments.filter(|ends| ends.iter().all(is_near)).for_each(give);
            }
            GizmoHandle::RotateScreen => self.circle(self.facing.map(|way| way * OUTER_RING)).for_each(give),
        }
    }

    /// Calls `give` with the triangles of a handle: an arrow's tip, a bar's box, a square.
    pub(super) fn each_face(&self, handle: GizmoHandle, mut give: impl FnMut([DVec3; 3])) {
        let end = self.origin + self.axis_of(handle) * (ARM[1] * self.unit);
        match handle {
            GizmoHandle::TranslateAxis(_) => self.tip(end, self.axis_of(handle), give),
            GizmoHandle::ScaleAxis(_) => self.cuboid(end, self.axis_of(handle), give),
            GizmoHandle::TranslatePlane(_) | GizmoHandle::TranslateScreen | GizmoHandle::ScaleUniform => {
                give_square(self.square(handle), &mut give);
            }
            GizmoHandle::RotateAxis(_) | GizmoHandle::RotateScreen => {}
        }
    }

    /// Returns the corners of the square of a plane or of the middle.
    fn square(&self, handle: GizmoHandle) -> [DVec3; 4] {
        let at = |way: DVec3| self.origin + way;
        if let GizmoHandle::TranslatePlane(normal) = handle {
            let [a, b] = normal.others().map(|axis| self.toward(axis) * self.unit);
            let [near, far] = SQUARE;
            return [(near, near), (far, near), (far, far), (near, far)].map(|(x, y)| at(a * x + b * y));
        }
        let [right, up] = self.facing.map(|way| way * MIDDLE);
        [at(-right - up), at(right - up), at(right + up), at(up - right)]
    }

    /// Calls `give` with the cone of an arrow that ends at a point.
    fn tip(&self, end: DVec3, axis: DVec3, mut give: impl FnMut([DVec3; 3])) {
        let [length, radius] = TIP.map(|part| part * self.unit);
        let base = end - axis * length;
        let (x, y) = axis.any_orthonormal_pair();
        let rim = |side: usize| {
            let (sin, cos) = libm::sincos(TAU * (side % SIDES) as f64 / SIDES as f64);
            base + (x * cos + y * sin) * radius
        };
        for side in 0..SIDES {
            let [a, b] = [rim(side), rim(side + 1)];
            give([a, b, end]);
            give([b, a, base]);
        }
    }

    /// Calls `give` with the cube of a bar that ends at a point.
    fn cuboid(&self, center: DVec3, axis: DVec3, mut give: impl FnMut([DVec3; 3])) {
        let (x, y) = axis.any_orthonormal_pair();
        let sides = [axis, x, y].map(|side| side * (BOX * self.unit));
        for (side, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
            let [out, u, v] = [sides[side] * sign, sides[(side + 1) % 3], sides[(side + 2) % 3]];
            let corner = |a: f64, b: f64| center + out + u * a + v * b;
            give_square([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], &mut give);
        }
    }

    fn circle(&self, [x, y]: [DVec3; 2]) -> impl Iterator<Item = [DVec3; 2]> {
        let origin = self.origin;
        let at = move |step: usize| {
            let (sin, cos) = libm::sincos(TAU * (step % SEGMENTS) as f64 / SEGMENTS as f64);
            origin + x * cos + y * sin
        };
        (0..SEGMENTS).map(move |step| [at(step), at(step + 1)])
    }

    /// Returns the distance of a handle from a cursor in pixels, and its nearest point. Among several nearest points,
    /// it is the point with the least depth. Returns `None` if no part of the handle is in front of the camera.
    pub(super) fn distance(&self, handle: GizmoHandle, cursor: DVec2) -> Option<(f64, DVec3)> {
        let mut nearest: Option<(f64, DVec3)> = None;
        let mut note = |found: Option<(f64, DVec3)>| {
            let order = |(pixels, point): &(f64, DVec3)| (*pixels, self.depth_of(*point));
            let is_nearer = |found: &(f64, DVec3)| nearest.as_ref().is_none_or(|before| order(found) < order(before));
            if let Some(found) = found.filter(is_nearer) {
                nearest = Some(found);
            }
        };
        self.each_line(handle, |ends| note(self.segment_distance(ends, cursor)));
        self.each_face(handle, |corners| {
            note(self.inner_point(corners, cursor).map(|inner| (0.0, inner)));
            sides_of(corners).into_iter().for_each(|ends| note(self.segment_distance(ends, cursor)));
        });
        nearest
    }

    /// Returns the depth of a point.
    pub(super) fn depth_of(&self, point: DVec3) -> f64 {
        (point - self.space.eye).dot(self.space.forward())
    }

    /// Returns the part of a segment that is in front of the camera; `None` if there is none.
    pub(super) fn before_camera(&self, [a, b]: [DVec3; 2]) -> Option<[DVec3; 2]> {
        if !self.space.is_perspective() {
            return Some([a, b]);
        }
        let nearest = NEAREST * self.depth;
        let [over_a, over_b] = [a, b].map(|end| self.depth_of(end) - nearest);
        let cut = || a + (b - a) * (over_a / (over_a - over_b));
        match (over_a >= 0.0, over_b >= 0.0) {
            (true, true) => Some([a, b]),
            (true, false) => Some([a, cut()]),
            (false, true) => Some([cut(), b]),
            (false, false) => None,
        }
    }

    /// Returns the distance of a segment from a cursor in pixels, and the segment's nearest point in world space. Depth
    /// is not linear along the picture of a line. So the fraction in the picture is converted to the fraction in space.
    fn segment_distance(&self, ends: [DVec3; 2], cursor: DVec2) -> Option<(f64, DVec3)> {
        let [a, b] = self.before_camera(ends)?;
        let [(p, p_depth), (q, q_depth)] = [self.space.project(a)?, self.space.project(b)?];
        let way = q - p;
        let square = way.length_squared();
        let t = if square > 0.0 { ((cursor - p).dot(way) / square).clamp(0.0, 1.0) } else { 0.0 };
        let in_space = if self.space.is_perspective() { t * p_depth / (t * p_depth + (1.0 - t) * q_depth) } else { t };
        Some(((cursor - p - way * t).length(), a + (b - a) * in_space))
    }

    /// Returns the point of a triangle under a cursor; `None` if the triangle is not there.
    fn inner_point(&self, corners: [DVec3; 3], cursor: DVec2) -> Option<DVec3> {
        let (start, step) = self.space.ray(cursor);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let start = self.space.eye + start;
        let t = (corners[0] - start).dot(normal) / step.dot(normal);
        let at = start + step * t;
        let is_left = |[a, b]: [DVec3; 2]| (b - a).cross(at - a).dot(normal) >= 0.0;
        let is_before = !self.space.is_perspective() || t > 0.0;
        (is_before && at.is_finite() && sides_of(corners).into_iter().all(is_left)).then_some(at)
    }
}

/// Returns the sides of a triangle.
pub(super) fn sides_of([a, b, c]: [DVec3; 3]) -> [[DVec3; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// Calls `give` with the halves of a square.
fn give_square([a, b, c, d]: [DVec3; 4], give: &mut impl FnMut([DVec3; 3])) {
    give([a, b, c]);
    give([a, c, d]);
}

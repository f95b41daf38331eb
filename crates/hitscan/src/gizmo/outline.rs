//! The outlines of handles, and how far they are from a cursor.

use super::handle::GizmoHandle;
use super::layout::GizmoLayout;
use alloc::vec::Vec;
use core::f64::consts::TAU;
use glam::{DVec2, DVec3};

/// The distances from the middle at which arrows and bars begin and end, in gizmo sizes.
const ARM: [f64; 2] = [0.2, 1.0];

/// The distances at which the squares of planes begin and end along both axes.
const SQUARE: [f64; 2] = [0.35, 0.6];

/// Half of the side of the square in the middle.
const MIDDLE: f64 = 0.1;

/// The radius of the rings around axes, and that of the outer ring.
pub(super) const RING: f64 = 1.0;
pub(super) const OUTER_RING: f64 = 1.2;

/// The number of segments of a ring.
const SEGMENTS: usize = 64;

/// A ring shows the points that are at most so much of its radius behind its center: half of it, or all of it if it is seen from
/// within 5.7 degrees of its axis.
const BEHIND: f64 = 0.1;

/// The depth, in depths of the gizmo, at which lines that go behind the camera are cut.
const NEAREST: f64 = 1e-3;

/// The outline of a handle in world space.
#[derive(Clone, Debug)]
pub(super) enum HandleOutline {
    /// Line segments.
    Lines(Vec<[DVec3; 2]>),
    /// A filled convex polygon.
    Filled([DVec3; 4]),
}

impl GizmoLayout {
    /// Returns the outline of a handle.
    pub(super) fn outline(&self, handle: GizmoHandle) -> HandleOutline {
        let axis = self.axis_of(handle);
        let at = |way: DVec3| self.origin + way;
        match handle {
            GizmoHandle::TranslateAxis(_) | GizmoHandle::ScaleAxis(_) => {
                HandleOutline::Lines(Vec::from([ARM.map(|end| at(axis * (end * self.unit)))]))
            }
            GizmoHandle::TranslatePlane(normal) => {
                let [a, b] = normal.others().map(|axis| self.axes()[axis.index()] * self.unit);
                let [near, far] = SQUARE;
                HandleOutline::Filled(
                    [(near, near), (far, near), (far, far), (near, far)].map(|(x, y)| at(a * x + b * y)),
                )
            }
            GizmoHandle::TranslateScreen | GizmoHandle::ScaleUniform => {
                let [right, up] = self.facing.map(|way| way * MIDDLE);
                HandleOutline::Filled([at(-right - up), at(right - up), at(right + up), at(up - right)])
            }
            GizmoHandle::RotateAxis(_) => {
                let (x, y) = axis.any_orthonormal_pair();
                let radius = RING * self.unit;
                let mut segments = self.circle([x, y].map(|side| side * radius));
                segments.retain(|ends| ends.iter().all(|end| (*end - self.origin).dot(self.view) <= BEHIND * radius));
                HandleOutline::Lines(segments)
            }
            GizmoHandle::RotateScreen => HandleOutline::Lines(self.circle(self.facing.map(|way| way * OUTER_RING))),
        }
    }

    fn circle(&self, [x, y]: [DVec3; 2]) -> Vec<[DVec3; 2]> {
        let at = |step: usize| {
            let (sin, cos) = libm::sincos(TAU * (step % SEGMENTS) as f64 / SEGMENTS as f64);
            self.origin + x * cos + y * sin
        };
        (0..SEGMENTS).map(|step| [at(step), at(step + 1)]).collect()
    }

    /// Returns how far a handle is from a cursor in pixels, and its point that is nearest; `None` if nothing of it is before the camera.
    pub(super) fn distance(&self, handle: GizmoHandle, cursor: DVec2) -> Option<(f64, DVec3)> {
        let nearer = |a: &(f64, DVec3), b: &(f64, DVec3)| a.0.total_cmp(&b.0);
        match self.outline(handle) {
            HandleOutline::Lines(lines) => {
                lines.into_iter().filter_map(|ends| self.segment_distance(ends, cursor)).min_by(nearer)
            }
            HandleOutline::Filled(corners) => {
                let sides = (0..4).map(|side| [corners[side], corners[(side + 1) % 4]]);
                let rim = sides.filter_map(|ends| self.segment_distance(ends, cursor)).min_by(nearer);
                self.inner_point(corners, cursor).map(|inner| (0.0, inner)).or(rim)
            }
        }
    }

    /// Returns the part of a segment that is before the camera; `None` if there is none.
    pub(super) fn before_camera(&self, [a, b]: [DVec3; 2]) -> Option<[DVec3; 2]> {
        if !self.space.is_perspective() {
            return Some([a, b]);
        }
        let nearest = NEAREST * self.depth;
        let [over_a, over_b] = [a, b].map(|end| (end - self.space.eye).dot(self.space.forward()) - nearest);
        let cut = || a + (b - a) * (over_a / (over_a - over_b));
        match (over_a >= 0.0, over_b >= 0.0) {
            (true, true) => Some([a, b]),
            (true, false) => Some([a, cut()]),
            (false, true) => Some([cut(), b]),
            (false, false) => None,
        }
    }

    /// Returns the distance of a segment from a cursor, and its nearest point, as far as pixels tell: depth is not linear along the
    /// picture of a line, so the fraction in the picture is turned into that in space.
    fn segment_distance(&self, ends: [DVec3; 2], cursor: DVec2) -> Option<(f64, DVec3)> {
        let [a, b] = self.before_camera(ends)?;
        let [(p, p_depth), (q, q_depth)] = [self.space.project(a)?, self.space.project(b)?];
        let way = q - p;
        let square = way.length_squared();
        let t = if square > 0.0 { ((cursor - p).dot(way) / square).clamp(0.0, 1.0) } else { 0.0 };
        let in_space = if self.space.is_perspective() { t * p_depth / (t * p_depth + (1.0 - t) * q_depth) } else { t };
        Some(((cursor - p - way * t).length(), a + (b - a) * in_space))
    }

    /// Returns the point of a filled polygon under a cursor.
    fn inner_point(&self, corners: [DVec3; 4], cursor: DVec2) -> Option<DVec3> {
        let (start, step) = self.space.ray(cursor);
        let normal = (corners[1] - corners[0]).cross(corners[3] - corners[0]);
        let start = self.space.eye + start;
        let t = (corners[0] - start).dot(normal) / step.dot(normal);
        let at = start + step * t;
        let is_left = |side: usize| {
            let (a, b) = (corners[side], corners[(side + 1) % 4]);
            (b - a).cross(at - a).dot(normal) >= 0.0
        };
        let is_before = !self.space.is_perspective() || t > 0.0;
        (is_before && at.is_finite() && (0..4).all(is_left)).then_some(at)
    }
}

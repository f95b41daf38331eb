//! Lines and triangles of the handles.

use super::control::Gizmo;
use super::handle::{GizmoAxis, GizmoHandle};
use super::layout::GizmoLayout;
use super::outline::HandleOutline;
use super::transform::GizmoTransform;
use crate::drag::Picture;
use alloc::vec::Vec;
use core::f64::consts::TAU;
use glam::DVec3;

/// The length and the radius of an arrow's tip, and half of the side of a bar's box, in gizmo sizes.
const TIP: [f64; 2] = [0.2, 0.06];
const BOX: f64 = 0.05;

/// The number of sides of a tip.
const SIDES: usize = 12;

/// A picture of a gizmo, in world space: draw it over everything else.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GizmoDrawing {
    /// The lines: arms, rims and rings.
    pub lines: Vec<GizmoLine>,
    /// The triangles: tips, boxes and squares, of any orientation.
    pub triangles: Vec<GizmoTriangle>,
}

/// A line segment of a handle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GizmoLine {
    /// The ends.
    pub ends: [DVec3; 2],
    /// The handle that it belongs to.
    pub handle: GizmoHandle,
    /// The colour in sRGB, with an opacity that is not multiplied into it.
    pub color: [u8; 4],
}

/// A triangle of a handle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GizmoTriangle {
    /// The corners.
    pub corners: [DVec3; 3],
    /// The handle that it belongs to.
    pub handle: GizmoHandle,
    /// The colour in sRGB, with an opacity that is not multiplied into it.
    pub color: [u8; 4],
}

impl Gizmo {
    /// Returns lines and triangles of the handles around a thing, without what is behind the camera. The handle that is dragged, or else
    /// hovered, is yellow; the others have the usual colours of their axes: red for x, green for y, blue for z.
    ///
    /// It is empty under the conditions under which [`start_drag`](Self::start_drag) returns `None`.
    pub fn drawing(&self, picture: &Picture, transform: &GizmoTransform) -> GizmoDrawing {
        let mut drawing = GizmoDrawing::default();
        let Some(layout) = self.layout(picture, transform) else { return drawing };
        let lit = self.dragged().map(|drag| drag.handle()).or(self.hovered());
        for &handle in self.mode.handles() {
            let opacity = layout.opacity(handle);
            if opacity > 0.0 {
                let [r, g, b] = if lit == Some(handle) { [255, 210, 40] } else { color(handle) };
                let alpha = libm::ceil(255.0 * opacity) as u8;
                Pencil { layout: &layout, handle, color: [r, g, b, alpha], drawing: &mut drawing }.draw();
            }
        }
        drawing
    }
}

fn color(handle: GizmoHandle) -> [u8; 3] {
    match handle {
        GizmoHandle::TranslateAxis(axis)
        | GizmoHandle::TranslatePlane(axis)
        | GizmoHandle::RotateAxis(axis)
        | GizmoHandle::ScaleAxis(axis) => match axis {
            GizmoAxis::X => [230, 60, 60],
            GizmoAxis::Y => [90, 190, 60],
            GizmoAxis::Z => [60, 110, 240],
        },
        GizmoHandle::TranslateScreen | GizmoHandle::RotateScreen | GizmoHandle::ScaleUniform => [220, 220, 220],
    }
}

/// Draws one handle.
struct Pencil<'a> {
    layout: &'a GizmoLayout,
    handle: GizmoHandle,
    color: [u8; 4],
    drawing: &'a mut GizmoDrawing,
}

impl Pencil<'_> {
    fn draw(&mut self) {
        match self.layout.outline(self.handle) {
            HandleOutline::Lines(lines) => {
                let ends = lines.iter().map(|ends| ends[1]).next();
                lines.iter().for_each(|ends| self.line(*ends));
                let axis = self.layout.axis_of(self.handle) * self.layout.unit;
                match (self.handle, ends) {
                    (GizmoHandle::TranslateAxis(_), Some(end)) => self.tip(end, axis),
                    (GizmoHandle::ScaleAxis(_), Some(end)) => self.cuboid(end, axis * BOX),
                    _ => {}
                }
            }
            HandleOutline::Filled([a, b, c, d]) => {
                [[a, b], [b, c], [c, d], [d, a]].into_iter().for_each(|ends| self.line(ends));
                self.triangle([a, b, c]);
                self.triangle([a, c, d]);
            }
        }
    }

    fn line(&mut self, ends: [DVec3; 2]) {
        let &mut Self { layout, handle, color, .. } = self;
        self.drawing.lines.extend(layout.before_camera(ends).map(|ends| GizmoLine { ends, handle, color }));
    }

    /// Draws the part of a triangle that is before the camera: nothing, a triangle, or a fan of two.
    fn triangle(&mut self, corners: [DVec3; 3]) {
        let &mut Self { layout, handle, color, .. } = self;
        let sides = [0, 1, 2].map(|corner| [corners[corner], corners[(corner + 1) % 3]]);
        let mut shown: Vec<DVec3> = Vec::new();
        for corner in sides.into_iter().filter_map(|ends| layout.before_camera(ends)).flatten() {
            if shown.last() != Some(&corner) && shown.first() != Some(&corner) {
                shown.push(corner);
            }
        }
        let fan = shown.windows(2).skip(1).map(|pair| [shown[0], pair[0], pair[1]]);
        self.drawing.triangles.extend(fan.map(|corners| GizmoTriangle { corners, handle, color }));
    }

    /// Draws the cone of an arrow that ends at a point, where the axis is one gizmo's size long.
    fn tip(&mut self, end: DVec3, axis: DVec3) {
        let [length, radius] = TIP;
        let base = end - axis * length;
        let (x, y) = (axis / self.layout.unit).any_orthonormal_pair();
        let rim = |side: usize| {
            let (sin, cos) = libm::sincos(TAU * (side % SIDES) as f64 / SIDES as f64);
            base + (x * cos + y * sin) * (radius * self.layout.unit)
        };
        for side in 0..SIDES {
            let [a, b] = [rim(side), rim(side + 1)];
            self.triangle([a, b, end]);
            self.triangle([b, a, base]);
        }
    }

    /// Draws a cube around a point, where the axis is half of its side.
    fn cuboid(&mut self, center: DVec3, axis: DVec3) {
        let size = axis.length();
        let (x, y) = (axis / size).any_orthonormal_pair();
        let sides = [axis, x * size, y * size];
        for (side, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
            let [out, u, v] = [sides[side] * sign, sides[(side + 1) % 3], sides[(side + 2) % 3]];
            let corner = |a: f64, b: f64| center + out + u * a + v * b;
            let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            self.triangle([a, b, c]);
            self.triangle([a, c, d]);
        }
    }
}

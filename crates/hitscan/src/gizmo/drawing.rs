//! Lines and triangles of the handles.

use super::control::Gizmo;
use super::handle::{GizmoAxis, GizmoHandle};
use super::layout::GizmoLayout;
use super::outline::sides_of;
use super::transform::GizmoTransform;
use crate::drag::Picture;
use alloc::vec::Vec;
use glam::DVec3;

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
    /// The colour in sRGB with opacity, not premultiplied.
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
    /// The colour in sRGB with opacity, not premultiplied.
    pub color: [u8; 4],
}

impl Gizmo {
    /// Returns lines and triangles of the handles around an object, without the parts behind the camera. The dragged
    /// handle is yellow, or the hovered handle if none is dragged. The others have the usual colours of their axes:
    /// red for x, green for y, blue for z.
    ///
    /// The drawing is empty if [`start_drag`](Self::start_drag) would return `None`.
    pub fn drawing(&self, picture: &Picture, transform: &GizmoTransform) -> GizmoDrawing {
        let mut drawing = GizmoDrawing::default();
        self.draw_into(picture, transform, &mut drawing);
        drawing
    }

    /// Clears a drawing and fills it as [`drawing`](Self::drawing) does, without an allocation if the drawing has enough capacity.
    pub fn draw_into(&self, picture: &Picture, transform: &GizmoTransform, drawing: &mut GizmoDrawing) {
        drawing.lines.clear();
        drawing.triangles.clear();
        let Some(layout) = self.layout(picture, transform) else { return };
        let lit = self.dragged().map(|drag| drag.handle()).or(self.hovered());
        for &handle in self.mode.handles() {
            let alpha = layout.alpha(handle);
            if alpha > 0 {
                let [r, g, b] = if lit == Some(handle) { [255, 210, 40] } else { color(handle) };
                Pencil { layout: &layout, handle, color: [r, g, b, alpha], drawing }.draw();
            }
        }
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
        let (layout, handle) = (self.layout, self.handle);
        layout.each_line(handle, |ends| self.line(ends));
        layout.each_face(handle, |corners| self.triangle(corners));
    }

    fn line(&mut self, ends: [DVec3; 2]) {
        let &mut Self { layout, handle, color, .. } = self;
        self.drawing.lines.extend(layout.before_camera(ends).map(|ends| GizmoLine { ends, handle, color }));
    }

    /// Draws the part of a triangle that is in front of the camera. It is nothing, a triangle, or a fan of two.
    fn triangle(&mut self, corners: [DVec3; 3]) {
        let &mut Self { layout, handle, color, .. } = self;
        let (mut shown, mut count) = ([DVec3::ZERO; 6], 0);
        for corner in sides_of(corners).into_iter().filter_map(|ends| layout.before_camera(ends)).flatten() {
            if count == 0 || (shown[count - 1] != corner && shown[0] != corner) {
                shown[count] = corner;
                count += 1;
            }
        }
        let fan = (2..count).map(|last| [shown[0], shown[last - 1], shown[last]]);
        self.drawing.triangles.extend(fan.map(|corners| GizmoTriangle { corners, handle, color }));
    }
}

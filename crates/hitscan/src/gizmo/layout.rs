//! The positions and sizes of handles, for an object and a camera.

use super::handle::{GizmoAxis, GizmoFrame, GizmoHandle};
use super::transform::GizmoTransform;
use crate::camera::PixelSpace;
use crate::convex::is_usable;
use crate::drag::{Picture, view_of};
use crate::math::float::unit;
use glam::{DQuat, DVec3};

/// The sine of the angle to the view below which an arrow or a plane is not shown: 8 degrees.
const HIDDEN: f64 = 0.139;

/// The sine of the angle to the view above which an arrow or a plane is opaque: 14.5 degrees.
const SOLID: f64 = 0.25;

/// The position and the size of a gizmo in a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct GizmoLayout {
    pub(super) space: PixelSpace,
    pub(super) origin: DVec3,
    /// The depth of the origin, or 1 for parallel rays, whose pixels are equally large at each depth.
    pub(super) depth: f64,
    /// The direction in which the origin is seen.
    pub(super) view: DVec3,
    /// The length in world units that is as long as the gizmo's size on the screen, at the origin and perpendicular
    /// to the view axis.
    pub(super) unit: f64,
    /// The axes of the frame, of unit length.
    axes: [DVec3; 3],
    /// True for each axis of the frame that points away from the camera.
    away: [bool; 3],
    /// The axes of the object, of unit length.
    own_axes: [DVec3; 3],
    /// The vectors in the picture's plane whose pictures have the gizmo's size, to the right and upwards.
    pub(super) facing: [DVec3; 2],
}

impl GizmoLayout {
    /// Returns the layout of a gizmo with a size in pixels. Returns `None` if the gizmo is not in front of the camera, or if its distance or size is too large
    /// for f64.
    pub(super) fn new(picture: &Picture, transform: &GizmoTransform, frame: GizmoFrame, size: f32) -> Option<Self> {
        let size = Some(f64::from(size)).filter(|size| *size > 0.0 && size.is_finite())?;
        let (space, rotation) = (picture.space()?, transform.unit_rotation()?);
        let origin = transform.translation;
        let (_, depth) = space.project(origin)?;
        let depth = if space.is_perspective() { depth } else { 1.0 };
        let own_axes = GizmoAxis::ALL.map(|axis| turned(rotation, axis.unit()));
        let axes = match frame {
            GizmoFrame::World => DVec3::AXES,
            GizmoFrame::Local => own_axes,
        };
        let [right, down] = space.steps();
        let facing = [right, -down].map(|step| step * (size * depth));
        let unit = space.largest_step() * size * depth;
        let view = view_of(&space, origin);
        let away = axes.map(|axis| axis.dot(view) > 0.0);
        let layout = Self { space, origin, depth, view, unit, axes, away, own_axes, facing };
        let is_within_reach = is_usable(origin) && is_usable(DVec3::splat(unit)) && facing.into_iter().all(is_usable);
        (unit > 0.0 && is_within_reach).then_some(layout)
    }

    /// Returns the unit direction of a handle's axis, or the normal of its plane. For the handles of the screen it is
    /// the view axis, towards the viewer.
    pub(super) fn axis_of(&self, handle: GizmoHandle) -> DVec3 {
        match handle {
            GizmoHandle::TranslateAxis(axis) | GizmoHandle::TranslatePlane(axis) | GizmoHandle::RotateAxis(axis) => {
                self.axes[axis.index()]
            }
            GizmoHandle::ScaleAxis(axis) => self.own_axes[axis.index()],
            GizmoHandle::TranslateScreen | GizmoHandle::RotateScreen | GizmoHandle::ScaleUniform => {
                -self.space.forward()
            }
        }
    }

    /// Returns the axes of the frame.
    pub(super) fn axes(&self) -> [DVec3; 3] {
        self.axes
    }

    /// Returns an axis of the frame, or its opposite if the axis points away from the camera. The squares are on that side.
    pub(super) fn toward(&self, axis: GizmoAxis) -> DVec3 {
        let along = self.axes[axis.index()];
        if self.away[axis.index()] { -along } else { along }
    }

    /// Returns for each axis of the frame whether it points away from the camera.
    pub(super) fn away(&self) -> [bool; 3] {
        self.away
    }

    /// Returns the same layout with the squares on the same sides as in another layout.
    pub(super) fn with_away(self, away: [bool; 3]) -> Self {
        Self { away, ..self }
    }

    /// Returns the opacity with which a handle is drawn.
    pub(super) fn alpha(&self, handle: GizmoHandle) -> u8 {
        libm::ceil(255.0 * self.opacity(handle)) as u8
    }

    /// Returns the opacity of a handle: 1, or less if the handle is nearly edge-on, or 0 if it is not shown.
    fn opacity(&self, handle: GizmoHandle) -> f64 {
        let axis = self.axis_of(handle);
        let sine = match handle {
            GizmoHandle::TranslateAxis(_) | GizmoHandle::ScaleAxis(_) => axis.cross(self.view).length(),
            GizmoHandle::TranslatePlane(_) => axis.dot(self.view).abs(),
            GizmoHandle::TranslateScreen
            | GizmoHandle::RotateAxis(_)
            | GizmoHandle::RotateScreen
            | GizmoHandle::ScaleUniform => 1.0,
        };
        ((sine - HIDDEN) / (SOLID - HIDDEN)).clamp(0.0, 1.0)
    }
}

/// Returns a rotated unit vector, normalized again.
fn turned(rotation: DQuat, axis: DVec3) -> DVec3 {
    let turned = rotation * axis;
    unit(turned).unwrap_or(turned)
}

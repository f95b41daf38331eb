//! The handles, and the settings that choose them.

use glam::DVec3;

/// An axis of a gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GizmoAxis {
    /// The first axis.
    X,
    /// The second axis.
    Y,
    /// The third axis.
    Z,
}

impl GizmoAxis {
    pub(super) const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Returns the index of the axis in arrays.
    pub(super) fn index(self) -> usize {
        match self {
            Self::X => 0,
            Self::Y => 1,
            Self::Z => 2,
        }
    }

    /// Returns the other two axes, in the order that makes a right-handed system with this one.
    pub(super) fn others(self) -> [Self; 2] {
        match self {
            Self::X => [Self::Y, Self::Z],
            Self::Y => [Self::Z, Self::X],
            Self::Z => [Self::X, Self::Y],
        }
    }

    pub(super) fn unit(self) -> DVec3 {
        DVec3::AXES[self.index()]
    }
}

/// A part of a gizmo that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum GizmoHandle {
    /// An arrow: it moves the object along an axis.
    TranslateAxis(GizmoAxis),
    /// A square: it moves the object in the plane perpendicular to this axis.
    TranslatePlane(GizmoAxis),
    /// The middle: it moves the object in the plane that faces the camera.
    TranslateScreen,
    /// A ring: it rotates the object around an axis.
    RotateAxis(GizmoAxis),
    /// The outer ring: it rotates the object in the picture, around the camera's view axis.
    RotateScreen,
    /// A bar: it scales the object along one of its own axes.
    ScaleAxis(GizmoAxis),
    /// The middle: it scales the object along all axes, up when the cursor goes right or up.
    ScaleUniform,
}

/// The handles that a gizmo shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GizmoMode {
    /// The handles that move: the middle, three arrows, and three squares.
    #[default]
    Translate,
    /// The handles that rotate: three rings, and the outer ring.
    Rotate,
    /// The handles that scale: the middle, and three bars.
    Scale,
}

impl GizmoMode {
    /// Returns its handles. Their order decides between handles that are equally near to a cursor.
    pub fn handles(self) -> &'static [GizmoHandle] {
        use GizmoAxis::{X, Y, Z};
        use GizmoHandle::{
            RotateAxis, RotateScreen, ScaleAxis, ScaleUniform, TranslateAxis, TranslatePlane, TranslateScreen,
        };
        match self {
            Self::Translate => &[
                TranslateScreen,
                TranslateAxis(X),
                TranslateAxis(Y),
                TranslateAxis(Z),
                TranslatePlane(X),
                TranslatePlane(Y),
                TranslatePlane(Z),
            ],
            Self::Rotate => &[RotateAxis(X), RotateAxis(Y), RotateAxis(Z), RotateScreen],
            Self::Scale => &[ScaleUniform, ScaleAxis(X), ScaleAxis(Y), ScaleAxis(Z)],
        }
    }
}

/// The axes along which an object is moved, and around which it is rotated. Objects are always scaled along their own axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GizmoFrame {
    /// The axes of the world.
    #[default]
    World,
    /// The axes of the object, rotated by its rotation.
    Local,
}

/// The steps of drags; with `None` a drag is continuous. A step that is not positive and finite is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GizmoSnap {
    /// The step of motions along each axis of the frame, in world units from where the drag began.
    pub translation: Option<f64>,
    /// The step of angles in radians, from where the drag began.
    pub angle: Option<f64>,
    /// The step of the factors of scales.
    pub scale: Option<f64>,
}

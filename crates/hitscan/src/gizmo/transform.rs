//! The transform of a thing, in the parts that a gizmo changes.

use glam::{DAffine3, DQuat, DVec3};

/// A place, a rotation and a scale, which apply in reverse order: a thing is scaled, turned, and then moved.
///
/// ```
/// use hitscan::gizmo::GizmoTransform;
/// use hitscan::glam::{DAffine3, DVec3};
///
/// let transform = GizmoTransform { scale: DVec3::splat(2.0), ..GizmoTransform::from_translation([1.0, 0.0, 0.0]) };
/// let affine = DAffine3::from(transform);
/// assert_eq!(affine.transform_point3(DVec3::X), DVec3::new(3.0, 0.0, 0.0));
/// assert_eq!(GizmoTransform::from(affine), transform);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GizmoTransform {
    /// The place of the thing's origin, where the handles are.
    pub translation: DVec3,
    /// The rotation. It need not be of unit length.
    pub rotation: DQuat,
    /// The scale along the thing's own axes.
    pub scale: DVec3,
}

impl GizmoTransform {
    /// Returns the transform of a thing that is at a place, and not turned or scaled.
    pub fn from_translation(translation: impl Into<DVec3>) -> Self {
        Self { translation: translation.into(), rotation: DQuat::IDENTITY, scale: DVec3::ONE }
    }

    /// Returns the unit rotation; `None` if the transform has a NaN or infinite number, or no rotation.
    pub(super) fn unit_rotation(&self) -> Option<DQuat> {
        let is_finite = self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite();
        let length = self.rotation.length();
        // The elements of a quaternion whose length is an ordinary number can be divided by it.
        (is_finite && length > 0.0 && length.is_finite()).then(|| self.rotation / length)
    }
}

impl From<GizmoTransform> for DAffine3 {
    fn from(transform: GizmoTransform) -> Self {
        let GizmoTransform { translation, scale, .. } = transform;
        let rotation = transform.unit_rotation().unwrap_or(transform.rotation);
        Self::from_scale_rotation_translation(scale, rotation, translation)
    }
}

impl From<DAffine3> for GizmoTransform {
    /// Takes a transform apart. Shear is lost, and a mirrored transform has a negative scale along x.
    fn from(affine: DAffine3) -> Self {
        let (scale, rotation, translation) = affine.to_scale_rotation_translation();
        Self { translation, rotation, scale }
    }
}

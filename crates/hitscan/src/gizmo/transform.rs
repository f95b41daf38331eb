//! The transform of an object, in the parts that a gizmo changes.

use crate::math::float::{length, unit};
use crate::math::rotation::normalized;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A position, a rotation and a scale, which apply in reverse order: an object is scaled, rotated, and then moved.
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
    /// The position of the object's origin, where the handles are.
    pub translation: DVec3,
    /// The rotation. It need not be of unit length.
    pub rotation: DQuat,
    /// The scale along the object's own axes.
    pub scale: DVec3,
}

impl GizmoTransform {
    /// Returns the transform of an object that is at a position, without rotation or scale.
    pub fn from_translation(translation: impl Into<DVec3>) -> Self {
        Self { translation: translation.into(), rotation: DQuat::IDENTITY, scale: DVec3::ONE }
    }

    /// Returns the change in world space that turns an earlier transform of an object into this one. To apply the change,
    /// multiply it by the world transform that the object had at the earlier time. This works for several objects that are
    /// selected together, for objects with a parent or a pivot of their own, and for sheared objects.
    ///
    /// A scale that was 0 before is treated as unchanged. The answer is not finite for transforms that no gizmo accepts. These have numbers that are not
    /// finite, or no rotation.
    ///
    /// ```
    /// use hitscan::gizmo::GizmoTransform;
    /// use hitscan::glam::{DAffine3, DQuat, DVec3};
    ///
    /// let before = GizmoTransform::from_translation([1.0, 0.0, 0.0]);
    /// let after = GizmoTransform { rotation: DQuat::from_rotation_z(core::f64::consts::FRAC_PI_2), ..before };
    /// let neighbour = DAffine3::from_translation(DVec3::new(3.0, 0.0, 0.0));
    /// let turned = after.change_since(&before) * neighbour;
    /// assert!(turned.translation.abs_diff_eq(DVec3::new(1.0, 2.0, 0.0), 1e-12));
    /// ```
    pub fn change_since(&self, before: &Self) -> DAffine3 {
        let turn = |transform: &Self| DMat3::from_quat(transform.unit_rotation().unwrap_or(DQuat::NAN));
        let factor = |old: f64, new: f64| if old == 0.0 { 1.0 } else { new / old };
        let (old, new) = (before.scale, self.scale);
        let factors = DVec3::new(factor(old.x, new.x), factor(old.y, new.y), factor(old.z, new.z));
        let matrix = turn(self) * DMat3::from_diagonal(factors) * turn(before).transpose();
        DAffine3 { matrix3: matrix, translation: self.translation - matrix * before.translation }
    }

    /// Returns the unit rotation; `None` if the transform has a NaN or infinite number, or no rotation.
    pub(super) fn unit_rotation(&self) -> Option<DQuat> {
        let is_finite = self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite();
        normalized(self.rotation).filter(|_| is_finite)
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
    /// Decomposes a transform. A mirrored transform has a negative scale along x. An axis of length 0 has a scale of 0, and the other axes decide the rotation.
    ///
    /// Shear is lost: y is rotated to be perpendicular to x, and z to be perpendicular to both. A program whose objects
    /// may be sheared stores its own transform of the start, and multiplies
    /// [`change_since`](GizmoTransform::change_since) by it.
    fn from(affine: DAffine3) -> Self {
        let columns = [affine.matrix3.x_axis, affine.matrix3.y_axis, affine.matrix3.z_axis];
        let side = if columns[0].dot(columns[1].cross(columns[2])) < 0.0 { -1.0 } else { 1.0 };
        let [x, y, z] = orthonormal([columns[0] * side, columns[1], columns[2]]);
        let [width, height, depth] = columns.map(length);
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z));
        Self { translation: affine.translation, rotation, scale: DVec3::new(width * side, height, depth) }
    }
}

/// Returns three perpendicular unit vectors in a right-handed order, near the columns of a matrix; columns that are 0 or linearly dependent on
/// earlier columns are replaced.
fn orthonormal(columns: [DVec3; 3]) -> [DVec3; 3] {
    let [x, y, z] = columns.map(unit);
    let across = || y.zip(z).and_then(|(y, z)| unit(y.cross(z)));
    let x = x.or_else(across).or_else(|| Some(y.or(z)?.any_orthonormal_vector())).unwrap_or(DVec3::X);
    // The perpendicular part of a nearly parallel vector is mostly rounding error, which the second projection removes.
    let perpendicular = |v: DVec3| unit(v - x * x.dot(v));
    let y = y.and_then(perpendicular).and_then(perpendicular).or_else(|| unit(z?.cross(x)));
    let y = y.unwrap_or_else(|| x.any_orthonormal_vector());
    [x, y, x.cross(y)]
}

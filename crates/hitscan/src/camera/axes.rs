//! Orthonormal camera axes.

use crate::error::CameraError;
use crate::math::float::{gamma, unit};
use glam::{DAffine3, DVec3};

/// Returns right, up and forward of a camera-to-world transform, without its scale.
pub(super) fn without_scale(transform: &DAffine3) -> Result<[DVec3; 3], CameraError> {
    if !transform.is_finite() {
        return Err(CameraError::NotFinite { what: "transform" });
    }
    let matrix = transform.matrix3;
    let axes = unit(matrix.z_axis).and_then(|back| orthonormal(matrix.y_axis, back));
    axes.ok_or(CameraError::Singular { what: "transform" })
}

/// Returns right, up and forward from a rough up and a unit back axis; `None` if both are parallel within the rounding error of f64.
pub(super) fn orthonormal(up: DVec3, back: DVec3) -> Option<[DVec3; 3]> {
    // Each unit vector has a relative error of at most gamma(6), and the cross product adds 2 roundings to each of 3
    // components.
    let parallel = gamma(2 * 6 + 3 * 2);
    let right = Some(unit(up)?.cross(back)).filter(|right| right.length() > parallel).and_then(unit)?;
    Some([right, unit(back.cross(right))?, -back])
}

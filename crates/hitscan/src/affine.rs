//! Inverting affine transforms, at any scale.

use crate::error::TransformError;
use crate::float::{gamma, power_of_two};
use glam::{DAffine3, DMat3, DVec3};

/// The inverse of a transform.
///
/// Singular is a linear part whose determinant cannot be told from 0: each of its six products passes through two
/// multiplications and at most three additions. Columns are scaled by powers of two first, so that no scale looks
/// singular.
pub(crate) fn invert(transform: &DAffine3) -> Result<DAffine3, TransformError> {
    if !transform.is_finite() {
        return Err(TransformError::NotFinite);
    }
    let linear = transform.matrix3;
    let scales = linear.to_cols_array_2d().map(|column| power_of_two(DVec3::from(column).abs().max_element()));
    let scaled = DMat3::from_cols(linear.x_axis / scales[0], linear.y_axis / scales[1], linear.z_axis / scales[2]);
    let determinant = scaled.determinant();
    if !(determinant.abs() > gamma(6) * permanent(&scaled)) {
        return Err(TransformError::Singular { determinant: linear.determinant() });
    }
    let inverse = DMat3::from_diagonal(DVec3::from(scales).recip()) * scaled.inverse();
    let inverse = DAffine3 { matrix3: inverse, translation: -(inverse * transform.translation) };
    if inverse.is_finite() { Ok(inverse) } else { Err(TransformError::NotFinite) }
}

/// The determinant's products, all added.
fn permanent(m: &DMat3) -> f64 {
    let (x, y, z) = (m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs());
    x.x * (y.y * z.z + y.z * z.y) + x.y * (y.z * z.x + y.x * z.z) + x.z * (y.x * z.y + y.y * z.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn inverses_at_any_scale() {
        let rotation = DQuat::from_xyzw(0.1, -0.7, 0.3, 0.2).normalize();
        for scale in [DVec3::splat(1e-150), DVec3::splat(1e150), DVec3::new(1e-20, 1.0, -1e20)] {
            let transform = DAffine3::from_scale_rotation_translation(scale, rotation, DVec3::new(1.0, 2.0, 3.0));
            let inverse = invert(&transform).unwrap();
            let product = inverse.matrix3 * transform.matrix3;
            for (i, column) in [product.x_axis, product.y_axis, product.z_axis].into_iter().enumerate() {
                // Each row of the inverse has the scale of one over the row's own.
                let error = (column - DVec3::AXES[i]) * scale.abs() / scale[i].abs();
                assert!(error.abs().max_element() < 1e-14, "{scale}: {error}");
            }
        }
    }

    #[test]
    fn singular_and_broken_transforms_are_refused() {
        let singular = |m| matches!(invert(&DAffine3::from_mat3(m)), Err(TransformError::Singular { .. }));
        assert!(singular(DMat3::ZERO));
        assert!(singular(DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0))));
        let (x, y) = (DVec3::new(0.1, 0.2, 0.7), DVec3::new(0.3, -0.1, 0.9));
        assert!(singular(DMat3::from_cols(x, y, x * 0.3 + y * 0.7)));
        for broken in [f64::NAN, f64::INFINITY] {
            let moved = DAffine3::from_translation(DVec3::new(0.0, broken, 0.0));
            assert_eq!(invert(&moved), Err(TransformError::NotFinite));
        }
    }
}

//! Inverting affine transforms, at any scale.

use crate::error::TransformError;
use crate::float::{UNIT_ROUNDOFF, gamma, power_of_two, sqrt};
use glam::{DAffine3, DMat3, DVec3};

/// The inverse of a transform, its linear part as accurate as f64 allows: |m * inverse - 1| <= 12 u |m| |inverse| in
/// Frobenius norms.
///
/// Singular is a linear part whose determinant cannot be told from 0: each of its six products passes through two
/// multiplications and at most three additions. Columns are scaled by powers of two first, so that no scale looks
/// singular.
pub(crate) fn invert(transform: &DAffine3) -> Result<Inverse, TransformError> {
    if !transform.is_finite() {
        return Err(TransformError::NotFinite);
    }
    let linear = transform.matrix3;
    let scales = linear.to_cols_array_2d().map(|column| power_of_two(DVec3::from(column).abs().max_element()));
    let scaled = DMat3::from_cols(linear.x_axis / scales[0], linear.y_axis / scales[1], linear.z_axis / scales[2]);
    let determinant = scaled.determinant();
    let singular = TransformError::Singular { determinant: linear.determinant() };
    if !(determinant.abs() > gamma(6) * permanent(&scaled)) {
        return Err(singular);
    }
    // Not `inverse`, which panics in programs that turn glam's assertions on.
    let inverse = DMat3::from_diagonal(DVec3::from(scales).recip()) * scaled.try_inverse().ok_or(singular)?;
    let (inverse, condition) = corrected(&linear, inverse).ok_or(singular)?;
    let transform = DAffine3 { matrix3: inverse, translation: -(inverse * transform.translation) };
    let slack = 48.0 * UNIT_ROUNDOFF * condition;
    if transform.is_finite() { Ok(Inverse { transform, slack }) } else { Err(TransformError::NotFinite) }
}

/// Of a transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Inverse {
    pub(crate) transform: DAffine3,
    /// Bounds how far the image of a ray that was computed in the space of the transform is from the ray, relative to the
    /// largest coordinate of the ray's origin, the translation and the image of the place.
    ///
    /// 23 u times the condition number bounds each part in its length, which is at most sqrt(3) times its largest
    /// coordinate (docs/robustness.md).
    pub(crate) slack: f64,
}

/// A better inverse, and the condition number in Frobenius norms; `None` if there is none in f64.
///
/// The cofactors of uneven scales between two rotations cancel. Each step squares the residual (G. Schulz, "Iterative
/// Berechnung der reziproken Matrix", 1933), so that six of them reach f64's precision from any residual below 0.5. Of
/// the 12 u that are promised, the residual's own four roundings may hide 4.
fn corrected(matrix: &DMat3, mut inverse: DMat3) -> Option<(DMat3, f64)> {
    let size = norm(matrix);
    for _ in 0..7 {
        let residual = DMat3::IDENTITY - *matrix * inverse;
        let condition = size * norm(&inverse);
        if norm(&residual) <= 8.0 * UNIT_ROUNDOFF * condition {
            return Some((inverse, condition));
        }
        inverse += inverse * residual;
    }
    None
}

/// Frobenius norm, which bounds the spectral one.
fn norm(m: &DMat3) -> f64 {
    let largest = m.to_cols_array().into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    // The square of a small or large element would underflow or overflow.
    let unit = power_of_two(largest);
    let scale = 1.0 / unit;
    unit * sqrt(m.to_cols_array().into_iter().map(|x| (x * scale) * (x * scale)).sum())
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
            let inverse = invert(&transform).unwrap().transform;
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
    #[test]
    fn inverses_are_as_good_as_f64_allows() {
        let rotations = [(1.0, 0.3), (-2.0, 1.1), (0.4, -2.9), (2.5, 0.01)].map(|(x, y)| {
            DMat3::from_quat(DQuat::from_rotation_x(x) * DQuat::from_rotation_y(y) * DQuat::from_rotation_z(x - y))
        });
        for scale in [1.0, 3.0, 100.0, 1e4, 1e6, 1e7] {
            for diagonal in [DVec3::new(scale, 1.0, 1.0), DVec3::new(scale, -scale, 1.0)] {
                for (left, right) in rotations.iter().flat_map(|&l| rotations.map(|r| (l, r))) {
                    let linear = left * DMat3::from_diagonal(diagonal) * right;
                    let inverse = invert(&DAffine3::from_mat3(linear)).unwrap().transform.matrix3;
                    // 12 u, and four roundings of the product here.
                    let error = norm(&(linear * inverse - DMat3::IDENTITY));
                    assert!(error <= 16.0 * UNIT_ROUNDOFF * norm(&linear) * norm(&inverse), "{diagonal}: {error}");
                }
            }
        }
    }

    #[test]
    fn the_slack_is_finite_at_any_scale() {
        for scale in [DVec3::splat(1e-150), DVec3::splat(1e150), DVec3::new(1e200, 1e-100, 1e-100)] {
            let transform = DAffine3::from_scale(scale);
            let slack = invert(&transform).unwrap().slack;
            assert!(slack >= 144.0 * UNIT_ROUNDOFF * 0.99 && slack.is_finite(), "{scale}: {slack}");
        }
    }
}

//! Inversion of affine transforms, at any scale.

mod affine_x4;
mod column_affine;

pub(crate) use affine_x4::AffineX4;
pub(crate) use column_affine::ColumnAffine;

use crate::error::TransformError;
use crate::math::exact_predicates;
use crate::math::float::{
    ORDINARY_SQUARES, UNIT_ROUNDOFF, gamma, inverse_power_of_two, largest, power_of_two, smaller, sqrt,
};
use crate::math::scalar::{self, Scalar, Scalar3, cross, dot, scaled, smallest};
use glam::{DAffine3, DMat3, DVec3};

/// Returns the inverse of a transform. The linear part is as accurate as f64 allows: |m * inverse - 1| <= 12 u |m|
/// |inverse| in Frobenius norms.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn invert(transform: &DAffine3) -> Result<Inverse, TransformError> {
    let DAffine3 { matrix3: DMat3 { x_axis: x, y_axis: y, z_axis: z }, translation } = transform;
    let OrdinaryInverse { columns, condition, trial } = invert_near_orthogonal([x, y, z].map(|axis| axis.to_array()));
    let (matrix3, condition) = if trial.is_passed() {
        (DMat3::from_cols_array_2d(&columns), condition)
    } else {
        invert_linear(&transform.matrix3)?
    };
    let translation = -(matrix3 * *translation);
    if !translation.is_finite() {
        return Err(TransformError::NotFinite);
    }
    Ok(Inverse { transform: DAffine3 { matrix3, translation }, slack: SLACK * condition })
}

/// The slack divided by the condition number: see [`Inverse`].
const SLACK: f64 = 48.0 * UNIT_ROUNDOFF;

/// The inverse of three columns, and an upper bound of the condition number. The columns have ordinary lengths. They
/// span almost the volume of orthogonal columns of the same lengths, as in rotations and scales. The inverse is within
/// 12 u without correction (docs/robustness.md) if the columns pass the test.
struct OrdinaryInverse<T> {
    columns: [Scalar3<T>; 3],
    condition: T,
    trial: OrdinaryTest<T>,
}

/// The test whether columns satisfy the conditions of [`OrdinaryInverse`].
struct OrdinaryTest<T> {
    /// The squares of the lengths of the shortest and the longest column.
    squares: [T; 2],
    /// The square of the volume that they span, and the lower limit for it.
    volumes: [T; 2],
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn invert_near_orthogonal<T: Scalar>([x, y, z]: [Scalar3<T>; 3]) -> OrdinaryInverse<T> {
    let squares = [dot(x, x), dot(y, y), dot(z, z)];
    let [a, b, c] = [cross(y, z), cross(z, x), cross(x, y)];
    let determinant = dot(x, a);
    let inverse_determinant = determinant.inverse();
    let xy = squares[0] * squares[1];
    let both = squares[0] + squares[1];
    // No cofactor is longer than the product of the columns that it is computed from.
    let condition = ((both + squares[2]) * (xy + both * squares[2])).sqrt() * inverse_determinant.abs();
    OrdinaryInverse {
        columns: [
            scaled([a[0], b[0], c[0]], inverse_determinant),
            scaled([a[1], b[1], c[1]], inverse_determinant),
            scaled([a[2], b[2], c[2]], inverse_determinant),
        ],
        condition,
        trial: OrdinaryTest {
            squares: [smallest(squares), scalar::largest(squares)],
            volumes: [determinant * determinant, xy * squares[2] * (0.875 * 0.875)],
        },
    }
}

/// The squares of the lengths of ordinary columns. The largest products have three squares and so are from 1e-180 to 1e180. A product of components that
/// underflows is below 2^-1074, which is negligible beside 1e-60. Columns outside of these bounds only cost work: they are scaled first.
const LEAST_SQUARE: f64 = 1e-60;
const MOST_SQUARE: f64 = 1e60;

impl OrdinaryTest<f64> {
    /// Returns whether the columns pass the test. NaN does not pass, because it makes the volumes NaN.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn is_passed(&self) -> bool {
        let [least, most] = self.squares;
        let [volume, enough] = self.volumes;
        least >= LEAST_SQUARE && most <= MOST_SQUARE && volume >= enough
    }
}

/// Returns the inverse and the condition number of any matrix.
#[cold]
#[inline(never)]
fn invert_linear(linear: &DMat3) -> Result<(DMat3, f64), TransformError> {
    if !linear.is_finite() {
        return Err(TransformError::NotFinite);
    }
    let found = invert_scaled(linear).ok_or_else(|| TransformError::Singular { determinant: linear.determinant() })?;
    if found.0.is_finite() { Ok(found) } else { Err(TransformError::NotFinite) }
}

/// Returns the inverse and the condition number; `None` for a singular matrix, whose determinant cannot be
/// distinguished from 0. Each of its six products has two multiplications and at most three additions. Columns are
/// first scaled by powers of two, so that no scale makes a matrix seem singular. A matrix may be long along only
/// one axis, between two rotations. Then its three columns are almost parallel, although it is far from singular.
/// The exact determinant shows that.
fn invert_scaled(linear: &DMat3) -> Option<(DMat3, f64)> {
    let inverse_scale = |column: DVec3| inverse_power_of_two(smaller(power_of_two(largest(column)), MOST_SCALE));
    let scales = DVec3::new(inverse_scale(linear.x_axis), inverse_scale(linear.y_axis), inverse_scale(linear.z_axis));
    let (x, y, z) = (linear.x_axis * scales.x, linear.y_axis * scales.y, linear.z_axis * scales.z);
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let determinant = x.dot(cofactors.x_axis);
    if !(determinant.abs() > gamma(6) * permanent(x, y, z)) {
        return invert_exactly(linear, [x, y, z], scales);
    }
    let scales = scales / determinant;
    corrected(linear, DMat3::from_diagonal(scales) * cofactors.transpose())
}

/// Inverts by cofactors and a determinant that are rounded once each. Returns `None` for a matrix that is singular, or
/// so nearly singular that rounding may make it so.
#[cold]
fn invert_exactly(linear: &DMat3, [x, y, z]: [DVec3; 3], scales: DVec3) -> Option<(DMat3, f64)> {
    let determinant = exact_predicates::determinant(x, y, z);
    if determinant == 0.0 {
        return None;
    }
    let cofactors =
        DMat3::from_cols(exact_predicates::cross(y, z), exact_predicates::cross(z, x), exact_predicates::cross(x, y));
    let inverse = corrected(linear, DMat3::from_diagonal(scales / determinant) * cofactors.transpose());
    // Relative to its size, the distance of a matrix from the nearest singular one is one over its condition number (C. Eckart, G. Young, 1936).
    inverse.filter(|(_, condition)| 8.0 * UNIT_ROUNDOFF * condition < 0.5)
}

/// The largest power of two whose inverse is a normal number.
const MOST_SCALE: f64 = 1.0 / f64::MIN_POSITIVE;

/// The inverse of a transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Inverse {
    pub(crate) transform: DAffine3,
    /// Bounds the distance between a ray and its image that is computed in the space of the transform. The bound is
    /// relative to the largest coordinate of the ray's origin, the translation and the image of the place.
    ///
    /// 23 u times the condition number bounds each part in its length, which is at most sqrt(3) times its largest
    /// coordinate (docs/robustness.md).
    pub(crate) slack: f64,
}

/// Returns a better inverse, and the condition number in Frobenius norms; `None` if there is none in f64.
///
/// The cofactors of uneven scales between two rotations cancel. Each step squares the residual (G. Schulz, "Iterative
/// Berechnung der reziproken Matrix", 1933), so that six steps reach f64's precision from any residual below 0.5. The
/// four roundings of the residual itself may hide 4 of the 12 u of the bound.
fn corrected(matrix: &DMat3, mut inverse: DMat3) -> Option<(DMat3, f64)> {
    let size = norm(matrix);
    for _ in 0..7 {
        let residual = DMat3::IDENTITY - *matrix * inverse;
        let condition = size * norm(&inverse);
        let enough = 8.0 * UNIT_ROUNDOFF * condition;
        // The squares are compared first, because roots take longer. The roots decide if both squares are infinite.
        if sum_of_squares(&residual, 1.0) < enough * enough || norm(&residual) <= enough {
            return Some((inverse, condition));
        }
        inverse += inverse * residual;
    }
    None
}

/// Returns the Frobenius norm, which bounds the spectral one.
fn norm(m: &DMat3) -> f64 {
    let squares = sum_of_squares(m, 1.0);
    if ORDINARY_SQUARES.contains(&squares) {
        return sqrt(squares);
    }
    // The square of a small or large element would underflow or overflow.
    let unit = power_of_two(largest(DVec3::new(largest(m.x_axis), largest(m.y_axis), largest(m.z_axis))));
    unit * sqrt(sum_of_squares(m, 1.0 / unit))
}

fn sum_of_squares(m: &DMat3, scale: f64) -> f64 {
    let of = |column: DVec3| (column * scale).length_squared();
    of(m.x_axis) + of(m.y_axis) + of(m.z_axis)
}

/// Returns the sum of the magnitudes of the determinant's products.
fn permanent(x: DVec3, y: DVec3, z: DVec3) -> f64 {
    let (x, y, z) = (x.abs(), y.abs(), z.abs());
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
                // Each row of the inverse scales with the inverse of the corresponding column's scale.
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
                    // The bound is 12 u, plus four roundings of the product here.
                    let error = norm(&(linear * inverse - DMat3::IDENTITY));
                    assert!(error <= 16.0 * UNIT_ROUNDOFF * norm(&linear) * norm(&inverse), "{diagonal}: {error}");
                }
            }
        }
    }

    fn nearly(linear: &DMat3) -> Option<(DMat3, f64)> {
        let OrdinaryInverse { columns, condition, trial } = invert_near_orthogonal(linear.to_cols_array_2d());
        trial.is_passed().then(|| (DMat3::from_cols_array_2d(&columns), condition))
    }

    #[test]
    fn inverses_that_are_not_tried_are_as_good() {
        let rotations = [(1.0, 0.3), (-2.0, 1.1), (0.4, -2.9)].map(|(x, y)| {
            DMat3::from_quat(DQuat::from_rotation_x(x) * DQuat::from_rotation_y(y) * DQuat::from_rotation_z(x - y))
        });
        let shear = |by: f64| DMat3::from_cols(DVec3::X, DVec3::new(by, 1.0, 0.0), DVec3::new(-by, by, 1.0));
        for rotation in rotations {
            for scale in [DVec3::ONE, DVec3::new(1e-20, 1.0, 1e20), DVec3::new(-3.0, 1e7, 1e-7)] {
                for by in [0.0, 1e-7, 0.1, 0.3] {
                    let linear = rotation * shear(by) * DMat3::from_diagonal(scale);
                    let (inverse, condition) = nearly(&linear).unwrap();
                    assert!(condition >= norm(&linear) * norm(&inverse) * 0.999, "{scale} {by}: {condition}");
                    let error = norm(&(linear * inverse - DMat3::IDENTITY));
                    assert!(error <= 16.0 * UNIT_ROUNDOFF * condition, "{scale} {by}: {error}");
                }
                assert_eq!(nearly(&(rotation * shear(0.6) * DMat3::from_diagonal(scale))), None);
            }
        }
    }

    #[test]
    fn inverses_can_be_inverted() {
        let rotations = [DQuat::from_xyzw(0.1, -0.7, 0.3, 0.2), DQuat::from_xyzw(0.5, 0.1, -0.3, 0.9)];
        let [left, right] = rotations.map(|rotation| DMat3::from_quat(rotation.normalize()));
        for flat in [1.0, 1e-3, 1e-6, 1e-9, 1e-12] {
            for diagonal in [DVec3::new(1.0, flat, 1.0), DVec3::new(flat, 1.0, flat), DVec3::new(flat, 1.0, -10.0)] {
                let transform = DAffine3::from_mat3(left * DMat3::from_diagonal(diagonal) * right);
                let there = invert(&transform).unwrap().transform;
                let Inverse { transform: back, slack } = invert(&there).unwrap();
                let error = norm(&(back.matrix3 - transform.matrix3));
                assert!(error <= slack * norm(&transform.matrix3), "{diagonal}: {error}");
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

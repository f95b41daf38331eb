//! Placing things: affine transforms in f64, checked and inverted once.

use crate::error::TransformError;
use crate::float::UNIT_ROUNDOFF;
use glam::{Affine3A, DAffine3, DMat3, DMat4, DVec3, Mat4, Vec3};

/// A local-to-world transform, made by `into()` from what programs have: [`DAffine3`], [`Affine3A`], [`DMat4`], [`Mat4`], or a [`DVec3`] or
/// [`Vec3`] as a translation.
///
/// Any affine transform will do, with rotation, non-uniform and mirrored scale, and shear; where it is used, one with NaN, one that cannot
/// be inverted, or a matrix that projects is a [`TransformError`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform(Result<DAffine3, TransformError>);

impl Transform {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self(Ok(DAffine3::IDENTITY));
}

impl From<DAffine3> for Transform {
    fn from(transform: DAffine3) -> Self {
        Self(Ok(transform))
    }
}

impl From<Affine3A> for Transform {
    fn from(transform: Affine3A) -> Self {
        Self(Ok(transform.as_daffine3()))
    }
}

impl From<DMat4> for Transform {
    fn from(matrix: DMat4) -> Self {
        let affine = matrix.row(3) == DMat4::IDENTITY.row(3);
        let finite = matrix.is_finite();
        Self(match (finite, affine) {
            (false, _) => Err(TransformError::NotFinite),
            (true, false) => Err(TransformError::NotAffine),
            (true, true) => Ok(DAffine3::from_mat4(matrix)),
        })
    }
}

impl From<Mat4> for Transform {
    fn from(matrix: Mat4) -> Self {
        matrix.as_dmat4().into()
    }
}

impl From<DVec3> for Transform {
    fn from(translation: DVec3) -> Self {
        DAffine3::from_translation(translation).into()
    }
}

impl From<Vec3> for Transform {
    fn from(translation: Vec3) -> Self {
        translation.as_dvec3().into()
    }
}

/// A checked transform with its inverse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    pub(crate) to_world: DAffine3,
    pub(crate) to_local: DAffine3,
}

impl Placement {
    pub(crate) const IDENTITY: Self = Self { to_world: DAffine3::IDENTITY, to_local: DAffine3::IDENTITY };

    pub(crate) fn new(transform: impl Into<Transform>) -> Result<Self, TransformError> {
        let to_world = transform.into().0?;
        if !to_world.is_finite() {
            return Err(TransformError::NotFinite);
        }
        let [x, y, z] = [to_world.matrix3.x_axis, to_world.matrix3.y_axis, to_world.matrix3.z_axis];
        let determinant = x.dot(y.cross(z));
        // The computed determinant of a singular matrix is within this of zero, and above it the inverse has correct digits.
        let magnitude = x.abs().dot(y.abs().cross_magnitude(z.abs()));
        let singular = TransformError::Singular { determinant };
        if !(determinant.abs() > 8.0 * UNIT_ROUNDOFF * magnitude) {
            return Err(singular);
        }
        let matrix3 = invert(to_world.matrix3).ok_or(singular)?;
        let to_local = DAffine3 { matrix3, translation: -(matrix3 * to_world.translation) };
        if to_local.is_finite() { Ok(Self { to_world, to_local }) } else { Err(singular) }
    }

    /// First `inner`, then this.
    pub(crate) fn compose(&self, inner: &Self) -> Result<Self, TransformError> {
        Self::new(self.to_world * inner.to_world)
    }

    /// A world normal, of any length, from a local one: by the inverse transpose, so that it stays on the same side of the surface
    /// under mirrored transforms.
    pub(crate) fn world_normal(&self, local: DVec3) -> DVec3 {
        self.to_local.matrix3.transpose() * local
    }

    /// Bounds how far, relative to the largest coordinate of the ray's origin, the transform's translation and its image of the hit,
    /// the world image of a ray that was computed in local space is from the ray: 23 u times the condition number in each part's length,
    /// which is at most sqrt(3) times its largest coordinate (docs/robustness.md).
    pub(crate) fn slack(&self) -> f64 {
        48.0 * UNIT_ROUNDOFF * condition(&self.to_world.matrix3, &self.to_local.matrix3)
    }
}

/// The inverse as accurate as its condition number allows, `|m * inverse - 1| <= 12 u |m| |inverse|`, of which the residual's own four roundings may hide
/// a third; `None` where f64 cannot tell the matrix from a singular one.
fn invert(matrix: DMat3) -> Option<DMat3> {
    // Not `inverse`, which panics in programs that turn glam's assertions on.
    let mut inverse = matrix.try_inverse()?;
    // The cofactors of uneven scales between two rotations cancel. Each step squares the residual (G. Schulz, "Iterative Berechnung der
    // reziproken Matrix", 1933), so that half a dozen of them reach f64's precision from any residual below 0.6.
    for _ in 0..7 {
        let residual = DMat3::IDENTITY - matrix * inverse;
        if norm(&residual) <= 8.0 * UNIT_ROUNDOFF * condition(&matrix, &inverse) {
            return Some(inverse);
        }
        inverse += inverse * residual;
    }
    None
}

/// Condition number by Frobenius norms, which bound the spectral ones.
fn condition(matrix: &DMat3, inverse: &DMat3) -> f64 {
    norm(matrix) * norm(inverse)
}

fn norm(m: &DMat3) -> f64 {
    let largest = m.abs().to_cols_array().into_iter().fold(0.0, f64::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return largest;
    }
    // Scaled first: the square of a small or large element would underflow or overflow.
    let squares = m.to_cols_array().map(|x| (x / largest) * (x / largest));
    largest * libm::sqrt(squares.iter().sum())
}

/// The cross product of two vectors of magnitudes, with sums in place of differences.
trait CrossMagnitude {
    fn cross_magnitude(self, other: Self) -> Self;
}

impl CrossMagnitude for DVec3 {
    fn cross_magnitude(self, o: Self) -> Self {
        Self::new(self.y * o.z + self.z * o.y, self.z * o.x + self.x * o.z, self.x * o.y + self.y * o.x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn refuses_what_cannot_be_inverted() {
        let flat = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
        assert!(matches!(Placement::new(flat), Err(TransformError::Singular { .. })));
        let rotation = DMat3::from_quat(DQuat::from_rotation_y(0.7));
        let rank_two = rotation * DMat3::from_diagonal(DVec3::new(3.0, 1.0, 0.0)) * rotation.transpose();
        assert!(matches!(Placement::new(DAffine3::from_mat3(rank_two)), Err(TransformError::Singular { .. })));
        let nan = DAffine3::from_translation(DVec3::NAN);
        assert_eq!(Placement::new(nan), Err(TransformError::NotFinite));
        let projection = Mat4::from_diagonal(glam::Vec4::new(1.0, 1.0, 1.0, 0.5));
        assert_eq!(Placement::new(projection), Err(TransformError::NotAffine));
    }

    #[test]
    fn takes_any_scale_of_one_sign_or_another() {
        for scale in [1e-30, 1e-3, 1.0, 1e30] {
            let transform = DAffine3::from_scale(DVec3::new(scale, -scale, 2.0 * scale));
            assert!(Placement::new(transform).is_ok(), "{scale}");
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
                    let inverse = Placement::new(DAffine3::from_mat3(linear)).unwrap().to_local.matrix3;
                    // Four roundings of the product, and the bound itself.
                    let error = norm(&(linear * inverse - DMat3::IDENTITY));
                    assert!(error <= 12.0 * UNIT_ROUNDOFF * condition(&linear, &inverse), "{diagonal}: {error}");
                    assert!(error < 1e-7, "{diagonal}: {error}");
                }
            }
        }
    }

    #[test]
    fn the_slack_is_finite_at_any_scale() {
        for scale in [DVec3::splat(1e-90), DVec3::splat(1e90), DVec3::new(1e200, 1e-100, 1e-100)] {
            let slack = Placement::new(DAffine3::from_scale(scale)).unwrap().slack();
            assert!(slack >= 0.0 && slack.is_finite(), "{scale}: {slack}");
        }
    }
}

//! Placements: affine transforms in f64, checked and inverted once.

use super::affine;
use super::ray::{LocalRay, RayInput};
use crate::error::TransformError;
use crate::geom::affine::ColumnAffine;
use crate::math::dvec3_lanes::InLanes;
use crate::math::float::UNIT_ROUNDOFF;
use crate::simd::Simd;
use glam::{Affine3A, DAffine3, DMat4, DVec3, Mat4, Vec3};

/// A local-to-world transform. `into()` makes it from a [`DAffine3`], [`Affine3A`], [`DMat4`], [`Mat4`] or a 4x4 array
/// of columns. It also accepts a [`Pose`](crate::Pose) or a value that becomes a pose, such as a pair of position and
/// rotation. A [`DVec3`], [`Vec3`] or an array of three becomes a translation.
///
/// Any affine transform will do, with rotation, non-uniform and mirrored scale, and shear. Some transforms are
/// reported as a [`TransformError`] where they are used. They have NaN, cannot be inverted, or are projections.
///
/// ```
/// use hitscan::{Pose, Transform, glam::{DAffine3, DQuat, DVec3}};
///
/// let (position, half_turn) = (DVec3::new(1.0, 2.0, 3.0), DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0));
/// let transform = Transform::from(DAffine3::from_rotation_translation(half_turn, position));
/// assert_eq!(Transform::from((position, half_turn)), transform);
/// assert_eq!(Transform::from(Pose::from((position, half_turn))), transform);
/// assert!(Transform::from((position, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0))).validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform(Result<DAffine3, TransformError>);

impl Transform {
    /// The identity, which moves nothing.
    pub const IDENTITY: Self = Self(Ok(DAffine3::IDENTITY));

    /// Checks whether it can place anything, and if not, says why. A scene returns the same error.
    ///
    /// ```
    /// use hitscan::Transform;
    /// use hitscan::error::TransformError;
    /// use hitscan::glam::{DAffine3, DVec3};
    ///
    /// let flat: Transform = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0)).into();
    /// assert!(matches!(flat.validate(), Err(TransformError::Singular { .. })));
    /// ```
    pub fn validate(self) -> Result<(), TransformError> {
        Placement::new(self).map(drop)
    }

    /// Returns the transform unless it projects or is not finite.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn affine(&self) -> Option<&DAffine3> {
        self.0.as_ref().ok()
    }
}

impl From<DAffine3> for Transform {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn from(transform: DAffine3) -> Self {
        Self(Ok(transform))
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

macro_rules! into_transform {
    ($($given:ident: $from:ty => $transform:expr,)*) => {$(
        impl From<$from> for Transform {
            fn from($given: $from) -> Self {
                $transform.into()
            }
        }
    )*};
}

into_transform! {
    transform: Affine3A => transform.as_daffine3(),
    matrix: Mat4 => matrix.as_dmat4(),
    columns: [[f32; 4]; 4] => Mat4::from_cols_array_2d(&columns),
    columns: [[f64; 4]; 4] => DMat4::from_cols_array_2d(&columns),
    translation: DVec3 => DAffine3::from_translation(translation),
    translation: Vec3 => translation.as_dvec3(),
    translation: [f32; 3] => Vec3::from(translation),
    translation: [f64; 3] => DVec3::from(translation),
}

/// A checked transform with its inverse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    pub(crate) to_world: DAffine3,
    pub(crate) to_local: DAffine3,
    /// The slack, as in [`affine::Inverse`].
    pub(crate) slack: f64,
}

impl Placement {
    pub(crate) const IDENTITY: Self =
        Self { to_world: DAffine3::IDENTITY, to_local: DAffine3::IDENTITY, slack: 144.0 * UNIT_ROUNDOFF };

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(transform: impl Into<Transform>) -> Result<Self, TransformError> {
        let to_world = transform.into().0?;
        let affine::Inverse { transform: to_local, slack } = affine::invert(&to_world)?;
        Ok(Self { to_world, to_local, slack })
    }

    /// Returns the transform that applies `inner` first, then this.
    pub(crate) fn compose(&self, inner: &Self) -> Result<Self, TransformError> {
        Self::new(self.to_world * inner.to_world)
    }

    /// Returns a world normal, of any length, from a local one.
    pub(crate) fn world_normal(&self, local: DVec3) -> DVec3 {
        world_normal(&self.to_local, local)
    }
}

/// Returns a world normal by the inverse transpose. So it stays on the same side of the surface under mirrored
/// transforms.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn world_normal(to_local: &DAffine3, local: DVec3) -> DVec3 {
    to_local.matrix3.transpose() * local
}

/// The image of a ray in an instance, with another end of its range.
#[derive(Clone, Copy)]
pub(crate) struct InstanceRay<'a> {
    pub(crate) ray: &'a LocalRay,
    pub(crate) to_local: &'a ColumnAffine,
    pub(crate) t_max: f32,
}

impl RayInput for InstanceRay<'_> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn local(self) -> LocalRay {
        self.ray.up_to(self.t_max, &self.to_local.affine())
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn range(self) -> [f32; 2] {
        [self.ray.t_min, self.t_max]
    }

    /// The bits equal the bits of [`local`](Self::local), because the operations are the same.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn scaled<S: Simd>(self, simd: S, scale: f64) -> [InLanes<S>; 2] {
        let LocalRay { origin, direction, .. } = *self.ray;
        [self.to_local.point(simd, origin) * scale, self.to_local.vector(simd, direction) * scale]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DQuat};

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
}

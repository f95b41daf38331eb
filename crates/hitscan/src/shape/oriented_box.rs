//! Ray against a box in any position.

use super::{Facet, Facets, RawHits, RayStart, RayTest, ShapeFacts, ShapeForm, Vicinity, solid_queries};
use crate::error::{ShapeError, TransformError};
use crate::geom::aabb::Aabb;
use crate::geom::affine;
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::geom::ray::LocalRay;
use crate::save::value;
use glam::{DAffine3, DMat3, DVec3, Quat, Vec3};

/// A solid box placed by a transform, which may rotate, scale, shear or mirror it.
///
/// The ray is transformed into the box's own space in f64 and tested there against the [`Aabb`]. All rules of the
/// [`Aabb`] hold: the box is closed, and flat boxes are hit. The only rounding is in the transform, about 1e-15 of the
/// ray's distance from the space's origin for a rotation. In a scene, an [`Aabb`] with the entity's transform is the
/// same in less memory.
///
/// ```
/// use hitscan::{Aabb, OrientedBox, Ray, glam::{Quat, Vec3}};
///
/// let quarter = Quat::from_xyzw(0.0, 0.0, 1.0, 1.0); // a quarter turn around z; its length does not matter
/// let plank = OrientedBox::from_rotation([0.0, 0.0, 0.0], [4.0, 0.5, 1.0], quarter)?;
/// let hit = plank.cast(&Ray::new([0.0, 10.0, 0.0], [0.0, -1.0, 0.0])).unwrap();
/// assert_eq!((hit.t, hit.normal), (6.0, Vec3::Y));
/// # Ok::<(), hitscan::error::TransformError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "SavedOrientedBox", try_from = "SavedOrientedBox"))]
pub struct OrientedBox {
    aabb: Aabb,
    to_local: DAffine3,
    bounds: Aabb,
}

solid_queries!(OrientedBox);
value!(OrientedBox as SavedOrientedBox);

/// The saved data of an oriented box; its bounds follow from them.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct SavedOrientedBox {
    aabb: Aabb,
    to_local: DAffine3,
}

value!(SavedOrientedBox { aabb, to_local });

impl From<OrientedBox> for SavedOrientedBox {
    fn from(OrientedBox { aabb, to_local, .. }: OrientedBox) -> Self {
        Self { aabb, to_local }
    }
}

impl TryFrom<SavedOrientedBox> for OrientedBox {
    type Error = TransformError;

    fn try_from(SavedOrientedBox { aabb, to_local }: SavedOrientedBox) -> Result<Self, TransformError> {
        let affine::Inverse { transform, slack } = affine::invert(&to_local)?;
        Ok(Self { aabb, to_local, bounds: aabb.transformed(&transform, slack) })
    }
}

impl OrientedBox {
    /// Makes a box from a box in a local space, and the transform from there to the space of the shape.
    ///
    /// # Errors
    /// Returns an error if the transform is not finite or cannot be inverted, or if its inverse cannot be inverted.
    pub fn new(aabb: Aabb, transform: DAffine3) -> Result<Self, TransformError> {
        // Only the inverse of the transform is kept. Bounds and sweeps use the inverse of this inverse. So they are the same after the box was saved and read.
        SavedOrientedBox { aabb, to_local: affine::invert(&transform)?.transform }.try_into()
    }

    /// Makes a box around `center`, rotated around it, whose half sizes along its own axes are `half_extents`.
    ///
    /// # Errors
    /// Returns an error if the centre or the rotation is not finite, or if the rotation has length 0; it need not be normalised.
    pub fn from_rotation(
        center: impl Into<Vec3>,
        half_extents: impl Into<Vec3>,
        rotation: Quat,
    ) -> Result<Self, TransformError> {
        let half_extents = half_extents.into();
        let rotation = rotation_matrix(rotation).ok_or(TransformError::NotFinite)?;
        let transform = DAffine3::from_mat3_translation(rotation, center.into().as_dvec3());
        Self::new(Aabb::new(-half_extents, half_extents), transform)
    }

    /// Returns the box in its own space.
    pub fn aabb(&self) -> Aabb {
        self.aabb
    }

    /// Returns the transform from the space of the shape to the box's own.
    pub fn to_local(&self) -> DAffine3 {
        self.to_local
    }
}

/// Returns the rotation matrix of a quaternion of any length but 0. It divides by the squared length, which unlike
/// normalising keeps quarter turns exact.
fn rotation_matrix(rotation: Quat) -> Option<DMat3> {
    let [x, y, z, w] = rotation.to_array().map(f64::from);
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    s.is_finite().then(|| {
        DMat3::from_cols(
            DVec3::new(1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
            DVec3::new(s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)),
            DVec3::new(s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)),
        )
    })
}

impl RayTest for OrientedBox {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        let ray = ray.transformed(&self.to_local);
        // The transformed ray is outside the range of f64.
        if !(ray.origin.is_finite() && ray.direction.is_finite()) || ray.direction == DVec3::ZERO {
            return RawHits::new();
        }
        RayTest::hits(&self.aabb, &ray, inside, start)
    }

    /// The normal is the gradient of one local coordinate: a row of the inverse's linear part.
    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        self.to_local.matrix3.transpose() * self.aabb.outward_normal(ray, hit)
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let gradient = self.outward_normal(ray, hit);
        let face = |p: DVec3| self.to_local.transform_point3(p)[hit.feature / 2];
        let plane = if hit.feature % 2 == 1 { self.aabb.max } else { self.aabb.min }.as_dvec3()[hit.feature / 2];
        let outward = if hit.feature % 2 == 1 { 1.0 } else { -1.0 };
        let point = ray.at(hit.exact_t);
        point - gradient * (outward * (face(point) - plane) / gradient.length_squared())
    }

    /// The inverse was rounded, and the error of the point does not include that.
    fn facets(&self, at: &Vicinity) -> Facets {
        let Ok(affine::Inverse { slack, .. }) = affine::invert(&self.to_local) else { return Facets::new() };
        let rounding = slack * at.point.abs().max_element().max(self.bounds.max.abs().max_element().into());
        let at = Vicinity { rounding: at.rounding + rounding, ..*at }.transformed(&self.to_local);
        let to_shape = self.to_local.matrix3.transpose();
        let facets = RayTest::facets(&self.aabb, &at).into_iter();
        facets.map(|facet| Facet::smooth(facet.feature as usize, to_shape * facet.normal)).collect()
    }

    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn validate(&self) -> Result<(), ShapeError> {
        RayTest::validate(&self.aabb)
    }
}

impl ShapeFacts for OrientedBox {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::OrientedBox { aabb: self.aabb, to_local: &self.to_local }
    }
}

//! Instances for libraries that have trees over boxes but no instances. An instance has the transform to the mesh's own
//! space in f32, and a bounding box.

use crate::scenes::Soup;
use hitscan::Ray;
use hitscan::glam::{Affine3A, DAffine3, Mat3A, Vec3, Vec3A};

/// One instance.
pub(super) struct Placed {
    pub(super) mesh: usize,
    inverse: Affine3A,
}

/// The centre and the half size of a box.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    middle: Vec3A,
    half: Vec3A,
}

impl Extent {
    pub(super) fn of(soup: &Soup) -> Self {
        let (min, max) = soup.bounds();
        Self { middle: ((min + max) / 2.0).as_vec3a(), half: ((max - min) / 2.0).as_vec3a() }
    }

    /// Returns the smallest and largest coordinates.
    pub(super) fn corners(&self) -> [Vec3A; 2] {
        [self.middle - self.half, self.middle + self.half]
    }

    fn placed(&self, place: &Affine3A) -> Self {
        let Mat3A { x_axis, y_axis, z_axis } = place.matrix3;
        let half = x_axis.abs() * self.half.x + y_axis.abs() * self.half.y + z_axis.abs() * self.half.z;
        Self { middle: place.transform_point3a(self.middle), half }
    }
}

impl Placed {
    /// Makes an instance, and its box, which is the box around the transformed box of the mesh.
    pub(super) fn new(mesh: usize, around: &Extent, transform: &DAffine3) -> (Self, Extent) {
        let place = transform.as_affine3a();
        (Self { mesh, inverse: place.inverse() }, around.placed(&place))
    }

    /// Transforms a ray to the mesh's space, where t is the same.
    #[inline]
    pub(super) fn local(&self, ray: &Ray, t_max: f32) -> Ray {
        let direction: Vec3 = self.inverse.transform_vector3(ray.direction);
        Ray::with_direction(self.inverse.transform_point3(ray.origin), direction).with_range(ray.t_min, t_max)
    }
}

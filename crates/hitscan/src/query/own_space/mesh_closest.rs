//! The nearest point of a mesh.

use crate::convex::Feature;
use crate::math::float::{reported_direction, round_vec3};
use crate::mesh::Mesh;
use crate::proximity::{Clearance, Containment, NearestPoint};
use glam::{DVec3, Vec3};

/// The point of a mesh that is nearest to a point, in the mesh's own space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MeshPoint {
    /// Index of the triangle.
    pub triangle: u32,
    /// The part of the triangle that the point is on.
    pub feature: Feature,
    /// The distance between the two points; never negative.
    pub distance: f32,
    /// The nearest point.
    pub point: Vec3,
    /// The direction from the nearest point to the query point, or the opposite if the query point is inside. If the two points coincide, it is the triangle's
    /// own normal.
    pub normal: Vec3,
    /// Says whether the query point is inside the mesh.
    pub containment: Containment,
}

impl MeshPoint {
    /// Reports a spot that is nearest to a point.
    pub(in crate::query) fn new(point: DVec3, spot: &NearestPoint, triangle: u32, containment: Containment) -> Self {
        Self {
            triangle,
            feature: spot.feature,
            distance: spot.distance as f32,
            point: round_vec3(point + spot.point),
            normal: reported_direction(if containment == Containment::Inside { -spot.normal } else { spot.normal }),
            containment,
        }
    }

    /// Returns the distance, which is negative inside; `None` for a mesh that is not closed. For a mesh that faces inwards it is never negative.
    pub fn signed_distance(&self) -> Option<f32> {
        self.containment.signed(self.distance)
    }
}

impl Mesh {
    /// Returns the point of the triangles that is nearest to a point, in the mesh's own space. If several triangles are equally near, the one with the lowest
    /// number is used. Returns `None` for a mesh without triangles that have an area, and for a point that is not finite or above 1e70.
    /// [`ProximityQueries::closest_point`](crate::ProximityQueries::closest_point) says when a mesh has an inside.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::glam::Vec3;
    /// use hitscan::query::{Containment, Feature};
    ///
    /// let floor = Mesh::from_soup(&[[0.0, 0.0, 4.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]])?;
    /// let nearest = floor.closest_point([1.0, 2.0, 1.0]).unwrap();
    /// assert_eq!((nearest.distance, nearest.point, nearest.feature), (2.0, Vec3::new(1.0, 0.0, 1.0), Feature::Face));
    /// assert_eq!((nearest.normal, nearest.containment), (Vec3::Y, Containment::Open));
    /// assert_eq!(floor.closest_point([-3.0, 0.0, -4.0]).map(|nearest| nearest.feature), Some(Feature::Vertex(2)));
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../edges/own_point.md")]
    pub fn closest_point(&self, point: impl Into<DVec3>) -> Option<MeshPoint> {
        let point = point.into();
        let spot = self.nearest_spot(point, f64::INFINITY)?;
        let triangle = spot.triangle?;
        let clearance = Clearance::certain_if(spot.distance > self.distance_error(point));
        let containment = self.containment_at(point, triangle, spot.distance, clearance);
        Some(MeshPoint::new(point, &spot, triangle, containment))
    }

    /// Returns the distance from a point to the surface, which is negative inside, in the mesh's own space: the distance that
    /// [`closest_point`](Self::closest_point) finds. Returns `None` for a mesh that is not closed, and if `closest_point`
    /// finds nothing.
    ///
    /// ```
    /// use hitscan::Mesh;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?;
    /// assert_eq!(tetrahedron.signed_distance([1.0, 1.0, 0.5]), Some(-0.5));
    /// assert_eq!(tetrahedron.signed_distance([1.0, 1.0, -0.5]), Some(0.5));
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../edges/own_point.md")]
    #[doc(alias("sdf"))]
    pub fn signed_distance(&self, point: impl Into<DVec3>) -> Option<f32> {
        self.closest_point(point)?.signed_distance()
    }
}

//! The nearest point of a mesh's triangles, without the containment of the query point.

use crate::convex::{Feature, is_usable};
use crate::geom::hit::Side;
use crate::geom::transform::Placement;
use crate::math::float::{reported_direction, round_vec3};
use crate::mesh::Mesh;
use crate::proximity::{NearestPoint, PlacedShape, closest};
use glam::{DVec3, Vec3};

/// The point of a mesh's triangles that is nearest to a point, in the mesh's own space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TrianglePoint {
    /// Index of the triangle.
    pub triangle: u32,
    /// The part of the triangle that the point is on.
    pub feature: Feature,
    /// The distance between the two points; never negative.
    pub distance: f32,
    /// The nearest point.
    pub point: Vec3,
    /// The direction from the nearest point to the query point. If the two points coincide, it is the triangle's own normal.
    pub normal: Vec3,
    /// The side of the triangle's plane on which the query point is. If the nearest point is on an edge or a corner,
    /// the side does not say whether the query point is inside the mesh.
    pub side: Side,
}

impl Mesh {
    /// Returns the point of the triangles that is nearest to a point and at most `max_distance` away, in the mesh's own
    /// space. If several triangles are equally near, the one with the lowest number is used.
    /// [`closest_point`](Self::closest_point) finds the same point, but also computes the containment, and takes many times
    /// as long.
    ///
    /// Returns `None` if no triangle with an area is within `max_distance`. It also returns `None` for a point that
    /// is not finite or above 1e70, and for a `max_distance` that is NaN.
    ///
    /// ```
    /// use hitscan::glam::Vec3;
    /// use hitscan::query::Feature;
    /// use hitscan::{Mesh, Side};
    ///
    /// let floor = Mesh::from_soup(&[[0.0, 0.0, 4.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]])?;
    /// let nearest = floor.closest_on_surface([1.0, 2.0, 1.0], f64::INFINITY).unwrap();
    /// assert_eq!((nearest.distance, nearest.point, nearest.side), (2.0, Vec3::new(1.0, 0.0, 1.0), Side::Front));
    /// assert_eq!(floor.closest_on_surface([1.0, 2.0, 1.0], 1.5), None);
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../edges/own_surface.md")]
    #[doc(alias("project_point", "nearest_point", "point_query", "unsigned_distance"))]
    pub fn closest_on_surface(&self, point: impl Into<DVec3>, max_distance: f64) -> Option<TrianglePoint> {
        let point = point.into();
        let spot = self.nearest_spot(point, max_distance)?;
        TrianglePoint::new(point, &spot)
    }

    /// Returns the nearest spot of the triangles that is at most `max_distance` away.
    pub(in crate::query) fn nearest_spot(&self, point: DVec3, max_distance: f64) -> Option<NearestPoint> {
        if !(is_usable(point) && max_distance >= 0.0) {
            return None;
        }
        let form = PlacedShape::of_surface(self, &Placement::IDENTITY, point.into())?;
        closest(&form, max_distance, None)
    }
}

impl TrianglePoint {
    /// Reports a spot that is nearest to a point.
    pub(in crate::query) fn new(point: DVec3, spot: &NearestPoint) -> Option<Self> {
        Some(Self {
            triangle: spot.triangle?,
            feature: spot.feature,
            distance: spot.distance as f32,
            point: round_vec3(point + spot.point),
            normal: reported_direction(spot.normal),
            side: if spot.is_in_front { Side::Front } else { Side::Back },
        })
    }
}

//! Closest points of shapes, hulls and height fields, and sweeps of volumes against a height field, each in its own
//! space.

use super::mesh_closest::MeshPoint;
use super::mesh_contact::MeshContact;
use super::mesh_sweep::first_contact;
use crate::convex::{Feature, Pose, Volume, is_usable};
use crate::geom::transform::Placement;
use crate::height_field::HeightField;
use crate::hull::ConvexHull;
use crate::math::float::{reported_direction, round_vec3};
use crate::proximity::{Containment, NearestPoint, PlacedShape, closest};
use crate::query::overlap::proximity_parts::reaches_so_far;
use crate::scene::PartGeometry;
use crate::shape::{Shape, each_shape};
use glam::{DAffine3, DVec3, Vec3};

/// The point of a shape's surface that is nearest to a point, in the shape's own space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ShapePoint {
    /// The part of the shape that the point is on: always the face, except for corners and edges of triangles.
    pub feature: Feature,
    /// The distance between the two points; never negative.
    pub distance: f32,
    /// The nearest point.
    pub point: Vec3,
    /// The outward direction, of unit length: from the nearest point to the query point, or the opposite if the query point is inside. If the two points
    /// coincide, it is the surface's own normal.
    pub normal: Vec3,
    /// Says whether the query point is inside or outside; [`Containment::Open`] for a shape that has no inside.
    pub containment: Containment,
}

impl ShapePoint {
    /// Returns the distance, which is negative inside; `None` for a shape that has no inside.
    pub fn signed_distance(&self) -> Option<f32> {
        self.containment.signed(self.distance)
    }

    fn new(point: DVec3, spot: &NearestPoint, has_inside: bool) -> Self {
        let containment = match (has_inside, spot.is_inside) {
            (false, _) => Containment::Open,
            (true, false) => Containment::Outside,
            (true, true) => Containment::Inside,
        };
        Self {
            feature: spot.feature,
            distance: spot.distance as f32,
            point: round_vec3(point + spot.point),
            normal: reported_direction(spot.normal),
            containment,
        }
    }
}

/// Returns the spot of a form that is nearest to a point. `form` makes the form relative to the point.
fn nearest<'a>(point: DVec3, form: impl FnOnce(DVec3) -> Option<PlacedShape<'a>>) -> Option<NearestPoint> {
    is_usable(point).then_some(())?;
    closest(&form(point)?, f64::INFINITY, None)
}

/// Returns the nearest spot of a shape; `None` if the shape is not valid or is out of reach.
fn nearest_of_shape(shape: &Shape, point: DVec3) -> Option<NearestPoint> {
    let is_usable = shape.validate().is_ok() && reaches_so_far(&PartGeometry::Shape(*shape), &DAffine3::IDENTITY);
    is_usable.then_some(())?;
    nearest(point, |origin| PlacedShape::of_shape(shape, &Placement::IDENTITY, origin.into()))
}

impl Shape {
    /// Returns the nearest point of the shape's surface. Returns `None` for a shape that is not [valid](Self::validate) or has no area. It also returns `None`
    /// for a point that is not finite or above 1e70. See [`ProximityQueries::closest_point`](crate::ProximityQueries::closest_point) for the accuracy.
    ///
    /// ```
    /// use hitscan::{Shape, Sphere, glam::Vec3};
    ///
    /// let ball = Shape::from(Sphere::new(1.0));
    /// let nearest = ball.closest_point([0.0, 3.0, 0.0]).unwrap();
    /// assert_eq!((nearest.distance, nearest.point, nearest.normal), (2.0, Vec3::Y, Vec3::Y));
    /// assert_eq!(ball.closest_point([0.0, 0.5, 0.0]).unwrap().signed_distance(), Some(-0.5));
    /// ```
    #[doc = include_str!("../edges/own_point.md")]
    #[doc(alias("project_point", "nearest_point", "sdf"))]
    pub fn closest_point(&self, point: impl Into<DVec3>) -> Option<ShapePoint> {
        let point = point.into();
        let spot = nearest_of_shape(self, point)?;
        Some(ShapePoint::new(point, &spot, self.is_solid()))
    }

    /// Returns whether a point is inside the shape or on its surface, as far as f64 can tell, in the shape's own space. A flat shape contains nothing, nor does
    /// a shape that is not [valid](Self::validate). No shape contains a point that is not finite.
    ///
    /// ```
    /// use hitscan::{Disc, Shape, Sphere};
    ///
    /// assert!(Shape::from(Sphere::new(1.0)).contains([0.0, 1.0, 0.0]));
    /// assert!(!Shape::from(Disc::new([0.0; 3], [0.0, 1.0, 0.0], 1.0)).contains([0.0; 3]));
    /// ```
    #[doc = include_str!("../edges/contains_solid.md")]
    #[doc(alias("inside", "point_test"))]
    pub fn contains(&self, point: impl Into<DVec3>) -> bool {
        let spot = if self.is_solid() { nearest_of_shape(self, point.into()) } else { None };
        spot.is_some_and(|spot| spot.is_inside || spot.distance == 0.0)
    }
}

/// Implements closest points of shapes as inherent methods, so that no trait must be imported.
macro_rules! closest_points {
    ($($number:literal => $variant:ident($shape:ident): $kind:ident, $doc:literal;)*) => {$(
        impl crate::shape::$shape {
            /// Returns the nearest point of the surface, in the shape's own space. Returns `None` for a shape that is not valid or has no area. It also returns
            /// `None` for a point that is not finite or above 1e70. See [`ProximityQueries::closest_point`](crate::ProximityQueries::closest_point) for the
            /// accuracy.
            #[doc = include_str!("../edges/own_point.md")]
            #[doc(alias("project_point", "nearest_point", "sdf"))]
            pub fn closest_point(&self, point: impl Into<DVec3>) -> Option<ShapePoint> {
                Shape::from(*self).closest_point(point)
            }
        }

        containment!($kind $shape);
    )*};
}

/// Implements containment of a solid as an inherent method. A box and a hull have such a method elsewhere.
macro_rules! containment {
    (flat $shape:ident) => {};
    (boxed $shape:ident) => {};
    (solid $shape:ident) => {
        impl crate::shape::$shape {
            /// Returns whether a point is inside the shape or on its surface, as far as f64 can tell, in the shape's own space. A shape that is not valid
            /// contains nothing.
            #[doc = include_str!("../edges/contains_solid.md")]
            #[doc(alias("inside", "point_test"))]
            pub fn contains(&self, point: impl Into<DVec3>) -> bool {
                Shape::from(*self).contains(point)
            }
        }
    };
}

each_shape!(closest_points);

impl ConvexHull {
    /// Returns the nearest point of the hull's surface, in its own space. Returns `None` for a point that is not finite or above 1e70.
    ///
    /// ```
    /// use hitscan::{ConvexHull, glam::Vec3};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let hull = ConvexHull::new(&corners)?;
    /// let nearest = hull.closest_point([1.0, -2.0, 1.0]).unwrap();
    /// assert_eq!((nearest.point, nearest.signed_distance()), (Vec3::new(1.0, 0.0, 1.0), Some(2.0)));
    /// assert_eq!(hull.closest_point([1.0, 0.5, 1.0]).unwrap().signed_distance(), Some(-0.5));
    /// # Ok::<(), hitscan::error::HullError>(())
    /// ```
    #[doc = include_str!("../edges/own_point.md")]
    #[doc(alias("project_point", "nearest_point", "sdf"))]
    pub fn closest_point(&self, point: impl Into<DVec3>) -> Option<ShapePoint> {
        let point = point.into();
        let spot = nearest(point, |origin| Some(PlacedShape::of_hull(self, &Placement::IDENTITY, origin.into())))?;
        Some(ShapePoint::new(point, &spot, true))
    }
}

impl HeightField {
    /// Returns the point of the ground that is nearest to a point, in the field's own space. If several triangles are equally near, the one with the lowest
    /// number is used. Returns `None` for a field without ground, and for a point that is not finite or above 1e70. A field has no inside.
    ///
    /// ```
    /// use hitscan::{HeightField, glam::{Vec2, Vec3}};
    ///
    /// let flat = HeightField::new(3, 3, [2.0, 2.0], &[1.0; 9])?;
    /// let nearest = flat.closest_point([1.0, 5.0, 0.5]).unwrap();
    /// assert_eq!((nearest.distance, nearest.point), (4.0, Vec3::new(1.0, 1.0, 0.5)));
    /// # Ok::<(), hitscan::error::HeightFieldError>(())
    /// ```
    #[doc = include_str!("../edges/own_point.md")]
    #[doc(alias("project_point", "nearest_point"))]
    pub fn closest_point(&self, point: impl Into<DVec3>) -> Option<MeshPoint> {
        let point = point.into();
        let spot = nearest(point, |origin| PlacedShape::of_surface(self, &Placement::IDENTITY, origin.into()))?;
        Some(MeshPoint::new(point, &spot, spot.triangle?, Containment::Open))
    }

    /// Returns the first triangle of the ground that a volume touches when it moves by `motion`, in the field's own
    /// space, as [`Mesh::sweep`](crate::Mesh::sweep) does.
    ///
    /// ```
    /// use hitscan::{HeightField, Sphere};
    ///
    /// let flat = HeightField::new(3, 3, [2.0, 2.0], &[0.0; 9])?;
    /// let landing = flat.sweep(Sphere::new(0.5), [0.5, 3.0, 0.25], [0.0, -5.0, 0.0]).unwrap();
    /// assert_eq!(landing.t, 0.5);
    /// # Ok::<(), hitscan::error::HeightFieldError>(())
    /// ```
    #[doc = include_str!("../edges/own_sweep.md")]
    #[doc(alias("spherecast", "shapecast"))]
    pub fn sweep(
        &self,
        volume: impl Into<Volume>,
        from: impl Into<Pose>,
        motion: impl Into<DVec3>,
    ) -> Option<MeshContact> {
        first_contact(self, &volume.into(), &from.into(), motion.into())
    }
}

//! The shapes a ray can be tested against: one file for each shape, with all its operations.
//!
//! Every shape is a few f32 numbers in its own local space (the oriented box also has an f64 transform). Every test is
//! computed in f64. Constructors accept any numbers; a shape with a negative size or a NaN hits nothing, and `validate`
//! says why.

mod axisymmetric;
mod capsule;
mod collision_matrix;
mod cone;
mod cuboid;
pub mod custom;
mod cylinder;
mod disc;
mod facet;
mod facts;
mod normalized_ray;
mod oriented_box;
mod plane;
mod quad;
mod ray_test;
mod rounded_box;
mod sample;
mod save;
mod slab;
mod solid;
mod sphere;
mod torus;
mod triangle;

pub(crate) use custom::{Custom, CustomShape};

pub(crate) use custom::CustomFound;

pub use capsule::Capsule;
pub use collision_matrix::{CollisionMatrix, SegmentHit};
pub use cone::Cone;
pub use cylinder::Cylinder;
pub use disc::Disc;
pub use oriented_box::OrientedBox;
pub use plane::Plane;
pub use quad::Quad;
pub use rounded_box::RoundedBox;
pub use sphere::Sphere;
pub use torus::Torus;
pub use triangle::Triangle;

// `each_shape!` finds the types of all shapes in this module.
pub(crate) use crate::geom::aabb::Aabb;
pub(crate) use facet::{Facet, Facets, PassageEnd, RayDirections, SurfacePassage, Vicinity, passage};
pub(crate) use facts::{Revolved, RevolvedKind, ShapeFacts, ShapeForm};
pub(crate) use plane::flat_hit;
pub(crate) use ray_test::{RayTest, check_size, closest, shape_queries, solid_queries};
pub(crate) use slab::{Slab, span as slab_span};
pub(crate) use solid::{Crossing, Heading, RawHits, RayStart, Span, Spans, resolve};
pub(crate) use triangle::{
    RELATIVE_ERROR, Verdict, barycentrics, facet as triangle_facet, is_crossed, normal as triangle_normal,
    precise_point as precise_triangle_point, side_of_plane, verdict as triangle_verdict,
    with_barycentrics as facet_with_barycentrics,
};

use crate::error::ShapeError;
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::geom::ray::LocalRay;
use glam::DVec3;
use ray_test::{around_segment, check_direction, check_point, distance, onto_ball, onto_plane, smooth_facets};

/// Hands the table of all shapes to a macro. A row has the number of the shape in saved bytes, which never changes. It
/// also has the shape's variant of [`Shape`], its type, its kind, and its doc. The kind is `flat` or `solid`, or
/// `boxed` for the solid that has a `contains` of its own.
macro_rules! each_shape {
    ($then:ident) => {
        $then! {
            1 => Box(Aabb): boxed, "An axis-aligned box; with a rotation in the entity's transform it is an oriented one.";
            2 => Capsule(Capsule): solid, "A capsule; see [`Capsule`].";
            3 => Cone(Cone): solid, "A cone; see [`Cone`].";
            4 => Cylinder(Cylinder): solid, "A cylinder; see [`Cylinder`].";
            5 => Disc(Disc): flat, "A disc; see [`Disc`].";
            6 => OrientedBox(OrientedBox): solid, "An oriented box; see [`OrientedBox`].";
            7 => Plane(Plane): flat, "A plane; see [`Plane`].";
            8 => Quad(Quad): flat, "A quad; see [`Quad`].";
            9 => Sphere(Sphere): solid, "A sphere; see [`Sphere`].";
            10 => Torus(Torus): solid, "A torus; see [`Torus`].";
            11 => Triangle(Triangle): flat, "A triangle; see [`Triangle`].";
            12 => RoundedBox(RoundedBox): solid, "A box with round edges; see [`RoundedBox`].";
        }
    };
}

pub(crate) use each_shape;

/// Makes the enum of all shapes, each of which answers by its own type.
macro_rules! shapes {
    ($($number:literal => $variant:ident($shape:ident): $kind:ident, $doc:literal;)*) => {
        /// Any shape, in its local space. `into()` converts each shape type to it. It answers as that shape does. For a flat shape, the choice for rays that
        /// start inside has no effect.
        ///
        /// ```
        /// use hitscan::{Disc, Inside, Ray, Shape, Sphere};
        ///
        /// let shapes = [Shape::from(Sphere::new(2.0)), Disc::new([0.0; 3], [0.0, 0.0, 1.0], 1.0).into()];
        /// let ray = Ray::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
        /// assert_eq!(shapes.map(|shape| shape.cast(&ray).unwrap().t), [3.0, 1.0]);
        /// assert_eq!(shapes.map(|shape| shape.when_inside(Inside::Solid).cast(&ray).unwrap().t), [0.0, 1.0]);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Shape {
            $(#[doc = $doc] $variant($shape),)*
        }

        impl Shape {
            /// Returns the ray test, by which casts treat all shapes alike, and the facts.
            pub(crate) fn test(&self) -> &dyn ShapeFacts {
                match self {
                    $(Self::$variant(shape) => shape,)*
                }
            }

            /// Returns the form; see [`ShapeFacts::form`].
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            pub(crate) fn form(&self) -> ShapeForm<'_> {
                match self {
                    $(Self::$variant(shape) => shape.form(),)*
                }
            }

            /// Returns whether it is a solid, with an inside. Plane, quad, disc and triangle are not.
            pub fn is_solid(&self) -> bool {
                match self {
                    $(Self::$variant(_) => is_solid!($kind),)*
                }
            }
        }

        $(impl From<$shape> for Shape {
            fn from(shape: $shape) -> Self {
                Self::$variant(shape)
            }
        })*
    };
}

macro_rules! is_solid {
    (flat) => {
        false
    };
    ($solid:ident) => {
        true
    };
}

each_shape!(shapes);

impl Shape {
    /// Returns the core segment and the radius around it, for a capsule or sphere.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn core(&self) -> Option<([DVec3; 2], f64)> {
        if let ShapeForm::Segment { ends, radius } = self.form() { Some((ends, radius)) } else { None }
    }

    /// Returns the torus, if the shape is one.
    pub(crate) fn torus(&self) -> Option<&Torus> {
        if let Self::Torus(torus) = self { Some(torus) } else { None }
    }
}

solid_queries!(Shape);

impl RayTest for Shape {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        self.test().hits(ray, inside, start)
    }

    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        self.test().outward_normal(ray, hit)
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        self.test().surface_point(ray, hit)
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        self.test().facets(at)
    }

    fn is_blocked(&self, ray: &LocalRay) -> bool {
        self.test().is_blocked(ray)
    }

    fn bounds(&self) -> Aabb {
        self.test().bounds()
    }

    fn validate(&self) -> Result<(), ShapeError> {
        self.test().validate()
    }
}

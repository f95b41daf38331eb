//! The shapes a ray can be tested against: one file a shape, all its operations in it.
//!
//! Every shape is a few f32 numbers in its own local space; every test is computed in f64. Constructors accept any numbers;
//! a shape with a negative size or a NaN hits nothing, and `validate` says why.

mod collision_matrix;
mod cuboid;
mod plane;
mod slab;
mod solid;
mod sphere;
mod triangle;

pub use collision_matrix::{CollisionMatrix, SegmentHit};
pub use plane::Plane;
pub use sphere::Sphere;
pub use triangle::Triangle;

pub(crate) use plane::flat_hit;
pub(crate) use slab::{Slab, span as slab_span};
pub(crate) use solid::{Crossing, RawHits, Span, Spans, resolve};
pub(crate) use triangle::{intersect as intersect_triangle, normal as triangle_normal};

use crate::aabb::Aabb;
use crate::error::ShapeError;
use crate::filter::Inside;
use crate::hit::{RawHit, ShapeHit, reported_normal};
use crate::ray::{LocalRay, Ray};
use glam::DVec3;

/// What every shape can be asked, in its local space.
pub(crate) trait RayTest {
    /// All hits in the ray's range, ascending in t.
    fn hits(&self, ray: &LocalRay, inside: Inside, start: Start) -> RawHits;

    /// The outward (front) normal at one of those hits, of any length.
    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3;

    /// Whether there is any hit, with [`Inside::Exit`].
    fn is_blocked(&self, ray: &LocalRay) -> bool {
        !self.hits(ray, Inside::Exit, Start::Anywhere).is_empty()
    }

    /// The smallest box around the shape, rounded outwards; infinite for an infinite shape.
    fn bounds(&self) -> Aabb;

    /// Why the shape can never be hit, if it cannot.
    fn validate(&self) -> Result<(), ShapeError>;
}

/// Where a ray starts with respect to the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// No assumption.
    Anywhere,
    /// At an earlier hit on this very shape, up to the rounding of its origin. In exact arithmetic that surface is met at t = 0, which does
    /// not count, and a flat shape is met nowhere else.
    OnSurface(Heading),
}

/// To which side of a surface a ray leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heading {
    /// Where the outward normal points.
    Outwards,
    /// Into the solid.
    Inwards,
}

/// The closest hit of a shape in full.
pub(crate) fn closest(shape: &impl RayTest, ray: &Ray, inside: Inside) -> Option<ShapeHit> {
    let ray = LocalRay::new(ray)?;
    let raw = shape.hits(&ray, inside, Start::Anywhere).first()?;
    Some(ShapeHit {
        t: raw.t,
        normal: reported_normal(shape.outward_normal(&ray, &raw), raw.side, ray.direction),
        side: raw.side,
        uv: raw.uv.map(|uv| uv.as_vec2()),
    })
}

/// The questions that every shape answers, as inherent methods, so that no trait must be imported.
macro_rules! shape_queries {
    ($shape:ty) => {
        impl $shape {
            /// The closest hit of the ray, with normal and side; `None` on a miss or for an unusable ray or shape.
            /// Ray and shape are in the same space; an origin inside a solid answers its exit.
            pub fn cast(&self, ray: &crate::Ray) -> Option<crate::ShapeHit> {
                crate::shape::closest(self, ray, crate::Inside::Exit)
            }

            /// The `t` of the closest hit alone, as [`cast`](Self::cast) would report it.
            pub fn cast_t(&self, ray: &crate::Ray) -> Option<f32> {
                use crate::shape::RayTest;
                let ray = crate::ray::LocalRay::new(ray)?;
                self.hits(&ray, crate::Inside::Exit, crate::shape::Start::Anywhere).first().map(|hit| hit.t)
            }

            /// Whether the ray hits at all: [`cast`](Self::cast) without the answer.
            pub fn is_blocked(&self, ray: &crate::Ray) -> bool {
                crate::ray::LocalRay::new(ray).is_some_and(|ray| crate::shape::RayTest::is_blocked(self, &ray))
            }

            /// The smallest axis-aligned box around the shape, rounded outwards; infinite where the shape is.
            pub fn bounds(&self) -> crate::Aabb {
                crate::shape::RayTest::bounds(self)
            }

            /// Whether the shape is usable, and if not, why: such a shape hits nothing, and a scene refuses it.
            pub fn validate(&self) -> Result<(), crate::ShapeError> {
                crate::shape::RayTest::validate(self)
            }
        }
    };
}

/// For shapes with an inside, beside [`shape_queries`].
macro_rules! solid_queries {
    ($shape:ty) => {
        crate::shape::shape_queries!($shape);

        impl $shape {
            /// [`cast`](Self::cast) with a choice of what an origin inside answers.
            pub fn cast_with(&self, ray: &crate::Ray, inside: crate::Inside) -> Option<crate::ShapeHit> {
                crate::shape::closest(self, ray, inside)
            }
        }
    };
}

pub(crate) use {shape_queries, solid_queries};

/// A size that must be finite and not negative.
fn check_size(what: &'static str, value: f32) -> Result<(), ShapeError> {
    if value >= 0.0 && value.is_finite() { Ok(()) } else { Err(ShapeError::Size { what, value }) }
}

/// A point that must be finite.
fn check_point(what: &'static str, value: glam::Vec3) -> Result<(), ShapeError> {
    if value.is_finite() { Ok(()) } else { Err(ShapeError::Point { what, value }) }
}

/// A normal or axis that must be finite and not zero.
fn check_direction(what: &'static str, value: glam::Vec3) -> Result<(), ShapeError> {
    if value.is_finite() && value != glam::Vec3::ZERO { Ok(()) } else { Err(ShapeError::Direction { what, value }) }
}

/// Any shape, in its local space. Made from each by `into()`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// An axis-aligned box; with a rotation in the entity's transform an oriented one.
    Box(Aabb),
    /// See [`Plane`].
    Plane(Plane),
    /// See [`Sphere`].
    Sphere(Sphere),
    /// See [`Triangle`].
    Triangle(Triangle),
}

impl Shape {
    /// The one place that knows every shape.
    pub(crate) fn test(&self) -> &dyn RayTest {
        match self {
            Self::Box(shape) => shape,
            Self::Plane(shape) => shape,
            Self::Sphere(shape) => shape,
            Self::Triangle(shape) => shape,
        }
    }

    /// Whether the shape is usable, and if not, why.
    pub fn validate(&self) -> Result<(), ShapeError> {
        self.test().validate()
    }

    /// The smallest axis-aligned box around the shape in its local space, rounded outwards; infinite where the shape is.
    pub fn bounds(&self) -> Aabb {
        self.test().bounds()
    }
}

macro_rules! into_shape {
    ($($variant:ident($shape:ty)),* $(,)?) => {
        $(impl From<$shape> for Shape {
            fn from(shape: $shape) -> Self {
                Self::$variant(shape)
            }
        })*
    };
}

into_shape!(Box(Aabb), Plane(Plane), Sphere(Sphere), Triangle(Triangle));

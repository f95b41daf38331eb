//! Ray casts in two dimensions: rays against lines and areas, by the same rules as in space.
//!
//! The x axis points right and the y axis up, in any unit. `t` is in units of the ray's direction. If y grows
//! downwards, as in window pixels, everything is mirrored. Then read clockwise for counter-clockwise, and left for
//! right.
//!
//! ```text
//!         c                        b
//!         /\                       |
//!        /  \   normal             |     normal, to the right of a -> b:
//!       /    \ ->                  | ->  the front of a Line or Segment
//!      / area \        o----->     |
//!     a--------b        a ray      |     the ray comes from the left:
//!         |                        |     Side::Back
//!         v  normal                a
//! ```
//!
//! - The lines, [`Line`] and [`Segment`], have two sides and no inside. Their front is to the right of their direction,
//!   as the outside is to the right of a counter-clockwise outline. A ray that lies in a line or segment, or runs
//!   parallel to it, does not hit it.
//! - The areas, [`Circle`], [`Rect`], [`Triangle2`], [`ConvexPolygon`] and [`Capsule2`], are solid. Their normals point
//!   outwards, and [`Inside`] chooses the answer for a ray that starts inside. A ray along a straight side touches the
//!   area. It enters at one of the side's ends and leaves at the other.
//! - Everything is closed: a ray through an end or a corner, and a tangent, hit once. On a corner the normal is the
//!   normal of one of the two sides.
//! - Whether a ray's line hits a shape, and whether a point is in it, is decided exactly on the f32 input. So
//!   nothing passes between two areas that share an edge or a corner, or between two segments that share an end.
//! - A shape is made from any numbers unless its constructor returns a `Result`. An invalid shape (a NaN, a negative
//!   radius, no area) hits and contains nothing, and its `validate` says why.
//!
//! ```
//! use hitscan::d2::{ConvexPolygon, Ray2, Segment};
//! use hitscan::glam::Vec2;
//!
//! let wall = Segment::new([2.0, -1.0], [2.0, 1.0]);
//! let sight = Ray2::between([0.0, 0.0], [5.0, 0.0]);
//! assert!(wall.is_blocked(&sight));
//!
//! let rock = ConvexPolygon::new([[3.0, -1.0], [4.0, 0.0], [3.0, 1.0]])?;
//! let hit = rock.cast(&Ray2::new([0.0, 0.0], [1.0, 0.0])).unwrap();
//! assert_eq!((hit.t, hit.normal), (3.0, Vec2::NEG_X));
//! # Ok::<(), hitscan::d2::ShapeError2>(())
//! ```

mod capsule;
mod circle;
mod circle_predicates;
mod convex_polygon;
mod error;
mod hit;
mod line;
mod line_predicates;
mod polygon;
mod ray;
mod rect;
mod segment;
mod triangle;

pub use capsule::Capsule2;
pub use circle::Circle;
pub use error::{RayError2, ShapeError2};
pub use hit::ShapeHit2;
pub use line::Line;
pub use polygon::ConvexPolygon;
pub use ray::Ray2;
pub use rect::Rect;
pub use segment::Segment;
pub use triangle::Triangle2;

use crate::geom::culling::Inside;
use crate::geom::hit::{RawHit, reported_normal};
use crate::shape::{RawHits, RayStart, Span, Spans, resolve};
use glam::{DVec2, Vec2};
use ray::LocalRay2;

/// The operations of every shape in the plane.
trait RayTest2 {
    /// Returns all hits in the ray's range, ascending in t.
    fn hits(&self, ray: &LocalRay2, inside: Inside) -> RawHits;

    /// Returns the outward (front) normal at a hit that [`hits`](Self::hits) returned, of any length.
    fn outward_normal(&self, ray: &LocalRay2, hit: &RawHit) -> DVec2;

    /// Returns the fraction of the distance from the shape's start to its end at which the ray hits it, if the shape has both.
    fn fraction(&self, _: &LocalRay2) -> Option<f32> {
        None
    }

    /// Returns the smallest rectangle around the shape, rounded outwards; infinite for an infinite shape.
    fn bounds(&self) -> Rect;

    /// Checks whether the shape can be hit; returns an error if not.
    fn validate(&self) -> Result<(), ShapeError2>;
}

/// Returns the hits of a convex area, from the span of the ray's line in it.
fn area_hits(span: Option<Span>, ray: &LocalRay2, inside: Inside) -> RawHits {
    resolve(Spans::from_option(span), ray, inside, RayStart::Anywhere)
}

/// Returns the closest hit in full.
fn closest(shape: &impl RayTest2, ray: &Ray2, inside: Inside) -> Option<ShapeHit2> {
    let ray = LocalRay2::in_plane(ray)?;
    let raw = shape.hits(&ray, inside).first()?;
    let outward = shape.outward_normal(&ray, &raw).extend(0.0);
    Some(ShapeHit2 {
        t: raw.t,
        normal: reported_normal(outward, raw.side, ray.direction.extend(0.0)).truncate(),
        side: raw.side,
        u: shape.fraction(&ray),
    })
}

/// Returns the `t` of the closest hit.
fn closest_t(shape: &impl RayTest2, ray: &Ray2) -> Option<f32> {
    let ray = LocalRay2::in_plane(ray)?;
    shape.hits(&ray, Inside::Exit).first().map(|hit| hit.t)
}

/// The queries that every shape answers. They are inherent methods, so no trait must be imported.
macro_rules! shape_queries {
    ($shape:ty) => {
        impl $shape {
            /// Returns the closest hit of the ray, with normal and side; `None` on a miss or for an unusable ray or
            /// shape. Ray and shape are in the same space. A ray that starts inside an area hits its exit.
            #[doc = include_str!("../query/edges/own_ray_2d.md")]
            pub fn cast(&self, ray: &crate::d2::Ray2) -> Option<crate::d2::ShapeHit2> {
                crate::d2::closest(self, ray, crate::geom::culling::Inside::Exit)
            }

            /// Returns only the `t` of the closest hit, as [`cast`](Self::cast) would report it.
            pub fn cast_t(&self, ray: &crate::d2::Ray2) -> Option<f32> {
                crate::d2::closest_t(self, ray)
            }

            /// Returns whether the ray hits, as [`cast`](Self::cast) would, without computing the hit.
            pub fn is_blocked(&self, ray: &crate::d2::Ray2) -> bool {
                crate::d2::closest_t(self, ray).is_some()
            }

            /// Returns the smallest axis-aligned rectangle around the shape, rounded outwards; infinite if the shape is.
            pub fn bounds(&self) -> crate::d2::Rect {
                crate::d2::RayTest2::bounds(self)
            }

            /// Checks whether the shape is usable; returns an error if not. An unusable shape hits and contains nothing.
            ///
            /// # Errors
            /// Returns the first fault of the shape.
            pub fn validate(&self) -> Result<(), crate::d2::ShapeError2> {
                crate::d2::RayTest2::validate(self)
            }
        }
    };
}

/// The queries of areas, in addition to [`shape_queries`].
macro_rules! area_queries {
    ($shape:ty) => {
        crate::d2::shape_queries!($shape);

        impl $shape {
            /// Returns the shape with a choice for rays that start inside.
            pub fn when_inside(
                &self,
                inside: crate::geom::culling::Inside,
            ) -> crate::geom::culling::FromInside<'_, Self> {
                crate::geom::culling::FromInside { solid: self, inside }
            }
        }

        impl crate::geom::culling::FromInside<'_, $shape> {
            #[doc = concat!("Answers as [`", stringify!($shape), "::cast`] does, but a ray that starts inside is answered as the view says.")]
            pub fn cast(&self, ray: &crate::d2::Ray2) -> Option<crate::d2::ShapeHit2> {
                crate::d2::closest(self.solid, ray, self.inside)
            }
        }
    };
}

use {area_queries, shape_queries};

/// Checks a size, which must be finite and not negative.
fn check_size(what: &'static str, value: f32) -> Result<(), ShapeError2> {
    if value >= 0.0 && value.is_finite() { Ok(()) } else { Err(ShapeError2::Size { what, value }) }
}

/// Checks a point, which must be finite.
fn check_point(what: &'static str, value: Vec2) -> Result<(), ShapeError2> {
    if value.is_finite() { Ok(()) } else { Err(ShapeError2::Point { what, value }) }
}

//! The facts about a shape that all questions except casts use.

use super::ray_test::RayTest;
use crate::geom::aabb::Aabb;
use crate::math::float::unit;
use crate::math::support::{farther, farthest_of, on_ball, on_circle};
use glam::{DAffine3, DVec3, Vec3};

/// The facts about a shape that all questions except casts read, in its local space.
pub(crate) trait ShapeFacts: RayTest {
    /// Returns the form, which decides how the shape is swept against and measured.
    fn form(&self) -> ShapeForm<'_>;

    /// Returns a point within the shape, which is the centre of the shape as a moving body.
    fn middle(&self) -> DVec3 {
        let bounds = RayTest::bounds(self);
        (bounds.min.as_dvec3() + bounds.max.as_dvec3()) * 0.5
    }

    /// Returns a point of a flat shape and its front normal of any length; `None` for a solid.
    fn front(&self) -> Option<(DVec3, DVec3)> {
        None
    }

    /// Returns whether a point within the bounds of a solid is in the solid; `None` if only a ray can decide that.
    fn quick_inside(&self, _point: DVec3) -> Option<bool> {
        None
    }
}

/// The geometric form of a shape. Sweeps, distances and contacts have one algorithm for each form.
pub(crate) enum ShapeForm<'a> {
    /// All points within a radius of a box.
    Box {
        aabb: Aabb,
        radius: f64,
    },
    /// All points within a radius of a segment, or of a point.
    Segment {
        ends: [DVec3; 2],
        radius: f64,
    },
    Revolved(Revolved),
    /// A box in a space of its own, and the transform from the shape's space to that space.
    OrientedBox {
        aabb: Aabb,
        to_local: &'a DAffine3,
    },
    Parallelogram {
        corner: Vec3,
        edges: [Vec3; 2],
    },
    Plane {
        point: Vec3,
        normal: Vec3,
    },
    /// A ring around y; the shape has the radii.
    Torus,
    Triangle([Vec3; 3]),
}

impl ShapeForm<'_> {
    /// Returns a support point along a direction of any length.
    pub(crate) fn farthest(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Box { aabb, radius } => {
                let corner = DVec3::select(direction.cmplt(DVec3::ZERO), aabb.min.as_dvec3(), aabb.max.as_dvec3());
                corner + on_ball(direction) * *radius
            }
            Self::Segment { ends, radius } => farther(*ends, direction) + on_ball(direction) * *radius,
            Self::Revolved(Revolved { kind, ends, up, radius }) => {
                let beside = on_circle(unit(*up).unwrap_or(DVec3::Y), direction) * *radius;
                match kind {
                    RevolvedKind::Cylinder | RevolvedKind::Disc => farther(*ends, direction) + beside,
                    RevolvedKind::Cone => farther([ends[0] + beside, ends[1]], direction),
                }
            }
            Self::Triangle(corners) => farthest_of(&corners.map(|corner| corner.as_dvec3()), direction),
            // These forms are never given by their support functions.
            Self::OrientedBox { .. } | Self::Parallelogram { .. } | Self::Plane { .. } | Self::Torus => DVec3::ZERO,
        }
    }
}

/// A convex shape around an axis.
pub(crate) struct Revolved {
    pub(crate) kind: RevolvedKind,
    /// The ends of the axis, which are the same point for a disc.
    pub(crate) ends: [DVec3; 2],
    /// A vector along the axis, from the first end to the second or along the front normal.
    pub(crate) up: DVec3,
    /// The radius at the first end.
    pub(crate) radius: f64,
}

/// The outline of a [`Revolved`] shape in a plane through its axis.
#[derive(Clone, Copy)]
pub(crate) enum RevolvedKind {
    /// The radius is the same at both ends.
    Cylinder,
    /// The radius is 0 at the second end.
    Cone,
    /// Both ends are the centre.
    Disc,
}

impl Revolved {
    /// Returns the form of a solid between two ends.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn between(kind: RevolvedKind, ends: [Vec3; 2], radius: f32) -> Self {
        let ends = ends.map(|end| end.as_dvec3());
        Self { kind, ends, up: ends[1] - ends[0], radius: radius.into() }
    }
}

//! The shape of a part of an entity, placed in the world, in the form that distance queries need.

use super::convex_core::{ConvexCore, ConvexPart};
use super::placed_mesh::PlacedMesh;
use super::torus_arcs::PlacedTorus;
use crate::convex::{Anchor, scaled_radius, similar};
use crate::geom::transform::Placement;
use crate::hull::ConvexHull;
use crate::math::float::{largest, unit};
use crate::shape::{Custom, Shape, ShapeForm};
use crate::tri::TriangleSet;
use crate::tri::degenerate::has_area;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};

/// A shape relative to an origin near the query.
#[derive(Clone, Copy)]
pub(crate) enum PlacedShape<'a> {
    Convex(ConvexPart<'a>),
    Plane(PlacedPlane),
    Torus(PlacedTorus<'a>),
    Surface(PlacedMesh<'a>),
}

/// A plane: the points at this height along a unit normal.
#[derive(Clone, Copy)]
pub(crate) struct PlacedPlane {
    pub(crate) normal: DVec3,
    pub(crate) height: f64,
    /// One of its points.
    pub(crate) point: DVec3,
}

impl<'a> PlacedShape<'a> {
    /// Places a shape; `None` for a triangle or quad without an area, which nothing can touch.
    pub(crate) fn of_shape(shape: &'a Shape, placement: &Placement, origin: Anchor) -> Option<Self> {
        let to_world = relative(placement, origin);
        let linear = to_world.matrix3;
        let at = |local: Vec3| to_world.transform_point3(local.as_dvec3());
        let convex = |core: ConvexCore<'a>, radius: f64| Some(Self::Convex(ConvexPart::new(core, radius)));
        let stretched = || convex(ConvexCore::Round { shape, to_world }, 0.0);
        match shape.form() {
            ShapeForm::Box { aabb, radius } => match scaled_radius(radius, &linear) {
                Some(radius) => convex(boxed(&aabb, &to_world), radius),
                None => stretched(),
            },
            ShapeForm::OrientedBox { aabb, to_local } => {
                let placed = Placement::new(*to_local).ok()?.to_local;
                convex(boxed(&aabb, &(to_world * placed)), 0.0)
            }
            ShapeForm::Parallelogram { corner, edges } => {
                let [u, v] = edges.map(|edge| linear * edge.as_dvec3() * 0.5);
                has_area([corner, corner + edges[0], corner + edges[1]]).then_some(())?;
                convex(ConvexCore::Box { center: at(corner) + u + v, half: [u, v, DVec3::ZERO] }, 0.0)
            }
            ShapeForm::Triangle(corners) => {
                has_area(corners).then_some(())?;
                convex(ConvexCore::Triangle(corners.map(at)), 0.0)
            }
            ShapeForm::Plane { point, normal } => {
                PlacedPlane::new([point, normal], placement, &to_world).map(Self::Plane)
            }
            ShapeForm::Torus => Some(Self::Torus(PlacedTorus::new(shape.torus()?, to_world))),
            ShapeForm::Segment { ends, radius } => match similar(&linear) {
                Some(scale) => {
                    let placed = ends.map(|end| to_world.transform_point3(end));
                    let is_point = ends[0] == ends[1];
                    let core = if is_point { ConvexCore::Point(placed[0]) } else { ConvexCore::Segment(placed) };
                    convex(core, radius * scale)
                }
                None => stretched(),
            },
            ShapeForm::Revolved(_) => stretched(),
        }
    }

    /// Places a box around geometry about which nothing more is known.
    pub(crate) fn of_bounds(bounds: &crate::geom::aabb::Aabb, placement: &Placement, origin: Anchor) -> Self {
        Self::Convex(ConvexPart::new(boxed(bounds, &relative(placement, origin)), 0.0))
    }

    pub(crate) fn of_hull(hull: &'a ConvexHull, placement: &Placement, origin: Anchor) -> Self {
        let core = ConvexCore::Hull { hull, to_world: relative(placement, origin) };
        Self::Convex(ConvexPart::new(core, 0.0))
    }

    /// Places a custom shape; `None` if it has no support function.
    pub(crate) fn of_custom(custom: &'a Custom, placement: &Placement, origin: Anchor) -> Option<Self> {
        let shape = custom.shape();
        shape.farthest(DVec3::X)?;
        Some(Self::Convex(ConvexPart::new(ConvexCore::Custom { shape, to_world: relative(placement, origin) }, 0.0)))
    }

    /// Returns an upper bound of its coordinates; for a plane, of the coordinates of its known point.
    pub(crate) fn reach(&self) -> f64 {
        match self {
            Self::Convex(piece) => piece.reach(),
            Self::Torus(ring) => ring.hull().reach(),
            Self::Surface(placed) => placed.size,
            Self::Plane(flat) => largest(flat.point),
        }
    }

    /// Returns the convex hull of a solid.
    pub(crate) fn hull(&self) -> Option<ConvexPart<'a>> {
        match self {
            Self::Torus(ring) => Some(ring.hull()),
            _ => self.convex(),
        }
    }

    /// Returns a point of it, and the triangle that contains the point; `None` if no triangle has an area.
    pub(crate) fn some_place(&self) -> Option<(DVec3, Option<u32>)> {
        match self {
            Self::Convex(piece) => Some((piece.core.some_point(), None)),
            Self::Torus(ring) => Some((ring.some_point(), None)),
            Self::Plane(flat) => Some((flat.point, None)),
            Self::Surface(placed) => {
                let mut found = None;
                let _ = placed.near_by(&|_, _| 0.0, 0.0, &mut |triangle, corners| {
                    found = Some((corners[0], Some(triangle)));
                    ControlFlow::Break(())
                });
                found
            }
        }
    }

    pub(super) fn convex(&self) -> Option<ConvexPart<'a>> {
        match self {
            Self::Convex(piece) => Some(*piece),
            _ => None,
        }
    }

    /// Places a triangle set; `None` if it has no triangle.
    pub(crate) fn of_surface(surface: &'a dyn TriangleSet, placement: &Placement, origin: Anchor) -> Option<Self> {
        PlacedMesh::new(surface, placement, origin).map(Self::Surface)
    }
}

impl PlacedPlane {
    fn new([point, normal]: [Vec3; 2], placement: &Placement, to_world: &DAffine3) -> Option<Self> {
        let normal = unit(placement.world_normal(normal.as_dvec3()))?;
        let point = to_world.transform_point3(point.as_dvec3());
        Some(Self { normal, height: normal.dot(point), point })
    }
}

/// Returns a placement's transform, relative to an origin.
fn relative(placement: &Placement, origin: Anchor) -> DAffine3 {
    DAffine3 { translation: origin.vector_to(placement.to_world.translation), ..placement.to_world }
}

fn boxed<'a>(aabb: &crate::geom::aabb::Aabb, to_world: &DAffine3) -> ConvexCore<'a> {
    let (low, high) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
    let (half, linear) = ((high - low) * 0.5, to_world.matrix3);
    ConvexCore::Box {
        center: to_world.transform_point3((low + high) * 0.5),
        half: [linear.x_axis * half.x, linear.y_axis * half.y, linear.z_axis * half.z],
    }
}

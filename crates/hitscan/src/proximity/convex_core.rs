//! Convex shapes, placed in the world relative to an origin near them.

use crate::convex::arc::Arc;
use crate::convex::{self, Body, SupportMap};
use crate::hull::ConvexHull;
use crate::math::float::{largest, unit};
use crate::math::support::farther;
use crate::shape::{CustomShape, Shape, Torus};
use glam::{DAffine3, DVec3};

/// All points within a radius of a convex core.
#[derive(Clone, Copy)]
pub(crate) struct ConvexPart<'a> {
    pub(crate) core: ConvexCore<'a>,
    pub(crate) radius: f64,
    /// An upper bound of the core's coordinates.
    pub(crate) size: f64,
}

/// A convex core.
#[derive(Clone, Copy)]
pub(crate) enum ConvexCore<'a> {
    Point(DVec3),
    Segment([DVec3; 2]),
    /// A triangle with an area.
    Triangle([DVec3; 3]),
    /// A box or its sheared image, by its centre and its half edges, some of which may be zero.
    Box {
        center: DVec3,
        half: [DVec3; 3],
    },
    /// The hull of points.
    Corners(&'a [DVec3]),
    /// A placed hull.
    Hull {
        hull: &'a ConvexHull,
        to_world: DAffine3,
    },
    /// A shape that may be round, under any transform.
    Round {
        shape: &'a Shape,
        to_world: DAffine3,
    },
    /// The hull of an arc of a torus's circle, or of the piece of the torus around this arc.
    Arc {
        arc: Arc,
        ring: &'a Torus,
        to_world: DAffine3,
        thickness: ArcThickness,
        /// The error that distances from the arc may have.
        tolerance: f64,
    },
    /// A set that is given by its support function.
    Set(&'a dyn SupportMap),
    /// A custom shape.
    Custom {
        shape: &'a dyn CustomShape,
        to_world: DAffine3,
    },
}

/// The tube around an arc of a torus.
#[derive(Clone, Copy)]
pub(crate) enum ArcThickness {
    /// The radius of the part is the radius of the tube.
    Apart,
    /// The core includes the tube, whose cross-section is not round in the world.
    Own,
}

impl<'a> ConvexPart<'a> {
    pub(crate) fn new(core: ConvexCore<'a>, radius: f64) -> Self {
        let size = match core {
            ConvexCore::Point(point) => largest(point),
            ConvexCore::Segment([a, b]) => largest(a.abs().max(b.abs())),
            ConvexCore::Triangle([a, b, c]) => largest(a.abs().max(b.abs()).max(c.abs())),
            ConvexCore::Box { center, half: [x, y, z] } => largest(center.abs() + x.abs() + y.abs() + z.abs()),
            _ => {
                let axis = |axis: DVec3| axis.abs() * (core.farthest(axis).abs().max(core.farthest(-axis).abs()));
                largest(axis(DVec3::X) + axis(DVec3::Y) + axis(DVec3::Z))
            }
        };
        Self { core, radius, size }
    }

    /// Returns the part of a volume, relative to its centre.
    pub(crate) fn of_body(body: &'a Body) -> Self {
        let core = match &body.core {
            convex::BodyCore::Segment(half) if *half == DVec3::ZERO => ConvexCore::Point(DVec3::ZERO),
            convex::BodyCore::Segment(half) => ConvexCore::Segment([-*half, *half]),
            convex::BodyCore::Box(half) => ConvexCore::Box { center: DVec3::ZERO, half: *half },
            convex::BodyCore::Hull(corners) => ConvexCore::Corners(corners),
            convex::BodyCore::Round(solid) => ConvexCore::Round { shape: &solid.shape, to_world: solid.to_body },
        };
        Self::new(core, body.radius)
    }

    /// Returns the centre: the origin for a volume around it, and otherwise the centre of the box around its core.
    pub(crate) fn middle(&self) -> DVec3 {
        match &self.core {
            ConvexCore::Corners(_) => DVec3::ZERO,
            ConvexCore::Box { center, .. } => *center,
            core => DVec3::AXES
                .iter()
                .map(|&axis| axis * (axis.dot(core.farthest(axis) + core.farthest(-axis)) * 0.5))
                .sum(),
        }
    }

    /// Returns an upper bound of the coordinates of the part.
    pub(crate) fn reach(&self) -> f64 {
        self.size + self.radius
    }

    /// Returns the least and the largest corner of the part's bounding box in coordinates whose axes are these rows.
    pub(crate) fn extent(&self, rows: [DVec3; 3]) -> (DVec3, DVec3) {
        let ends = rows.map(|row| {
            let round = self.radius * crate::math::float::length(row);
            (row.dot(self.core.farthest(-row)) - round, row.dot(self.core.farthest(row)) + round)
        });
        (DVec3::from_array(ends.map(|(low, _)| low)), DVec3::from_array(ends.map(|(_, high)| high)))
    }
}

impl ConvexCore<'_> {
    /// Returns the absolute error that is allowed for distances from the core; 0 for all cores but arcs.
    pub(super) fn tolerance(&self) -> f64 {
        if let Self::Arc { tolerance, .. } = self { *tolerance } else { 0.0 }
    }

    /// Returns whether the core is an arc of length 0: a single point of a torus's circle.
    pub(super) fn is_place(&self) -> bool {
        matches!(self, Self::Arc { arc: Arc { ends: [a, b], middle }, .. } if a == b && *middle != DVec3::ZERO)
    }

    /// Returns its support point along a direction of any length.
    pub(crate) fn farthest(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Point(point) => *point,
            Self::Segment(ends) => farther(*ends, direction),
            Self::Triangle([a, b, c]) => farther([farther([*a, *b], direction), *c], direction),
            Self::Box { center, half } => {
                let along = |half: DVec3| if half.dot(direction) < 0.0 { -half } else { half };
                *center + along(half[0]) + along(half[1]) + along(half[2])
            }
            Self::Corners(corners) => {
                let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
                for &corner in *corners {
                    let along = corner.dot(direction);
                    if along > best.0 {
                        best = (along, corner);
                    }
                }
                best.1
            }
            Self::Hull { hull, to_world } => {
                let local = to_world.matrix3.transpose() * direction;
                to_world.transform_point3(hull.farthest(local).as_dvec3())
            }
            Self::Round { shape, to_world } => {
                to_world.transform_point3(shape.form().farthest(to_world.matrix3.transpose() * direction))
            }
            Self::Arc { arc, ring, to_world, thickness, .. } => {
                let local = to_world.matrix3.transpose() * direction;
                let on_circle = arc.farthest(local) * f64::from(ring.major);
                let beside = match thickness {
                    ArcThickness::Apart => DVec3::ZERO,
                    ArcThickness::Own => unit(local).unwrap_or(DVec3::X) * f64::from(ring.minor),
                };
                to_world.transform_point3(on_circle + beside)
            }
            Self::Set(set) => set.farthest(direction),
            Self::Custom { shape, to_world } => {
                let local = unit(to_world.matrix3.transpose() * direction).unwrap_or(DVec3::X);
                let point = shape.farthest(local).filter(|point| point.is_finite());
                to_world.transform_point3(point.unwrap_or(DVec3::ZERO))
            }
        }
    }

    /// Returns a point of the core.
    pub(crate) fn some_point(&self) -> DVec3 {
        match self {
            Self::Box { center, .. } => *center,
            _ => self.farthest(DVec3::X),
        }
    }
}

//! The face, or the line, with which a convex shape can rest on another one.

use super::convex_core::{ConvexCore, ConvexPart};
use super::placed_shape::PlacedShape;
use crate::convex::{normal_of_polygon, triangle_plane};
use crate::hull::ConvexHull;
use crate::math::float::unit;
use crate::math::perpendicular::across;
use crate::shape::{Revolved, RevolvedKind, Shape, ShapeForm};
use alloc::vec::Vec;
use glam::{DAffine3, DVec3};

/// The feature of a surface that is about perpendicular to a direction, at the points that are farthest along this direction.
pub(super) enum ContactFace {
    /// A single point, or a feature without a known face or line.
    Point,
    Segment([DVec3; 2]),
    /// A convex polygon: its corners in order, and a unit normal along the direction.
    Polygon(Vec<DVec3>, DVec3),
    /// A disc: the image of the unit disc under a centre and two vectors, and a normal.
    Disc(DVec3, [DVec3; 2], DVec3),
    /// A whole plane: one of its points, and its normal.
    Plane(DVec3, DVec3),
}

impl ContactFace {
    /// Returns the face of a part along a unit direction. Points within `rounding` of the farthest count as farthest.
    pub(super) fn of_form(form: &PlacedShape<'_>, direction: DVec3, rounding: f64) -> Self {
        match form {
            PlacedShape::Convex(piece) => Self::of_piece(piece, None, direction, rounding),
            PlacedShape::Plane(flat) => Self::Plane(flat.point, along(flat.normal, direction)),
            PlacedShape::Torus(_) | PlacedShape::Surface(_) => Self::Point,
        }
    }

    /// Returns the face of a convex part. `hull` is the hull whose corners the part has, if there is one.
    pub(super) fn of_piece(piece: &ConvexPart<'_>, hull: Option<&ConvexHull>, direction: DVec3, rounding: f64) -> Self {
        let of_core = match &piece.core {
            ConvexCore::Segment(ends) => of_segment(*ends, piece.radius, direction),
            ConvexCore::Triangle([a, b, c]) => match triangle_plane([*a, *b, *c]) {
                Some(normal) => Self::Polygon(Vec::from([*a, *b, *c]), along(normal, direction)),
                None => Self::Point,
            },
            ConvexCore::Box { center, half } => of_box(*center, *half, piece.radius, direction),
            ConvexCore::Hull { hull, to_world } => of_hull(
                hull,
                &|corner| to_world.transform_point3(hull.vertices()[corner].as_dvec3()),
                direction,
                rounding,
            ),
            ConvexCore::Corners(corners) => {
                hull.map_or(Self::Point, |hull| of_hull(hull, &|corner| corners[corner], direction, rounding))
            }
            ConvexCore::Round { shape, to_world } => {
                of_round(shape, to_world, piece.radius, direction).unwrap_or(Self::Point)
            }
            ConvexCore::Point(_) | ConvexCore::Arc { .. } | ConvexCore::Set(_) | ConvexCore::Custom { .. } => {
                Self::Point
            }
        };
        of_core.moved_out(piece.radius)
    }

    /// Moves a flat face outwards by the radius. A line is already at this distance from the core.
    fn moved_out(self, radius: f64) -> Self {
        match self {
            Self::Polygon(corners, normal) => {
                Self::Polygon(corners.into_iter().map(|corner| corner + normal * radius).collect(), normal)
            }
            Self::Disc(center, axes, normal) => Self::Disc(center + normal * radius, axes, normal),
            Self::Point | Self::Segment(_) | Self::Plane(..) => self,
        }
    }

    /// Returns the cosine between the normal of the face and a unit direction; 0 if the face has no normal.
    pub(super) fn slope(&self, direction: DVec3) -> f64 {
        self.normal().map_or(0.0, |normal| normal.dot(direction))
    }

    fn normal(&self) -> Option<DVec3> {
        match self {
            Self::Polygon(_, normal) | Self::Disc(_, _, normal) | Self::Plane(_, normal) => Some(*normal),
            Self::Point | Self::Segment(_) => None,
        }
    }

    /// Projects a point onto the segment's line, and returns the end of the segment beyond which the projection lies. Returns `None` if the projection is on
    /// the segment, and for other features.
    pub(super) fn end_passed_by(&self, place: DVec3) -> Option<DVec3> {
        let &Self::Segment([a, b]) = self else { return None };
        let (along, from) = (b - a, place - a);
        let s = from.dot(along);
        if s < 0.0 { Some(a) } else { (s > along.length_squared()).then_some(b) }
    }
}

/// Returns the unit normal of a triangle if there is one, or else of the face of a part that is farthest along a unit direction. If several faces are equally
/// far, it is the normal that is least inclined to the direction. Where a part is not flat, and for a part with a radius, it is the direction itself.
pub(crate) fn facing_normal(
    form: Option<&PlacedShape<'_>>,
    triangle: Option<[DVec3; 3]>,
    direction: DVec3,
    rounding: f64,
) -> DVec3 {
    let normal = match (triangle, form) {
        _ if direction == DVec3::ZERO => None,
        (Some(corners), _) => triangle_plane(corners).map(|normal| along(normal, direction)),
        // The faces of a part with a radius continue into its round edges.
        (None, Some(PlacedShape::Convex(piece))) if piece.radius > 0.0 => None,
        (None, Some(PlacedShape::Convex(ConvexPart { core: ConvexCore::Round { shape, to_world }, .. }))) => {
            RoundFaces::with_border(shape, to_world, direction).least_inclined(direction)
        }
        (None, Some(form)) => ContactFace::of_form(form, direction, rounding).normal(),
        (None, None) => None,
    };
    normal.unwrap_or(direction)
}

/// Returns the outward unit normals of the flat faces of a part. For a two-sided part, it is the normal that points along `towards`. For a round part, these
/// are the normals of the faces that are farthest along `direction`.
pub(crate) fn flat_faces(form: &PlacedShape<'_>, towards: DVec3, direction: DVec3) -> Vec<DVec3> {
    match form {
        PlacedShape::Convex(ConvexPart { core: ConvexCore::Box { half, .. }, .. }) => {
            let normals = (0..3).filter_map(|axis| {
                let normal = unit(across(half[(axis + 1) % 3], half[(axis + 2) % 3]))?;
                let outwards = along(normal, half[axis]);
                Some(if half[axis] == DVec3::ZERO { [along(normal, towards); 2] } else { [outwards, -outwards] })
            });
            normals.flatten().collect()
        }
        PlacedShape::Convex(ConvexPart { core: ConvexCore::Hull { hull, to_world }, .. }) => {
            // The translation is left out, as it would add rounding errors to the corners.
            let at = |number: u32| {
                to_world.matrix3 * hull.vertices().get(number as usize).copied().unwrap_or_default().as_dvec3()
            };
            let count = hull.vertices().len();
            let middle = (0..count as u32).map(at).sum::<DVec3>() / count as f64;
            let faces = (0..hull.face_count()).filter_map(|face| {
                let corners: Vec<DVec3> = hull.polygon(face).map(at).collect();
                Some(along(normal_of_polygon(&corners)?, *corners.first()? - middle))
            });
            faces.collect()
        }
        PlacedShape::Convex(ConvexPart { core: ConvexCore::Triangle(corners), .. }) => {
            triangle_plane(*corners).map(|normal| along(normal, towards)).into_iter().collect()
        }
        PlacedShape::Convex(ConvexPart { core: ConvexCore::Round { shape, to_world }, .. }) => {
            let RoundFaces { cap, side } = RoundFaces::with_border(shape, to_world, direction);
            cap.and_then(|cap| cap.normal()).into_iter().chain(side.map(|(_, normal)| normal)).collect()
        }
        PlacedShape::Plane(flat) => Vec::from([along(flat.normal, towards)]),
        PlacedShape::Convex(_) | PlacedShape::Torus(_) | PlacedShape::Surface(_) => Vec::new(),
    }
}

/// Returns a normal, or its opposite if it points against a direction.
fn along(normal: DVec3, direction: DVec3) -> DVec3 {
    if normal.dot(direction) < 0.0 { -normal } else { normal }
}

/// Returns the line of a capsule's surface that is farthest along a direction. It is parallel to the axis, at the
/// distance of the radius.
fn of_segment([a, b]: [DVec3; 2], radius: f64, direction: DVec3) -> ContactFace {
    let beside = unit(b - a).and_then(|axis| unit(direction - axis * direction.dot(axis)));
    beside.map_or(ContactFace::Point, |beside| ContactFace::Segment([a, b].map(|end| end + beside * radius)))
}

/// Returns the least inclined of the three faces at the farthest corner. For a flat box, this is the whole box, and for a box without an area, its line.
fn of_box(center: DVec3, half: [DVec3; 3], radius: f64, direction: DVec3) -> ContactFace {
    let farthest = half.map(|half| along(half, direction));
    let face = |axis: usize| {
        let (u, v) = (half[(axis + 1) % 3], half[(axis + 2) % 3]);
        let normal = unit(across(u, v))?;
        // Both sides of a flat box are farthest.
        let outwards = if farthest[axis] == DVec3::ZERO { direction } else { farthest[axis] };
        let middle = center + farthest[axis];
        let corners = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
        Some((along(normal, outwards), corners))
    };
    let faces = (0..3).filter_map(face);
    match faces.reduce(|a, b| if b.0.dot(direction) > a.0.dot(direction) { b } else { a }) {
        Some((normal, corners)) => ContactFace::Polygon(Vec::from(corners), normal),
        None => {
            of_segment([center - half[0] - half[1] - half[2], center + half[0] + half[1] + half[2]], radius, direction)
        }
    }
}

/// Returns the least inclined of the faces at the farthest corners.
fn of_hull(hull: &ConvexHull, corner: &dyn Fn(usize) -> DVec3, direction: DVec3, rounding: f64) -> ContactFace {
    let count = hull.vertices().len();
    let heights: Vec<f64> = (0..count).map(|number| corner(number).dot(direction)).collect();
    let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max) - rounding;
    let middle = (0..count).map(corner).sum::<DVec3>() / count as f64;
    let mut best: Option<(f64, Vec<DVec3>, DVec3)> = None;
    for face in 0..hull.face_count() {
        if !hull.polygon(face).any(|number| heights.get(number as usize).is_some_and(|height| *height >= top)) {
            continue;
        }
        let corners: Vec<DVec3> = hull.polygon(face).map(|number| corner(number as usize)).collect();
        let Some(normal) = normal_of_polygon(&corners) else { continue };
        let normal = along(normal, corners[0] - middle);
        let slope = normal.dot(direction);
        if best.as_ref().is_none_or(|best| slope > best.0) {
            best = Some((slope, corners, normal));
        }
    }
    best.map_or(ContactFace::Point, |(_, corners, normal)| ContactFace::Polygon(corners, normal))
}

/// Returns a cap of a round shape, or the line of its side, whichever is less inclined.
fn of_round(shape: &Shape, to_world: &DAffine3, radius: f64, direction: DVec3) -> Option<ContactFace> {
    let RoundFaces { cap, side } = RoundFaces::of_round(shape, to_world, direction);
    match (cap, side) {
        (Some(cap), Some((_, normal))) if cap.slope(direction) >= normal.dot(direction) => Some(cap),
        (_, Some((line, normal))) => Some(ContactFace::Segment(line.map(|end| end + normal * radius))),
        (cap, None) => cap,
    }
}

/// The parts of a round solid that may be flat where it is farthest along a direction.
struct RoundFaces {
    cap: Option<ContactFace>,
    /// A line on the side of the solid, and the normal there.
    side: Option<([DVec3; 2], DVec3)>,
}

impl RoundFaces {
    /// Returns the normal that is least inclined to a direction.
    fn least_inclined(self, direction: DVec3) -> Option<DVec3> {
        let normals =
            self.cap.as_ref().and_then(ContactFace::normal).into_iter().chain(self.side.map(|(_, normal)| normal));
        normals.reduce(|a, b| if b.dot(direction) > a.dot(direction) { b } else { a })
    }

    const NONE: Self = Self { cap: None, side: None };

    /// Returns the parts that end at an edge. The side of a capsule continues into its round ends.
    fn with_border(shape: &Shape, to_world: &DAffine3, direction: DVec3) -> Self {
        let is_capsule = matches!(shape.form(), ShapeForm::Segment { .. });
        if is_capsule { Self::NONE } else { Self::of_round(shape, to_world, direction) }
    }

    fn of_round(shape: &Shape, to_world: &DAffine3, direction: DVec3) -> Self {
        // These are the ends of the axis, and for each end the radius and whether it has a cap.
        let (ends, up, radii, has_caps) = match shape.form() {
            ShapeForm::Revolved(Revolved { kind, ends, up, radius }) => match kind {
                RevolvedKind::Cylinder | RevolvedKind::Disc => (ends, up, [radius; 2], [true; 2]),
                RevolvedKind::Cone => (ends, up, [radius, 0.0], [true, false]),
            },
            ShapeForm::Segment { ends: [a, b], radius } => ([a, b], b - a, [radius; 2], [false; 2]),
            ShapeForm::Box { .. }
            | ShapeForm::OrientedBox { .. }
            | ShapeForm::Parallelogram { .. }
            | ShapeForm::Plane { .. }
            | ShapeForm::Torus
            | ShapeForm::Triangle(_) => return Self::NONE,
        };
        let Some(axis) = unit(up) else { return Self::NONE };
        let linear = to_world.matrix3;
        let local = linear.transpose() * direction;
        let at = |local: DVec3| to_world.transform_point3(local);
        let disc = |center: DVec3, radius: f64, outwards: DVec3| {
            let (u, v) = axis.any_orthonormal_pair();
            let axes = [linear * u * radius, linear * v * radius];
            let normal = unit(across(axes[0], axes[1]))?;
            Some(ContactFace::Disc(at(center), axes, along(normal, linear * outwards)))
        };
        let cap = usize::from(axis.dot(local) >= 0.0);
        let outwards = if cap == 1 { axis } else { -axis };
        let cap = has_caps[cap].then(|| disc(ends[cap], radii[cap], outwards)).flatten();
        // A disc has no side.
        let beside = unit(local - axis * local.dot(axis)).filter(|_| ends[0] != ends[1]);
        let side = beside.and_then(|beside| {
            let line = [0, 1].map(|end| at(ends[end] + beside * radii[end]));
            let normal = unit(across(line[1] - line[0], linear * axis.cross(beside)))?;
            Some((line, along(normal, linear * beside)))
        });
        Self { cap, side }
    }
}

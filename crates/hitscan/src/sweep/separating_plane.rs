//! The separating plane between a volume and a convex shape with flat faces, at their contact.
//!
//! Two shapes with flat faces touch if the volume's displacement is on their Minkowski difference. The faces of this difference are parallel to a face of
//! either shape or to an edge of each. Each of these directions near the contact is tried. Its gap is measured by the support functions of both shapes. So a
//! plane with a positive gap separates them, however its direction was found.

use super::mover::Mover;
use crate::convex::{BodyCore, ConvexEdge, ConvexFace, RESOLUTION};
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, unit};
use crate::math::perpendicular;
use alloc::vec::Vec;
use glam::DVec3;

/// A convex shape with flat faces, relative to the volume's start.
pub(super) struct FlatFaces<'a> {
    pub(super) corners: &'a [DVec3],
    /// The unit normals of the faces at the contact, and for a flat shape also the normals at its edges. Each may have either sign.
    pub(super) normals: Vec<DVec3>,
    /// The unit directions of the edges at the contact, and the normal of a flat shape.
    pub(super) edges: Vec<DVec3>,
}

impl<'a> FlatFaces<'a> {
    /// Makes a flat convex polygon, or a needle, for which `normal` is any vector perpendicular to it.
    pub(super) fn polygon(corners: &'a [DVec3], normal: DVec3) -> Self {
        let next = corners.iter().cycle().skip(1);
        let mut edges: Vec<DVec3> = corners.iter().zip(next).filter_map(|(p, q)| unit(*q - *p)).collect();
        let outwards = edges.iter().filter_map(|&edge| across(edge, normal));
        let normals = core::iter::once(normal).chain(outwards).collect();
        edges.push(normal);
        Self { corners, normals, edges }
    }

    /// Makes the image of an axis-aligned box under an affine transform.
    pub(super) fn boxed(corners: &'a [DVec3], axes: [DVec3; 3]) -> Self {
        let edges: Vec<DVec3> = axes.into_iter().filter_map(unit).collect();
        let pairs = (0..edges.len()).map(|axis| (edges[axis], edges[(axis + 1) % edges.len()]));
        let normals = pairs.filter_map(|(a, b)| unit(perpendicular::across(a, b))).collect();
        Self { corners, normals, edges }
    }
}

/// Returns the unit vector perpendicular to an edge and a unit normal. The edge and the normal are perpendicular up to rounding, which is large for a small
/// shape with distant corners.
fn across(edge: DVec3, normal: DVec3) -> Option<DVec3> {
    let across = edge.cross(normal);
    let is_unit = (across.length_squared() - 1.0).abs() <= RESOLUTION;
    if is_unit { Some(across) } else { unit(across) }
}

/// A plane with a unit normal from the shape to the volume.
#[derive(Clone, Copy)]
struct SeparatingPlane {
    normal: DVec3,
    /// The distance between shape and volume along the normal; negative if they overlap.
    gap: f64,
    /// The speed of approach.
    speed: f64,
}

/// The contact state of a volume and a convex shape.
pub(super) enum ContactState {
    /// A plane with this unit normal separates the shape from the volume, as far as f64 can tell.
    Beside(DVec3),
    /// No plane separates them.
    Across,
}

impl Mover {
    /// Returns whether the volume has circles, so that only its support function describes it.
    pub(super) fn is_round(&self) -> bool {
        matches!(self.body.core, BodyCore::Round(_))
    }

    /// Returns whether the radius is so small relative to the f64 error of the distance that the closest points give no normal.
    pub(super) fn is_sharp(&self, size: f64) -> bool {
        let radius = self.body.radius;
        self.turning.is_none() && radius * radius <= self.body.rounding(size) * (size + self.body.size())
    }

    /// Returns whether a volume that touches a shape at its start never goes deeper. That is so if its motion does
    /// not cross some separating plane.
    pub(super) fn slides_along(&self, flats: &FlatFaces<'_>, point: DVec3) -> bool {
        let margin = self.margin(flats);
        let planes = self.planes(flats, 0.0, (point, 4.0 * margin + self.body.radius));
        planes.iter().any(|plane| plane.gap >= -margin && plane.speed <= self.slight())
    }

    /// Bounds the error of a gap in f64.
    fn margin(&self, flats: &FlatFaces<'_>) -> f64 {
        let size = flats.corners.iter().fold(0.0, |most, &corner| larger(most, largest(corner)));
        self.body.rounding(size) + 64.0 * UNIT_ROUNDOFF * largest(self.motion)
    }

    /// Returns the contact state of a volume that touches a shape at a point at t. Among several separating planes, it uses the plane most opposed to the
    /// motion. Among equal planes, faces of the shape come first, then faces of the volume, then pairs of edges.
    pub(super) fn lie(&self, flats: &FlatFaces<'_>, t: f64, point: DVec3) -> ContactState {
        let margin = self.margin(flats);
        let place = point - self.motion * t;
        let mut reach = 4.0 * margin + self.body.radius;
        for _ in 0..WIDENINGS {
            let planes = self.planes(flats, t, (place, reach));
            if let Some(normal) = most_against(&planes, -margin, self.slight()) {
                return ContactState::Beside(normal);
            }
            reach *= 64.0;
        }
        ContactState::Across
    }

    /// Returns the length below which a component of the motion is within rounding.
    pub(super) fn slight(&self) -> f64 {
        64.0 * UNIT_ROUNDOFF * largest(self.motion)
    }

    fn planes(&self, flats: &FlatFaces<'_>, t: f64, near: (DVec3, f64)) -> Vec<SeparatingPlane> {
        let mut planes = Vec::new();
        let mut show = |direction: DVec3, may_be: &dyn Fn(DVec3) -> bool| {
            for normal in [direction, -direction].into_iter().filter(|&normal| may_be(normal)) {
                planes.push(self.plane(flats.corners, t, normal));
            }
        };
        let edges = self.edges_near(near);
        let own = match self.body.core {
            BodyCore::Segment(half) => unit(half),
            BodyCore::Box(_) | BodyCore::Hull(_) | BodyCore::Round(_) => None,
        };
        flats.normals.iter().for_each(|&normal| show(normal, &|_| true));
        self.faces_near(near).for_each(|normal| show(normal, &|_| true));
        for &along in &flats.edges {
            for edge in &edges {
                unit(perpendicular::across(along, edge.along))
                    .into_iter()
                    .for_each(|across| show(across, &|normal| edge.may_face(normal)));
            }
            own.and_then(|own| unit(perpendicular::across(along, own)))
                .into_iter()
                .for_each(|across| show(across, &|_| true));
        }
        planes
    }

    fn plane(&self, corners: &[DVec3], t: f64, normal: DVec3) -> SeparatingPlane {
        let speed = -normal.dot(self.motion);
        let lowest = self.body.core.farthest(-normal).dot(normal) - self.body.radius;
        let highest = corners.iter().fold(f64::NEG_INFINITY, |most, corner| larger(corner.dot(normal), most));
        SeparatingPlane { normal, gap: lowest - highest - speed * t, speed }
    }

    /// Returns the normals of the volume's faces that are within a distance of a place on it. For a box, all six normals are returned.
    fn faces_near(&self, (place, reach): (DVec3, f64)) -> impl Iterator<Item = DVec3> {
        let is_hull = matches!(self.body.core, BodyCore::Hull(_));
        let is_near = move |face: &&ConvexFace| !is_hull || (face.normal.dot(place) - face.offset).abs() <= reach;
        self.outline.faces.iter().filter(is_near).map(|face| face.normal)
    }

    /// Returns the volume's edges on lines within a distance of a place on it.
    fn edges_near(&self, (place, reach): (DVec3, f64)) -> Vec<ConvexEdge> {
        let is_near = |edge: &&ConvexEdge| {
            edge.place.is_none_or(|at| {
                let beside = (place - at.corner).cross(edge.along);
                largest(beside) <= reach
            })
        };
        self.outline.edges.iter().filter(is_near).copied().collect()
    }
}

/// Returns the normal of the plane that is most opposed to the motion, among the planes with at least a given gap.
fn most_against(planes: &[SeparatingPlane], least: f64, slight: f64) -> Option<DVec3> {
    let between = planes.iter().filter(|plane| plane.gap >= least);
    let fastest = between.reduce(|best, plane| if plane.speed > best.speed + slight { plane } else { best });
    fastest.map(|plane| plane.normal)
}

/// The maximum number of searches for features, each up to a larger distance from the contact's point. If faces form a flat angle, rounding moves the point
/// farther from the features.
const WIDENINGS: usize = 4;

//! The plane between a volume and a convex thing with flat faces, where they touch.
//!
//! Two things with flat faces touch where the way that the volume has gone is on their Minkowski difference, whose faces are parallel to a face of either or to
//! an edge of each. Each of these directions near the contact is tried, and measured by the farthest points of both: what is answered has all of
//! the one behind it and all of the other before it, however the direction was found.

use super::mover::Mover;
use crate::convex::{BodyCore, ConvexEdge, ConvexFace, RESOLUTION};
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, unit};
use alloc::vec::Vec;
use glam::DVec3;

/// A convex thing with flat faces, relative to the volume's start.
pub(super) struct FlatFaces<'a> {
    pub(super) corners: &'a [DVec3],
    /// The unit normals of the faces at the contact, and of those that a flat thing has at its edges; of either sign.
    pub(super) normals: Vec<DVec3>,
    /// The unit directions of the edges at the contact, and of a flat thing its normal.
    pub(super) edges: Vec<DVec3>,
}

impl<'a> FlatFaces<'a> {
    /// A flat convex polygon, or a needle for which any normal across it is as good.
    pub(super) fn polygon(corners: &'a [DVec3], normal: DVec3) -> Self {
        let next = corners.iter().cycle().skip(1);
        let mut edges: Vec<DVec3> = corners.iter().zip(next).filter_map(|(p, q)| unit(*q - *p)).collect();
        let outwards = edges.iter().filter_map(|&edge| across(edge, normal));
        let normals = core::iter::once(normal).chain(outwards).collect();
        edges.push(normal);
        Self { corners, normals, edges }
    }

    /// A box that an affine transform has made of one along the axes.
    pub(super) fn boxed(corners: &'a [DVec3], axes: [DVec3; 3]) -> Self {
        let edges: Vec<DVec3> = axes.into_iter().filter_map(unit).collect();
        let pairs = (0..edges.len()).map(|axis| (edges[axis], edges[(axis + 1) % edges.len()]));
        let normals = pairs.filter_map(|(a, b)| unit(a.cross(b))).collect();
        Self { corners, normals, edges }
    }
}

/// The unit vector at right angles to an edge and a normal of unit length. These are at right angles to each other but for rounding, which is large where
/// the corners of something small are far away.
fn across(edge: DVec3, normal: DVec3) -> Option<DVec3> {
    let across = edge.cross(normal);
    let is_unit = (across.length_squared() - 1.0).abs() <= RESOLUTION;
    if is_unit { Some(across) } else { unit(across) }
}

/// A plane across a unit normal from the thing to the volume.
#[derive(Clone, Copy)]
struct SeparatingPlane {
    normal: DVec3,
    /// How far the two are apart along it; less than 0 if they overlap.
    gap: f64,
    /// How fast they approach.
    speed: f64,
}

/// How a volume lies at a convex thing with which it is in contact.
pub(super) enum ContactState {
    /// A plane across this unit normal has the thing behind it and the volume before it, as far as f64 tells.
    Beside(DVec3),
    /// No plane does.
    Across,
}

impl Mover {
    /// Tells whether the volume has circles, so that farthest points alone tell where it is.
    pub(super) fn is_round(&self) -> bool {
        matches!(self.body.core, BodyCore::Round(_))
    }

    /// Whether the radius is so small beside what f64 tells of the distance that no normal can be had from the closest points.
    pub(super) fn is_sharp(&self, size: f64) -> bool {
        let radius = self.body.radius;
        self.turning.is_none() && radius * radius <= self.body.rounding(size) * (size + self.body.size())
    }

    /// Tells whether a volume that touches a thing at its start never comes deeper: its motion does not cross some plane between the two.
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

    /// How the volume lies at the thing that it touches at a point at t. Of several planes it is the one that is most against the motion, of equal ones the
    /// first face of the thing, face of the volume or pair of edges.
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

    /// The part of the motion that is no more than its own rounding.
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
                unit(along.cross(edge.along))
                    .into_iter()
                    .for_each(|across| show(across, &|normal| edge.may_face(normal)));
            }
            own.and_then(|own| unit(along.cross(own))).into_iter().for_each(|across| show(across, &|_| true));
        }
        planes
    }

    fn plane(&self, corners: &[DVec3], t: f64, normal: DVec3) -> SeparatingPlane {
        let speed = -normal.dot(self.motion);
        let lowest = self.body.core.farthest(-normal).dot(normal) - self.body.radius;
        let highest = corners.iter().fold(f64::NEG_INFINITY, |most, corner| larger(corner.dot(normal), most));
        SeparatingPlane { normal, gap: lowest - highest - speed * t, speed }
    }

    /// The normals of the volume's faces that are within a distance of a place of it. Of a box all: they are few.
    fn faces_near(&self, (place, reach): (DVec3, f64)) -> impl Iterator<Item = DVec3> {
        let is_hull = matches!(self.body.core, BodyCore::Hull(_));
        let is_near = move |face: &&ConvexFace| !is_hull || (face.normal.dot(place) - face.offset).abs() <= reach;
        self.outline.faces.iter().filter(is_near).map(|face| face.normal)
    }

    /// The volume's edges on lines within a distance of a place of it.
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

/// The normal of the plane that is most against the motion, among those with at least a gap.
fn most_against(planes: &[SeparatingPlane], least: f64, slight: f64) -> Option<DVec3> {
    let between = planes.iter().filter(|plane| plane.gap >= least);
    let fastest = between.reduce(|best, plane| if plane.speed > best.speed + slight { plane } else { best });
    fastest.map(|plane| plane.normal)
}

/// How often features are looked for farther from the contact's point, which rounding has moved more where faces meet at a flat angle.
const WIDENINGS: usize = 4;

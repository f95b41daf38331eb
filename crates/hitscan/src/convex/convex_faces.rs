//! The faces and edges of a box or hull, as they bound its difference with something else.

use super::convex_body::{BodyCore, PlacedBody};
use super::volume::Volume;
use crate::hull::ConvexHull;
use crate::math::float::{UNIT_ROUNDOFF, unit};
use alloc::vec::Vec;
use glam::DVec3;

/// Of a body, relative to its middle; of a ball or capsule nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConvexFaces {
    pub(crate) faces: Vec<ConvexFace>,
    pub(crate) edges: Vec<ConvexEdge>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ConvexFace {
    /// Outwards, of unit length. A flat box has the normals of its sides too, a hull those of the box around it.
    pub(crate) normal: DVec3,
    /// How far the face is along it.
    pub(crate) offset: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ConvexEdge {
    /// Of unit length.
    pub(crate) along: DVec3,
    /// Where it is, if there is only one in this direction.
    pub(crate) place: Option<EdgePlace>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgePlace {
    /// One of its ends.
    pub(crate) corner: DVec3,
    /// From the edge into the faces beside it, of about unit length.
    inwards: [DVec3; 2],
}

impl ConvexFaces {
    pub(crate) fn new(volume: &Volume, placed: &PlacedBody) -> Self {
        match (&placed.body.core, volume) {
            (BodyCore::Box(halves), _) => Self::of_box(*halves, &placed.body.core),
            (BodyCore::Hull(corners), Volume::ConvexHull(hull)) => Self::of_hull(hull, corners),
            _ => Self::default(),
        }
    }

    /// Three edges, each for the four that are parallel. A flat box is one whose edges along its normal have no length.
    fn of_box(halves: [DVec3; 3], core: &BodyCore) -> Self {
        let along = |axis: usize| {
            let (next, last) = (halves[(axis + 1) % 3], halves[(axis + 2) % 3]);
            unit(halves[axis]).or_else(|| unit(unit(next)?.cross(unit(last)?)))
        };
        let along: Vec<DVec3> = (0..3).filter_map(along).collect();
        let pairs = (0..along.len()).map(|axis| (along[axis], along[(axis + 1) % along.len()]));
        let normals = pairs.filter_map(|(a, b)| unit(a.cross(b)));
        let faces = normals.flat_map(|normal| {
            let offset = core.reach(normal);
            [ConvexFace { normal, offset }, ConvexFace { normal: -normal, offset }]
        });
        Self { faces: faces.collect(), edges: along.iter().map(|&along| ConvexEdge { along, place: None }).collect() }
    }

    fn of_hull(hull: &ConvexHull, corners: &[DVec3]) -> Self {
        let at = |corner: u32| corners.get(corner as usize).copied().unwrap_or_default();
        let polygon = |face: usize| hull.polygon(face).map(at).collect::<Vec<DVec3>>();
        let faces: Vec<Option<ConvexFace>> = (0..hull.face_count()).map(|face| of_polygon(&polygon(face))).collect();
        // An edge of a face that has no normal may face anywhere.
        let normal = |face: u32| faces.get(face as usize).copied().flatten().map_or(DVec3::ZERO, |face| face.normal);
        let edges = hull.edges().iter().filter_map(|edge| {
            let [corner, to] = edge.corners.map(at);
            let along = unit(to - corner)?;
            let [left, right] = edge.faces.map(normal);
            Some(ConvexEdge {
                along,
                place: Some(EdgePlace { corner, inwards: [left.cross(along), along.cross(right)] }),
            })
        });
        let edges = edges.collect();
        Self { faces: bounds(corners).into_iter().chain(faces.into_iter().flatten()).collect(), edges }
    }
}

/// The planes of the box around a hull. They bound it too, and tell of what is far away before its many faces are looked at.
fn bounds(corners: &[DVec3]) -> [ConvexFace; 6] {
    let directions = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
    directions.map(|normal| ConvexFace { normal, offset: reach(corners, normal) })
}

fn reach(corners: &[DVec3], normal: DVec3) -> f64 {
    corners.iter().fold(f64::NEG_INFINITY, |most, corner| most.max(normal.dot(*corner)))
}

fn of_polygon(corners: &[DVec3]) -> Option<ConvexFace> {
    normal_of_polygon(corners).map(|normal| ConvexFace { normal, offset: reach(corners, normal) })
}

/// The unit normal of a convex polygon by the area of all of it, as thin triangles of it have no good normal; `None` of one without an area, as is
/// one that is so far away that its corners are the same in f64.
pub(crate) fn normal_of_polygon(corners: &[DVec3]) -> Option<DVec3> {
    let pairs = corners.windows(2).map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0]));
    unit(pairs.sum())
}

impl ConvexEdge {
    /// Whether it may be the part of the body that is farthest against a direction at right angles to it, of at most unit length.
    pub(crate) fn may_face(&self, direction: DVec3) -> bool {
        self.place.is_none_or(|place| place.inwards.iter().all(|inwards| direction.dot(*inwards) >= -DOUBT))
    }
}

/// What is in doubt is looked at, so this only decides about time.
const DOUBT: f64 = 4096.0 * UNIT_ROUNDOFF;

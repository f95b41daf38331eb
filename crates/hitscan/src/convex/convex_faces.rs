//! The faces and edges of a box or hull, which bound its Minkowski difference with an obstacle.

use super::convex_body::{BodyCore, PlacedBody};
use super::volume::Volume;
use crate::hull::ConvexHull;
use crate::math::float::{UNIT_ROUNDOFF, unit};
use alloc::vec::Vec;
use glam::DVec3;

/// The faces and edges of a body, relative to its centre; empty for a ball or capsule.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConvexFaces {
    pub(crate) faces: Vec<ConvexFace>,
    pub(crate) edges: Vec<ConvexEdge>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ConvexFace {
    /// The outward unit normal. Besides the normals of its faces, a flat box has the normals of its sides, and a hull
    /// has the normals of its bounding box.
    pub(crate) normal: DVec3,
    /// The offset of the face along the normal.
    pub(crate) offset: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ConvexEdge {
    /// The unit direction.
    pub(crate) along: DVec3,
    /// The position, if there is only one edge in this direction.
    pub(crate) place: Option<EdgePlace>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgePlace {
    /// One of its ends.
    pub(crate) corner: DVec3,
    /// The directions from the edge into the adjacent faces, of about unit length.
    inwards: [DVec3; 2],
}

impl ConvexFaces {
    pub(crate) fn new(volume: &Volume, placed: &PlacedBody) -> Self {
        Self::of_body(placed, volume.hull())
    }

    /// Returns the faces and edges of a body. `hull` is the hull whose corners it has.
    pub(crate) fn of_body(placed: &PlacedBody, hull: Option<&ConvexHull>) -> Self {
        match (&placed.body.core, hull) {
            (BodyCore::Box(halves), _) => Self::of_box(*halves, &placed.body.core),
            (BodyCore::Hull(corners), Some(hull)) => Self::of_hull(hull, corners),
            _ => Self::default(),
        }
    }

    /// Returns three edges, each of which represents four parallel ones. A flat box has no length along its normal.
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
        // An edge of a face without a normal counts as facing every direction.
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
        // A mirroring transform makes the normals point inwards. For the edges that does not matter.
        let faces = (0..).zip(faces).filter_map(|(number, face)| Some(outwards(face?, &polygon(number), corners)));
        Self { faces: bounds(corners).into_iter().chain(faces).collect(), edges }
    }
}

/// Returns the planes of the bounding box of a hull. They reject distant obstacles before the many faces are tested.
fn bounds(corners: &[DVec3]) -> [ConvexFace; 6] {
    let directions = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
    directions.map(|normal| ConvexFace { normal, offset: reach(corners, normal) })
}

fn reach(corners: &[DVec3], normal: DVec3) -> f64 {
    corners.iter().fold(f64::NEG_INFINITY, |most, corner| most.max(normal.dot(*corner)))
}

/// Returns a face with its normal away from the centre, given its polygon and all corners.
fn outwards(face: ConvexFace, polygon: &[DVec3], corners: &[DVec3]) -> ConvexFace {
    let is_inwards = polygon.first().is_some_and(|corner| face.normal.dot(*corner) < 0.0);
    let normal = -face.normal;
    if is_inwards { ConvexFace { normal, offset: reach(corners, normal) } } else { face }
}

fn of_polygon(corners: &[DVec3]) -> Option<ConvexFace> {
    normal_of_polygon(corners).map(|normal| ConvexFace { normal, offset: reach(corners, normal) })
}

/// Returns the unit normal of a convex polygon from its whole area, because its thin triangles have inaccurate
/// normals. Returns `None` if it has no area, for example if it is so far away that its corners coincide in f64.
pub(crate) fn normal_of_polygon(corners: &[DVec3]) -> Option<DVec3> {
    let pairs = corners.windows(2).map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0]));
    unit(pairs.sum())
}

impl ConvexEdge {
    /// Returns whether the edge may be the support feature of the body against a direction. The direction is perpendicular to the edge and at most of unit
    /// length.
    pub(crate) fn may_face(&self, direction: DVec3) -> bool {
        self.place.is_none_or(|place| place.inwards.iter().all(|inwards| direction.dot(*inwards) >= -FACING_DOUBT))
    }
}

/// The tolerance of [`ConvexEdge::may_face`]. Edges within the tolerance are tested, so this only affects the time.
const FACING_DOUBT: f64 = 4096.0 * UNIT_ROUNDOFF;

//! Vertices and edges, as they occur in each triangle or segment, and merged.

use super::crease::is_inside_of_flat;
use super::reach::{Reach, Spot};
use super::segment::ScreenSegment;
use crate::camera::HomogeneousPixel;
use crate::collections::sort::SharedSort;
use crate::scene::Part;
use alloc::vec::Vec;
use glam::{DVec2, DVec3, Vec3};

/// The place of a part in the order of a scene. It is the order of its entity, and the part's index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartOrder {
    pub(super) order: u64,
    pub(super) index: u32,
}

impl PartOrder {
    pub(super) fn of_part(part: &Part) -> Self {
        Self { order: part.order, index: part.index }
    }
}

/// A vertex in reach.
pub(super) struct NearVertex<'a> {
    pub(super) part: &'a Part,
    pub(super) vertex: u32,
    pub(super) triangle: Option<u32>,
    pub(super) spot: Spot,
}

/// An edge with a point in reach. Its ends are in the order of [`RawEdge::ends`].
#[derive(Clone, Copy)]
pub(super) struct NearEdge<'a> {
    pub(super) part: &'a Part,
    pub(super) vertices: [u32; 2],
    pub(super) triangle: Option<u32>,
    /// The ends in the world.
    pub(super) ends: [DVec3; 2],
    /// The requested point of the edge.
    pub(super) spot: Spot,
}

impl NearEdge<'_> {
    /// Returns the edge on the screen; `None` if none of it is shown.
    pub(super) fn segment(&self, reach: &Reach) -> Option<ScreenSegment> {
        ScreenSegment::between(reach, self.ends, &self.ends.map(|end| reach.map.project(end)))
    }
}

/// The point of an edge that is searched for.
#[derive(Clone, Copy)]
pub(super) enum EdgePoint {
    /// The point that is nearest to the cursor.
    Nearest,
    /// The point half the length from either end.
    Middle,
    /// The foot of the perpendicular from a point in the world, between the ends.
    Foot(DVec3),
}

impl EdgePoint {
    /// Returns the point, if it is in reach. The result does not depend on which end is first. So edges in the same
    /// place tie.
    pub(super) fn spot(self, reach: &Reach, ends: [DVec3; 2], projected: &[HomogeneousPixel; 2]) -> Option<Spot> {
        let ([a, b], [first, second]) = (ends, projected);
        if b.to_array() < a.to_array() {
            return self.spot(reach, [b, a], &[*second, *first]);
        }
        match self {
            Self::Nearest if is_beside(reach.radius(), projected) => None,
            Self::Nearest => ScreenSegment::between(reach, [a, b], projected)?.nearest(reach),
            Self::Middle => reach.point((a + b) * 0.5),
            Self::Foot(start) => {
                let way = b - a;
                let place = (start - a).dot(way) / way.length_squared();
                (0.0 < place && place < 1.0).then(|| reach.point(a + way * place))?
            }
        }
    }
}

/// A bound on the rounding error of the nearest pixel of a segment. It is relative to the sum of the homogeneous pixels of its ends and of the circle's radius
/// times their weights. The pixel is a mean of the ends, divided by the mean of their weights. It is computed with fewer than 64 roundings of numbers no larger
/// than the sum: gamma(64) is 2^-47. This bound is 128 times as large, which is safe: a segment in doubt is tested.
const PIXEL_DOUBT: f64 = 1.0 / (1u64 << 40) as f64;

/// Returns whether all of a segment is certainly outside of the square around a circle of pixels at the cursor. Returns `false` if
/// rounding decides.
fn is_beside(radius: f64, projected: &[HomogeneousPixel; 2]) -> bool {
    if !projected.iter().all(|end| end.weight > 0.0) {
        return false;
    }
    let [a, b] = projected.map(|end| (end.pixel, DVec2::splat(radius * end.weight)));
    let doubt = (a.0.abs() + b.0.abs() + a.1 + b.1) * PIXEL_DOUBT;
    let above = (a.0 - a.1).min(b.0 - b.1);
    let below = (-a.0 - a.1).min(-b.0 - b.1);
    above.max(below).cmpgt(doubt).any()
}

/// The bits of a position, to find equal positions: adding +0 turns -0 into +0. For a point of a cloud or a polyline, the key is its number instead.
pub(super) type PositionKey = [u32; 3];

/// A corner of a triangle, or a point of a cloud or of a segment. Corners of triangles are the same vertex if they have the same position.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub(super) local: Vec3,
    pub(super) key: PositionKey,
    pub(super) vertex: u32,
    pub(super) point: DVec3,
    pub(super) projected: HomogeneousPixel,
}

impl Corner {
    pub(super) fn of_triangle(part: &Part, reach: &Reach, local: Vec3, vertex: u32) -> Self {
        Self::new(part, reach, local, vertex, (local + Vec3::ZERO).to_array().map(f32::to_bits))
    }

    pub(super) fn of_wire(part: &Part, reach: &Reach, local: Vec3, vertex: u32) -> Self {
        Self::new(part, reach, local, vertex, [vertex, 0, 0])
    }

    fn new(part: &Part, reach: &Reach, local: Vec3, vertex: u32, key: PositionKey) -> Self {
        let point = part.to_world.transform_point3(local.as_dvec3());
        Self { local, key, vertex, point, projected: reach.map.project(point) }
    }
}

/// A corner in reach, once for each triangle or segment.
#[derive(Clone, Copy)]
pub(super) struct RawVertex<'a> {
    pub(super) part: &'a Part,
    pub(super) key: PositionKey,
    pub(super) vertex: u32,
    pub(super) triangle: Option<u32>,
    pub(super) spot: Spot,
}

/// A side of a triangle, or a segment, in reach. A side has the same direction in all triangles that share it.
#[derive(Clone, Copy)]
pub(super) struct RawEdge<'a> {
    pub(super) part: &'a Part,
    pub(super) ends: [Corner; 2],
    /// The triangle, and its third corner.
    pub(super) triangle: Option<(u32, Vec3)>,
    pub(super) spot: Spot,
}

/// Returns each vertex once, with its lowest number, given all corners at each vertex.
pub(super) fn merge_vertices<'a>(mut corners: Vec<RawVertex<'a>>) -> Vec<NearVertex<'a>> {
    corners.sort_shared_by_key(|corner| (PartOrder::of_part(corner.part), corner.key, corner.triangle));
    let is_same = |a: &RawVertex<'_>, b: &RawVertex<'_>| {
        a.key == b.key && PartOrder::of_part(a.part) == PartOrder::of_part(b.part)
    };
    let merge = |same: &[RawVertex<'a>]| {
        let RawVertex { part, triangle, spot, .. } = *same.first()?;
        let vertex = same.iter().map(|corner| corner.vertex).min()?;
        Some(NearVertex { part, vertex, triangle, spot })
    };
    corners.chunk_by(is_same).filter_map(merge).collect()
}

/// Returns each edge once, with the lowest of its triangles, given all sides at each edge. Sides inside of flat surfaces are left out.
pub(super) fn merge_edges<'a>(mut sides: Vec<RawEdge<'a>>) -> Vec<NearEdge<'a>> {
    let number = |side: &RawEdge<'_>| side.triangle.map(|(number, _)| number);
    let keys = |side: &RawEdge<'_>| (PartOrder::of_part(side.part), side.ends.map(|end| end.key));
    sides.sort_shared_by_key(|side| (keys(side), number(side)));
    sides.dedup_by_key(|side| (keys(side), number(side)));
    let merge = |same: &[RawEdge<'a>]| {
        let RawEdge { part, ends, triangle, spot } = *same.first()?;
        let opposite = same.iter().filter_map(|side| side.triangle).map(|(_, corner)| corner);
        let is_edge = triangle.is_none() || !is_inside_of_flat(ends.map(|end| end.local), opposite);
        is_edge.then_some(NearEdge {
            part,
            vertices: ends.map(|end| end.vertex),
            triangle: triangle.map(|(number, _)| number),
            ends: ends.map(|end| end.point),
            spot,
        })
    };
    sides.chunk_by(|a, b| keys(a) == keys(b)).filter_map(merge).collect()
}

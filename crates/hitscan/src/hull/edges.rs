//! The edges of a hull, between its faces.

use crate::collections::sort::SharedSort;
use alloc::vec::Vec;

/// An edge between two faces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullEdge {
    /// The start and the end, in the direction in which the edge goes counter-clockwise around the first face.
    pub(crate) corners: [u32; 2],
    /// The two faces. The first one has the edge in this direction, the other one in the opposite direction.
    pub(crate) faces: [u32; 2],
}

/// Returns the edges of polygons around a closed solid, in the order of their corners.
pub(super) fn edges_of_polygons<P: IntoIterator<Item = u32>>(polygons: impl Iterator<Item = P>) -> Vec<HullEdge> {
    let mut halves: Vec<HalfEdge> = Vec::new();
    for (face, polygon) in (0..).zip(polygons) {
        let mut corners = polygon.into_iter();
        let Some(first) = corners.next() else { continue };
        let last = corners.fold(first, |from, to| {
            halves.push(HalfEdge::new(from, to, face));
            to
        });
        halves.push(HalfEdge::new(last, first, face));
    }
    halves.sort_shared();
    let pairs = halves.chunks_exact(2);
    pairs.map(|pair| HullEdge { corners: [pair[0].least, pair[0].most], faces: [pair[0].face, pair[1].face] }).collect()
}

/// An edge of one face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HalfEdge {
    least: u32,
    most: u32,
    /// True if it goes from the larger number to the smaller one.
    is_back: bool,
    face: u32,
}

impl HalfEdge {
    fn new(from: u32, to: u32, face: u32) -> Self {
        Self { least: from.min(to), most: from.max(to), is_back: from > to, face }
    }
}

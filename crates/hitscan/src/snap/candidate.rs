//! Candidates of a snap, and their order.

use super::feature::{NearEdge, NearVertex, PartOrder};
use super::kind::SnapKind;
use super::reach::Spot;
use crate::scene::Part;
use core::cmp::Ordering;
use glam::DVec3;

/// A point that a cursor may snap to.
#[derive(Clone, Copy)]
pub(super) struct SnapCandidate<'a> {
    pub(super) kind: SnapKind,
    pub(super) spot: Spot,
    pub(super) feature: SnapFeature<'a>,
    /// The other edge, which is behind the crossing.
    pub(super) crossed: Option<CrossedEdge<'a>>,
}

/// The edge behind a crossing.
#[derive(Clone, Copy)]
pub(super) struct CrossedEdge<'a> {
    pub(super) feature: SnapFeature<'a>,
    /// Two of its points, a pixel before and after the crossing, or its ends if they are nearer.
    pub(super) beside: [DVec3; 2],
}

/// The feature of a part that a candidate belongs to.
#[derive(Clone, Copy)]
pub(super) enum SnapFeature<'a> {
    Vertex {
        part: &'a Part,
        vertex: u32,
        triangle: Option<u32>,
    },
    Edge {
        part: &'a Part,
        vertices: [u32; 2],
        triangle: Option<u32>,
    },
    /// The hit with this number among the hits of the ray under the cursor.
    Face {
        part: &'a Part,
        triangle: Option<u32>,
        hit: u32,
    },
    /// The world's axis with this number.
    Axis(usize),
}

impl<'a> SnapFeature<'a> {
    pub(super) fn of_edge(edge: &NearEdge<'a>) -> Self {
        Self::Edge { part: edge.part, vertices: edge.vertices, triangle: edge.triangle }
    }

    pub(super) fn part(&self) -> Option<&'a Part> {
        match self {
            Self::Vertex { part, .. } | Self::Edge { part, .. } | Self::Face { part, .. } => Some(part),
            Self::Axis(_) => None,
        }
    }

    /// Returns a key for the order of the scene, in which axes come last. No two features of a kind have the same key.
    fn place(&self) -> (bool, PartOrder, [u32; 3]) {
        let none = PartOrder { order: 0, index: 0 };
        let place = self.part().map_or(none, PartOrder::of_part);
        let numbers = match *self {
            Self::Vertex { vertex, .. } => [vertex, 0, 0],
            Self::Edge { triangle, vertices: [a, b], .. } => [triangle.unwrap_or(0), a.min(b), a.max(b)],
            Self::Face { triangle, hit, .. } => [triangle.unwrap_or(0), hit, 0],
            Self::Axis(axis) => [axis as u32, 0, 0],
        };
        (self.part().is_none(), place, numbers)
    }
}

impl<'a> SnapCandidate<'a> {
    pub(super) fn of_vertex(vertex: &NearVertex<'a>) -> Self {
        let NearVertex { part, vertex, triangle, spot } = *vertex;
        Self { kind: SnapKind::Vertex, spot, feature: SnapFeature::Vertex { part, vertex, triangle }, crossed: None }
    }

    /// Makes a candidate of a point on an edge.
    pub(super) fn on_edge(kind: SnapKind, edge: &NearEdge<'a>, spot: Spot) -> Self {
        Self { kind, spot, feature: SnapFeature::of_edge(edge), crossed: None }
    }

    /// Compares two candidates at about the same depth: by kind, by distance on the screen, by depth, and by the order of the scene. It is a total order, in
    /// which no two different candidates are equal.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        self.kind
            .cmp(&other.kind)
            .then_with(|| self.spot.square.total_cmp(&other.spot.square))
            .then_with(|| self.spot.depth.total_cmp(&other.spot.depth))
            .then_with(|| self.feature.place().cmp(&other.feature.place()))
            .then_with(|| {
                self.crossed.map(|edge| edge.feature.place()).cmp(&other.crossed.map(|edge| edge.feature.place()))
            })
    }
}

//! The verdict on some triangles, as the command writes it.

use super::crossings::crossings;
use super::listed::Listed;
use super::solids::Sizes;
use super::topology::{Edge, Topology};
use crate::precision::{Point, Precision};
use crate::triangle_list::TriangleList;
use anyhow::Result;
use hitscan::Mesh;
use indicatif::ProgressBar;
use serde::Serialize;

/// The choices of a check.
#[derive(Clone, Copy)]
pub(super) struct Choices {
    /// The number of places of each fault that are listed.
    pub(super) most: usize,
    pub(super) borders: Borders,
    /// The precision in which places are written.
    pub(super) precision: Precision,
}

/// Says what edges with one triangle are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Borders {
    Faults,
    /// The model is an open surface, such as a terrain.
    Allowed,
}

/// The properties and faults of some triangles.
#[derive(Serialize)]
pub(super) struct Verdict {
    pub(super) is_sound: bool,
    pub(super) triangles: u64,
    pub(super) vertices: u64,
    pub(super) shells: u64,
    pub(super) area: f64,
    pub(super) volume: Option<f64>,
    pub(super) is_watertight: bool,
    pub(super) is_manifold: bool,
    pub(super) is_oriented: bool,
    pub(super) boundary_edges: Listed<PlacedEdge>,
    pub(super) crowded_edges: Listed<PlacedEdge>,
    pub(super) pinched_vertices: Listed<Point>,
    pub(super) flipped_triangles: Listed<u32>,
    pub(super) inside_out_shells: Listed<u32>,
    pub(super) degenerate_triangles: Listed<u32>,
    pub(super) duplicate_triangles: Listed<[u32; 2]>,
    /// `None` for several entities together: they are compared by `hitscan collide`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) self_intersections: Option<Listed<[u32; 2]>>,
}

/// An edge in the form for output.
#[derive(Serialize)]
pub(super) struct PlacedEdge {
    pub(super) triangle: u32,
    pub(super) triangles: u64,
    pub(super) from: Point,
    pub(super) to: Point,
}

impl Verdict {
    /// Examines the triangles of one entity, in its own space.
    pub(super) fn of_part(list: &TriangleList, mesh: &Mesh, choices: Choices, bar: &ProgressBar) -> Result<Self> {
        let mut degenerate = Listed::new(choices.most);
        degenerate.extend(mesh.degenerate_triangles());
        let crossings = crossings(mesh, choices.most, bar);
        Self::new(list, degenerate, Some(crossings), choices)
    }

    /// Examines the triangles of all entities together, given those without area.
    pub(super) fn of_whole(list: &TriangleList, degenerate: Listed<u32>, choices: Choices) -> Result<Self> {
        Self::new(list, degenerate, None, choices)
    }

    fn new(
        list: &TriangleList,
        degenerate_triangles: Listed<u32>,
        self_intersections: Option<Listed<[u32; 2]>>,
        choices: Choices,
    ) -> Result<Self> {
        let topology = Topology::new(list, choices.most);
        let Sizes { area, volume, inside_out } = Sizes::new(list, &topology, choices.most)?;
        let place = |point| Point::new(point, choices.precision);
        let edges = |edges: Listed<Edge>| {
            edges.map(|Edge { triangle, triangles, from, to }| PlacedEdge {
                triangle,
                triangles,
                from: place(from),
                to: place(to),
            })
        };
        let mut verdict = Self {
            is_sound: false,
            triangles: list.triangles.len() as u64,
            vertices: topology.vertices,
            shells: topology.shells,
            area,
            volume,
            is_watertight: topology.is_watertight,
            is_manifold: topology.crowded_edges.is_empty() && topology.pinched_vertices.is_empty(),
            is_oriented: topology.is_oriented,
            boundary_edges: edges(topology.boundary_edges),
            crowded_edges: edges(topology.crowded_edges),
            pinched_vertices: topology.pinched_vertices.map(place),
            flipped_triangles: topology.flipped_triangles,
            inside_out_shells: inside_out,
            degenerate_triangles,
            duplicate_triangles: topology.duplicate_triangles,
            self_intersections,
        };
        verdict.is_sound = verdict.faults(choices.borders).is_empty();
        Ok(verdict)
    }

    /// Returns the faults in a few words each.
    pub(super) fn faults(&self, borders: Borders) -> Vec<String> {
        let counted = |count: u64, one: &str, several: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {several}")),
        };
        let empty = (self.triangles == 0).then(|| "no triangles".to_owned());
        let border = counted(self.boundary_edges.count, "edge with one triangle", "edges with one triangle");
        let crossings = self.self_intersections.as_ref().map_or(0, |found| found.count);
        let all = [
            empty,
            border.filter(|_| borders == Borders::Faults),
            counted(
                self.crowded_edges.count,
                "edge with more than two triangles",
                "edges with more than two triangles",
            ),
            counted(self.pinched_vertices.count, "vertex that is not manifold", "vertices that are not manifold"),
            self.facing_fault(),
            counted(self.inside_out_shells.count, "shell inside out", "shells inside out"),
            counted(self.degenerate_triangles.count, "triangle without area", "triangles without area"),
            counted(self.duplicate_triangles.count, "duplicate triangle", "duplicate triangles"),
            counted(crossings, "self-intersection", "self-intersections"),
        ];
        all.into_iter().flatten().collect()
    }

    /// Describes triangles that face differently from their neighbours.
    fn facing_fault(&self) -> Option<String> {
        match self.flipped_triangles.count {
            _ if self.is_oriented && self.flipped_triangles.is_empty() => None,
            0 => Some("neighbours that face different sides".into()),
            1 => Some("1 flipped triangle".into()),
            count => Some(format!("{count} flipped triangles")),
        }
    }
}

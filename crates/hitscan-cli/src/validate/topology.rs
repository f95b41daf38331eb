//! The edges, vertices and patches of triangles. Vertices at one place count as one vertex.

use super::linked_sets::{Facing, LinkedSets};
use super::listed::Listed;
use crate::triangle_list::TriangleList;
use hitscan::glam::DVec3;
use rayon::slice::ParallelSliceMut;
use serde::Serialize;

/// The findings about the edges and vertices of some triangles.
pub(super) struct Topology {
    /// The number of places that triangles use.
    pub(super) vertices: u64,
    /// The number of pieces that hang together by edges.
    pub(super) shells: u64,
    /// Edges with one triangle.
    pub(super) boundary_edges: Listed<Edge>,
    /// Edges with more than two triangles.
    pub(super) crowded_edges: Listed<Edge>,
    /// Places where several fans of triangles touch.
    pub(super) pinched_vertices: Listed<DVec3>,
    /// Triangles that face opposite to most of their patch.
    pub(super) flipped_triangles: Listed<u32>,
    /// The lower and the higher of two triangles with the same corners.
    pub(super) duplicate_triangles: Listed<[u32; 2]>,
    /// True if there are edges, and every edge has an even number of triangles.
    pub(super) is_watertight: bool,
    /// True if neighbours face the same side, at every edge with an even number of triangles.
    pub(super) is_oriented: bool,
    /// The patch of each triangle, by its lowest triangle.
    pub(super) patches: Vec<u32>,
    /// The answers whether the edges of a patch cancel out, so that it encloses a volume, by the lowest triangle of the patch.
    pub(super) is_solid: Vec<bool>,
}

/// An edge, with the lowest triangle that has it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Edge {
    pub(super) triangle: u32,
    pub(super) triangles: u64,
    pub(super) from: DVec3,
    pub(super) to: DVec3,
}

/// A triangle's use of an edge: the edge's places, the lower one first, and the triangle's corner where the edge begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    ends: [u32; 2],
    corner: u32,
    is_forward: bool,
}

impl Use {
    fn triangle(self) -> u32 {
        self.corner / 3
    }

    /// Returns the triangle's corners at the lower and the higher place of the edge.
    fn corners(self) -> [u32; 2] {
        let next = if self.corner % 3 == 2 { self.corner - 2 } else { self.corner + 1 };
        if self.is_forward { [self.corner, next] } else { [next, self.corner] }
    }

    /// Returns 1 for a use from the lower to the higher place, and -1 for the other way.
    fn direction(self) -> i64 {
        if self.is_forward { 1 } else { -1 }
    }
}

impl Topology {
    /// Examines triangles, and lists at most `most` of each fault.
    pub(super) fn new(list: &TriangleList, most: usize) -> Self {
        let places = places(&list.positions);
        let triangles: Vec<[u32; 3]> =
            list.triangles.iter().map(|triangle| triangle.map(|vertex| places[vertex as usize])).collect();
        let uses = uses(&triangles);
        let mut fans = LinkedSets::new(3 * triangles.len());
        let (mut patches, mut shells) = (LinkedSets::new(triangles.len()), LinkedSets::new(triangles.len()));
        let (mut boundary_edges, mut crowded_edges) = (Listed::new(most), Listed::new(most));
        let (mut is_watertight, mut is_oriented) = (!uses.is_empty(), true);
        for edge in uses.chunk_by(|a, b| a.ends == b.ends) {
            is_watertight &= edge.len() % 2 == 0;
            is_oriented &= edge.len() % 2 == 1 || edge.iter().map(|usage| usage.direction()).sum::<i64>() == 0;
            let first = edge[0];
            for usage in &edge[1..] {
                for (own, other) in first.corners().into_iter().zip(usage.corners()) {
                    fans.join(own, other, Facing::Alike);
                }
                shells.join(first.triangle(), usage.triangle(), Facing::Alike);
            }
            let found = || {
                let [from, to] = first.ends.map(|place| list.positions[place as usize]);
                Edge { triangle: first.triangle(), triangles: edge.len() as u64, from, to }
            };
            match edge {
                [_] => boundary_edges.push(found()),
                [one, other] => {
                    let facing = if one.is_forward == other.is_forward { Facing::Opposite } else { Facing::Alike };
                    // The result is ignored: a surface with one side has no consistent facing, and all of its triangles stay in one patch.
                    patches.join(one.triangle(), other.triangle(), facing);
                }
                _ => crowded_edges.push(found()),
            }
        }
        let sides: Vec<(u32, Facing)> =
            (0..triangles.len() as u32).map(|triangle| patches.first_of(triangle)).collect();
        let patches: Vec<u32> = sides.iter().map(|&(patch, _)| patch).collect();
        let (vertices, pinched_vertices) = pinched(list, &triangles, &mut fans, most);
        let is_shell =
            |triangle: &u32| has_edges(triangles[*triangle as usize]) && shells.first_of(*triangle).0 == *triangle;
        Self {
            vertices,
            shells: (0..triangles.len() as u32).filter(is_shell).count() as u64,
            boundary_edges,
            crowded_edges,
            pinched_vertices,
            flipped_triangles: flipped(&sides, most),
            duplicate_triangles: duplicates(&triangles, most),
            is_watertight,
            is_oriented,
            is_solid: solid(&uses, &patches),
            patches,
        }
    }
}

/// Returns the lowest vertex at the place of each vertex.
fn places(positions: &[DVec3]) -> Vec<u32> {
    // Adding +0 turns -0 into +0.
    let place = |vertex: u32| (positions[vertex as usize] + 0.0).to_array().map(f64::to_bits);
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.par_sort_unstable_by_key(|&vertex| (place(vertex), vertex));
    let mut places = vec![0; order.len()];
    for alike in order.chunk_by(|&a, &b| place(a) == place(b)) {
        alike.iter().for_each(|&vertex| places[vertex as usize] = alike[0]);
    }
    places
}

/// Returns whether a triangle has three different corners. Another triangle is a line or a point, and has no edges.
fn has_edges([a, b, c]: [u32; 3]) -> bool {
    a != b && b != c && c != a
}

/// Returns the uses of all edges, in order.
fn uses(triangles: &[[u32; 3]]) -> Vec<Use> {
    let of_triangle = |(number, &[a, b, c]): (u32, &[u32; 3])| {
        let corner = move |place: u32, from: u32, to: u32| Use {
            ends: [from.min(to), from.max(to)],
            corner: 3 * number + place,
            is_forward: from < to,
        };
        [corner(0, a, b), corner(1, b, c), corner(2, c, a)]
    };
    let with_edges = (0..).zip(triangles).filter(|(_, triangle)| has_edges(**triangle));
    let mut uses: Vec<Use> = with_edges.flat_map(of_triangle).collect();
    uses.par_sort_unstable();
    uses
}

/// Returns the number of places that triangles use, and the places where several fans touch.
fn pinched(list: &TriangleList, triangles: &[[u32; 3]], fans: &mut LinkedSets, most: usize) -> (u64, Listed<DVec3>) {
    let mut ends: Vec<[u32; 2]> = Vec::with_capacity(3 * triangles.len());
    for (number, triangle) in (0..).zip(triangles) {
        for (corner, &place) in (3 * number..).zip(triangle) {
            let fan = if has_edges(*triangle) { fans.first_of(corner).0 } else { u32::MAX };
            ends.push([place, fan]);
        }
    }
    ends.par_sort_unstable();
    ends.dedup();
    let (mut vertices, mut found) = (0, Listed::new(most));
    for fans in ends.chunk_by(|a, b| a[0] == b[0]) {
        vertices += 1;
        if fans.iter().filter(|fan| fan[1] != u32::MAX).count() > 1 {
            found.push(list.positions[fans[0][0] as usize]);
        }
    }
    (vertices, found)
}

/// Returns the triangles that face opposite to most triangles of their patch. Of two halves, the one without the first triangle counts.
fn flipped(sides: &[(u32, Facing)], most: usize) -> Listed<u32> {
    // The number of triangles that face like the first one of their patch, minus the number of the others.
    let mut surplus = vec![0i64; sides.len()];
    for &(patch, facing) in sides {
        surplus[patch as usize] += if facing == Facing::Alike { 1 } else { -1 };
    }
    let mut found = Listed::new(most);
    let is_flipped = |&(patch, facing): &(u32, Facing)| (facing == Facing::Alike) != (surplus[patch as usize] >= 0);
    found.extend((0..).zip(sides).filter(|(_, side)| is_flipped(side)).map(|(number, _)| number));
    found
}

/// Returns the pairs of triangles with the same three corners: the lowest one with each of the others.
fn duplicates(triangles: &[[u32; 3]], most: usize) -> Listed<[u32; 2]> {
    let mut sorted: Vec<([u32; 3], u32)> = triangles
        .iter()
        .zip(0..)
        .filter(|(triangle, _)| has_edges(**triangle))
        .map(|(&(mut corners), number)| {
            corners.sort_unstable();
            (corners, number)
        })
        .collect();
    sorted.par_sort_unstable();
    let alike = sorted.chunk_by(|a, b| a.0 == b.0);
    let mut pairs: Vec<[u32; 2]> =
        alike.flat_map(|alike| alike[1..].iter().map(|&(_, copy)| [alike[0].1, copy])).collect();
    pairs.par_sort_unstable();
    let mut found = Listed::new(most);
    found.extend(pairs);
    found
}

/// Returns, for each patch, whether its triangles use every edge as often in one direction as in the other.
fn solid(uses: &[Use], patches: &[u32]) -> Vec<bool> {
    let mut is_solid = vec![true; patches.len()];
    // A triangle without edges is a patch of its own, which encloses nothing.
    let mut has_edges = vec![false; patches.len()];
    for edge in uses.chunk_by(|a, b| a.ends == b.ends) {
        let mut own: Vec<(u32, i64)> =
            edge.iter().map(|usage| (patches[usage.triangle() as usize], usage.direction())).collect();
        own.sort_unstable();
        for uses in own.chunk_by(|a, b| a.0 == b.0) {
            let patch = uses[0].0 as usize;
            has_edges[patch] = true;
            is_solid[patch] &= uses.iter().map(|&(_, direction)| direction).sum::<i64>() == 0;
        }
    }
    is_solid.iter().zip(has_edges).map(|(&is_solid, has_edges)| is_solid && has_edges).collect()
}

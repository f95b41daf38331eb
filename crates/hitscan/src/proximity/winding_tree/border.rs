//! Caps for the holes of a mesh.

use crate::mesh::Mesh;
use alloc::vec;
use alloc::vec::Vec;
use glam::{DVec3, Vec3};

/// Returns triangles that close a mesh, given the edges that it lacks. For each connected piece of the border, they connect the mean of its vertices with all
/// of its edges.
/// At each vertex, as many border edges start as end, so the edges from the vertices to the mean cancel out.
pub(super) fn caps_of(mesh: &Mesh, edges: Vec<[u32; 2]>) -> Vec<[Vec3; 3]> {
    let mut vertices: Vec<u32> = edges.as_flattened().to_vec();
    vertices.sort_unstable();
    vertices.dedup();
    let number = |vertex: u32| vertices.partition_point(|&other| other < vertex);
    let mut pieces = Pieces((0..vertices.len()).collect());
    for [from, to] in &edges {
        pieces.join(number(*from), number(*to));
    }
    let position = |vertex: u32| mesh.positions()[vertex as usize];
    let mut sums = vec![(DVec3::ZERO, 0.0); vertices.len()];
    for (place, &vertex) in vertices.iter().enumerate() {
        let (sum, count) = &mut sums[pieces.first_of(place)];
        *sum += position(vertex).as_dvec3();
        *count += 1.0;
    }
    let mut cap = |[from, to]: [u32; 2]| {
        let (sum, count) = sums[pieces.first_of(number(from))];
        [position(from), position(to), (sum / count).as_vec3()]
    };
    edges.into_iter().map(&mut cap).collect()
}

/// A union-find forest over vertices: each vertex has a parent, and the root of a set represents all of its vertices.
struct Pieces(Vec<usize>);

impl Pieces {
    fn first_of(&mut self, mut place: usize) -> usize {
        while self.0[place] != place {
            self.0[place] = self.0[self.0[place]];
            place = self.0[place];
        }
        place
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first_of(one), self.first_of(other));
        self.0[one.max(other)] = one.min(other);
    }
}

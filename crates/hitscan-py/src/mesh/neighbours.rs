//! Triangles that share a corner.

use super::triangle::of_triangle;
use hitscan::Mesh;
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::Feature;

/// Distances are equal if their relative difference is below this: triangles that share a corner compute the distance to it with different rounding errors.
const EQUAL: f64 = 1e-9;

/// The triangles at each vertex. Vertices at the same position are the same vertex.
pub(super) struct Neighbours {
    /// The first vertex at the same position as each vertex.
    same: Vec<u32>,
    /// The start of the triangles of each vertex, and at the end the number of all.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Neighbours {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let positions = mesh.positions();
        // Adding +0 turns -0 into +0, so that both are the same position.
        let bits = |&vertex: &u32| (positions[vertex as usize] + Vec3::ZERO).to_array().map(f32::to_bits);
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        order.sort_unstable_by_key(|vertex| (bits(vertex), *vertex));
        let mut same = vec![0; positions.len()];
        for equal in order.chunk_by(|one, other| bits(one) == bits(other)) {
            equal.iter().for_each(|&vertex| same[vertex as usize] = equal[0]);
        }
        let count = mesh.triangle_count() as u32;
        let corners = |triangle: u32| mesh.indices(triangle).unwrap_or_default().map(|vertex| same[vertex as usize]);
        let mut starts = vec![0; positions.len() + 1];
        (0..count).flat_map(corners).for_each(|vertex| starts[vertex as usize + 1] += 1);
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut next = starts.clone();
        let mut triangles = vec![0; 3 * count as usize];
        for triangle in 0..count {
            for vertex in corners(triangle) {
                triangles[next[vertex as usize] as usize] = triangle;
                next[vertex as usize] += 1;
            }
        }
        Self { same, starts, triangles }
    }

    fn at(&self, vertex: u32) -> &[u32] {
        let vertex = self.same[vertex as usize] as usize;
        &self.triangles[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Returns the triangle whose front faces a point most, among the triangles that share a corner with the found triangle and are as near to the point.
    /// If two triangles form an acute angle at an edge, only this triangle faces a point behind the edge with its correct side (Baerentzen and Aanaes, 2005).
    ///
    /// `corners` returns the corners of a triangle in f64.
    pub(super) fn most_facing(
        &self,
        mesh: &Mesh,
        corners: impl Fn(u32) -> [DVec3; 3],
        point: DVec3,
        (lone, feature): (u32, Feature),
        tolerance: f64,
    ) -> u32 {
        if feature == Feature::Face {
            return lone;
        }
        let to_triangle = |triangle: u32| point - of_triangle(point, corners(triangle)).0;
        let limit = to_triangle(lone).length() * (1.0 + EQUAL) + tolerance;
        let mut best = (facing(corners(lone), to_triangle(lone)), lone);
        let vertices = mesh.indices(lone).unwrap_or_default();
        for &triangle in vertices.iter().flat_map(|&vertex| self.at(vertex)) {
            let way = to_triangle(triangle);
            if triangle == lone || way.length() > limit {
                continue;
            }
            let cosine = facing(corners(triangle), way);
            let is_equal = (cosine - best.0).abs() <= EQUAL;
            if if is_equal { triangle < best.1 } else { cosine > best.0 } {
                best = (cosine, triangle);
            }
        }
        best.1
    }
}

/// Returns the cosine of the angle between the front normal of a triangle and a direction from it.
fn facing([a, b, c]: [DVec3; 3], way: DVec3) -> f64 {
    (b - a).cross(c - a).normalize_or_zero().dot(way.normalize_or_zero())
}

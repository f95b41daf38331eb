//! The test whether a mesh is closed, by its edges.

use super::{Mesh, MeshData};
use crate::collections::sort::SharedSort;
use crate::collections::sort::{joined, sort};
use crate::parallel;
use alloc::vec;
use alloc::vec::Vec;

/// The number of triangles from which both halves of the edges are sorted at the same time.
const WORTH_THREADS: usize = 8192;

impl Mesh {
    /// Returns whether every edge is as often an edge of a triangle in one direction as in the other, where vertices at one place are one vertex. Then the mesh
    /// has no hole, every line through it leaves as often as it enters, and each point has a winding number. A mesh without triangles is closed.
    ///
    /// The answer is computed by this call, in a time that increases with the number of triangles. Edges that only seem to meet, as where a corner of one
    /// triangle is on the edge of another one, do not count as one.
    ///
    /// ```
    /// use hitscan::Mesh;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// assert!(Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?.is_closed());
    /// assert!(!Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2])?.is_closed());
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    #[doc(alias("is_watertight", "watertight", "boundary"))]
    pub fn is_closed(&self) -> bool {
        let shared = &*self.shared;
        let vertices = shared.places();
        let edges = |is_forward: bool| shared.edges(&vertices, is_forward);
        let is_large = shared.triangles.len() >= WORTH_THREADS;
        let (forward, backward) = parallel::join_if(is_large, || edges(true), || edges(false));
        forward == backward
    }
}

impl MeshData {
    /// Returns a number for each vertex, which is the same for vertices at one place.
    fn places(&self) -> Vec<u32> {
        // Adding +0 turns -0 into +0.
        let place = |vertex: u32| (self.positions[vertex as usize] + 0.0).to_array().map(f32::to_bits);
        let mut order: Vec<u32> = (0..self.positions.len() as u32).collect();
        order.sort_shared_by_key(|&vertex| place(vertex));
        let mut places = vec![0; order.len()];
        let mut last = None;
        for vertex in order {
            let first = last.filter(|&last| place(last) == place(vertex)).unwrap_or(vertex);
            places[vertex as usize] = first;
            last = Some(first);
        }
        places
    }

    /// Returns the edges that go from a lower place to a higher one, or else the others, each with the lower place first, in order.
    fn edges(&self, places: &[u32], is_forward: bool) -> Vec<u64> {
        let mut edges: Vec<u64> = Vec::with_capacity(self.triangles.len() * 3 / 2);
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|vertex| places[vertex as usize]);
            for [from, to] in [[a, b], [b, c], [c, a]] {
                if from != to && (from < to) == is_forward {
                    edges.push(joined([from.min(to), from.max(to)]));
                }
            }
        }
        sort(&mut edges);
        edges
    }
}

#[cfg(test)]
mod tests {
    use crate::Mesh;
    use alloc::vec::Vec;

    const CORNERS: [[f32; 3]; 4] = [[0.0, -0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    const FACES: [u32; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

    fn is_closed(indices: &[u32]) -> bool {
        let soup: Vec<[f32; 3]> = indices.iter().map(|&index| CORNERS[index as usize].map(|x| -x)).collect();
        let [shared, apart] = [Mesh::new(&CORNERS, indices).unwrap(), Mesh::from_soup(&soup).unwrap()];
        assert_eq!(shared.is_closed(), apart.is_closed());
        shared.is_closed()
    }

    #[test]
    fn edges_count_by_direction() {
        assert!(is_closed(&[]) && is_closed(&FACES));
        for face in 0..4 {
            let mut turned = FACES;
            turned.swap(3 * face, 3 * face + 1);
            assert!(!is_closed(&turned));
            let twice = [&FACES[..], &FACES[3 * face..][..3]].concat();
            assert!(!is_closed(&twice));
        }
        assert!(is_closed(&[FACES, FACES].concat()));
        // A triangle and its back are closed, and so is an edge that goes forth and back.
        assert!(is_closed(&[0, 1, 2, 0, 2, 1]) && is_closed(&[0, 1, 0]) && is_closed(&[3, 3, 3]));
    }
}

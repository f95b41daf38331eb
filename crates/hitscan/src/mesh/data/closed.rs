//! The test whether a mesh is closed, by its edges, and its cached result.

use crate::collections::sort::{SharedSort, divided, joined, sort};
use crate::mesh::{Mesh, MeshData};
use crate::parallel;
use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

/// From this number of triangles on, both halves of the edges are sorted at the same time.
const WORTH_THREADS: usize = 8192;
/// For up to this many triangles, the test takes less time than one containment query that does not know the result.
const TRIANGLES_PER_QUESTION: usize = 256;

/// The result of the test whether a mesh is closed. Before the test, it is the number of questions that could have used the result.
#[derive(Debug, Default)]
pub(in crate::mesh) struct Closedness(AtomicU32);

impl Closedness {
    const OPEN: u32 = u32::MAX;
    /// The mesh is closed if vertices at one place are treated as one vertex.
    const CLOSED_BY_PLACES: u32 = u32::MAX - 1;
    /// The mesh is closed by its indices alone, wherever its vertices are.
    const CLOSED_BY_INDICES: u32 = u32::MAX - 2;
    const MOST_QUESTIONS: u32 = u32::MAX - 3;

    fn get(&self) -> Option<bool> {
        match self.0.load(Ordering::Relaxed) {
            Self::OPEN => Some(false),
            Self::CLOSED_BY_PLACES | Self::CLOSED_BY_INDICES => Some(true),
            _ => None,
        }
    }

    /// Counts questions, unless the result is known; returns their number.
    fn count(&self, questions: usize) -> usize {
        let more = u32::try_from(questions).unwrap_or(u32::MAX);
        let sum = |count: u32| count.saturating_add(more).min(Self::MOST_QUESTIONS);
        let add = |count| (count <= Self::MOST_QUESTIONS).then(|| sum(count));
        match self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(before) => sum(before) as usize,
            Err(_) => usize::MAX,
        }
    }

    /// Discards a result that depends on positions.
    pub(in crate::mesh) fn forget_places(&mut self) {
        let known = self.0.get_mut();
        if *known != Self::CLOSED_BY_INDICES {
            *known = 0;
        }
    }
}

impl Clone for Closedness {
    fn clone(&self) -> Self {
        Self(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Mesh {
    /// Returns whether the mesh is closed. In a closed mesh, triangles use every edge as often in one direction as in
    /// the other. Vertices at one place are treated as one vertex. A closed mesh has no hole, every line through it
    /// leaves as often as it enters, and each point has a winding number. A mesh without triangles is closed.
    ///
    /// The first call takes a time that increases with the number of triangles; clones of the mesh share its result.
    /// Edges that only touch are not treated as one edge. For example, a corner of one triangle may be on the edge
    /// of another one.
    ///
    /// ```
    /// use hitscan::Mesh;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// assert!(Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?.is_closed());
    /// assert!(!Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2])?.is_closed());
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc(alias("is_watertight", "watertight", "boundary"))]
    pub fn is_closed(&self) -> bool {
        let known = &self.shared.closedness;
        known.get().unwrap_or_else(|| {
            // Threads that test at the same time get the same result.
            let found = self.shared.find_closedness();
            known.0.store(found, Ordering::Relaxed);
            found != Closedness::OPEN
        })
    }

    /// Returns whether the mesh is known to be closed, for this many queries that the result makes faster. The test is
    /// run once the number of queries pays for it.
    pub(crate) fn is_closed_for(&self, questions: usize) -> bool {
        let known = &self.shared.closedness;
        known.get().unwrap_or_else(|| {
            self.triangle_count() / TRIANGLES_PER_QUESTION <= known.count(questions) && self.is_closed()
        })
    }
}

impl Mesh {
    /// Returns the edges that would close the mesh, from one vertex to another. Vertices at one place have one number.
    pub(crate) fn missing_edges(&self) -> Vec<[u32; 2]> {
        let shared = &*self.shared;
        let places = shared.places();
        let [forward, backward] = [true, false].map(|is_forward| shared.edges(&places, is_forward));
        let turned = surplus(&forward, &backward).map(|[low, high]| [high, low]);
        turned.chain(surplus(&backward, &forward)).collect()
    }
}

/// Returns the edges of a sorted list that another one does not have, the lower vertex first. An edge that occurs more
/// often than in the other list is returned once for each surplus.
fn surplus<'a>(edges: &'a [u64], others: &'a [u64]) -> impl Iterator<Item = [u32; 2]> + 'a {
    let mut others = others.iter().peekable();
    edges.iter().filter_map(move |&edge| {
        while others.next_if(|&&other| other < edge).is_some() {}
        others.next_if(|&&other| other == edge).is_none().then(|| divided(edge))
    })
}

impl MeshData {
    fn find_closedness(&self) -> u32 {
        let count = self.positions.len() as u32;
        // Only a mesh whose triangles share vertices can be closed by its indices.
        if self.positions.len() < 3 * self.triangles.len() && self.is_balanced(&(0..count).collect::<Vec<u32>>()) {
            return Closedness::CLOSED_BY_INDICES;
        }
        if self.is_balanced(&self.places()) { Closedness::CLOSED_BY_PLACES } else { Closedness::OPEN }
    }

    /// Returns whether every edge is as often used in one direction as in the other.
    fn is_balanced(&self, places: &[u32]) -> bool {
        let edges = |is_forward: bool| self.edges(places, is_forward);
        let is_large = self.triangles.len() >= WORTH_THREADS;
        let (forward, backward) = parallel::join_if(is_large, || edges(true), || edges(false));
        forward == backward
    }

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

    /// Returns the edges that go from a lower place to a higher one if `is_forward`. Otherwise, returns the edges in the other direction. Each edge has the
    /// lower place first, and the edges are in order.
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
    fn the_result_is_kept_until_it_may_change() {
        let mut mesh = Mesh::new(&CORNERS, &FACES).unwrap();
        let mut soup = Mesh::from_soup(&FACES.map(|index| CORNERS[index as usize])).unwrap();
        let known = |mesh: &Mesh| mesh.shared.closedness.get();
        assert_eq!((known(&mesh), known(&soup)), (None, None));
        assert!(mesh.is_closed() && soup.is_closed());
        assert_eq!((known(&mesh), known(&mesh.clone()), known(&soup)), (Some(true), Some(true), Some(true)));
        assert_eq!(known(&soup.rebuilt(crate::Quality::Fast)), Some(true));
        // The refit separates the faces of a triangle soup, but not the faces of the mesh.
        mesh.refit(&CORNERS.map(|corner| corner.map(|x| 2.0 * x))).unwrap();
        let moved: Vec<[f32; 3]> = (0..12).map(|i| CORNERS[FACES[i] as usize].map(|x| x + (i / 3) as f32)).collect();
        soup.refit(&moved).unwrap();
        assert_eq!((known(&mesh), known(&soup)), (Some(true), None));
        assert!(!soup.is_closed());
        assert_eq!(known(&soup), Some(false));
    }

    #[test]
    fn enough_questions_find_the_result() {
        let faces: Vec<u32> = FACES.iter().copied().cycle().take(12 * 256).collect();
        let mesh = Mesh::new(&CORNERS, &faces).unwrap();
        assert!((0..3).all(|_| !mesh.is_closed_for(1)), "1024 triangles are worth 4 questions");
        assert!(mesh.is_closed_for(1));
        let open = Mesh::new(&CORNERS, &faces[3..]).unwrap();
        assert!((0..9).all(|_| !open.is_closed_for(usize::MAX)));
        assert_eq!(open.shared.closedness.get(), Some(false));
    }

    #[test]
    fn missing_edges_are_those_of_the_missing_faces() {
        let missing = |faces: &[u32]| {
            let mut edges = Mesh::new(&CORNERS, faces).unwrap().missing_edges();
            edges.sort_unstable();
            edges
        };
        assert!(missing(&FACES).is_empty());
        assert_eq!(missing(&FACES[3..]), [[0, 2], [1, 0], [2, 1]]);
        assert_eq!(missing(&[FACES, FACES].concat()[6..]), [[0, 2], [1, 3], [2, 1], [3, 0]]);
        let twice = [&FACES[..], &FACES[..3], &FACES[..3]].concat();
        assert_eq!(missing(&twice), [[0, 1], [0, 1], [1, 2], [1, 2], [2, 0], [2, 0]]);
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
        // A triangle and its back are closed, and so is an edge that is used in both directions.
        assert!(is_closed(&[0, 1, 2, 0, 2, 1]) && is_closed(&[0, 1, 0]) && is_closed(&[3, 3, 3]));
    }
}

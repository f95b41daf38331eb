//! The vertices of a mesh that are corners of its triangles. No other vertex counts in any box.

use super::vertex_stats::VertexStats;
use crate::geom::aabb::Aabb;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use glam::Vec3;

/// The vertices as runs of consecutive numbers. There are few runs. In most meshes one run has all vertices, and
/// some meshes leave out a few parts of a buffer.
#[derive(Clone, Debug, Default)]
pub(in crate::mesh) struct ReferencedVertices(Vec<Range<usize>>);

impl ReferencedVertices {
    /// Returns the vertices, out of this many, that the indices name.
    pub(in crate::mesh) fn named_by(vertices: usize, indices: &[u32]) -> Self {
        let mut is_used = vec![false; vertices];
        for &index in indices {
            if let Some(is_used) = is_used.get_mut(index as usize) {
                *is_used = true;
            }
        }
        // All are tested at once, which compilers vectorise: most meshes use every vertex.
        if is_used.iter().fold(true, |all, &own| all & own) {
            return Self(Vec::from_iter((vertices > 0).then_some(0..vertices)));
        }
        let runs = is_used.chunk_by(|a, b| a == b).scan(0, |end, run| {
            let start = *end;
            *end += run.len();
            Some((run[0], start..*end))
        });
        Self(runs.filter_map(|(is_used, run)| is_used.then_some(run)).collect())
    }

    /// Returns the positions of the vertices.
    pub(in crate::mesh) fn positions<'a>(&self, positions: &'a [Vec3]) -> Vec<&'a [Vec3]> {
        self.0.iter().map(|run| &positions[run.clone()]).collect()
    }

    /// Returns the box around the vertices. `extremes` are the extremes of all positions, which are finite.
    pub(in crate::mesh) fn bounds(&self, positions: &[Vec3], extremes: &VertexStats) -> Aabb {
        let runs = self.positions(positions);
        if runs.first().is_some_and(|run| run.len() == positions.len()) {
            return extremes.bounds;
        }
        VertexStats::of_runs(&runs).map_or(Aabb::EMPTY, |used| used.bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_of_what_triangles_have() {
        let runs = |vertices, triangles: &[[u32; 3]]| -> Vec<[usize; 2]> {
            ReferencedVertices::named_by(vertices, triangles.as_flattened())
                .0
                .iter()
                .map(|run| [run.start, run.end])
                .collect()
        };
        assert!(runs(0, &[]).is_empty());
        assert!(runs(3, &[]).is_empty());
        assert_eq!(runs(3, &[[2, 0, 1]]), [[0, 3]]);
        assert_eq!(runs(8, &[[1, 2, 5], [5, 6, 1]]), [[1, 3], [5, 7]]);
        assert_eq!(runs(7, &[[6, 0, 3]]), [[0, 1], [3, 4], [6, 7]]);
    }

    #[test]
    fn others_are_in_no_box() {
        let positions: Vec<Vec3> = (0..8).map(|i| Vec3::new(i as f32, -(i as f32), 1.0)).collect();
        let extremes = VertexStats::of_all(&positions).unwrap();
        let bounds = |triangles: &[[u32; 3]]| {
            ReferencedVertices::named_by(positions.len(), triangles.as_flattened()).bounds(&positions, &extremes)
        };
        assert_eq!(bounds(&[[1, 2, 5]]), Aabb::new([1.0, -5.0, 1.0], [5.0, -1.0, 1.0]));
        assert_eq!(bounds(&[[0, 1, 2], [3, 4, 5], [5, 6, 7]]), extremes.bounds);
        assert!(bounds(&[]).is_empty());
    }
}

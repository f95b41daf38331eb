//! Triangles as a user gives them. They are checked, copied and tested for an area piece by piece, while each piece is in the cache.

use super::validate;
use crate::error::MeshError;
use crate::parallel;
use crate::simd::in_huge_pages;
use crate::tri::degenerate::{self, GRAIN};
use alloc::vec;
use alloc::vec::Vec;
use glam::Vec3;

/// Triangles whose corners all exist.
pub(in crate::mesh) struct CheckedTriangles {
    pub(in crate::mesh) triangles: Vec<[u32; 3]>,
    /// The triangles without an area, in order.
    pub(in crate::mesh) flat: Vec<u32>,
}

struct IngestPiece<'a> {
    given: &'a [[u32; 3]],
    own: &'a mut [[u32; 3]],
    first: usize,
    flat: Result<Vec<u32>, MeshError>,
}

impl CheckedTriangles {
    /// Takes finite positions, and indices whose number is a multiple of three. Returns an error if an index refers to no
    /// position.
    pub(in crate::mesh) fn new(positions: &[Vec3], indices: &[u32]) -> Result<Self, MeshError> {
        let given: &[[u32; 3]] = indices.as_chunks().0;
        let mut triangles = in_huge_pages(vec![[0; 3]; given.len()]);
        let pieces = given.chunks(GRAIN).zip(triangles.chunks_mut(GRAIN)).zip((0..).step_by(GRAIN));
        let mut pieces: Vec<IngestPiece<'_>> =
            pieces.map(|((given, own), first)| IngestPiece { given, own, first, flat: Ok(Vec::new()) }).collect();
        parallel::for_each(&mut pieces, &|piece| piece.flat = piece.take(positions));
        let flat: Result<Vec<Vec<u32>>, MeshError> = pieces.into_iter().map(|piece| piece.flat).collect();
        Ok(Self { flat: flat?.concat(), triangles })
    }
}

impl IngestPiece<'_> {
    /// Checks and copies the triangles. Returns the triangles that have no area.
    fn take(&mut self, positions: &[Vec3]) -> Result<Vec<u32>, MeshError> {
        validate::indices(positions.len(), self.given.as_flattened(), 3 * self.first)?;
        self.own.copy_from_slice(self.given);
        Ok(degenerate::flat(positions, self.given, self.first as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_as_all_together() {
        let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]].map(Vec3::from_array);
        for count in [0, 1, GRAIN - 1, GRAIN, 2 * GRAIN + 7] {
            let triangle = |i: usize| if i % 1000 == 5 { [0, 1, 3] } else { [0, 1, 2] };
            let mut indices: Vec<u32> = (0..count).flat_map(triangle).collect();
            let CheckedTriangles { triangles, flat } = CheckedTriangles::new(&positions, &indices).unwrap();
            assert_eq!(triangles.as_flattened(), indices);
            assert_eq!(flat, degenerate::without_area(&positions, &triangles));
            assert_eq!(flat.len(), count.saturating_sub(5).div_ceil(1000));
            // The error names the first offender.
            for at in [3 * GRAIN + 4, 1] {
                if let Some(index) = indices.get_mut(at) {
                    *index = 4;
                    let error = CheckedTriangles::new(&positions, &indices).err();
                    assert_eq!(error, Some(MeshError::Index { at, index: 4, vertices: 4 }));
                }
            }
        }
    }
}

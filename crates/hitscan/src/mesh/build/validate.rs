//! Checks of the data that a mesh is made from; errors name the first offender.

use crate::bvh::MAX_ITEMS;
use crate::error::MeshError;
use crate::mesh::data::vertex_stats::VertexStats;
use alloc::vec::Vec;
use glam::Vec3;

/// The vertices of a soup are numbered by u32 too.
const _: () = assert!(MAX_ITEMS <= u32::MAX as usize / 3);

/// Returns the number of triangles with this many corners.
pub(in crate::mesh) fn triangle_count(corners: usize) -> Result<usize, MeshError> {
    if !corners.is_multiple_of(3) {
        return Err(MeshError::Count { count: corners });
    }
    let triangles = corners / 3;
    if triangles > MAX_ITEMS {
        return Err(MeshError::TooManyTriangles { triangles, limit: MAX_ITEMS });
    }
    Ok(triangles)
}

/// Returns the extremes of finite positions.
pub(in crate::mesh) fn positions(positions: &[Vec3]) -> Result<VertexStats, MeshError> {
    VertexStats::of_all(positions).ok_or_else(|| {
        let index = positions.iter().position(|p| !p.is_finite()).unwrap_or_default();
        MeshError::Vertex { index, position: positions[index] }
    })
}

/// Checks that every index is below the number of vertices. `first` is the place of the first index among all of the
/// user's indices.
pub(in crate::mesh) fn indices(vertices: usize, indices: &[u32], first: usize) -> Result<(), MeshError> {
    // All of them are tested at once, which compilers vectorize.
    let largest = indices.iter().fold(0, |largest, &index| index.max(largest));
    if largest as usize >= vertices
        && let Some(at) = indices.iter().position(|&index| index as usize >= vertices)
    {
        return Err(MeshError::Index { at: first + at, index: indices[at], vertices });
    }
    Ok(())
}

/// Reads positions from a vertex buffer.
pub(in crate::mesh) fn strided_positions(
    bytes: &[u8],
    offset: usize,
    stride: usize,
    vertices: usize,
) -> Result<Vec<Vec3>, MeshError> {
    const SIZE: usize = size_of::<[f32; 3]>();
    let end_of = |vertex: usize| vertex.saturating_mul(stride).saturating_add(offset).saturating_add(SIZE);
    if vertices > 1 && stride < SIZE {
        return Err(MeshError::Stride { stride });
    }
    if vertices > 0 && end_of(vertices - 1) > bytes.len() {
        // The error names the first vertex that does not fit. The number of this vertex is small even if the count is
        // absurd.
        let fits = bytes.len().saturating_sub(offset.saturating_add(SIZE)).checked_div(stride).map_or(0, |n| n + 1);
        let first_missing = if end_of(0) > bytes.len() { 0 } else { fits };
        return Err(MeshError::Buffer { needed: end_of(first_missing), given: bytes.len() });
    }
    let read = |at: usize| {
        let mut four = [0; 4];
        four.copy_from_slice(&bytes[at..at + 4]);
        f32::from_ne_bytes(four)
    };
    Ok((0..vertices).map(|i| offset + i * stride).map(|at| Vec3::new(read(at), read(at + 4), read(at + 8))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_triangles_as_a_tree_can_number() {
        assert_eq!(triangle_count(3 * MAX_ITEMS).unwrap(), MAX_ITEMS);
        let error = triangle_count(3 * MAX_ITEMS + 3).unwrap_err();
        assert_eq!(error, MeshError::TooManyTriangles { triangles: MAX_ITEMS + 1, limit: MAX_ITEMS });
    }
}

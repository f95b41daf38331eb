//! Reads scanned models: binary PLY files of f32 vertices and triangles.

use crate::common::Surface;
use hitscan::glam::Vec3;
use hitscan_random::skip;

/// Returns one of the test models. If it is missing, reports that the test is skipped, and returns `None`.
pub(crate) fn model(file: &str) -> Option<Surface> {
    let path = skip::model(file)?;
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(read(&bytes).unwrap_or_else(|| panic!("{} is not as expected", path.display())))
}

/// Reads x, y and z of each vertex, then a byte 3 and three indices for each face.
fn read(bytes: &[u8]) -> Option<Surface> {
    const END: &[u8] = b"end_header\n";
    let end = bytes.windows(END.len()).position(|window| window == END)? + END.len();
    let header = std::str::from_utf8(&bytes[..end]).ok()?;
    let count =
        |element: &str| header.lines().find_map(|line| line.strip_prefix(element)?.trim().parse::<usize>().ok());
    let (vertices, faces) = (count("element vertex")?, count("element face")?);
    let is_known = header.contains("format binary_little_endian 1.0")
        && header.contains("property float x\nproperty float y\nproperty float z\nelement face")
        && header.contains("property list uchar int vertex_indices\nend_header");
    let body = &bytes[end..];
    if !is_known || body.len() != vertices * 12 + faces * 13 {
        return None;
    }
    let (positions, triangles) = body.split_at(vertices * 12);
    let number = |bytes: [u8; 4]| f32::from_le_bytes(bytes);
    let positions = positions.as_chunks::<4>().0.as_chunks::<3>().0.iter().map(|p| Vec3::from_array(p.map(number)));
    let corners =
        |face: &[u8; 13]| [1, 5, 9].map(|at| u32::from_le_bytes([face[at], face[at + 1], face[at + 2], face[at + 3]]));
    let triangles = triangles.as_chunks::<13>().0.iter().map(corners).collect();
    Some(Surface { positions: positions.collect(), triangles })
}

//! A mesh as bytes: the bytes of the library, and around them the numbers that f32 cannot hold.

use super::surface::Surface;
use crate::error;
use hitscan::Mesh;
use hitscan::glam::DVec3;
use numpy::PyArrayMethods;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use twox_hash::XxHash3_64;

/// The bytes at the start of a mesh with an origin. A mesh of the library has a `C` in place of the `P`.
const HEAD: [u8; 8] = *b"\x89HITSP\r\n";
const VERSION: u32 = 1;
/// Head, version, flag, origin and number of vertices.
const FIXED: usize = 8 + 4 + 4 + 24 + 8;
const CHECKSUM: usize = 8;

/// Returns the bytes of a mesh. With an origin of zero and no vertices in f64, they are the bytes of `Mesh::to_bytes` of the Rust library.
///
/// Otherwise they are: the head; u32 version; u32 1 if vertices in f64 follow; 3 f64 origin; u64 number of vertices; the vertices, 3 f64 each; the bytes
/// of the library; XXH3-64 of all before. Numbers are little-endian.
pub(super) fn write(surface: &Surface) -> Vec<u8> {
    let mesh = surface.mesh.to_bytes();
    let exact = surface.exact();
    if surface.origin == DVec3::ZERO && exact.is_none() {
        return mesh;
    }
    let count = surface.mesh.positions().len();
    let mut bytes = Vec::with_capacity(FIXED + 24 * count + mesh.len() + CHECKSUM);
    bytes.extend(HEAD);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(u32::from(exact.is_some()).to_le_bytes());
    bytes.extend(surface.origin.to_array().into_iter().flat_map(f64::to_le_bytes));
    bytes.extend((count as u64).to_le_bytes());
    for vertex in exact.unwrap_or_default() {
        bytes.extend(vertex.to_array().into_iter().flat_map(f64::to_le_bytes));
    }
    bytes.extend(mesh);
    bytes.extend(XxHash3_64::oneshot(&bytes).to_le_bytes());
    bytes
}

/// Reads a mesh. All bytes are checked, even if their checksum is right.
pub(super) fn read(bytes: &[u8]) -> PyResult<Surface> {
    if !bytes.starts_with(&HEAD) {
        return Ok(Surface::of_parts(Mesh::from_bytes(bytes).map_err(error::of_bytes)?, DVec3::ZERO, None));
    }
    let fault = |what: &str| error::value(format!("these bytes are no saved mesh: {what}"));
    let body_length = bytes.len().checked_sub(CHECKSUM).filter(|&length| length >= FIXED);
    let (body, checksum) = bytes.split_at(body_length.ok_or_else(|| fault("they are cut short"))?);
    let mut reader = Reader(&body[8..]);
    if reader.u32() != VERSION {
        return Err(fault("they are of another version of hitscan"));
    }
    if checksum != XxHash3_64::oneshot(body).to_le_bytes() {
        return Err(fault("their checksum differs, so they were changed or cut short"));
    }
    let has_exact = reader.u32() != 0;
    let origin = reader.vector();
    let count = usize::try_from(reader.u64()).unwrap_or(usize::MAX);
    let needed = if has_exact { count.saturating_mul(24) } else { 0 };
    if needed > reader.0.len() || !origin.is_finite() {
        return Err(fault("their vertices are not there, or their origin is not finite"));
    }
    let exact: Option<Arc<[DVec3]>> = has_exact.then(|| (0..count).map(|_| reader.vector()).collect());
    let mesh = Mesh::from_bytes(reader.0).map_err(error::of_bytes)?;
    if mesh.positions().len() != count {
        return Err(fault("the number of their vertices differs"));
    }
    if let Some(exact) = &exact {
        let is_same = |(vertex, position): (&DVec3, _)| (*vertex - origin).as_vec3() == position;
        if !exact.iter().zip(mesh.positions().iter().copied()).all(is_same) {
            return Err(fault("their vertices in float64 are not those of the mesh"));
        }
    }
    Ok(Surface::of_parts(mesh, origin, exact))
}

/// Reads numbers from bytes, of which there are enough.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => [0; N],
        }
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| f64::from_le_bytes(self.take())))
    }
}

/// Returns bytes as they are pickled: with protocol 5 as a buffer, which may be sent out of band, without a copy.
pub(crate) fn pickled(py: Python<'_>, data: Vec<u8>, protocol: i32) -> PyResult<Bound<'_, PyAny>> {
    let array = numpy::PyArray1::from_vec(py, data);
    if protocol >= 5 {
        return py.import(intern!(py, "pickle"))?.getattr(intern!(py, "PickleBuffer"))?.call1((array,));
    }
    Ok(PyBytes::new(py, array.readonly().as_slice()?).into_any())
}

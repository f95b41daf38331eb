//! Binary STL: a header of 80 bytes, the number of triangles, and 50 bytes for each.

use super::solid::Solid;
use hitscan::glam::{DVec3, Vec3};

const HEADER: usize = 80;
const START: usize = HEADER + 4;
/// A triangle is a normal, three corners, and two bytes of attributes.
const TRIANGLE: usize = 50;
const NORMAL: usize = 12;

/// Returns whether the length of the file is exactly the length that its header implies.
pub(super) fn is_exact(bytes: &[u8]) -> bool {
    stated(bytes).is_some_and(|(_, length)| length == bytes.len() as u64)
}

/// Reads the solid, and returns how many bytes follow it.
pub(super) fn read(bytes: &[u8]) -> Result<(Solid, usize), String> {
    let (count, length) = stated(bytes).ok_or_else(|| {
        format!("it neither begins with \"solid\" nor has the {START} bytes of a binary header, but {}", bytes.len())
    })?;
    let data = usize::try_from(length).ok().and_then(|end| bytes.get(START..end)).ok_or_else(|| {
        format!(
            "it states {count} triangles, which take {length} bytes, and has {} (or it should begin with \"solid\")",
            bytes.len()
        )
    })?;
    let corners =
        data.as_chunks::<TRIANGLE>().0.iter().flat_map(|triangle| triangle[NORMAL..].as_chunks().0).map(corner);
    Ok((Solid { name: String::new(), corners: corners.collect() }, bytes.len() - START - data.len()))
}

/// Returns the number of triangles, and the length that the file must have for them.
fn stated(bytes: &[u8]) -> Option<(u32, u64)> {
    let count = u32::from_le_bytes(*bytes.get(HEADER..)?.first_chunk()?);
    Some((count, START as u64 + TRIANGLE as u64 * u64::from(count)))
}

fn corner(bytes: &[u8; 12]) -> DVec3 {
    let [x, y, z] = [0, 4, 8].map(|at| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
    Vec3::new(x, y, z).as_dvec3()
}

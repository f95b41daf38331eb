//! Casts rays natively, so that `npm/test/native.test.mjs` can compare all bits of the answers with the answers of the modules
//! for JavaScript.
//!
//! The argument names a file, which is little endian. It begins with the numbers of vertices, triangles and rays, in 4 bytes each. Then come the positions, the
//! indices and the rays: an origin and a direction, which is not normalized. Standard output gets ten numbers of 4 bytes for each ray: t, triangle, u, v, point
//! and normal. On a miss, t is infinite, the triangle is the largest number, and the rest is 0.

use hitscan::glam::Vec3;
use hitscan::{Mesh, Ray};
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: cast_file FILE")?;
    let bytes = std::fs::read(path)?;
    let (words, _) = bytes.as_chunks::<4>();
    let (counts, words) = words.split_at_checked(3).ok_or("the file is too short")?;
    let [vertices, triangles, rays] = [0, 1, 2].map(|at| u32::from_le_bytes(counts[at]) as usize);
    let (positions, words) = words.split_at_checked(3 * vertices).ok_or("the file has too few positions")?;
    let (indices, words) = words.split_at_checked(3 * triangles).ok_or("the file has too few indices")?;
    let (rays, _) = words.split_at_checked(6 * rays).ok_or("the file has too few rays")?;
    let positions: Vec<Vec3> = positions.chunks_exact(3).map(vector).collect();
    let indices: Vec<u32> = indices.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let mesh = Mesh::new(&positions, &indices)?;
    let mut answers = Vec::new();
    for ray in rays.chunks_exact(6) {
        let row = match mesh.cast(&Ray::with_direction(vector(&ray[..3]), vector(&ray[3..]))) {
            None => [f32::INFINITY.to_bits(), u32::MAX, 0, 0, 0, 0, 0, 0, 0, 0],
            Some(hit) => {
                let (uv, point, normal) = (hit.uv(), hit.point(), hit.normal());
                let numbers = [uv.x, uv.y, point.x, point.y, point.z, normal.x, normal.y, normal.z];
                let [a, b, c, d, e, f, g, h] = numbers.map(f32::to_bits);
                [hit.t.to_bits(), hit.triangle, a, b, c, d, e, f, g, h]
            }
        };
        answers.extend(row.into_iter().flat_map(u32::to_le_bytes));
    }
    std::io::stdout().write_all(&answers)?;
    Ok(())
}

fn vector(words: &[[u8; 4]]) -> Vec3 {
    let [x, y, z] = [0, 1, 2].map(|at| f32::from_le_bytes(words[at]));
    Vec3::new(x, y, z)
}

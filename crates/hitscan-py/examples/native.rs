//! Casts rays by the Rust library, for the test that compares its answers with the package's.
//!
//! `native MESH SCENE` reads the bytes of a mesh and of a scene from files, and blocks of rays from stdin. A block is a u32, the number of rays, and six f32
//! for each ray, its origin and direction. For each block it writes the columns of the first hits to stdout, of the mesh and then of the scene. Numbers are
//! little-endian.

use hitscan::{Hit, Mesh, MeshHit, Ray, RayQueries, Scene, Side};
use std::error::Error;
use std::io::{Read, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    let [mesh, scene] = &files[..] else { return Err("usage: native MESH SCENE <rays >hits".into()) };
    let mesh = Mesh::from_bytes(&std::fs::read(mesh)?)?;
    let key = |bytes: &[u8]| Some(i64::from_le_bytes(bytes.try_into().ok()?));
    let scene = Scene::from_bytes(&std::fs::read(scene)?, key)?;
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut head = [0; 4];
    while input.read_exact(&mut head).is_ok() {
        let mut bytes = vec![0; 24 * u32::from_le_bytes(head) as usize];
        input.read_exact(&mut bytes)?;
        let rays: Vec<Ray> = bytes.chunks_exact(24).map(ray).collect();
        let of_mesh: Vec<_> = rays.iter().map(|ray| mesh.cast(ray)).collect();
        let of_scene: Vec<_> = rays.iter().map(|ray| scene.cast(ray)).collect();
        let mut columns = Vec::new();
        write_mesh_hits(&mut columns, &of_mesh);
        write_scene_hits(&mut columns, &of_scene);
        output.write_all(&columns)?;
        output.flush()?;
    }
    Ok(())
}

fn ray(bytes: &[u8]) -> Ray {
    let number = |i: usize| f32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
    Ray::with_direction([number(0), number(1), number(2)], [number(3), number(4), number(5)])
}

/// Writes t, triangle, u, v, normal and side.
fn write_mesh_hits(columns: &mut Vec<u8>, hits: &[Option<MeshHit>]) {
    let floats = |columns: &mut Vec<u8>, value: &dyn Fn(&MeshHit) -> f32, miss: f32| {
        hits.iter().for_each(|hit| columns.extend(hit.as_ref().map_or(miss, value).to_le_bytes()));
    };
    floats(columns, &|hit| hit.t, f32::INFINITY);
    for hit in hits {
        columns.extend(hit.as_ref().map_or(-1, |hit| i64::from(hit.triangle)).to_le_bytes());
    }
    floats(columns, &|hit| hit.uv().x, 0.0);
    floats(columns, &|hit| hit.uv().y, 0.0);
    for hit in hits {
        let normal = hit.as_ref().map_or([0.0; 3], |hit| hit.normal().to_array());
        normal.iter().for_each(|number| columns.extend(number.to_le_bytes()));
    }
    columns.extend(hits.iter().map(|hit| side(hit.as_ref().map(|hit| hit.side)) as u8));
}

/// Writes key, part, triangle, t, u, v, normal and side.
fn write_scene_hits(columns: &mut Vec<u8>, hits: &[Option<Hit<i64>>]) {
    let integers = |columns: &mut Vec<u8>, value: &dyn Fn(&Hit<i64>) -> i64, miss: i64| {
        hits.iter().for_each(|hit| columns.extend(hit.as_ref().map_or(miss, value).to_le_bytes()));
    };
    let floats = |columns: &mut Vec<u8>, value: &dyn Fn(&Hit<i64>) -> f32, miss: f32| {
        hits.iter().for_each(|hit| columns.extend(hit.as_ref().map_or(miss, value).to_le_bytes()));
    };
    integers(columns, &|hit| hit.id, -1);
    integers(columns, &|hit| i64::from(hit.part), 0);
    integers(columns, &|hit| hit.triangle.map_or(-1, i64::from), -1);
    floats(columns, &|hit| hit.t, f32::INFINITY);
    floats(columns, &|hit| hit.uv.unwrap_or_default().x, 0.0);
    floats(columns, &|hit| hit.uv.unwrap_or_default().y, 0.0);
    for hit in hits {
        let normal = hit.as_ref().map_or([0.0; 3], |hit| hit.normal.to_array());
        normal.iter().for_each(|number| columns.extend(number.to_le_bytes()));
    }
    columns.extend(hits.iter().map(|hit| side(hit.as_ref().map(|hit| hit.side)) as u8));
}

fn side(side: Option<Side>) -> i8 {
    match side {
        None => 0,
        Some(Side::Front) => 1,
        Some(Side::Back) => -1,
        Some(Side::Inside) => 2,
    }
}

//! Casts fixed rays at a mesh or a scene, for counting instructions: `tests/cost/cost.c` does the same through C, and
//! prints the same numbers. The argument is `mesh_one`, `mesh_batch`, `scene_one` or `scene_batch`.

use hitscan::glam::DMat4;
use hitscan::{Hit, Mesh, MeshHit, Ray, RayQueries, Scene, Side, Sphere};
use hitscan_random::Random;
use std::error::Error;
use std::hint::black_box;

const SIDE: u32 = 32;
const ROW: u32 = SIDE + 1;
const RAYS: usize = 4096;
const ENTITIES: u64 = 64;

fn fraction(random: &mut Random) -> f32 {
    (random.bits() >> 40) as f32 / (1 << 24) as f32
}

fn side(side: Side) -> u64 {
    match side {
        Side::Front => 1,
        Side::Back => 2,
        Side::Inside => 3,
    }
}

fn mixed(sum: u64, words: [u64; 13]) -> u64 {
    words.into_iter().fold(sum, |sum, word| sum.wrapping_mul(31).wrapping_add(word))
}

fn word(number: f32) -> u64 {
    number.to_bits().into()
}

fn mix_mesh(sum: u64, hit: &MeshHit) -> u64 {
    let (uv, p, n) = (hit.uv(), hit.point(), hit.normal());
    let [t, u, v] = [hit.t, uv.x, uv.y].map(word);
    let ([x, y, z], [nx, ny, nz]) = (p.to_array().map(word), n.to_array().map(word));
    mixed(sum, [0, t, u, v, x, y, z, nx, ny, nz, 0, hit.triangle.into(), side(hit.side)])
}

fn mix_scene(sum: u64, hit: &Hit<u64>) -> u64 {
    let uv = hit.uv.unwrap_or_default();
    let [t, u, v] = [hit.t, uv.x, uv.y].map(word);
    let ([x, y, z], [nx, ny, nz]) = (hit.point.to_array().map(word), hit.normal.to_array().map(word));
    let triangle = hit.triangle.unwrap_or(u32::MAX).into();
    mixed(sum, [hit.id, t, u, v, x, y, z, nx, ny, nz, hit.part.into(), triangle, side(hit.side)])
}

/// This is what is counted: Valgrind is told its name.
#[inline(never)]
fn measured(mode: &str, mesh: &Mesh, scene: &Scene<u64>, rays: &[Ray]) -> Result<u64, Box<dyn Error>> {
    let mut sum = 0;
    match mode {
        "mesh_one" => {
            for ray in rays {
                // As in C, each hit is in memory before it is read.
                let hit = mesh.cast(ray);
                sum = black_box(&hit).iter().fold(sum, mix_mesh);
            }
        }
        "scene_one" => {
            for ray in rays {
                let hit = scene.cast(ray);
                sum = black_box(&hit).iter().fold(sum, mix_scene);
            }
        }
        "mesh_batch" => {
            let mut hits = vec![None; rays.len()];
            mesh.cast_batch(rays, &mut hits)?;
            sum = hits.iter().flatten().fold(sum, mix_mesh);
        }
        _ => {
            let mut hits = vec![None; rays.len()];
            scene.cast_batch(rays, &mut hits)?;
            sum = hits.iter().flatten().fold(sum, mix_scene);
        }
    }
    Ok(sum)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Random(45);
    let heights = (0..ROW * ROW).map(|i| [(i % ROW) as f32, fraction(&mut random), (i / ROW) as f32]);
    let positions: Vec<[f32; 3]> = heights.collect();
    let cells = (0..SIDE * SIDE).map(|cell| cell / SIDE * ROW + cell % SIDE);
    let indices: Vec<u32> = cells.flat_map(|a| [a, a + ROW, a + ROW + 1, a, a + ROW + 1, a + 1]).collect();
    let mut point = || [(); 3].map(|()| fraction(&mut random) * SIDE as f32);
    let rays: Vec<Ray> = (0..RAYS)
        .map(|_| {
            let (from, to) = (point(), point());
            Ray::with_direction(from, std::array::from_fn::<f32, 3, _>(|axis| to[axis] - from[axis]))
        })
        .collect();
    let mesh = Mesh::new(&positions, &indices)?;
    let mut scene = Scene::new();
    for key in 0..ENTITIES {
        let place = DMat4::from_translation(hitscan::glam::Vec3::from(point()).as_dvec3());
        match key % 2 {
            0 => scene.insert(key, &mesh, place)?,
            _ => scene.insert(key, Sphere::new(2.0), place)?,
        };
    }
    let mode = std::env::args().nth(1).unwrap_or_else(|| "mesh_one".to_owned());
    println!("{:016x}", measured(&mode, &mesh, &scene, &rays)?);
    Ok(())
}

//! Casts fixed rays at a mesh or a scene, for counting instructions. The program `cost.c` does the same through C, and
//! prints the same numbers. The argument is the name of a mode: `mesh_one`, `mesh_batch`, `scene_one` or `scene_batch`.
//! With the rays of a camera, which are coherent, it is `view_batch`, `view_columns` or `view_blocked`.

use hitscan::glam::DMat4;
use hitscan::{Hit, Mesh, MeshHit, Ray, RayQueries, Scene, Side, Sphere};
use hitscan_random::Random;
use std::error::Error;
use std::hint::black_box;

const SIDE: u32 = 64;
const ROW: u32 = SIDE + 1;
const RAYS: usize = 4096;
const ENTITIES: u64 = 64;

fn fraction(random: &mut Random) -> f32 {
    (random.bits() >> 40) as f32 / (1 << 24) as f32
}

/// The values of a hit, as C gets them.
struct Values {
    key: u64,
    t: f32,
    uv: [f32; 2],
    point: [f32; 3],
    normal: [f32; 3],
    part: u32,
    triangle: u32,
    side: Side,
}

impl From<&MeshHit> for Values {
    fn from(hit: &MeshHit) -> Self {
        let (uv, point, normal) = (hit.uv().to_array(), hit.point().to_array(), hit.normal().to_array());
        Self { key: 0, t: hit.t, uv, point, normal, part: 0, triangle: hit.triangle, side: hit.side }
    }
}

impl From<&Hit<u64>> for Values {
    fn from(hit: &Hit<u64>) -> Self {
        let Hit { id: key, t, part, side, .. } = *hit;
        let (uv, point, normal) = (hit.uv.unwrap_or_default().to_array(), hit.point.to_array(), hit.normal.to_array());
        Self { key, t, uv, point, normal, part, triangle: hit.triangle.unwrap_or(u32::MAX), side }
    }
}

/// Mixes the values of a hit into a sum. The values are written to memory before that. A program would store them like
/// this, and C gets them like this.
fn mix(sum: u64, hit: impl Into<Values>) -> u64 {
    let values = hit.into();
    let Values { key, t, uv, point, normal, part, triangle, side } = black_box(&values);
    let sum = mixed(sum, [*key]);
    let sum = mixed(sum, [*t, uv[0], uv[1]].map(word));
    let sum = mixed(mixed(sum, point.map(word)), normal.map(word));
    let side = match side {
        Side::Front => 1,
        Side::Back => 2,
        Side::Inside => 3,
    };
    mixed(sum, [u64::from(*part), u64::from(*triangle), side])
}

fn mixed<const N: usize>(sum: u64, words: [u64; N]) -> u64 {
    words.into_iter().fold(sum, |sum, word| sum.wrapping_mul(31).wrapping_add(word))
}

fn word(number: f32) -> u64 {
    number.to_bits().into()
}

/// Valgrind finds this function by its name, and counts its instructions.
#[inline(never)]
fn measured(mode: &str, mesh: &Mesh, scene: &Scene<u64>, rays: &[Ray]) -> Result<u64, Box<dyn Error>> {
    let mut sum = 0;
    match mode {
        "mesh_one" => {
            for ray in rays {
                sum = mesh.cast(ray).iter().fold(sum, mix);
            }
        }
        "scene_one" => {
            for ray in rays {
                sum = scene.cast(ray).iter().fold(sum, mix);
            }
        }
        "mesh_batch" => {
            let mut hits = vec![None; rays.len()];
            mesh.cast_batch(rays, &mut hits)?;
            sum = hits.iter().flatten().fold(sum, mix);
        }
        "view_blocked" => {
            let mut blocked = vec![false; rays.len()];
            scene.is_blocked_batch(rays, &mut blocked)?;
            sum = blocked.iter().fold(sum, |sum, &is_blocked| mixed(sum, [is_blocked.into()]));
        }
        _ => {
            let mut hits = vec![None; rays.len()];
            scene.cast_batch(rays, &mut hits)?;
            sum = hits.iter().flatten().fold(sum, mix);
        }
    }
    Ok(sum)
}

/// Returns the rays from an eye to the points of a grid, row after row.
fn view() -> Vec<Ray> {
    let eye = [32.0, 60.0, 110.0];
    (0..RAYS as u32)
        .map(|i| {
            let to = [(i % SIDE) as f32, 8.0, (i / SIDE) as f32];
            Ray::with_direction(eye, std::array::from_fn::<f32, 3, _>(|axis| to[axis] - eye[axis]))
        })
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Random(45);
    let heights = (0..ROW * ROW).map(|i| [(i % ROW) as f32, 16.0 * fraction(&mut random), (i / ROW) as f32]);
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
    let rays = if mode.starts_with("view") { view() } else { rays };
    println!("{:016x}", measured(&mode, &mesh, &scene, &rays)?);
    Ok(())
}

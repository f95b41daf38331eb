//! A height field beside the mesh of the same grid: the same rays in turns, in one process, answers compared. Prints how long each takes,
//! the ratio, and the memory of both.
//!
//! `cargo bench -p hitscan --bench height_field [SIDE]`

use hitscan::glam::{DMat3, DVec3};
use hitscan::{HeightField, Mesh, Ray};
use std::hint::black_box;
use std::time::Instant;

/// splitmix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0;
            if (1e-3..=1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }
}

/// Value noise: every octave half as large and as high as the one before, times its roughness.
fn terrain(side: usize, octaves: u32, roughness: f64) -> Vec<f32> {
    let mut random = Random(31);
    let lattice: Vec<f64> = (0..256 * 256).map(|_| random.unit()).collect();
    let noise = |x: f64, z: f64| {
        let value = |dx: usize, dz: usize| lattice[(z as usize + dz) % 256 * 256 + (x as usize + dx) % 256];
        let smooth = |f: f64| f * f * (3.0 - 2.0 * f);
        let (fx, fz) = (smooth(x.fract()), smooth(z.fract()));
        let row = |dz: usize| value(0, dz) + (value(1, dz) - value(0, dz)) * fx;
        row(0) + (row(1) - row(0)) * fz
    };
    let height = |x: f64, z: f64| -> f64 {
        let octave = |octave: u32| {
            let size = 128.0 / f64::from(1 << octave);
            size * 0.6 * roughness.powi(octave as i32) * noise(x / size, z / size)
        };
        (0..octaves).map(octave).sum()
    };
    (0..side * side).map(|i| height((i % side) as f64, (i / side) as f64) as f32).collect()
}

/// Of the same vertices, triangles and numbers.
fn mesh(field: &HeightField) -> Mesh {
    let (rows, columns) = (field.rows(), field.columns());
    let vertices = (0..rows * columns).filter_map(|i| field.vertex(i / columns, i % columns));
    let vertices: Vec<_> = vertices.collect();
    let cells = (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| row * columns + column));
    let corners = cells.flat_map(|a| {
        let [a, d, b, c] = [a, a + 1, a + columns, a + columns + 1].map(|i| i as u32);
        [a, b, c, a, c, d]
    });
    let indices: Vec<u32> = corners.collect();
    Mesh::new(&vertices, &indices).expect("a grid is a mesh")
}

#[derive(Clone, Copy)]
enum Question {
    Closest,
    Any,
}

fn ray_sets(field: &HeightField, count: usize) -> Vec<(&'static str, Question, Vec<Ray>)> {
    let mut random = Random(5);
    let (min, max) = (field.bounds().min.as_dvec3(), field.bounds().max.as_dvec3());
    let inside = |random: &mut Random| min + (max - min) * DVec3::new(random.unit(), random.unit(), random.unit());
    let eye = min + (max - min) * DVec3::new(0.05, 1.1, 0.05);
    let (forward, side) = (DVec3::new(0.6, -0.4, 0.5).normalize(), (count as f64).sqrt() as usize);
    let right = forward.cross(DVec3::Y).normalize();
    let frame = DMat3::from_cols(right, right.cross(forward), forward);
    let pixel = |i: usize| {
        let [x, y] = [i % side, i / side].map(|p| (p as f64 + 0.5) / side as f64 * 1.15 - 0.575);
        Ray::new(eye.as_vec3(), (frame * DVec3::new(x, -y, 1.0)).as_vec3())
    };
    let primary: Vec<Ray> = (0..side * side).map(pixel).collect();
    let lift = (max - min).length() * 1e-4;
    let places: Vec<(DVec3, DVec3)> = primary
        .iter()
        .filter_map(|ray| field.cast(ray))
        .map(|hit| (hit.point().as_dvec3() + hit.facing_normal().as_dvec3() * lift, hit.facing_normal().as_dvec3()))
        .collect();
    let ao = |random: &mut Random| -> Vec<Ray> {
        places.iter().map(|(p, n)| Ray::new(p.as_vec3(), (*n + random.direction()).as_vec3())).collect()
    };
    let light = min + (max - min) * DVec3::new(0.3, 2.5, 0.7);
    let random_rays =
        (0..count).map(|_| Ray::new(inside(&mut random).as_vec3(), random.direction().as_vec3())).collect();
    let sight =
        (0..count).map(|_| Ray::between(inside(&mut random).as_vec3(), inside(&mut random).as_vec3())).collect();
    vec![
        ("primary", Question::Closest, primary.clone()),
        ("ao", Question::Closest, ao(&mut random)),
        ("random", Question::Closest, random_rays),
        ("shadow", Question::Any, places.iter().map(|(p, _)| Ray::between(p.as_vec3(), light.as_vec3())).collect()),
        ("line-of-sight", Question::Any, sight),
    ]
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Nanoseconds a ray, of both in turns.
fn measure<T>(rays: &[Ray], first: impl Fn(&Ray) -> T, second: impl Fn(&Ray) -> T) -> [f64; 2] {
    let time = |cast: &dyn Fn()| {
        let start = Instant::now();
        cast();
        start.elapsed().as_secs_f64() * 1e9 / rays.len() as f64
    };
    let first = || rays.iter().for_each(|ray| _ = black_box(first(ray)));
    let second = || rays.iter().for_each(|ray| _ = black_box(second(ray)));
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..7 {
        times[0].push(time(&first));
        times[1].push(time(&second));
    }
    times.map(|mut times| median(&mut times))
}

fn compare(name: &str, side: usize, heights: &[f32]) {
    let start = Instant::now();
    let field = HeightField::new(side, side, [1.0, 1.0], heights).expect("it is a field");
    let built = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let mesh = mesh(&field);
    let mesh_built = start.elapsed().as_secs_f64();
    let cells = (side - 1) * (side - 1);
    let mesh_bytes = mesh.tree_stats().bytes + mesh.positions().len() * 12 + mesh.triangle_count() * 12;
    let bytes = field.tree_stats().bytes;
    println!("{name}, {side} x {side}");
    println!("  bytes a cell: field {:.2}, mesh {:.2}", bytes as f64 / cells as f64, mesh_bytes as f64 / cells as f64);
    println!("  built in: field {:.1} ms, mesh {:.1} ms", built * 1e3, mesh_built * 1e3);
    for (set, question, rays) in ray_sets(&field, 65_536) {
        let wrong = rays.iter().filter(|ray| field.cast(ray) != mesh.cast(ray)).count();
        assert_eq!(wrong, 0, "{set}: answers differ");
        let [field_ns, mesh_ns] = match question {
            Question::Closest => measure(&rays, |ray| field.cast(ray), |ray| mesh.cast(ray)),
            Question::Any => measure(&rays, |ray| field.is_blocked(ray), |ray| mesh.is_blocked(ray)),
        };
        println!("  {set:14} field {field_ns:6.1} ns, mesh {mesh_ns:6.1} ns, speed {:.2}", mesh_ns / field_ns);
    }
    let mut field = field;
    let crater = vec![-3.0; 16 * 16];
    let start = Instant::now();
    for i in 0..100 {
        let at = (i * 37) % (side - 16);
        field.set_heights(at..at + 16, at..at + 16, &crater).expect("it is inside");
    }
    println!("  a crater of 16 x 16: {:.1} us", start.elapsed().as_secs_f64() * 1e4);
}

fn main() {
    let side = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1024);
    compare("smooth", side, &terrain(side, 4, 0.7));
    compare("rough", side, &terrain(side, 7, 1.0));
}

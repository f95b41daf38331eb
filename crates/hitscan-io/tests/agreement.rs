//! Rays into real models, against answers recorded by an independent program (truth/record.py): brute force over all
//! triangles in f64, in Python, which shares nothing with this library.

mod common;

use hitscan::Ray;
use hitscan::glam::{DVec3, Vec3};
use hitscan_io::Model;
use std::path::Path;

const FILES: [&str; 6] = [
    "scenes/truck-town.glb",
    "scenes/tps-level-lights.glb",
    "transforms/truck-flat-mirrored.glb",
    "interiors/sponza.glb",
    "scenes/2CylinderEngine.glb",
    "cameras/geometry-camera-light.glb",
];

/// Another triangle is hit at the same t, to 1e-6 relative.
const TIE: u8 = 1;
/// The ray passes so near an edge that f64 cannot tell a hit from a miss.
const EDGE: u8 = 2;

/// A `.truth` file, as described in record.py.
struct Truth {
    seed: u64,
    low: DVec3,
    high: DVec3,
    answers: Vec<Answer>,
}

struct Answer {
    /// Node, triangle and t of the closest hit.
    hit: Option<(u32, u32, f64)>,
    flags: u8,
}

impl Truth {
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut fields = Fields(&bytes);
        assert_eq!(&fields.take::<8>(), b"HSTRUTH1");
        let seed = u64::from_le_bytes(fields.take());
        let count = u32::from_le_bytes(fields.take());
        let mut corner = || DVec3::from_array([(); 3].map(|()| f64::from(f32::from_le_bytes(fields.take()))));
        let (low, high) = (corner(), corner());
        let answer = |_| {
            let [node, triangle] = [(); 2].map(|()| i32::from_le_bytes(fields.take()));
            let t = f64::from_le_bytes(fields.take());
            let hit = (node >= 0).then_some((node as u32, triangle as u32, t));
            Answer { hit, flags: u8::from_le_bytes(fields.take()) }
        };
        let answers = (0..count).map(answer).collect();
        assert!(fields.0.is_empty(), "{} is longer than it states", path.display());
        Self { seed, low, high, answers }
    }

    /// The rays, which follow from the seed and the bounds.
    fn rays(&self) -> Vec<Ray> {
        let mut state = self.seed;
        let size = self.high - self.low;
        let ray = |number: usize| {
            let mut three = || DVec3::from_array([(); 3].map(|()| uniform(&mut state)));
            let (a, b) = (three(), three());
            let (origin, direction) = if number.is_multiple_of(2) {
                (self.low + a * size, 2.0 * b - 1.0)
            } else {
                let origin = (self.low + self.high) * 0.5 + (1.5 * size) * (2.0 * a - 1.0);
                (origin, (self.low + b * size) - origin)
            };
            Ray::with_direction(origin.as_vec3(), direction.as_vec3())
        };
        (0..self.answers.len()).map(ray).collect()
    }
}

struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the file is as long as it states");
        self.0 = rest;
        *first
    }
}

/// splitmix64, its upper 53 bits as a fraction.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / 9_007_199_254_740_992.0
}

fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// How the answers to one file's rays compare.
#[derive(Debug, Default)]
struct Tally {
    hits: usize,
    misses: usize,
    /// The same t on another triangle, where the truth says that there are two.
    ties: usize,
    /// Another answer where the truth says that it cannot tell.
    undecided: usize,
    worst: f64,
}

#[test]
fn closest_hits_agree_with_brute_force_in_another_language() {
    let Some(models) = common::models() else { return };
    for file in FILES {
        let path = models.join(file);
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let truth_file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/truth/{stem}.truth"));
        let truth = Truth::read(&truth_file);
        assert_eq!(truth.seed, fnv1a(path.file_name().unwrap().to_str().unwrap()), "{file}");
        let tally = compare(file, &Model::load(&path).unwrap(), &truth);
        println!("{file}: {tally:?}");
        assert!(tally.hits > 500 && tally.misses > 100, "{file}: {tally:?}");
    }
}

fn compare(file: &str, model: &Model, truth: &Truth) -> Tally {
    let scene = model.scene().unwrap();
    let mut tally = Tally::default();
    for (number, (ray, answer)) in truth.rays().iter().zip(&truth.answers).enumerate() {
        let hit = scene.cast(ray);
        let found = hit.map(|hit| (model.entity(hit.id).unwrap().node.unwrap(), hit.triangle.unwrap(), hit.t));
        let at = || format!("{file}, ray {number} {ray:?}: {found:?}, should be {:?}", answer.hit);
        match (found, answer.hit) {
            (None, None) => tally.misses += 1,
            (Some((node, triangle, t)), Some((true_node, true_triangle, true_t))) if near(t, true_t) => {
                tally.hits += 1;
                tally.worst = tally.worst.max((f64::from(t) - true_t).abs() / true_t);
                if (node, triangle) != (true_node, true_triangle) {
                    assert!(answer.flags & (TIE | EDGE) != 0, "{}", at());
                    tally.ties += 1;
                }
            }
            _ => {
                assert!(answer.flags & EDGE != 0, "{}", at());
                tally.undecided += 1;
            }
        }
        if let Some(hit) = hit {
            check_point(model, &hit, ray, &at);
        }
    }
    tally
}

fn near(t: f32, true_t: f64) -> bool {
    (f64::from(t) - true_t).abs() <= 1e-5 * true_t
}

/// The hit's own numbers belong together: the point is where the triangle's barycentrics say, and on the ray.
fn check_point(model: &Model, hit: &hitscan::Hit<hitscan_io::EntityId>, ray: &Ray, at: &dyn Fn() -> String) {
    let entity = model.entity(hit.id).unwrap();
    let hitscan::Geometry::Mesh(mesh) = &entity.geometry else { panic!("a glTF entity is a mesh") };
    let corners = mesh.triangle(hit.triangle.unwrap()).unwrap();
    let [a, b, c] = corners.map(|corner| entity.transform.transform_point3(corner.as_dvec3()));
    let uv = hit.uv.unwrap().as_dvec2();
    let on_triangle = a * (1.0 - uv.x - uv.y) + b * uv.x + c * uv.y;
    // Barycentrics and point are rounded to f32 once each.
    let extent = [a, b, c].map(|corner| corner.abs().max_element()).into_iter().fold(0.0, f64::max);
    assert!(on_triangle.distance(hit.point.as_dvec3()) <= 4.0 * f64::from(f32::EPSILON) * extent, "{}", at());
    let reach = ray.origin.abs().max(hit.point.abs()).max(Vec3::splat(extent as f32)).max_element();
    let slack = 8.0 * f64::from(f32::EPSILON) * f64::from(reach);
    assert!(ray.at(hit.t).as_dvec3().distance(hit.point.as_dvec3()) <= slack, "{}", at());
}

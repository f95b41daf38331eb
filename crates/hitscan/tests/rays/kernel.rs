//! The mesh kernel, on every instruction set and with every tree quality, against the exact test of one triangle after
//! the other. The answers must be equal to the bit.

use crate::common;
use crate::common::{Random, grid_cube, icosphere};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Cull, Mesh, MeshHit, Quality, Ray, Triangle};
use hitscan_random::effort::size;
use hitscan_random::levels;

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];
const CULLS: [Cull; 3] = [Cull::None, Cull::Back, Cull::Front];

/// A triangle soup, with trees of all qualities.
struct Subject {
    name: &'static str,
    corners: Vec<[Vec3; 3]>,
    meshes: Vec<Mesh>,
}

impl Subject {
    fn new(name: &'static str, positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let indices = triangles.as_flattened();
        let meshes = QUALITIES.map(|quality| Mesh::with_quality(positions, indices, quality).expect(name)).into();
        let corners = triangles.iter().map(|t| t.map(|i| positions[i as usize])).collect();
        Self { name, corners, meshes }
    }

    fn soup(name: &'static str, corners: Vec<[Vec3; 3]>) -> Self {
        let triangles: Vec<[u32; 3]> = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self::new(name, corners.as_flattened(), &triangles)
    }

    /// Returns all hits in order, from the test of one triangle alone.
    fn brute_force(&self, ray: &Ray) -> Vec<(u32, u32, [u32; 2], hitscan::Side)> {
        let hit = |(triangle, &[a, b, c]): (u32, &[Vec3; 3])| {
            let hit = Triangle::new(a, b, c).cast(ray)?;
            let uv = hit.uv.expect("triangles have barycentrics");
            Some((hit.t.to_bits(), triangle, [uv.x.to_bits(), uv.y.to_bits()], hit.side))
        };
        let mut hits: Vec<_> = (0..).zip(&self.corners).filter_map(hit).collect();
        hits.sort_by(|a, b| f32::from_bits(a.0).total_cmp(&f32::from_bits(b.0)).then(a.1.cmp(&b.1)));
        hits
    }
}

fn bits(hit: &MeshHit) -> (u32, u32, [u32; 2], hitscan::Side) {
    (hit.t.to_bits(), hit.triangle, [hit.uv().x.to_bits(), hit.uv().y.to_bits()], hit.side)
}

fn subjects(random: &mut Random) -> Vec<Subject> {
    let surface = |name, surface: common::Surface| Subject::new(name, &surface.positions, &surface.triangles);
    let scaled = |scale: f32| icosphere(2).map(move |p| p * scale);
    let shell = |random: &mut Random, size: f64| {
        let middle = random.cube();
        [(); 3].map(|()| (middle + random.cube() * size).as_vec3())
    };
    let lattice = |random: &mut Random| {
        let mut point = || Vec3::from_array([(); 3].map(|()| random.below(5) as f32 - 2.0));
        [point(), point(), point()]
    };
    let mixed = |random: &mut Random| {
        let size = 10f64.powi(random.below(37) as i32 - 18);
        let middle = random.cube() * 10f64.powi(random.below(19) as i32 - 18);
        [(); 3].map(|()| (middle + random.cube() * size).as_vec3())
    };
    vec![
        surface("sphere", icosphere(3)),
        surface("grid", grid_cube(6)),
        surface("radius 1e-20", scaled(1e-20)),
        surface("radius 1e30", scaled(1e30)),
        surface("radius 1e-42, subnormal", scaled(1e-42)),
        surface("far from its origin", scaled(1.0).map(|p| p + Vec3::new(3e6, -1e6, 2e5))),
        Subject::soup("one triangle", vec![[Vec3::ZERO, Vec3::X, Vec3::Y]]),
        Subject::soup(
            "flat, along the axes",
            vec![[Vec3::ZERO, Vec3::X, Vec3::Y], [Vec3::X, Vec3::ONE - Vec3::Z, Vec3::Y]],
        ),
        Subject::soup("coincident", vec![[Vec3::ZERO, Vec3::X, Vec3::Y]; 37]),
        Subject::soup("small triangles", (0..300).map(|_| shell(random, 0.03)).collect()),
        Subject::soup("large triangles", (0..60).map(|_| shell(random, 1.0)).collect()),
        Subject::soup("lattice", (0..120).map(|_| lattice(random)).collect()),
        // Some corners are so small relative to others that they underflow in a block.
        Subject::soup("of all sizes", (0..120).map(|_| mixed(random)).collect()),
    ]
}

/// Returns a ray that is likely to reveal errors.
fn ray(subject: &Subject, random: &mut Random) -> Ray {
    let corners = subject.corners[random.below(subject.corners.len())].map(|corner| corner.as_dvec3());
    let bounds = subject.meshes[0].bounds();
    let (middle, size) =
        ((bounds.min.as_dvec3() + bounds.max.as_dvec3()) / 2.0, bounds.max.as_dvec3() - bounds.min.as_dvec3());
    let size = size.max_element();
    let aim = match random.below(6) {
        0 => corners[0],
        1 => (corners[0] + corners[1]) / 2.0,
        2 => corners[0].lerp(corners[2], random.unit().abs()),
        3 => (corners[0] + corners[1] + corners[2]) / 3.0,
        4 => middle,
        _ => middle + random.cube() * size,
    };
    let from = match random.below(8) {
        0 => middle,
        1 => corners[random.below(3)],
        2 => aim + random.direction() * size * 1e7,
        3 => aim + random.direction() * size * 1e-4,
        // The ray is along an axis, or in the plane of the triangle.
        4 => aim + DVec3::AXES[random.below(3)] * size * if random.below(2) == 0 { 2.0 } else { -2.0 },
        5 => aim + (corners[1] - corners[0]) * 3.0,
        _ => middle + random.cube() * size * 3.0,
    };
    let origin = from.as_vec3();
    let way = aim - origin.as_dvec3();
    // The direction has any length that f32 represents.
    let length = match random.below(4) {
        0 => 1.0,
        1 => way.length().max(1e-300),
        2 => 10f64.powi(random.below(61) as i32 - 30),
        _ => 1.0 / way.length().max(1e-300),
    };
    let direction = (way.normalize_or_zero() * length).as_vec3();
    let ray = Ray::with_direction(origin, direction);
    let t = (way.length() / length) as f32;
    match random.below(8) {
        0 => ray.with_range(t * 0.5, t),
        1 => ray.with_range(t, f32::MAX),
        2 => ray.with_range(-t, t),
        3 => ray.with_range(f32::NEG_INFINITY, 0.0),
        4 => ray.with_range(0.0, t),
        _ => ray,
    }
}

fn check(subject: &Subject, ray: &Ray, context: &str) {
    let expected = subject.brute_force(ray);
    let mut all = Vec::new();
    for (mesh, quality) in subject.meshes.iter().zip(QUALITIES) {
        for cull in CULLS {
            let keeps = |hit: &&(u32, u32, [u32; 2], hitscan::Side)| match cull {
                Cull::None => true,
                Cull::Back => hit.3 == hitscan::Side::Front,
                Cull::Front => hit.3 == hitscan::Side::Back,
            };
            let expected: Vec<_> = expected.iter().filter(keeps).copied().collect();
            let context = || format!("{context}, {quality:?}, {cull:?}, {ray:?}");
            mesh.culled(cull).cast_all(ray, &mut all);
            assert_eq!(all.iter().map(bits).collect::<Vec<_>>(), expected, "all: {}", context());
            let closest = mesh.culled(cull).cast(ray);
            assert_eq!(closest, all.first().copied(), "closest: {}", context());
            assert_eq!(mesh.culled(cull).is_blocked(ray), !expected.is_empty(), "any: {}", context());
        }
    }
}

#[test]
#[cfg(feature = "all-simd")]
fn all_instruction_sets_are_compiled() {
    assert!(hitscan::simd::SimdLevel::available().any(|level| level == hitscan::simd::SimdLevel::Scalar));
}

/// All levels are in one test, as the level is global to the process.
#[test]
fn every_level_and_quality_answers_as_the_test_of_each_triangle() {
    let seed = 20261121;
    let mut random = Random(seed);
    let subjects = subjects(&mut random);
    for subject in &subjects {
        let rays: Vec<Ray> = (0..size(150, 1_200, 100_000)).map(|_| ray(subject, &mut random)).collect();
        for level in levels::each() {
            for (i, ray) in rays.iter().enumerate() {
                check(subject, ray, &format!("seed {seed}, {}, ray {i}, {level}", subject.name));
            }
        }
    }
}

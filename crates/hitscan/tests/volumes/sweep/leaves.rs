//! The f32 filter of leaves drops no triangle that is hit. A mesh of triangles of all sizes has the same contacts as
//! its triangles one by one.

use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};
use hitscan::{Aabb, Capsule, Filter, Mesh, Scene, Sphere, SweepQueries, Triangle, Volume};
use hitscan_random::effort;

fn count() -> usize {
    effort::size(1000, 4_000, 50_000)
}

/// Returns a triangle around the origin, whose size is from 1 to far below the square root of the smallest f32.
fn triangle(random: &mut Random) -> [Vec3; 3] {
    let size = 10f64.powi(-(random.below(16) as i32));
    let place = random.direction() * size * 4.0 * random.unit().abs();
    [0; 3].map(|_| (place + random.cube() * size).as_vec3())
}

fn volume(random: &mut Random) -> Volume {
    let size = 10f64.powf(1.5 * random.unit());
    let number = |random: &mut Random| (size * random.unit().abs()) as f32;
    let (a, b) = (random.cube() * size, random.cube() * size);
    match random.below(3) {
        0 => Sphere::new(number(random)).into(),
        1 => Capsule::between(a.as_vec3(), b.as_vec3(), number(random)).into(),
        _ => {
            let half = Vec3::new(number(random), number(random), number(random));
            Aabb::new(-half, half).into()
        }
    }
}

/// Returns the identity, or a transform that flattens along an arbitrary direction.
fn transform(random: &mut Random) -> DAffine3 {
    if random.below(3) == 0 {
        return DAffine3::IDENTITY;
    }
    let flat = DMat3::from_diagonal(DVec3::new(1.0, 10f64.powi(-(random.below(7) as i32)), 1.0));
    let linear = DMat3::from_quat(random.rotation()) * flat * DMat3::from_quat(random.rotation());
    DAffine3::from_mat3_translation(linear, random.cube() * 3.0)
}

#[test]
fn of_triangles_of_all_sizes_lose_none() {
    let mut random = Random(1200);
    let (mut met, mut small) = (0, 0);
    for case in 0..40 {
        let triangles: Vec<[Vec3; 3]> = (0..24).map(|_| triangle(&mut random)).collect();
        let soup: Vec<Vec3> = triangles.iter().flatten().copied().collect();
        let to_world = transform(&mut random);
        let (mut whole, mut alone) = (Scene::new(), Scene::new());
        whole.insert(0, Mesh::from_soup(&soup).unwrap(), to_world).unwrap();
        for (number, &[a, b, c]) in triangles.iter().enumerate() {
            alone.insert(number, Triangle::new(a, b, c), to_world).unwrap();
        }
        for sweep in 0..count() / 40 {
            let seed = random.0;
            let (volume, turn) = (volume(&mut random), random.rotation());
            let to = to_world.translation + random.cube() * 0.1;
            let from = to + random.direction() * 10f64.powf(2.0 * random.unit());
            let motion = (to - from) * (0.5 + random.unit().abs());
            let said = || format!("{case} {sweep}, seed {seed:#x}: {volume:?} from {from} by {motion}, {to_world:?}");
            // The largest triangles, which are mostly hit first, are also left out.
            let least = random.below(24);
            let large = Filter::new().hits(|of| of.triangle.is_none_or(|number| number as usize >= least));
            let each = Filter::new().hits(|of| of.id >= least);
            let found = whole.with(&large).sweep(&volume, (from, turn), motion);
            let expected = alone.with(&each).sweep(&volume, (from, turn), motion);
            assert_eq!(found.is_some(), expected.is_some(), "{found:?}, but {expected:?}: {}", said());
            let Some((found, expected)) = found.zip(expected) else { continue };
            let off = f64::from((found.t - expected.t).abs()) * motion.length();
            assert!(off <= 1e-6 * (from.length() + motion.length()), "{found:?}, but {expected:?}: {}", said());
            met += 1;
            let [a, b, _] = triangles[found.triangle.unwrap() as usize];
            small += usize::from(a.distance(b) < 1e-9);
        }
    }
    println!("{met} met, {small} of them tiny");
    assert!(met > 400 && small > 40, "{met} {small}");
}

/// The squared length of an axis across the triangle underflows in f32.
#[test]
fn of_a_tiny_triangle_is_met_by_what_is_thick() {
    for power in 3..20 {
        let tiny = 10f32.powi(-power);
        let large = [[1.0, 0.0, -0.5], [1.0, 0.1, -0.5], [1.0, 0.1, -0.6]].map(Vec3::from_array);
        let soup: Vec<Vec3> = [Vec3::ZERO, Vec3::X * tiny, Vec3::Y * tiny].into_iter().chain(large).collect();
        let mesh = Mesh::from_soup(&soup).unwrap();
        let volumes: [Volume; 2] =
            [Sphere::new(0.5).into(), Capsule::between(-Vec3::Z * 0.25, Vec3::Z * 0.25, 0.25).into()];
        for volume in volumes {
            // The volume ends around the triangle, with the volume's centre in front of the triangle.
            let hit = mesh.sweep(volume, [0.0, 0.0, 2.0], [0.0, 0.0, -1.75]);
            assert_eq!(hit.map(|hit| (hit.triangle, hit.t)), Some((0, (1.5 / 1.75) as f32)), "1e-{power}");
        }
    }
}

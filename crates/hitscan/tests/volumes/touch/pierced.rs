//! Volumes that hills pierce. The deepest piece is at least as deep as every point of the hills is in the volume, however the pieces hide each other.

use crate::common::Random;
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Aabb, Capsule, Cylinder, HeightField, Mesh, ProximityQueries, Scene, Sphere, Volume};
use hitscan_random::effort::{seed, size};

const VOLUMES: usize = 4;
/// The number of points on each side of a triangle.
const STEPS: usize = 6;

/// Returns a volume of a number below [`VOLUMES`] at the origin, and the depth of a point in it, which is negative outside.
fn volume(number: usize) -> (Volume, fn(DVec3) -> f64) {
    match number {
        0 => (Sphere::new(0.5).into(), |p| 0.5 - p.length()),
        1 => (Capsule::new(0.3, 1.8).into(), |p| 0.3 - (p - DVec3::Y * p.y.clamp(-0.6, 0.6)).length()),
        2 => (Cylinder::new(0.3, 1.8).into(), |p| (0.3 - p.with_y(0.0).length()).min(0.9 - p.y.abs())),
        _ => (Aabb::new([-0.3, -0.9, -0.3], [0.3, 0.9, 0.3]).into(), |p| {
            (DVec3::new(0.3, 0.9, 0.3) - p.abs()).min_element()
        }),
    }
}

/// Returns hills around the origin, half as wide as a volume from crest to crest.
fn hills(random: &mut Random) -> HeightField {
    let steepness = [0.1, 0.4, 1.0][random.below(3)];
    let heights: Vec<f32> = (0..100).map(|_| (steepness * random.unit()) as f32).collect();
    HeightField::new(10, 10, [0.4; 2], &heights).unwrap()
}

/// Returns points of a triangle, its corners among them.
fn points([a, b, c]: [Vec3; 3]) -> impl Iterator<Item = DVec3> {
    let [a, b, c] = [a, b, c].map(|corner| corner.as_dvec3());
    (0..=STEPS).flat_map(move |i| {
        (0..=STEPS - i).map(move |j| {
            let [u, v] = [i, j].map(|part| part as f64 / STEPS as f64);
            a + (b - a) * u + (c - a) * v
        })
    })
}

#[test]
fn pierced_volumes_are_as_deep_as_the_deepest_point() {
    let (seed, cases) = (seed(1), size(2_000, 10_000, 1_000_000) as u64);
    let mut pierced = 0;
    for case in 0..cases {
        let mut random = Random(seed * 9_000_011 + case);
        let (field, number) = (hills(&mut random), case as usize % VOLUMES);
        let (volume, depth) = volume(number);
        let triangles: Vec<[Vec3; 3]> = (0..).map_while(|number| field.triangle(number)).collect();
        let (at, corner) = (random.cube() * DVec3::new(0.5, 0.9, 0.5), DVec3::new(-1.8, 0.0, -1.8));
        let mut scene = Scene::new();
        if random.below(2) == 0 {
            scene.insert((), field, corner).unwrap();
        } else {
            scene.insert((), Mesh::from_soup(triangles.as_flattened()).unwrap(), corner).unwrap();
        }
        let sampled = triangles.iter().copied().flat_map(points).map(|point| depth(point + corner - at));
        let deepest = sampled.fold(f64::NEG_INFINITY, f64::max);
        let mut ways = Vec::new();
        scene.penetration_all(volume, at, &mut ways);
        let found = ways.first().map_or(f64::NEG_INFINITY, |way| f64::from(way.depth));
        assert!(
            deepest <= 0.0 || found >= deepest - 1e-5,
            "seed {seed}, case {case}: {deepest} deep at {at}: {ways:?}"
        );
        pierced += u64::from(deepest > 0.05);
    }
    assert!(pierced > cases / 3, "{pierced} of {cases} were pierced");
}

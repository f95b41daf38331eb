//! Closest points of meshes, height fields and scenes against all triangles one by one. The bits are the same on every instruction set, in batches and alone.

use crate::all_triangles::{Said, said_of_surface as of_surface, said_of_triangle as of_triangles};
use crate::closest::{points, random};
use crate::common::{Random, Surface, grid_cube, icosphere};
use hitscan::batch::Threads;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::mesh::Layout;
use hitscan::query::Containment;
use hitscan::{ClosestPoint, Cull, Filter, HeightField, Mesh, ProximityQueries, Scene, Side};
use hitscan_random::levels;

/// Every triangle with an area as a scene of its own.
struct Triangles(Vec<(u32, Scene<u32>)>);

impl Triangles {
    fn new(corners: impl Iterator<Item = [Vec3; 3]>, transform: DAffine3) -> Self {
        let scene = |(number, corners): (u32, [Vec3; 3])| {
            let mut scene = Scene::new();
            scene.insert(number, Mesh::from_soup(&corners).unwrap(), transform).unwrap();
            scene.closest_point(DVec3::ZERO).map(|_| (number, scene))
        };
        Self((0..).zip(corners).filter_map(scene).collect())
    }

    fn of_mesh(mesh: &Mesh, transform: DAffine3) -> Self {
        Self::new((0..mesh.triangle_count() as u32).map(|number| mesh.triangle(number).unwrap()), transform)
    }

    /// Returns the nearest point of all triangles that the filter accepts, as f64 computes it; among equally near
    /// points, the point of the lowest triangle.
    fn nearest(&self, point: DVec3, cull: Cull) -> Option<ClosestPoint<u32>> {
        let filter = Filter::new().cull(cull);
        let all = self.0.iter().filter_map(|(_, scene)| scene.with(&filter).closest_point(point));
        all.reduce(|best, found| if found.distance_f64() < best.distance_f64() { found } else { best })
    }
}

pub(crate) fn for_every_level(mut check: impl FnMut()) {
    for _ in levels::each() {
        check();
    }
}

/// Returns a place around a mesh: anywhere, far away, on a lattice through its vertices, on a triangle or a little
/// beside it.
pub(crate) fn place(random: &mut Random, mesh: &Mesh) -> DVec3 {
    let bounds = mesh.bounds();
    let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let (middle, half) = ((low + high) * 0.5, (high - low).max(DVec3::splat(1e-30)) * 0.5);
    let [a, b, c] = mesh.triangle(random.below(mesh.triangle_count()) as u32).unwrap().map(|v| v.as_dvec3());
    match random.below(8) {
        0 | 1 => middle + random.cube() * half * 1.5,
        2 => middle + random.cube() * half * 10f64.powi(random.below(9) as i32),
        3 => (middle + random.cube() * half * 1.5).as_vec3().as_dvec3(),
        4 => middle + half * (random.cube() * 4.0).round() * 0.25,
        5 => a,
        6 => (a + b) * 0.5 + random.cube() * half * 1e-6,
        _ => (a + b + c) / 3.0 + random.cube() * half * 10f64.powi(-(random.below(9) as i32)),
    }
}

fn prove(mesh: &Mesh, count: usize, random: &mut Random) {
    let triangles = Triangles::of_mesh(mesh, DAffine3::IDENTITY);
    let places: Vec<DVec3> = (0..count).map(|_| place(random, mesh)).collect();
    let expected: Vec<Option<ClosestPoint<u32>>> =
        places.iter().map(|&place| triangles.nearest(place, Cull::None)).collect();
    let said: Vec<Option<Said>> = expected.iter().map(|found| found.as_ref().map(of_triangles)).collect();
    let mut contained: Option<Vec<Option<Containment>>> = None;
    let compact = mesh.clone().with_layout(Layout::Compact);
    for_every_level(|| {
        for mesh in [mesh, &compact] {
            for ((&place, said), expected) in places.iter().zip(&said).zip(&expected) {
                let found = mesh.closest_on_surface(place, f64::INFINITY);
                assert_eq!(found.as_ref().map(of_surface), *said, "{place}");
                let Some(expected) = expected else { continue };
                let distance = expected.distance_f64();
                let within = mesh.closest_on_surface(place, distance);
                assert_eq!(within.as_ref().map(of_surface), *said, "{place} within {distance}");
                assert_eq!(mesh.closest_on_surface(place, distance.next_down()), None, "{place} within {distance}");
            }
            for threads in [Threads::All, Threads::AtMost(1), Threads::AtMost(3)] {
                let mut found = vec![None; count];
                mesh.closest_on_surface_batch(&places, f64::INFINITY, threads, &mut found).unwrap();
                assert!(found.iter().map(|found| found.as_ref().map(of_surface)).eq(said.iter().copied()));
                let mut nearest = vec![None; count];
                mesh.closest_point_batch(&places, threads, &mut nearest).unwrap();
                let mut distances = vec![None; count];
                mesh.signed_distance_batch(&places, threads, &mut distances).unwrap();
                let alone = contained.get_or_insert_with(|| {
                    let alone = places.iter().map(|&place| mesh.closest_point(place).map(|found| found.containment));
                    alone.collect()
                });
                let mut inside = vec![false; count];
                mesh.contains_batch(&places, threads, &mut inside).unwrap();
                let is_inside = |alone: &Option<Containment>| *alone == Some(Containment::Inside);
                assert!(alone.iter().map(is_inside).eq(inside));
                for (((found, distance), said), alone) in nearest.iter().zip(&distances).zip(&said).zip(alone) {
                    let number = found.as_ref().map(|found| (found.triangle, found.distance.to_bits()));
                    assert_eq!(number, said.map(|said| (said.0, said.2)));
                    assert_eq!(found.as_ref().map(|found| found.containment), *alone);
                    assert_eq!(found.and_then(|found| found.signed_distance()), *distance);
                }
            }
        }
    });
}

/// Triangles of all sizes and forms: needles, flat triangles, and pairs in one place.
pub(crate) fn soup(random: &mut Random, count: usize) -> Mesh {
    let mut corners: Vec<Vec3> = Vec::new();
    for _ in 0..count {
        let (at, size) = (random.cube(), 10f64.powi(-(random.below(6) as i32)));
        let [u, v] = [random.cube() * size, random.cube() * size * 10f64.powi(-(random.below(8) as i32))];
        corners.extend(match random.below(6) {
            0 if corners.len() >= 3 => [corners[1], corners[2], corners[0]],
            1 => [at, at + u, at + u * 0.5].map(|v| v.as_vec3()),
            2 => [at, at + u, at + u + v].map(|v| v.as_vec3()),
            3 => [at, at + u, at + u * 0.3 + v].map(|v| (v * 8.0).round().as_vec3() / 8.0),
            _ => [at, at + u, at + v].map(|v| v.as_vec3()),
        });
    }
    Mesh::from_soup(&corners).unwrap()
}

#[test]
fn of_meshes_are_the_nearest_of_all_triangles() {
    let mut random = random();
    let count = (points() / 200).max(8);
    for surface in [grid_cube(1), grid_cube(4), icosphere(2)] {
        prove(&surface.mesh(), count, &mut random);
    }
    for scale in [1e-18, 1e18] {
        prove(&icosphere(1).map(|v| v * scale).mesh(), count, &mut random);
    }
    for triangles in [1, 2, 9, 150, 700] {
        let soup = soup(&mut random, triangles);
        prove(&soup, count, &mut random);
        // Far from the origin, f32 hardly distinguishes neighbouring vertices of the mesh.
        let moved: Vec<Vec3> =
            (0..soup.triangle_count() as u32).flat_map(|t| soup.triangle(t).unwrap()).map(|v| v + 1000.0).collect();
        prove(&Mesh::from_soup(&moved).unwrap(), count, &mut random);
    }
}

/// All triangles are equally near within the precision of f64, and there are more of them than the search can keep
/// pending.
#[test]
fn in_the_middle_the_lowest_triangle_is_found() {
    let ball = icosphere(3).mesh();
    let nearest = Triangles::of_mesh(&ball, DAffine3::IDENTITY).nearest(DVec3::ZERO, Cull::None).unwrap();
    for_every_level(|| {
        let found = ball.closest_on_surface(DVec3::ZERO, f64::INFINITY).unwrap();
        assert_eq!(of_surface(&found), of_triangles(&nearest));
    });
    let cube = grid_cube(8).mesh();
    let nearest = Triangles::of_mesh(&cube, DAffine3::IDENTITY).nearest(DVec3::ZERO, Cull::None).unwrap();
    for_every_level(|| {
        let found = cube.closest_on_surface(DVec3::ZERO, f64::INFINITY).unwrap();
        assert_eq!(of_surface(&found), of_triangles(&nearest));
    });
}

/// A filter may leave out the nearest triangle, and transforms may stretch.
#[test]
fn of_scenes_are_the_nearest_triangles_that_count() {
    let mut random = random();
    let mesh = icosphere(1).mesh();
    let turned = DAffine3::from_scale_rotation_translation(
        DVec3::splat(2.5),
        DQuat::from_rotation_y(0.7),
        DVec3::new(3.0, -1.0, 100.0),
    );
    let stretched = DAffine3 {
        matrix3: turned.matrix3 * hitscan::glam::DMat3::from_diagonal(DVec3::new(1.0, 3.0, -0.5)),
        ..turned
    };
    for transform in [DAffine3::IDENTITY, turned, stretched] {
        let triangles = Triangles::of_mesh(&mesh, transform);
        let mut scene = Scene::new();
        scene.insert(0, mesh.clone(), transform).unwrap();
        for _ in 0..(points() / 200).max(8) {
            let point = transform.transform_point3(place(&mut random, &mesh));
            for cull in [Cull::None, Cull::Back, Cull::Front] {
                let expected = triangles.nearest(point, cull);
                for_every_level(|| {
                    let found = scene.with(&Filter::new().cull(cull)).closest_point(point);
                    let said =
                        |found: &ClosestPoint<u32>| (found.triangle, found.distance_f64().to_bits(), found.feature);
                    let expected =
                        expected.as_ref().map(|found| (Some(found.id), found.distance_f64().to_bits(), found.feature));
                    assert_eq!(found.as_ref().map(said), expected, "{point} {cull:?}");
                });
            }
        }
    }
}

#[test]
fn of_height_fields_are_the_nearest_of_all_triangles() {
    let mut random = random();
    let heights: Vec<f32> = (0..13 * 10).map(|_| (random.below(9) as f32 - 4.0) / 4.0).collect();
    let field = HeightField::new(13, 10, [12.0, 9.0], &heights).unwrap();
    let count = 2 * 12 * 9;
    let triangles = Triangles::new((0..count).map(|number| field.triangle(number).unwrap()), DAffine3::IDENTITY);
    for _ in 0..(points() / 100).max(8) {
        let point = random.cube() * DVec3::new(12.0, 3.0, 9.0);
        for point in [point, point.round()] {
            let expected = triangles.nearest(point, Cull::None).map(|found| (found.id, found.distance, found.point));
            for_every_level(|| {
                let found = field.closest_point(point).map(|found| (found.triangle, found.distance, found.point));
                assert_eq!(found, expected, "{point}");
            });
        }
    }
}

#[test]
fn the_side_is_that_of_the_plane() {
    let floor = Mesh::from_soup(&[[0.0, 0.0, 4.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]]).unwrap();
    let side = |y: f64| floor.closest_on_surface([1.0, y, 1.0], 5.0).unwrap().side;
    assert_eq!((side(1.0), side(-1.0)), (Side::Front, Side::Back));
}

#[test]
fn bad_input_finds_nothing() {
    let mesh = icosphere(0).mesh();
    for bad in [f64::NAN, f64::INFINITY, 1e71] {
        assert_eq!(mesh.closest_on_surface([bad, 0.0, 0.0], f64::INFINITY), None);
    }
    for bad in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        assert_eq!(mesh.closest_on_surface(DVec3::ZERO, bad), None);
        let mut answers = [None; 2];
        mesh.closest_on_surface_batch(&[DVec3::ZERO; 2], bad, Threads::All, &mut answers).unwrap();
        assert_eq!(answers, [None; 2]);
    }
    let points = [DVec3::ZERO, DVec3::NAN, DVec3::X];
    let mut answers = [None; 3];
    mesh.closest_on_surface_batch(&points, f64::INFINITY, Threads::All, &mut answers).unwrap();
    assert_eq!(answers.map(|answer| answer.is_some()), [true, false, true]);
    let refused = mesh.signed_distance_batch(&points, Threads::All, &mut [None; 2]).unwrap_err();
    assert_eq!((refused.questions, refused.answers), (3, 2));
    assert_eq!(mesh.closest_point_batch::<DVec3>(&[], Threads::All, &mut []), Ok(()));
    let empty = Mesh::new::<Vec3>(&[], &[]).unwrap();
    assert_eq!(empty.closest_on_surface(DVec3::ZERO, f64::INFINITY), None);
}

/// The points of a batch are in many pieces. They are far from a mesh, near it and inside, and the mesh is closed or open.
#[test]
fn batches_answer_as_single_questions_do() {
    let mut random = random();
    for surface in [icosphere(4), grid_cube(9)] {
        let closed = surface.mesh();
        let open = without_last(surface);
        for mesh in [closed, open] {
            let places: Vec<DVec3> = (0..6_000).map(|_| place(&mut random, &mesh)).collect();
            let mut nearest = vec![None; places.len()];
            mesh.closest_point_batch(&places, Threads::All, &mut nearest).unwrap();
            for (&place, found) in places.iter().zip(&nearest) {
                assert_eq!(mesh.closest_point(place), *found, "{place}");
            }
        }
    }
}

fn without_last(mut surface: Surface) -> Mesh {
    surface.triangles.pop();
    surface.mesh()
}

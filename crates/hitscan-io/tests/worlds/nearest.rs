//! Closest points of large meshes, two models and a city of two million triangles, compared with a loop over all
//! triangles in f64: 0 differences, ties included.

use crate::all_triangles::{AllTriangles, Said, said_of_surface, said_of_triangle};
use crate::common;
use hitscan::batch::Threads;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Geometry, Mesh};
use hitscan_io::Model;
use hitscan_random::Random;
use hitscan_random::effort::{self, Effort};
use hitscan_random::levels;

/// The number of boxes along each side of the city. One is for the long run, and one for the suite.
const SIDES: [usize; 2] = [409, 40];

fn points() -> usize {
    effort::size(12, 24, 2_000)
}

/// Returns a place. It is anywhere around a mesh, far away, at a corner, in the middle of an edge, or near a triangle.
fn place(random: &mut Random, mesh: &Mesh) -> DVec3 {
    let bounds = mesh.bounds();
    let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
    let [a, b, c] = mesh.triangle(random.below(mesh.triangle_count()) as u32).unwrap().map(|v| v.as_dvec3());
    let size = half.max_element();
    match random.below(6) {
        0 | 1 => middle + random.cube() * half * 1.2,
        2 => middle + random.direction() * size * 10f64.powi(random.below(5) as i32),
        3 => a,
        4 => (a + b) * 0.5 + random.cube() * size * 1e-7,
        _ => (a + b + c) / 3.0 + random.cube() * size * 10f64.powi(-1 - random.below(5) as i32),
    }
}

fn append(corners: &mut Vec<Vec3>, geometry: &Geometry, place: DAffine3) {
    match geometry {
        Geometry::Mesh(mesh) => {
            let all = (0..mesh.triangle_count() as u32).filter_map(|number| mesh.triangle(number)).flatten();
            corners.extend(all.map(|corner| place.transform_point3(corner.as_dvec3()).as_vec3()));
        }
        Geometry::Compound(compound) => {
            compound.iter().for_each(|(part, inner)| append(corners, &part, place * inner));
        }
        _ => {}
    }
}

/// Checks the answers at places around the triangles with these corners.
fn check(name: &str, corners: &[Vec3]) {
    let mesh = Mesh::from_soup(corners).unwrap();
    let mut random = Random(44);
    let places: Vec<DVec3> = (0..points()).map(|_| place(&mut random, &mesh)).collect();
    let nearest = AllTriangles::new(&mesh).nearest(&places);
    let said: Vec<Option<Said>> =
        nearest.iter().map(|nearest| nearest.as_ref().map(|nearest| said_of_triangle(&nearest.found))).collect();
    let ties = nearest.iter().flatten().filter(|nearest| nearest.equally_near > 1).count();
    let mut wrong = 0;
    for _ in levels::each() {
        let alone =
            places.iter().map(|&place| mesh.closest_on_surface(place, f64::INFINITY).as_ref().map(said_of_surface));
        wrong += alone.zip(&said).filter(|(found, said)| found != *said).count();
        for threads in [Threads::All, Threads::AtMost(1)] {
            let mut found = vec![None; places.len()];
            mesh.closest_on_surface_batch(&places, f64::INFINITY, threads, &mut found).unwrap();
            wrong +=
                found.iter().zip(&said).filter(|(found, said)| found.as_ref().map(said_of_surface) != **said).count();
        }
    }
    println!(
        "{name}: {} points of {} triangles, {ties} ties, {wrong} differences",
        places.len(),
        mesh.triangle_count()
    );
    assert_eq!(wrong, 0);
}

#[test]
fn of_models_are_the_nearest_of_all_triangles() {
    let Some(models) = common::models() else { return };
    for file in ["scans/igea.ply", "interiors/sponza.glb"] {
        let model = Model::load(models.join(file)).unwrap();
        let mut corners = Vec::new();
        model.entities.iter().for_each(|entity| append(&mut corners, &entity.geometry, entity.transform));
        check(file, &corners);
    }
}

#[test]
fn of_a_city_are_the_nearest_of_all_triangles() {
    const FACES: [[usize; 3]; 12] = [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ];
    let side = SIDES[usize::from(!Effort::get().is_long())];
    let mut random = Random(3);
    let mut corners = Vec::with_capacity(36 * side * side);
    for (x, z) in (0..side).flat_map(|x| (0..side).map(move |z| (x, z))) {
        let high = 0.5 + 9.5 * random.fraction().powi(3) as f32;
        let [wide, deep] = [(); 2].map(|()| 0.2 + 0.6 * random.fraction() as f32);
        let corner = |bits: usize| {
            let [i, j, k] = [bits >> 2 & 1, bits >> 1 & 1, bits & 1].map(|bit| bit as f32);
            Vec3::new(x as f32 + i * wide, j * high, z as f32 + k * deep)
        };
        corners.extend(FACES.into_iter().flatten().map(corner));
    }
    check("city", &corners);
}

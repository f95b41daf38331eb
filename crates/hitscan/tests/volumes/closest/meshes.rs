//! Closed meshes. They are never reported as open, their inside is the inside of the solid of the same form, and their
//! surface is outside.

use crate::closest::subject::{Subject, U, cube_corners, local_place, transform};
use crate::closest::{points, random};
use crate::common::{Random, grid_cube, icosphere};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::query::Containment;
use hitscan::{Mesh, ProximityQueries, Scene};

/// Returns a cube of side 2 with two triangles for each face.
pub(crate) fn cube(faces_inwards: bool) -> Mesh {
    const QUADS: [[usize; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let corners = cube_corners();
    let halves = QUADS.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let turned = halves.map(|[a, b, c]| if faces_inwards { [a, c, b] } else { [a, b, c] });
    let soup: Vec<Vec3> = turned.flatten().map(|corner| corners[corner]).collect();
    Mesh::from_soup(&soup).unwrap()
}

fn prove(random: &mut Random, mesh: &Mesh, faces_inwards: bool) {
    let seed = random.0;
    let to_world = transform(random);
    let linear = to_world.matrix3;
    let size = 2.0 * (linear.x_axis.length() + linear.y_axis.length() + linear.z_axis.length());
    let subject = Subject::new(mesh.clone(), to_world, true, size);
    let mut place = to_world.transform_point3(local_place(random, DVec3::splat(2.0)));
    if random.below(3) == 0 {
        place += subject.ask(place).offset;
    }
    let found = subject.scene.closest_point(place).unwrap();
    let local = to_world.inverse().transform_point3(place);
    let height = local.abs().max_element() - 1.0;
    let is_inside = found.containment == Containment::Inside;
    let is_near = found.distance_f64() <= 64.0 * U * subject.reach(place);
    assert!(is_near || is_inside == (height < 0.0 && !faces_inwards), "seed {seed}: {place} {local} {found:?}");
    assert!(found.signed_distance().is_some(), "seed {seed}: {place} {local} {found:?}");
    subject.prove_lipschitz(random, place, 32.0 * U * subject.reach(place));
}

#[test]
fn of_closed_meshes_are_never_open() {
    let mut random = random();
    for faces_inwards in [false, true] {
        let mesh = cube(faces_inwards);
        (0..points() / 10).for_each(|_| prove(&mut random, &mesh, faces_inwards));
    }
}

#[test]
fn the_surface_is_outside() {
    let mesh = cube(false);
    let mut random = random();
    for _ in 0..points() / 20 {
        // The place is exactly on the surface, and sometimes on an edge or corner.
        let mut step = || (random.below(9) as f64 - 4.0) / 4.0;
        let mut place = DVec3::new(step(), step(), step());
        place[random.below(3)] = if random.below(2) == 0 { 1.0 } else { -1.0 };
        let found = mesh.closest_point(place).unwrap();
        assert_eq!((found.distance, found.containment), (0.0, Containment::Outside), "{place}");
        // The place is inside, one ulp away from the surface.
        let inwards = place * (1.0 - f64::EPSILON);
        assert_eq!(mesh.closest_point(inwards).unwrap().containment, Containment::Inside, "{place}");
    }
}

/// The first questions are answered with eight lines, and later questions with one half-line. Places are anywhere, near the surface and on it.
#[test]
fn answers_are_the_same_when_a_mesh_is_known_to_be_closed() {
    let mut random = random();
    for surface in [icosphere(4), grid_cube(20)] {
        let known = surface.mesh();
        assert!(known.is_closed());
        for _ in 0..(points() / 1000).max(8) {
            let fresh = surface.mesh();
            let mut scene = Scene::new();
            scene.insert(0, surface.mesh(), DAffine3::from_scale(DVec3::new(1.0, 2.0, -0.5))).unwrap();
            for _ in 0..fresh.triangle_count() / 256 / 2 {
                let near = random.pick(&surface.positions).as_dvec3();
                let place = match random.below(4) {
                    0 => random.cube() * 1.1,
                    1 => near + random.cube() * 1e-3,
                    2 => near + random.cube() * 1e-16,
                    _ => near,
                };
                let found = known.closest_point(place).unwrap();
                assert_eq!(fresh.closest_point(place), Some(found), "{place}");
                assert_eq!(known.contains(place), found.containment == Containment::Inside, "{place}");
                assert_eq!(fresh.contains(place), known.contains(place), "{place}");
                let placed = scene.closest_point(place * DVec3::new(1.0, 2.0, -0.5)).unwrap();
                let is_beside = found.distance > 1e-6;
                assert!(!is_beside || placed.containment == found.containment, "{place}: {placed:?}");
            }
        }
    }
}

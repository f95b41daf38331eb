//! Closed meshes: they are never open, their inside is the inside of the solid of the same form, and their surface is
//! outside.

use crate::common::Random;
use crate::subject::{Subject, U, cube_corners, local_place, transform};
use crate::{points, random};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Containment, Mesh, ProximityQueries};

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
        // The place is one rounding beside the surface.
        let inwards = place * (1.0 - f64::EPSILON);
        assert_eq!(mesh.closest_point(inwards).unwrap().containment, Containment::Inside, "{place}");
    }
}

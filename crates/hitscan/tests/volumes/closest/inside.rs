//! Containment of many points in closed meshes, in batches of one group and of several, compared with the containment
//! of each point alone.

use crate::closest::brute::{for_every_level, place};
use crate::closest::random;
use crate::common::{Random, grid_cube, icosphere};
use hitscan::Mesh;
use hitscan::batch::Threads;
use hitscan::glam::DVec3;

/// Compares batches with each point alone, and returns the number of points that are inside.
fn compare(mesh: &Mesh, places: &[DVec3]) -> usize {
    let alone: Vec<bool> = places.iter().map(|&place| mesh.contains(place)).collect();
    for_every_level(|| {
        for threads in [Threads::All, Threads::AtMost(1), Threads::AtMost(2)] {
            let mut inside = vec![true; places.len()];
            mesh.contains_batch(places, threads, &mut inside).unwrap();
            let different = alone.iter().zip(&inside).position(|(alone, inside)| alone != inside);
            assert_eq!(different.map(|number| places[number]), None, "{threads:?} of {} points", places.len());
        }
    });
    alone.iter().filter(|inside| **inside).count()
}

#[test]
fn of_many_points_is_that_of_each() {
    let mut random = random();
    for mesh in [icosphere(4).mesh(), grid_cube(9).mesh()] {
        assert!(mesh.is_closed());
        for count in [0, 1, 2, 700, 70_000] {
            let places: Vec<DVec3> = (0..count).map(|_| place(&mut random, &mesh)).collect();
            let inside = compare(&mesh, &places);
            assert!(count < 100 || (count / 20..count).contains(&inside), "{inside} are inside");
        }
    }
}

/// Makes a point.
type Place = fn(&mut Random) -> DVec3;

#[test]
fn of_crowded_points_is_that_of_each() {
    let mut random = random();
    let crowds: [(&str, Place); 7] = [
        ("anywhere", |random| random.cube() * 1.02),
        ("in a plane", |random| random.cube() * DVec3::new(1.0, 0.0, 1.0) + DVec3::new(0.0, 0.1, 0.0)),
        ("along a line", |random| DVec3::splat(random.unit())),
        ("at one point", |_| DVec3::new(0.3, -0.2, 0.1)),
        ("on the surface", |random| random.direction()),
        ("in a tiny box", |random| DVec3::X * 0.9 + random.cube() * 1e-14),
        ("in two corners", |random| (random.cube() * 0.1 + 0.85) * if random.below(2) == 0 { 1.0 } else { -0.5 }),
    ];
    for (name, place) in crowds {
        for mesh in [icosphere(5).mesh(), grid_cube(4).mesh()] {
            let places: Vec<DVec3> = (0..4000).map(|_| place(&mut random)).collect();
            println!("{name}: {} are inside", compare(&mesh, &places));
        }
    }
}

#[test]
fn of_a_sphere_is_that_of_distances() {
    let (mesh, mut random) = (icosphere(5).mesh(), random());
    let [a, b, c] = mesh.triangle(0).unwrap().map(|corner| corner.as_dvec3());
    // The faces are between this sphere and the sphere through the corners.
    let nearest = 0.999 * ((a + b + c) / 3.0).length();
    let places: Vec<DVec3> = (0..50_000).map(|_| random.cube()).collect();
    let mut inside = vec![false; places.len()];
    mesh.contains_batch(&places, Threads::All, &mut inside).unwrap();
    let mut decided = 0;
    for (place, inside) in places.iter().zip(inside) {
        if !(nearest..1.0001).contains(&place.length()) {
            decided += 1;
            assert_eq!(inside, place.length() < nearest, "{place}");
        }
    }
    assert!(decided > 49_000, "{decided} points are decided");
}

#[test]
fn in_thin_walls_is_that_of_each() {
    let mut random = random();
    // A shell between two spheres: the inner one faces inwards.
    let (outer, shell) = (icosphere(4).mesh(), 0.97);
    let inner = outer.positions().iter().map(|&corner| corner * shell);
    let positions: Vec<_> = outer.positions().iter().copied().chain(inner).collect();
    let count = outer.positions().len() as u32;
    let triangles = (0..outer.triangle_count() as u32).map(|t| outer.indices(t).unwrap());
    let indices: Vec<u32> = triangles.flat_map(|[a, b, c]| [a, b, c, a + count, c + count, b + count]).collect();
    let mesh = Mesh::new(&positions, &indices).unwrap();
    assert!(mesh.is_closed());
    let places: Vec<DVec3> = (0..30_000).map(|_| random.cube()).collect();
    let inside = compare(&mesh, &places);
    assert!((500..5_000).contains(&inside), "{inside} are inside");
}

#[test]
fn what_faces_inwards_contains_nothing_and_what_is_nowhere_is_outside() {
    let mut random = random();
    let whole = icosphere(3).mesh();
    let turned = |t| whole.indices(t).map(|[a, b, c]| [a, c, b]);
    let indices: Vec<u32> = (0..whole.triangle_count() as u32).filter_map(turned).flatten().collect();
    let inverted = Mesh::new(whole.positions(), &indices).unwrap();
    let nowhere = [DVec3::NAN, DVec3::INFINITY, DVec3::new(0.0, f64::NAN, 0.0), DVec3::splat(1e300)];
    let places: Vec<DVec3> = nowhere.into_iter().chain((0..2000).map(|_| place(&mut random, &whole))).collect();
    for mesh in [&whole, &inverted] {
        let alone: Vec<bool> = places.iter().map(|&place| mesh.contains(place)).collect();
        let mut inside = vec![true; places.len()];
        mesh.contains_batch(&places, Threads::All, &mut inside).unwrap();
        assert_eq!(inside, alone);
        assert_eq!(inside[..nowhere.len()], [false; 4]);
    }
    let mut inside = vec![true; places.len()];
    inverted.contains_batch(&places, Threads::All, &mut inside).unwrap();
    assert!(inside.iter().all(|inside| !inside));
}

#[test]
fn an_open_mesh_is_asked_about_each_point() {
    let mut random = random();
    let whole = icosphere(3).mesh();
    let indices: Vec<u32> = (1..whole.triangle_count() as u32).flat_map(|t| whole.indices(t).unwrap()).collect();
    let mesh = Mesh::new(whole.positions(), &indices).unwrap();
    assert!(!mesh.is_closed());
    let places: Vec<DVec3> = (0..2000).map(|_| place(&mut random, &mesh)).collect();
    let alone: Vec<bool> = places.iter().map(|&place| mesh.contains(place)).collect();
    let mut inside = vec![true; places.len()];
    mesh.contains_batch(&places, Threads::All, &mut inside).unwrap();
    assert_eq!(inside, alone);
    assert!(mesh.contains_batch(&places, Threads::All, &mut inside[1..]).is_err());
}

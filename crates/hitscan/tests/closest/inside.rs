//! Containment of many points in closed meshes, in batches of one group and of several, beside that of each alone.

use crate::brute::{for_every_level, place};
use crate::common::{grid_cube, icosphere};
use crate::random;
use hitscan::glam::DVec3;
use hitscan::{Mesh, Threads};

fn compare(mesh: &Mesh, places: &[DVec3]) {
    let alone: Vec<bool> = places.iter().map(|&place| mesh.contains(place)).collect();
    for_every_level(|| {
        for threads in [Threads::All, Threads::AtMost(1), Threads::AtMost(2)] {
            let mut inside = vec![true; places.len()];
            mesh.contains_batch(places, threads, &mut inside).unwrap();
            let different = alone.iter().zip(&inside).position(|(alone, inside)| alone != inside);
            assert_eq!(different.map(|number| places[number]), None, "{threads:?} of {} points", places.len());
        }
    });
    let count = alone.iter().filter(|inside| **inside).count();
    assert!(places.len() < 100 || (places.len() / 20..places.len()).contains(&count), "{count} are inside");
}

#[test]
fn of_many_points_is_that_of_each() {
    let mut random = random();
    for mesh in [icosphere(4).mesh(), grid_cube(9).mesh()] {
        assert!(mesh.is_closed());
        for count in [0, 1, 2, 700, 70_000] {
            let places: Vec<DVec3> = (0..count).map(|_| place(&mut random, &mesh)).collect();
            compare(&mesh, &places);
        }
    }
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

//! Winding numbers: within their bounds of the sum of all solid angles, and whole numbers for closed meshes.

use crate::closest::brute::soup;
use crate::closest::{points, random};
use crate::common::{Random, grid_cube, icosphere};
use hitscan::batch::Threads;
use hitscan::glam::DVec3;
use hitscan::{Mesh, WindingTree};
use std::f64::consts::TAU;

/// Returns the winding number by the spherical excess of each triangle (L'Huilier), which is another formula than the library's.
fn reference(mesh: &Mesh, point: DVec3) -> f64 {
    let excess = |corners: [DVec3; 3]| {
        let [a, b, c] = corners.map(|corner| (corner - point).normalize());
        let angle = |p: DVec3, q: DVec3| 2.0 * (p - q).length().atan2((p + q).length());
        let [x, y, z] = [angle(b, c), angle(c, a), angle(a, b)];
        let s = (x + y + z) / 2.0;
        let product = (s / 2.0).tan() * ((s - x) / 2.0).tan() * ((s - y) / 2.0).tan() * ((s - z) / 2.0).tan();
        (4.0 * product.max(0.0).sqrt().atan()).copysign(a.dot(b.cross(c)))
    };
    let corners = |number: usize| mesh.triangle(number as u32).unwrap().map(|corner| corner.as_dvec3());
    (0..mesh.triangle_count()).map(|number| excess(corners(number))).sum::<f64>() / (2.0 * TAU)
}

/// Returns a mesh with a hole: every triangle whose middle is below a height.
fn bowl() -> Mesh {
    let mut surface = icosphere(4);
    let positions = surface.positions.clone();
    surface.triangles.retain(|triangle| triangle.iter().map(|&vertex| positions[vertex as usize].y).sum::<f32>() < 1.5);
    surface.mesh()
}

fn place(random: &mut Random, mesh: &Mesh) -> DVec3 {
    let bounds = mesh.bounds();
    let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let [a, b, c] = mesh.triangle(random.below(mesh.triangle_count()) as u32).unwrap().map(|corner| corner.as_dvec3());
    match random.below(3) {
        0 => (low + high) * 0.5 + random.cube() * (high - low),
        1 => (a + b + c) / 3.0 + random.cube() * (high - low) * 10f64.powi(-(1 + random.below(4) as i32)),
        _ => (low + high) * 0.5 + random.cube() * (high - low) * 10f64.powi(random.below(4) as i32),
    }
}

#[test]
fn of_open_meshes_and_soups_are_within_the_bound() {
    let mut random = random();
    for mesh in [bowl(), soup(&mut random, 700), icosphere(4).map(|v| v * 1e18).mesh()] {
        let open = if mesh.is_closed() { without_one(&mesh) } else { mesh };
        let tree = WindingTree::new(&open);
        for _ in 0..(points() / 100).max(8) {
            let point = place(&mut random, &open);
            let exact = tree.winding_number(point, 0.0).unwrap();
            let wanted = reference(&open, point);
            // The reference is off by the square root of the rounding error if the point is nearly in a triangle's
            // plane.
            assert!((exact - wanted).abs() < 1e-5, "{point}: {exact}, not {wanted}");
            for bound in [0.3, 1e-2, 1e-4, 1e-7] {
                let found = tree.winding_number(point, bound).unwrap();
                assert!((found - exact).abs() <= bound + 1e-12, "{point}: {found}, not {exact} within {bound}");
            }
        }
    }
}

fn without_one(mesh: &Mesh) -> Mesh {
    let corners = (1..mesh.triangle_count() as u32).flat_map(|number| mesh.triangle(number).unwrap());
    Mesh::from_soup(&corners.collect::<Vec<_>>()).unwrap()
}

#[test]
fn of_closed_meshes_are_whole_numbers() {
    let mut random = random();
    let once = icosphere(3);
    let mut inwards = once.clone();
    inwards.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    for (surface, inside) in [(once, 1.0), (inwards, -1.0), (grid_cube(3), 1.0)] {
        let mesh = surface.mesh();
        let tree = WindingTree::new(&mesh);
        for _ in 0..(points() / 50).max(8) {
            let point = place(&mut random, &mesh);
            let found = tree.winding_number(point, 0.5).unwrap();
            assert!(found == 0.0 || found == inside, "{point}: {found}");
            assert!(mesh.closest_on_surface(point, 1e-9).is_some() || (reference(&mesh, point) - found).abs() < 1e-3);
            assert_eq!(mesh.contains(point), found > 0.0, "{point}");
        }
        let [a, b, c] = mesh.triangle(5).unwrap().map(|corner| corner.as_dvec3());
        // A corner is exactly on the surface, and about half of the sphere around it is inside.
        let on_it = tree.winding_number(a, 0.0).unwrap() / inside;
        assert!(0.1 < on_it && on_it < 0.6, "{on_it}");
        let beside = (a + b + c) / 3.0;
        assert!((0.0..=1.0).contains(&(tree.winding_number(beside, 0.0).unwrap() / inside)));
    }
    let cube = WindingTree::new(&grid_cube(2).mesh());
    let numbers = [[1.0, 0.3, 0.2], [1.0, 1.0, 0.2], [1.0, 1.0, 1.0]].map(|at| cube.winding_number(at, 0.0).unwrap());
    for (found, wanted) in numbers.into_iter().zip([0.5, 0.25, 0.125]) {
        assert!((found - wanted).abs() < 1e-12, "{numbers:?}");
    }
}

#[test]
fn batches_of_winding_numbers_are_the_same() {
    let mut random = random();
    let tree = WindingTree::new(&bowl());
    let mut places: Vec<DVec3> = (0..700).map(|_| random.cube() * 2.0).collect();
    places.extend([DVec3::NAN, DVec3::splat(1e71)]);
    for threads in [Threads::All, Threads::AtMost(1)] {
        let mut found = vec![None; places.len()];
        tree.winding_number_batch(&places, 1e-3, threads, &mut found).unwrap();
        let alone = places.iter().map(|&place| tree.winding_number(place, 1e-3));
        assert!(found.iter().copied().eq(alone));
        assert_eq!(found.iter().filter(|number| number.is_none()).count(), 2);
    }
    let refused = tree.winding_number_batch(&places, 1e-3, Threads::All, &mut [None; 2]).unwrap_err();
    assert_eq!((refused.questions, refused.answers), (702, 2));
}

#[test]
fn odd_bounds_and_meshes_have_winding_numbers() {
    let tree = WindingTree::new(&bowl());
    let exact = tree.winding_number(DVec3::ZERO, 0.0);
    for bound in [-1.0, f64::NAN] {
        assert_eq!(tree.winding_number(DVec3::ZERO, bound), exact);
    }
    let found = tree.winding_number(DVec3::ZERO, f64::INFINITY);
    assert!(found.is_some_and(f64::is_finite), "{found:?}");
    let point = Mesh::from_soup(&[[1.0f32; 3]; 3]).unwrap();
    let empty = Mesh::from_soup::<[f32; 3]>(&[]).unwrap();
    for mesh in [point, empty] {
        assert_eq!(WindingTree::new(&mesh).winding_number([1.0; 3], 0.1), Some(0.0));
    }
}

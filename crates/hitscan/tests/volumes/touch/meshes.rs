//! Meshes under any transform, against every triangle alone.

use crate::common::{Random, Surface, grid_cube, icosphere, instance_transform};
use crate::touch::count;
use crate::touch::oracle::to_triangle;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::query::Containment;
use hitscan::{Capsule, Mesh, Plane, ProximityQueries, Scene, Sphere, Volume};

fn corners(surface: &Surface, to_world: &DAffine3) -> Vec<[DVec3; 3]> {
    let corner = |i: u32| to_world.transform_point3(surface.positions[i as usize].as_dvec3());
    surface.triangles.iter().map(|triangle| triangle.map(corner)).collect()
}

/// Returns the winding number of a surface around a place, by the solid angles of its triangles (A. van Oosterom, J.
/// Strackee, "The Solid Angle of a Plane Triangle", 1983).
fn winding(place: DVec3, triangles: &[[DVec3; 3]]) -> f64 {
    let angle = |corners: &[DVec3; 3]| {
        let [a, b, c] = corners.map(|corner| corner - place);
        let [x, y, z] = [a, b, c].map(DVec3::length);
        let across = a.dot(b.cross(c));
        2.0 * across.atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

fn bumps() -> Surface {
    icosphere(3).map(|p| p * (2.0 + 0.3 * (7.0 * p.x).sin() * (5.0 * p.y + 3.0 * p.z).cos()))
}

/// Returns two nested balls, the inner one facing inwards, so that the space between them is inside.
fn shell() -> Surface {
    let mut outer = icosphere(2).map(|p| p * 2.0);
    let inner = icosphere(1);
    let first = outer.positions.len() as u32;
    outer.positions.extend(inner.positions);
    outer.triangles.extend(inner.triangles.iter().map(|&[a, b, c]| [first + a, first + c, first + b]));
    outer
}

fn subjects() -> [Surface; 3] {
    [bumps(), shell(), grid_cube(4)]
}

#[test]
fn closest_points_are_those_of_all_triangles() {
    for (number, surface) in subjects().into_iter().enumerate() {
        let mesh = surface.mesh();
        let mut random = Random(500 + number as u64);
        for transform in 0..6 {
            let to_world =
                if transform == 0 { DAffine3::IDENTITY } else { instance_transform(&mut random, transform, 20.0) };
            let triangles = corners(&surface, &to_world);
            let mirrored = if to_world.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
            let mut scene = Scene::new();
            scene.insert(0, mesh.clone(), to_world).unwrap();
            let mut inside = 0;
            for case in 0..count(60) {
                let mut local = random.cube() * if case % 4 == 0 { 8.0 } else { 2.5 };
                if case % 3 == 0 {
                    // The places are above corners and edges, and on the surface itself.
                    local = (local * 4.0).round() / 4.0;
                }
                let place = to_world.transform_point3(local);
                let found = scene.closest_point(place).unwrap();
                let truth = triangles.iter().map(|t| to_triangle(place, *t)).fold(f64::INFINITY, f64::min);
                let said = || format!("{number} {transform} {case}: {found:?}, but {truth}, of {place}");
                let slack = 1e-13 * (place.length() + to_world.translation.length() + 10.0);
                assert!((found.distance_f64() - truth).abs() <= slack, "{}", said());
                let own = triangles[found.triangle.unwrap() as usize];
                assert!(to_triangle(found.point_f64(), own) <= slack, "{}", said());
                assert!(found.point_f64().distance(place) - truth <= slack, "{}", said());
                let is_inside = truth > slack && mirrored * winding(place, &triangles) > 0.5;
                let expected = if is_inside { Containment::Inside } else { Containment::Outside };
                assert!(truth <= slack || found.containment == expected, "{}", said());
                inside += usize::from(is_inside);
                // The surface is not found beyond the maximum distance, and is found exactly at that distance.
                let within = |most: f64| scene.closest_point_within(place, most);
                assert_eq!(within(found.distance_f64()), Some(found), "{}", said());
                assert!(truth <= slack || within(found.distance_f64() - slack).is_none(), "{}", said());
            }
            assert!(inside > 0, "{number} {transform}: {inside}");
        }
    }
}

#[test]
fn an_open_mesh_has_no_inside() {
    let mut surface = icosphere(2);
    surface.triangles.retain(|triangle| triangle.iter().all(|&i| surface.positions[i as usize].y < 0.6));
    let bowl = surface.mesh();
    assert_eq!(bowl.closest_point([0.0, 3.0, 0.0]).map(|found| found.containment), Some(Containment::Open));
    assert_eq!(bowl.closest_point([0.0, 0.0, 0.0]).and_then(|found| found.signed_distance()), None);
    let ball = icosphere(2).mesh();
    assert!(ball.closest_point([0.0, 0.0, 0.0]).unwrap().signed_distance().unwrap() < -0.9);
    assert!(ball.closest_point([0.0, 3.0, 0.0]).unwrap().signed_distance().unwrap() > 1.9);
}

#[test]
fn a_mesh_alone_answers_as_in_a_scene() {
    let mesh = bumps().mesh();
    let mut scene = Scene::new();
    scene.insert(0, mesh.clone(), DVec3::ZERO).unwrap();
    let mut random = Random(510);
    for _ in 0..200 {
        let place = random.cube() * 3.0;
        let (own, found) = (mesh.closest_point(place).unwrap(), scene.closest_point(place).unwrap());
        assert_eq!(
            (Some(own.triangle), own.distance, own.containment),
            (found.triangle, found.distance, found.containment)
        );
        assert_eq!((own.point, own.normal, own.feature), (found.point, found.normal, found.feature));
    }
}

/// Returns the distance between a segment and a triangle by a search over points of the segment, accurate to the square
/// root of the rounding error.
fn to_triangles(a: DVec3, b: DVec3, triangle: [DVec3; 3]) -> f64 {
    let at = |s: f64| to_triangle(a + (b - a) * s, triangle);
    let (mut low, mut high) = (0.0, 1.0);
    // The function is convex.
    for _ in 0..60 {
        let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(p) <= at(q) { high = q } else { low = p }
    }
    at(low).min(at(high)).min(at(0.0)).min(at(1.0))
}

#[test]
fn volumes_overlap_the_triangles_that_they_touch() {
    let mut random = Random(520);
    for (number, surface) in subjects().into_iter().enumerate() {
        let mesh = surface.mesh();
        let to_world = instance_transform(&mut random, number, 5.0);
        let triangles = corners(&surface, &to_world);
        let mut scene = Scene::new();
        scene.insert(3, mesh, to_world).unwrap();
        let (mut all, mut touched) = (Vec::new(), 0);
        for case in 0..count(100) {
            let radius = 10f32.powf(-1.0 + random.unit() as f32);
            let (a, b) = ((random.cube() * 0.7).as_vec3(), (random.cube() * 0.7).as_vec3());
            let volume: Volume =
                if case % 2 == 0 { Sphere::at(a, radius).into() } else { Capsule::between(a, b, radius).into() };
            let b = if case % 2 == 0 { a } else { b };
            let at = triangles[random.below(triangles.len())][0] + random.cube() * 0.3;
            scene.overlap_all(&volume, at, &mut all);
            let found: Vec<u32> = all.iter().map(|of| of.triangle.unwrap()).collect();
            assert!(found.is_sorted() && all.iter().all(|of| of.id == 3));
            for (triangle, corners) in (0..).zip(&triangles) {
                let distance = to_triangles(at + a.as_dvec3(), at + b.as_dvec3(), *corners) - f64::from(radius);
                let is_found = found.binary_search(&triangle).is_ok();
                assert!(
                    is_found == (distance <= 0.0) || distance.abs() < 1e-9,
                    "{number} {case} {triangle}: {distance}"
                );
            }
            assert_eq!(scene.overlaps(&volume, at), !found.is_empty());
            touched += found.len();
        }
        assert!(touched > 20, "{number}: {touched}");
    }
}

/// Returns the distance between two triangles: corners to faces, and edges to edges.
fn between(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    let edges = |t: &[DVec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let ours = edges(a).into_iter().map(|[p, q]| to_triangles(p, q, *b));
    let theirs = edges(b).into_iter().map(|[p, q]| to_triangles(p, q, *a));
    ours.chain(theirs).fold(f64::INFINITY, f64::min)
}

#[test]
fn meshes_are_as_far_apart_as_their_triangles() {
    let mut random = Random(530);
    let (one, other) = (icosphere(1).map(|p| p * 1.5), grid_cube(2));
    let mut together = 0;
    for case in 0..count(12).min(2000) {
        let (at, to) = (instance_transform(&mut random, case, 1.0), instance_transform(&mut random, case + 1, 4.0));
        let mut scene = Scene::new();
        scene.insert('a', one.mesh(), at).unwrap();
        scene.insert('b', other.mesh(), to).unwrap();
        let found = scene.pair(&'a', &'b').distance().unwrap();
        let (ours, theirs) = (corners(&one, &at), corners(&other, &to));
        let truth = ours.iter().flat_map(|a| theirs.iter().map(move |b| between(a, b))).fold(f64::INFINITY, f64::min);
        let distance = f64::from(found.distance);
        assert!((distance - truth).abs() < 1e-6, "{case}: {found:?}, but {truth}");
        let [p, q] = found.points_f64();
        let [i, j] = found.triangles.map(|triangle| triangle.unwrap() as usize);
        assert!(to_triangle(p, ours[i]) < 1e-9 && to_triangle(q, theirs[j]) < 1e-9, "{case}: {found:?}");
        assert_eq!(scene.pair(&'b', &'a').distance().map(|turned| turned.distance), Some(found.distance));
        together += usize::from(distance == 0.0);
    }
    println!("{together} touch");
}

#[test]
fn planes_and_meshes() {
    let mut random = Random(540);
    let surface = bumps();
    for case in 0..40 {
        let to_world = instance_transform(&mut random, case, 3.0);
        let (on_it, normal) = (random.cube() * 6.0, random.direction());
        let mut scene = Scene::new();
        scene.insert(0, surface.mesh(), to_world).unwrap();
        scene.insert(1, Plane::new(on_it.as_vec3(), normal.as_vec3()).unwrap(), DVec3::ZERO).unwrap();
        let (on_it, normal) = (on_it.as_vec3().as_dvec3(), normal.as_vec3().as_dvec3().normalize());
        let heights = corners(&surface, &to_world).into_iter().flatten().map(|p| normal.dot(p - on_it));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let truth = if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
        let found = scene.pair(&0, &1).distance().unwrap();
        assert!((f64::from(found.distance) - truth).abs() < 1e-6, "{case}: {found:?}, but {truth}");
    }
}

#[test]
fn within_a_mesh_is_beside_its_surface() {
    let mut scene = Scene::new();
    scene.insert("ball", icosphere(2).mesh(), DVec3::ZERO).unwrap();
    assert!(!scene.overlaps(Sphere::new(0.5), [0.0; 3]));
    assert!(scene.overlaps(Sphere::new(0.99), [0.0; 3]));
    scene.insert("core", Sphere::new(0.5), DVec3::ZERO).unwrap();
    assert!(scene.pair(&"ball", &"core").distance().unwrap().distance > 0.4);
    let nothing = Mesh::from_soup::<Vec3>(&[]).unwrap();
    scene.insert("nothing", nothing, DVec3::ZERO).unwrap();
    assert!(scene.pair(&"ball", &"nothing").distance().is_none());
}

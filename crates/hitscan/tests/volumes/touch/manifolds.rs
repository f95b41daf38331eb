//! Contact points. They are on both surfaces, none is deeper than the penetration, and they are where a game needs
//! them.

use crate::common::{Random, grid_cube};
use crate::touch::oracle::{Kind, Placing, Subject, rotation_of};
use crate::touch::{count, each};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::query::ContactPoint;
use hitscan::{
    Aabb, Capsule, ConvexHull, Cylinder, Disc, Filter, Geometry, Mesh, Plane, Pose, ProximityQueries, Scene, Sphere,
    Torus, Volume,
};

#[test]
fn are_on_both_surfaces() {
    let kinds: Vec<_> = Kind::ALL.into_iter().flat_map(|of| Kind::VOLUMES.map(|kind| [of, kind])).collect();
    each("contact points", &kinds, |&[obstacle, kind]| {
        let mut random = Random(900 + 10 * obstacle as u64 + kind as u64);
        let (mut scene, mut contacts, mut all) = (Scene::new(), Vec::new(), Vec::new());
        let (mut points, mut things) = (0, 0);
        for case in 0..count(200) {
            let seed = random.0;
            let a = Subject::random(&mut random, obstacle, Placing::Turned);
            let mut b = Subject::random(&mut random, kind, Placing::Turned);
            let n = random.direction();
            b.moved(a.middle() - b.middle());
            // The depth is about the depth of a touch, or arbitrary.
            let deep = 10f64.powf(-1.5 + 1.5 * random.unit()) * a.size.min(b.size);
            let beside = if case % 3 == 0 {
                random.cube() * 0.1 * (a.size + b.size)
            } else {
                n * (a.reach(n) + b.reach(-n) - deep)
            };
            b.moved(beside);
            scene.insert(0, a.geometry.clone(), a.to_world).unwrap();
            let pose = (b.to_world.translation, rotation_of(&b.to_world));
            let volume = b.volume.clone().unwrap();
            scene.contact_points(&volume, pose, &mut contacts);
            scene.penetration_all(&volume, pose, &mut all);
            let said = || format!("{kind:?} on {obstacle:?} {case}, seed {seed:#x}: {contacts:?}, {all:?}");
            assert_eq!(all.is_empty(), contacts.is_empty(), "{}", said());
            let Some(deepest) = all.first() else { continue };
            let most = match (obstacle, kind) {
                (Kind::Sphere, _) | (_, Kind::Sphere) => 1,
                (Kind::Capsule, Kind::Capsule) => 1,
                (Kind::Capsule, _) | (_, Kind::Capsule) => 2,
                _ => 4,
            };
            assert!(contacts.len() <= most, "{}", said());
            assert_eq!((contacts[0].depth, contacts[0].normal), (deepest.depth, deepest.normal), "{}", said());
            let size = a.size + b.size + a.to_world.translation.length() + b.to_world.translation.length();
            // For flat sides, the bound is 2^-40 divided by the slope of the steepest face that is used. For round
            // shapes, it is the error of the penetration.
            let is_straight = a.is_flat_sided() && b.is_flat_sided();
            let slack = size * if is_straight { 2e-9 } else { 2e-5 };
            for of in &contacts {
                let [p, q] = of.points_f64();
                assert!(of.depth >= 0.0 && of.depth <= contacts[0].depth && of.normal == deepest.normal, "{}", said());
                assert!((p - q).distance(of.normal_f64() * of.depth_f64()) <= 1e-12 * size, "{}", said());
                assert!(a.signed(p).abs() <= slack, "{p} is {:e} off: {}", a.signed(p), said());
                assert!(b.signed(q).abs() <= slack, "{q} is {:e} off: {}", b.signed(q), said());
            }
            points += contacts.len();
            things += 1;
        }
        println!("{kind:?} on {obstacle:?}: {points} points of {things}");
        assert!(things * 5 > count(200), "{obstacle:?} {kind:?}: {things}");
    });
}

fn points_of(geometry: impl Into<Geometry>, volume: impl Into<Volume>, at: impl Into<Pose>) -> Vec<ContactPoint<u32>> {
    let mut scene = Scene::new();
    scene.insert(7, geometry, DVec3::ZERO).unwrap();
    let mut contacts = Vec::new();
    scene.contact_points(volume, at, &mut contacts);
    contacts
}

/// Asserts that the points on the volume are these, in any order, each once.
fn assert_places(found: &[ContactPoint<u32>], mut expected: Vec<[f32; 3]>) {
    for of in found {
        let near = expected.iter().position(|place| of.on_volume.distance(Vec3::from_array(*place)) < 1e-6);
        let near = near.unwrap_or_else(|| panic!("{of:?} is none of {expected:?}"));
        expected.remove(near);
    }
    assert!(expected.is_empty(), "{expected:?} are not there: {found:?}");
}

fn floor() -> Aabb {
    Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])
}

/// ```text
///      +----+
///   ___|____|___   four corners
/// ```
#[test]
fn of_a_box_at_rest_are_its_corners() {
    let chest = Aabb::new([-0.5; 3], [0.5; 3]);
    for sunk in [0.0, 0.125] {
        let low = -sunk as f32;
        let corners = |x: f32, z: f32| {
            vec![[x - 0.5, low, z - 0.5], [x + 0.5, low, z - 0.5], [x + 0.5, low, z + 0.5], [x - 0.5, low, z + 0.5]]
        };
        let at = [2.0, 0.5 - sunk, 1.0];
        let plane = Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap();
        for found in [
            points_of(floor(), chest, at),
            points_of(plane, chest, at),
            points_of(Disc::new([0.0; 3], [0.0, 1.0, 0.0], 8.0), chest, at),
        ] {
            assert!(found.iter().all(|of| of.depth == sunk as f32 && of.normal == Vec3::Y), "{found:?}");
            assert_places(&found, corners(2.0, 1.0));
        }
        // The box stands on another box of the same size.
        let found = points_of(chest, chest, [0.0, 1.0 - sunk, 0.0]);
        assert_places(&found, corners(0.0, 0.0).into_iter().map(|[x, y, z]| [x, 0.5 + y, z]).collect());
        // The box stands half over the edge.
        let found = points_of(floor(), chest, [9.0, 0.5 - sunk, 0.0]);
        assert_places(&found, vec![[8.5, low, -0.5], [9.0, low, -0.5], [9.0, low, 0.5], [8.5, low, 0.5]]);
        // A larger box on a post has contacts on the rim.
        let found = points_of(Cylinder::new(0.25, 2.0), chest, [0.0, 1.5 - sunk, 0.0]);
        let beside = |of: &ContactPoint<u32>| (of.point.x.hypot(of.point.z) - 0.25).abs() < 1e-6 && of.point.y == 1.0;
        assert!(found.len() == 4 && found.iter().all(beside), "{found:?}");
    }
}

#[test]
fn of_a_box_on_a_mesh_cover_its_corners() {
    let ground = Mesh::from_soup(&[
        [-9.0, 0.0, -9.0],
        [-9.0, 0.0, 9.0],
        [9.0, 0.0, 9.0],
        [-9.0, 0.0, -9.0],
        [9.0, 0.0, 9.0],
        [9.0, 0.0, -9.0],
    ])
    .unwrap();
    let found = points_of(ground, Aabb::new([-0.5; 3], [0.5; 3]), [0.25, 0.375, 0.0]);
    assert!(found.iter().all(|of| of.depth == 0.125 && of.normal == Vec3::Y), "{found:?}");
    assert_eq!(found.iter().map(|of| of.triangle).collect::<std::collections::BTreeSet<_>>().len(), 2);
    for corner in [[-0.25, -0.125, -0.5], [0.75, -0.125, -0.5], [0.75, -0.125, 0.5], [-0.25, -0.125, 0.5]] {
        assert!(found.iter().any(|of| of.on_volume.distance(Vec3::from_array(corner)) < 1e-6), "{corner:?}: {found:?}");
    }
}

/// A face of a box or hull that lies on a floor and is not clipped gives four of its corners. Their area is at least as
/// large as the area of any four corners that include the first.
#[test]
fn of_faces_at_rest_have_the_largest_area() {
    let mut random = Random(950);
    for case in 0..count(300).min(20_000) {
        let points: Vec<Vec3> = (0..12).map(|_| random.direction().as_vec3()).collect();
        let hull = if case % 2 == 0 { ConvexHull::new(&points).unwrap() } else { prism(&mut random) };
        let corners: Vec<DVec3> = hull.vertices().iter().map(|v| v.as_dvec3()).collect();
        let triangle = hull.mesh().triangle(random.below(hull.mesh().triangle_count()) as u32).unwrap();
        let [a, b, c] = triangle.map(|v| v.as_dvec3());
        let down = (b - a).cross(c - a).normalize();
        let turn = DQuat::from_rotation_arc(down, DVec3::NEG_Y);
        let height = corners.iter().map(|p| (turn * *p).y).fold(f64::INFINITY, f64::min);
        // Only the corners of the face would be below the floor if the volume were lowered.
        let face: Vec<DVec3> = corners.iter().map(|p| turn * *p).filter(|p| p.y < height + 1e-6).collect();
        let at = DVec3::new(random.unit(), -height - 1e-9, random.unit());
        let found = points_of(floor(), &hull, (at, turn));
        assert_eq!(found.len(), face.len().min(4), "{case}: {found:?} of {face:?}");
        let places: Vec<DVec3> = found.iter().map(|of| of.points_f64()[1] - at).collect();
        for place in &places {
            assert!(face.iter().any(|p| p.distance(*place) < 1e-6), "{case}: {place} is none of {face:?}");
        }
        let best =
            quads(&face).filter(|quad| quad.iter().any(|p| p.distance(places[0]) < 1e-6)).map(area).fold(0.0, f64::max);
        assert!(found.len() < 4 || area([places[0], places[1], places[2], places[3]]) >= best - 1e-6, "{case}: {best}");
    }
}

/// Returns a prism over a polygon of three to eight corners.
fn prism(random: &mut Random) -> ConvexHull {
    let count = 3 + random.below(6);
    let around = (0..count).map(|number| (number as f32 * 0.7 + 0.1 * random.unit() as f32).sin_cos());
    let points: Vec<Vec3> = around.flat_map(|(x, z)| [Vec3::new(x, -0.5, z), Vec3::new(x, 0.5, z)]).collect();
    ConvexHull::new(&points).unwrap()
}

fn quads(points: &[DVec3]) -> impl Iterator<Item = [DVec3; 4]> + '_ {
    let n = points.len();
    (0..n).flat_map(move |i| {
        (0..i).flat_map(move |j| (0..j).flat_map(move |k| (0..k).map(move |l| [i, j, k, l].map(|i| points[i]))))
    })
}

/// Returns the area of the hull of four points at about the same height. It is the largest area of the three orders in
/// which the points can be connected.
fn area([a, b, c, d]: [DVec3; 4]) -> f64 {
    let of = |p: DVec3, q: DVec3, r: DVec3, s: DVec3| 0.5 * (r - p).cross(s - q).length();
    of(a, b, c, d).max(of(a, c, b, d)).max(of(a, b, d, c))
}

/// ```text
///  (======)      o       two points if it lies, one point if it stands
///  --------   ---o---
/// ```
#[test]
fn of_capsules_and_balls() {
    let person = Capsule::new(0.5, 3.0);
    let lies = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let found = points_of(floor(), person, ([0.0, 0.25, 0.0], lies));
    assert!(found.iter().all(|of| (of.depth - 0.25).abs() < 1e-6), "{found:?}");
    assert_places(&found, vec![[-1.0, -0.25, 0.0], [1.0, -0.25, 0.0]]);
    // The capsule lies half over the edge, and across a beam.
    assert_places(&points_of(floor(), person, ([9.0, 0.25, 0.0], lies)), vec![[8.0, -0.25, 0.0], [9.0, -0.25, 0.0]]);
    let beam = Aabb::new([-0.25, -1.0, -9.0], [0.25, 0.0, 9.0]);
    assert_places(&points_of(beam, person, ([0.5, 0.5, 0.0], lies)), vec![[-0.25, 0.0, 0.0], [0.25, 0.0, 0.0]]);
    assert_places(&points_of(floor(), person, [0.0, 1.25, 0.0]), vec![[0.0, -0.25, 0.0]]);
    assert_places(&points_of(floor(), Sphere::new(0.5), [1.0, 0.25, 0.0]), vec![[1.0, -0.25, 0.0]]);
    // The crate stands on a horizontal pipe.
    let pipe = Capsule::between([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], 0.5);
    assert_places(
        &points_of(pipe, Aabb::new([-0.5; 3], [0.5; 3]), [0.0, 0.875, 0.0]),
        vec![[-0.5, 0.375, 0.0], [0.5, 0.375, 0.0]],
    );
    let pipe = Cylinder::between([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], 0.5);
    let found = points_of(pipe, Aabb::new([-0.5; 3], [0.5; 3]), [0.0, 0.875, 0.0]);
    assert!(found.len() == 2 && found.iter().all(|of| (of.on_volume.x.abs() - 0.5).abs() < 1e-4), "{found:?}");
    // The capsule is tilted a little. Its deepest point is the lowest point of the ball at its end, which is not on the
    // lowest line of its cylinder.
    let tilted = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2 + 0.1);
    let found = points_of(floor(), person, ([0.0, 0.5, 0.0], tilted));
    let end = tilted * DVec3::new(0.0, 1.0, 0.0);
    assert!(found[0].points_f64()[1].distance(end) < 1e-9, "{found:?}");
    assert_eq!(found.len(), 1, "only the end touches: {found:?}");
    // Both ends touch if the tilt is less, or the capsule is deeper.
    let tilted = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2 + 0.01);
    let found = points_of(floor(), person, ([0.0, 0.25, 0.0], tilted));
    assert!(found.len() == 2 && found[0].on_volume.x * found[1].on_volume.x < -0.9, "{found:?}");
    assert_eq!(points_of(Torus::new(2.0, 0.5), person, ([2.0, 0.9, 0.0], lies)).len(), 1);
}

#[test]
fn are_in_the_order_of_penetrations() {
    let mut scene = Scene::new();
    scene.insert(1, floor(), DVec3::ZERO).unwrap();
    scene.insert(2, Aabb::new([0.25, 0.0, -9.0], [3.0, 5.0, 9.0]), DVec3::ZERO).unwrap();
    scene.insert(3, grid_cube(1).mesh(), DVec3::new(-1.4, 1.0, 0.0)).unwrap();
    let chest = Aabb::new([-0.5; 3], [0.5; 3]);
    let (mut contacts, mut all) = (vec![], vec![]);
    scene.contact_points(chest, [0.0, 0.375, 0.0], &mut contacts);
    scene.penetration_all(chest, [0.0, 0.375, 0.0], &mut all);
    let things = |of: &mut dyn Iterator<Item = (i32, Option<u32>)>| {
        let mut things: Vec<_> = of.collect();
        things.dedup();
        things
    };
    let expected = things(&mut all.iter().map(|of| (of.id, of.triangle)));
    assert!(expected.len() > 3);
    assert_eq!(things(&mut contacts.iter().map(|of| (of.id, of.triangle))), expected);
    scene.with(&Filter::new().exclude(1)).contact_points(chest, [0.0, 0.375, 0.0], &mut contacts);
    assert!(!contacts.is_empty() && contacts.iter().all(|of| of.id != 1));
    // A scene with a distant origin loses no accuracy.
    let far = DVec3::new(4e9, -3e9, 1e9);
    let mut scene = Scene::new();
    scene.insert(1, floor(), far).unwrap();
    scene.relative_to(far).contact_points(chest, [0.0, 0.375, 0.0], &mut contacts);
    assert_places_of(&contacts);
    scene.contact_points(chest, [f64::NAN, 0.0, 0.0], &mut contacts);
    assert!(contacts.is_empty());
}

fn assert_places_of(contacts: &[ContactPoint<i32>]) {
    assert_eq!(contacts.len(), 4);
    for of in contacts {
        let is_corner = of.on_volume.abs().distance(Vec3::new(0.5, 0.125, 0.5)) < 1e-6;
        assert!(is_corner && of.normal == Vec3::Y, "{of:?}");
    }
}

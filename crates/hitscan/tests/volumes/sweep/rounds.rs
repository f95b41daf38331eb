//! Sweeps of cylinders and cones. Their contacts are no later than the contacts of an inscribed prism or pyramid, and
//! no earlier than the contacts of a circumscribed one.

use crate::common::{Random, grid_cube, icosphere};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Plane, Quad, Scene, Sphere, SweepQueries, Torus, Triangle, Volume,
};
use hitscan_random::effort;

/// The number of sides of the prisms. The distance between a circle and their corners or sides is 1.3e-5 of the radius.
const SIDES: u32 = 608;

fn count() -> usize {
    effort::size(1, 10, 50_000) * 25
}

/// Returns the corners of regular polygons around the y axis, by their heights and radii.
fn prism(rings: &[(f32, f32)]) -> ConvexHull {
    let corners = rings.iter().flat_map(|&(y, radius)| {
        let sides = if radius == 0.0 { 1 } else { SIDES };
        (0..sides).map(move |side| {
            let angle = core::f64::consts::TAU * f64::from(side) / f64::from(SIDES);
            Vec3::new((angle.cos() * f64::from(radius)) as f32, y, (angle.sin() * f64::from(radius)) as f32)
        })
    });
    ConvexHull::new(&corners.collect::<Vec<_>>()).unwrap()
}

/// Returns a round volume, a hull within it and one around it.
fn volume(number: usize) -> (Volume, [ConvexHull; 2]) {
    let (narrower, wider) = (|radius: f32| radius * (1.0 - 1e-6), |radius: f32| radius * (1.0 + 2e-5));
    if number.is_multiple_of(2) {
        let ends = [Vec3::new(0.0, -0.6, 0.0), Vec3::new(0.0, 0.6, 0.0)];
        let around = |radius: f32| prism(&[(-0.6, radius), (0.6, radius)]);
        (Cylinder::between(ends[0], ends[1], 0.4).into(), [around(narrower(0.4)), around(wider(0.4))])
    } else {
        let around = |radius: f32| prism(&[(-0.5, radius), (0.75, 0.0)]);
        let cone = Cone::between(Vec3::new(0.0, -0.5, 0.0), Vec3::new(0.0, 0.75, 0.0), 0.5);
        (cone.into(), [around(narrower(0.5)), around(wider(0.5))])
    }
}

fn scene(number: usize) -> Scene<u32> {
    let mut scene = Scene::new();
    let points = [[0.0, 1.0, 0.0], [1.0, -0.5, 0.0], [-0.7, -0.5, 0.7], [-0.7, -0.5, -0.9]].map(Vec3::from);
    let inserted = match number {
        0 => scene.insert(0, Aabb::new([-0.8, -0.5, -0.6], [0.8, 0.5, 0.6]), DVec3::ZERO),
        1 => scene.insert(0, Sphere::new(0.8), DVec3::ZERO),
        2 => scene.insert(0, Capsule::new(0.4, 2.0), DVec3::ZERO),
        3 => scene.insert(0, Cylinder::new(0.5, 1.5), DVec3::ZERO),
        4 => scene.insert(0, Cone::new(0.7, 1.2), DVec3::ZERO),
        5 => scene.insert(0, Disc::new(Vec3::ZERO, Vec3::Y, 0.9), DVec3::ZERO),
        6 => scene.insert(0, Quad::new([-1.0, 0.0, -1.0], [2.0, 0.0, 0.0], [0.0, 0.2, 2.0]), DVec3::ZERO),
        7 => scene.insert(0, Triangle::new(points[1], points[2], points[3]), DVec3::ZERO),
        8 => scene.insert(0, ConvexHull::new(&points).unwrap(), DVec3::ZERO),
        9 => scene.insert(0, grid_cube(4).mesh(), DVec3::ZERO),
        10 => scene.insert(0, icosphere(2).mesh(), DVec3::ZERO),
        11 => scene.insert(0, Plane::new([0.0, -0.2, 0.0], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO),
        _ => scene.insert(0, Torus::new(1.0, 0.3), DVec3::ZERO),
    };
    inserted.unwrap();
    scene
}

#[test]
fn prisms_bound_the_first_contact() {
    let mut random = Random(4207);
    let mut hits = 0;
    for case in 0..count() {
        let seed = random.0;
        let (scene, (volume, [within, around])) = (scene(case % 13), volume(case / 13));
        let rotation = if case.is_multiple_of(5) { DQuat::IDENTITY } else { random.rotation() };
        let from = random.direction() * 4.0;
        let motion = random.cube() * 1.2 - from * 1.5;
        let t = |volume: &Volume| scene.sweep(volume, (from, rotation), motion).map(|hit| hit.t_f64());
        let (found, late, early) = (t(&volume), t(&within.into()), t(&around.into()));
        // A torus is tested arc by arc. So a cylinder or a cone may hit it early, by 3e-4 of its radius.
        let slack = if case % 13 == 12 { 1e-3 } else { 1e-9 };
        let said = || format!("{volume:?}, case {case}, seed {seed:#x}: {early:?} {found:?} {late:?}");
        assert!(late.is_none_or(|late| found.is_some_and(|found| found <= late + slack)), "{}", said());
        assert!(found.is_none_or(|found| early.is_some_and(|early| early - slack <= found)), "{}", said());
        hits += usize::from(found.is_some());
    }
    assert!(hits * 3 > count(), "{hits}");
}

#[test]
fn a_turning_cylinder_is_met_by_its_rim() {
    let mut scene = Scene::new();
    scene.insert(0, Sphere::new(0.5), DVec3::new(2.0, 2.0, 0.0)).unwrap();
    let bar = Cylinder::between([-3.0, 0.0, 0.0], [3.0, 0.0, 0.0], 0.25);
    let quarter = DQuat::from_rotation_z(core::f64::consts::FRAC_PI_2);
    let hit = scene.sweep_rotating(bar, DVec3::ZERO, (DVec3::ZERO, quarter)).unwrap();
    // The side of the bar, 0.25 from its axis, touches a ball of 0.5 whose centre is sqrt(8) away in the direction of
    // an eighth of a turn.
    let angle = core::f64::consts::FRAC_PI_4 - (0.75 / 8f64.sqrt()).asin();
    assert!((f64::from(hit.t) - angle / core::f64::consts::FRAC_PI_2).abs() < 1e-5, "{hit:?}");
}

#[test]
fn a_cylinder_lands_on_its_cap() {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0]), DVec3::ZERO).unwrap();
    let hit = scene.sweep(Cylinder::new(0.5, 2.0), [0.25, 3.0, 0.0], [0.0, -4.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.normal, hit.surface_normal), (0.5, Vec3::Y, Vec3::Y));
    // The cylinder lies on its side, along x.
    let lying = DQuat::from_rotation_z(core::f64::consts::FRAC_PI_2);
    let hit = scene.sweep(Cylinder::new(0.5, 2.0), ([0.25, 2.5, 0.0], lying), [0.0, -4.0, 0.0]).unwrap();
    assert!((hit.t_f64() - 0.5).abs() < 1e-11 && hit.normal.distance(Vec3::Y) < 1e-6, "{hit:?}");
}

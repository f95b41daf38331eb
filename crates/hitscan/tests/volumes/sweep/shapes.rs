//! Sweeps against shapes of every kind, checked with their distance functions.

use crate::common::Random;
use crate::sweep::oracle::{Moving, to_segment, to_triangle};
use hitscan::glam::{DAffine3, DVec2, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Geometry, OrientedBox, Plane, Quad, RoundedBox, Scene, Sphere,
    SweepQueries, SweepStart, Torus, Triangle, Volume,
};

fn to_box(p: DVec3, half: DVec3) -> f64 {
    (p.abs() - half).max(DVec3::ZERO).length()
}

/// Returns coordinates in a plane through the axis: the distance from the axis, and the position along it.
fn around(p: DVec3) -> DVec2 {
    DVec2::new(DVec2::new(p.x, p.z).length(), p.y)
}

fn to_cylinder(p: DVec3, radius: f64, half: f64) -> f64 {
    (around(p).abs() - DVec2::new(radius, half)).max(DVec2::ZERO).length()
}

fn to_cone(p: DVec3, radius: f64, half: f64) -> f64 {
    let p = around(p);
    let corner = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let (rim, apex) = (corner(radius, -half), corner(0.0, half));
    let inside = p.y >= -half && p.x <= radius * (half - p.y) / (2.0 * half);
    if inside {
        0.0
    } else {
        to_segment(corner(p.x, p.y), rim, apex).min(to_segment(corner(p.x, p.y), rim, corner(0.0, -half)))
    }
}

pub(crate) type Distance = Box<dyn Fn(DVec3) -> f64>;

/// Returns convex subjects, each with its distance function.
pub(crate) fn subjects() -> Vec<(&'static str, Geometry, Distance)> {
    let half = DVec3::new(1.0, 0.5, 0.75);
    let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [-1.0, -0.5, 0.0]].map(|p: [f32; 3]| Vec3::from(p));
    let tetrahedron =
        [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]].map(|p: [f32; 3]| Vec3::from(p));
    let boxed = Aabb::new((-half).as_vec3(), half.as_vec3());
    let turn = DAffine3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.7);
    let unturn = turn.inverse();
    let exact = |p: [Vec3; 3]| p.map(|p| p.as_dvec3());
    vec![
        ("box", boxed.into(), Box::new(move |p| to_box(p, half))),
        (
            "flat box",
            Aabb::new([-1.0, 0.0, -1.0], [1.0, 0.0, 1.0]).into(),
            Box::new(|p| to_box(p, DVec3::new(1.0, 0.0, 1.0))),
        ),
        ("line box", Aabb::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]).into(), Box::new(|p| to_box(p, DVec3::X))),
        (
            "turned box",
            OrientedBox::new(boxed, turn).unwrap().into(),
            Box::new(move |p| to_box(unturn.transform_point3(p), half)),
        ),
        ("rounded box", RoundedBox::new(boxed, 0.25).into(), Box::new(move |p| (to_box(p, half) - 0.25).max(0.0))),
        (
            "sphere",
            Sphere::at([0.5, 0.0, 0.0], 0.75).into(),
            Box::new(|p| (p.distance(DVec3::X * 0.5) - 0.75).max(0.0)),
        ),
        (
            "capsule",
            Capsule::new(0.25, 1.5).into(),
            Box::new(|p| (to_segment(p, DVec3::Y * -0.5, DVec3::Y * 0.5) - 0.25).max(0.0)),
        ),
        ("cylinder", Cylinder::new(0.75, 1.5).into(), Box::new(|p| to_cylinder(p, 0.75, 0.75))),
        ("disc", Disc::new([0.0; 3], [0.0, 1.0, 0.0], 1.25).into(), Box::new(|p| to_cylinder(p, 1.25, 0.0))),
        ("cone", Cone::new(0.75, 1.5).into(), Box::new(|p| to_cone(p, 0.75, 0.75))),
        (
            "quad",
            Quad::new([-1.0, 0.0, -1.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]).into(),
            Box::new(|p| to_box(p, DVec3::new(1.0, 0.0, 1.0))),
        ),
        (
            "triangle",
            Triangle::new(corners[0], corners[1], corners[2]).into(),
            Box::new(move |p| to_triangle(p, exact(corners))),
        ),
        (
            "hull",
            ConvexHull::new(&tetrahedron).unwrap().into(),
            Box::new(move |p| {
                let [a, b, c, d] = tetrahedron.map(|p| p.as_dvec3());
                let inside = p.x + p.y + p.z >= -1.0
                    && p.x - p.y - p.z >= -1.0
                    && -p.x + p.y - p.z >= -1.0
                    && -p.x - p.y + p.z >= -1.0;
                let faces = [[a, b, c], [a, b, d], [a, c, d], [b, c, d]];
                if inside {
                    0.0
                } else {
                    faces.into_iter().map(|face| to_triangle(p, face)).fold(f64::INFINITY, f64::min)
                }
            }),
        ),
    ]
}

fn moving(random: &mut Random, capsule: bool) -> (Volume, Moving) {
    let radius = 10f32.powf(-1.0 + random.unit() as f32);
    let (a, b) = ((random.cube() * 0.8).as_vec3(), (random.cube() * 0.8).as_vec3());
    let volume = if capsule { Capsule::between(a, b, radius).into() } else { Sphere::at(a, radius).into() };
    let (a, b) = (a.as_dvec3(), if capsule { b } else { a }.as_dvec3());
    let from = random.direction() * 4.0;
    let motion = (random.cube() - from) * 1.7;
    (volume, Moving { center: from + (a + b) * 0.5, half: (b - a) * 0.5, radius: radius.into(), motion })
}

/// Returns the position of the volume's own origin.
fn from(volume: &Volume, moving: &Moving) -> DVec3 {
    moving.center
        - match volume {
            Volume::Sphere(sphere) => sphere.center.as_dvec3(),
            Volume::Capsule(capsule) => (capsule.ends()[0].as_dvec3() + capsule.ends()[1].as_dvec3()) * 0.5,
            _ => DVec3::ZERO,
        }
}

#[test]
fn convex_shapes_are_met_where_they_are() {
    for (what, geometry, distance) in subjects() {
        let mut scene = Scene::new();
        scene.insert(0, geometry, DVec3::ZERO).unwrap();
        let mut random = Random(41);
        let mut hits = 0;
        for number in 0..400 {
            let (volume, moving) = moving(&mut random, number % 2 == 1);
            let hit = scene.sweep(&volume, from(&volume, &moving), moving.motion);
            let (truth, depth) = moving.first(&distance);
            let said = || format!("{what} {number}: {volume:?} {moving:?}: {hit:?}, but {truth:?} by {depth:e}");
            if hit.is_some() != truth.is_some() {
                assert!(depth.abs() < 1e-9, "{}", said());
                continue;
            }
            let (Some(hit), Some(truth)) = (hit, truth) else { continue };
            assert!((f64::from(hit.t) - truth).abs() < 2e-6, "{}", said());
            assert_eq!(hit.start == SweepStart::Apart, truth > 0.0, "{}", said());
            if truth > 0.0 {
                assert!(distance(hit.point_f64()) < 1e-6, "{}: {}", said(), distance(hit.point_f64()));
                let center = moving.center + moving.motion * f64::from(hit.t);
                let core = hit.point_f64() + hit.normal.as_dvec3() * moving.radius;
                let beside = to_segment(core, center - moving.half, center + moving.half);
                assert!(beside < 2e-5, "{}: {beside:e}", said());
                hits += 1;
            }
        }
        assert!(hits > 100, "{what}: {hits}");
    }
}

#[test]
fn a_ball_and_an_ellipsoid() {
    // The distance to a scaled sphere is found by a dense walk over its surface.
    let scale = DVec3::new(2.0, 0.5, 1.0);
    let mut scene = Scene::new();
    scene.insert(0, Sphere::new(1.0), DAffine3::from_scale(scale)).unwrap();
    let golden = core::f64::consts::PI * (3.0 - 5f64.sqrt());
    let point = |i: i32| {
        let y = 1.0 - 2.0 * (f64::from(i) + 0.5) / 40_000.0;
        let (sin, cos) = (golden * f64::from(i)).sin_cos();
        DVec3::new(cos * (1.0 - y * y).sqrt(), y, sin * (1.0 - y * y).sqrt()) * scale
    };
    let points: Vec<DVec3> = (0..40_000).map(point).collect();
    let mut random = Random(51);
    let mut hits = 0;
    for number in 0..60 {
        let (volume, moving) = moving(&mut random, false);
        let hit = scene.sweep(&volume, from(&volume, &moving), moving.motion);
        let at = |t: f64| {
            points.iter().map(|p| p.distance(moving.center + moving.motion * t)).fold(f64::INFINITY, f64::min)
                - moving.radius
        };
        match hit {
            Some(hit) if hit.start == SweepStart::Apart => {
                assert!((-1e-5..2e-2).contains(&at(hit.t.into())), "{number}: {hit:?} {}", at(hit.t.into()));
                hits += 1;
            }
            Some(_) => {}
            None => assert!((0..200).all(|i| at(f64::from(i) / 200.0) > 0.0), "{number}: {moving:?}"),
        }
    }
    assert!(hits > 20, "{hits}");
}

#[test]
fn a_ring_has_a_hole() {
    let (major, minor) = (2.0, 0.5);
    let mut scene = Scene::new();
    scene.insert(0, Torus::new(2.0, 0.5), DVec3::ZERO).unwrap();
    assert!(scene.sweep(Sphere::new(1.0), [0.0, 4.0, 0.0], DVec3::new(0.0, -8.0, 0.0)).is_none());
    let around = scene.sweep(Sphere::new(1.75), [0.0, 4.0, 0.0], DVec3::new(0.0, -8.0, 0.0)).unwrap();
    let height = (2.25f64 * 2.25 - 4.0).sqrt();
    assert_eq!(around.t, ((4.0 - height) / 8.0) as f32, "{around:?}");
    let mut random = Random(61);
    let mut hits = 0;
    for number in 0..120 {
        let (volume, moving) = moving(&mut random, number % 2 == 1);
        let hit = scene.sweep(&volume, from(&volume, &moving), moving.motion);
        let to_ring = |p: DVec3| DVec2::new(DVec2::new(p.x, p.z).length() - major, p.y).length() - minor;
        let at = |t: f64| {
            let center = moving.center + moving.motion * t;
            let steps = (-100..=100).map(|s| to_ring(center + moving.half * (f64::from(s) / 100.0)));
            steps.fold(f64::INFINITY, f64::min) - moving.radius
        };
        let last = hit.map_or(1.0, |hit| f64::from(hit.t));
        assert!((0..300).all(|i| at(last * f64::from(i) / 300.0) > -1e-5) || last == 0.0, "{number}: {hit:?}");
        if let Some(hit) = hit.filter(|hit| hit.start == SweepStart::Apart) {
            assert!(at(last).abs() < 1e-3, "{number}: {hit:?}: {}", at(last));
            hits += 1;
        }
    }
    assert!(hits > 30, "{hits}");
}

#[test]
fn planes_are_met_from_both_sides() {
    let mut scene = Scene::new();
    scene.insert(0, Plane::new([0.0, 1.0, 0.0], [0.0, 2.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    let lying = Capsule::between([-1.0, 0.0, 0.0], [1.0, 0.5, 0.0], 0.25);
    let hit = scene.sweep(lying, [0.0, 4.0, 0.0], [0.0, -5.5, 0.0]).unwrap();
    assert_eq!((hit.t, hit.normal, hit.point), (0.5, Vec3::Y, Vec3::new(-1.0, 1.0, 0.0)));
    let hit = scene.sweep(Sphere::new(0.5), [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.normal), (0.5, Vec3::NEG_Y));
    assert!(scene.sweep(Sphere::new(0.5), [0.0, 0.0, 0.0], [4.0, 0.0, 0.0]).is_none());
}

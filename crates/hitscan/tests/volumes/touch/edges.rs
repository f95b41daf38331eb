//! Proximity questions in empty scenes, with invalid input, or with extreme sizes.

use core::ops::ControlFlow;
use core::sync::atomic::{AtomicUsize, Ordering};
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::glam::{DAffine3, DQuat, DVec3};
use hitscan::pairs::PairFilter;
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Mesh, Plane, ProximityQueries, Quad, Scene, Sphere, SweepQueries,
    SweepStart, Torus, Volume,
};
use std::sync::Arc;

#[test]
fn of_nothing() {
    let mut scene: Scene<u32> = Scene::new();
    assert!(scene.closest_point([0.0; 3]).is_none());
    assert!(!scene.overlaps(Sphere::new(1e9), [0.0; 3]));
    assert!(scene.pair(&1, &2).distance().is_none());
    scene.insert(1, Mesh::from_soup(&[[0.0; 3], [1.0; 3], [2.0; 3]]).unwrap(), DVec3::ZERO).unwrap();
    assert!(scene.closest_point([0.0; 3]).is_none(), "a triangle without an area");
    assert!(!scene.overlaps(Sphere::new(9.0), [0.0; 3]));
    scene.insert(2, Sphere::new(1.0), DVec3::ZERO).unwrap();
    assert!(scene.pair(&1, &2).distance().is_none());
    assert_eq!(scene.pair(&2, &2).distance().map(|found| found.distance), Some(0.0));
    assert!(scene.closest_point([f64::NAN, 0.0, 0.0]).is_none());
    assert!(scene.closest_point([1e71, 0.0, 0.0]).is_none());
    assert!(scene.closest_point_within([9.0, 0.0, 0.0], f64::NAN).is_none());
    assert!(scene.closest_point_within([9.0, 0.0, 0.0], 7.0).is_none());
    assert!(scene.closest_point_within([9.0, 0.0, 0.0], 8.0).is_some());
    assert!(!scene.overlaps(Sphere::new(-1.0), [0.0; 3]));
    assert!(!scene.overlaps(Sphere::new(1.0), ([0.0; 3], DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0))));
}

#[test]
fn touching_counts_as_for_sweeps() {
    let mut scene = Scene::new();
    scene.insert("crate", Aabb::new([-1.0; 3], [1.0; 3]), DVec3::ZERO).unwrap();
    scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 3.0, 0.0)).unwrap();
    for (volume, x) in [(Volume::from(Sphere::new(0.5)), 1.5), (Aabb::new([-0.5; 3], [0.5; 3]).into(), 1.5)] {
        for off in [-1e-3, 0.0, 1e-3] {
            let at = [x + off, 0.0, 0.0];
            let swept = scene.sweep(&volume, at, DVec3::ZERO);
            assert_eq!(scene.overlaps(&volume, at), swept.is_some(), "{volume:?} {off}");
            assert_eq!(scene.overlaps(&volume, at), off <= 0.0, "{volume:?} {off}");
            assert!(swept.is_none_or(|hit| hit.start != SweepStart::Apart));
        }
    }
    assert!(scene.overlaps(Volume::Point, [1.0, 0.0, 0.0]) && !scene.overlaps(Volume::Point, [1.001, 0.0, 0.0]));
    assert_eq!(scene.pair(&"crate", &"ball").distance().map(|found| found.distance), Some(1.0));
}

/// The convex hull of a ball and a point; its support function may be made to fail.
struct Drop {
    says: bool,
}

impl CustomShape for Drop {
    fn bounds(&self) -> Aabb {
        Aabb::new([-1.0; 3], [1.0, 3.0, 1.0])
    }

    fn cast(&self, _: &CustomRay, _: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {}

    fn farthest(&self, direction: DVec3) -> Option<DVec3> {
        let tip = DVec3::new(0.0, 3.0, 0.0);
        self.says.then(|| if tip.dot(direction) > 1.0 { tip } else { direction })
    }
}

#[test]
fn a_shape_of_ones_own_says_how_far_it_reaches() {
    let mut scene = Scene::new();
    scene.insert(0, Custom::new(Drop { says: true }), DVec3::ZERO).unwrap();
    let tip = scene.closest_point([0.0, 5.0, 0.0]).unwrap();
    assert!((tip.distance - 2.0).abs() < 1e-6, "{tip:?}");
    let within = scene.closest_point([0.0, -0.5, 0.0]).unwrap();
    assert!((within.signed_distance().unwrap() + 0.5).abs() < 1e-3, "{within:?}");
    assert!(scene.overlaps(Sphere::new(0.5), [0.0, 3.25, 0.0]) && !scene.overlaps(Sphere::new(0.5), [0.0, 3.75, 0.0]));
    scene.insert(0, Custom::new(Drop { says: false }), DVec3::ZERO).unwrap();
    assert!(scene.closest_point([0.0, 5.0, 0.0]).is_none() && !scene.overlaps(Sphere::new(0.5), [0.0; 3]));
}

#[test]
fn nothing_panics() {
    let numbers = [0.0, 1e-300, 1e-20, 0.5, 3.0, 1e8, 1e30, 1e69, 1e200, f64::INFINITY, f64::NAN];
    let sizes = [0.0f32, 1e-45, 1e-20, 0.5, 1e8, 1e30, 3e38];
    for size in sizes {
        let mut scene = Scene::new();
        let mut insert = |key: u32, geometry: hitscan::Geometry, transform: DAffine3| {
            let _ = scene.insert(key, geometry, transform);
        };
        let stretched = DAffine3::from_scale(DVec3::new(1e-3, 1e3, -1.0));
        for (base, transform) in [(0, DAffine3::IDENTITY), (20, stretched)] {
            insert(base, Sphere::new(size).into(), transform);
            insert(base + 1, Aabb::new([0.0; 3], [size, 0.0, size]).into(), transform);
            insert(base + 2, Capsule::new(size, 3.0 * size).into(), transform);
            insert(base + 3, Cylinder::new(size, size).into(), transform);
            insert(base + 4, Cone::new(size, 0.0).into(), transform);
            insert(base + 5, Torus::new(size, size * 0.5).into(), transform);
            insert(base + 6, Disc::new([0.0; 3], [0.0, 1.0, 0.0], size).into(), transform);
            insert(
                base + 7,
                Quad { corner: [0.0; 3].into(), edge_u: [size, 0.0, 0.0].into(), edge_v: [0.0, size, 0.0].into() }
                    .into(),
                transform,
            );
            insert(base + 8, Plane::new([size, 0.0, 0.0], [0.0, 1.0, 1.0]).unwrap().into(), transform);
            let corners = [[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]];
            if let Ok(hull) = ConvexHull::new(&corners) {
                insert(base + 9, hull.into(), transform);
            }
            insert(base + 10, Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).unwrap().into(), transform);
        }
        for a in 0..32 {
            for b in 0..32 {
                let found = scene.pair(&a, &b).distance();
                assert!(found.is_none_or(|found| found.distance >= 0.0), "{size:e} {a} {b}: {found:?}");
                let deep = scene.pair(&a, &b).penetration();
                assert!(deep.is_none_or(|deep| deep.depth >= 0.0), "{size:e} {a} {b}: {deep:?}");
            }
        }
        let mut contacts = Vec::new();
        for x in numbers {
            for y in [0.0, 0.5, 1e30, f64::NAN] {
                let found = scene.closest_point([x, y, -x]);
                assert!(found.is_none_or(|found| found.distance >= 0.0), "{size:e} {x:e} {y:e}: {found:?}");
                for volume in [
                    Volume::Point,
                    Sphere::new(size).into(),
                    Capsule::new(size, 1.0).into(),
                    Aabb::new([-size; 3], [size; 3]).into(),
                ] {
                    scene.overlaps(&volume, [x, y, 0.0]);
                    scene.contact_points(&volume, [x, y, 0.0], &mut contacts);
                    assert!(contacts.iter().all(|of| of.depth >= 0.0), "{size:e} {x:e} {y:e}: {contacts:?}");
                }
            }
        }
    }
}

#[test]
fn scales_do_not_matter() {
    for size in [1e-18f32, 1.0, 1e18] {
        let scaled = |x: f64| x * f64::from(size);
        let mut scene = Scene::new();
        scene.insert("crate", Aabb::new([-size; 3], [size; 3]), DVec3::ZERO).unwrap();
        scene.insert("ball", Sphere::new(size), DVec3::new(0.0, scaled(4.0), 0.0)).unwrap();
        scene.insert("can", Cylinder::new(size, 2.0 * size), DVec3::new(0.0, 0.0, scaled(5.0))).unwrap();
        let distance = |a, b| f64::from(scene.pair(&a, &b).distance().unwrap().distance) / f64::from(size);
        assert!((distance("crate", "ball") - 2.0).abs() < 1e-6, "{size:e}");
        assert!((distance("crate", "can") - 3.0).abs() < 1e-6, "{size:e}");
        let found = scene.closest_point([0.0, scaled(2.25), 0.0]).unwrap();
        assert!((f64::from(found.distance) / f64::from(size) - 0.75).abs() < 1e-6, "{size:e}: {found:?}");
    }
}

/// A triangle has two corners that coincide as seen from the third one, and another shape is nearly a point.
#[test]
fn edges_that_are_points_beside_their_distance() {
    let soup = [
        [-5.2053236e-31, -2.6521962e-31, -7.793734e-31],
        [-1e-45, -1e-45, 0.0],
        [-0.0176441, -0.14755647, 0.13511491],
        [3.49114e-32, 0.3337345, -0.0046179416],
        [-0.007674599, 0.0031083508, 0.13337953],
        [-0.01763083, 0.3914462, -0.36656913],
    ];
    let mut scene = Scene::new();
    scene.insert("mesh", Mesh::from_soup(&soup).unwrap(), DVec3::ZERO).unwrap();
    scene.insert("ball", Capsule::between([0.0; 3], [1e-45, 1e-45, 0.0], 1e6), DVec3::ZERO).unwrap();
    for [a, b] in [["mesh", "ball"], ["ball", "mesh"]] {
        let found = scene.pair(&a, &b).distance().unwrap();
        assert!(found.distance == 0.0 && found.points.iter().all(|point| point.is_finite()), "{found:?}");
        assert!(scene.pair(&a, &b).overlaps() && scene.pair(&a, &b).penetration().is_some());
    }
}

/// Squares of these lengths overflow: the questions must still terminate with an answer.
#[test]
fn beyond_what_f64_can_square() {
    let capsule = Capsule::new(1.0, 4.0);
    let mesh = Mesh::from_soup(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    for size in [1e160, 1e300] {
        let large = DAffine3::from_scale(DVec3::splat(size));
        let (long, far) =
            (DAffine3::from_scale(DVec3::new(size, 1.0, 1.0)), DAffine3::from_translation(DVec3::splat(size)));
        for to_world in [large, long, far] {
            let mut scene = Scene::new();
            scene.insert(0, capsule, to_world).unwrap();
            scene.insert(1, mesh.clone(), to_world).unwrap();
            scene.insert(2, Aabb::new([-1.0; 3], [1.0; 3]), to_world).unwrap();
            scene.insert(3, Cylinder::new(1.0, 4.0), to_world).unwrap();
            scene.insert(4, Torus::new(2.0, 1.0), to_world).unwrap();
            scene.insert(5, Sphere::new(1.0), DVec3::ZERO).unwrap();
            for volume in
                [Volume::Point, Sphere::new(1.0).into(), capsule.into(), Aabb::new([-1.0; 3], [1.0; 3]).into()]
            {
                for at in [[0.0; 3], [1e60; 3], [0.5, 1e-300, 0.0]] {
                    let mut all = Vec::new();
                    scene.penetration_all(&volume, at, &mut all);
                    assert!(all.iter().all(|of| of.depth >= 0.0 && of.normal.is_finite()), "{size} {all:?}");
                    assert_eq!(scene.overlaps(&volume, at), !all.is_empty(), "{size} {volume:?}");
                    assert!(scene.closest_point(at).is_none_or(|nearest| nearest.distance >= 0.0));
                }
            }
            let keys = || 0..6;
            for (a, b) in keys().flat_map(|a| keys().map(move |b| (a, b))) {
                assert!(scene.pair(&a, &b).distance().is_none_or(|found| found.distance >= 0.0), "{size} {a} {b}");
            }
            scene.overlap_pairs(&PairFilter::new(), &mut Vec::new());
        }
    }
}

/// The direction away from the nearest side of a small hole leads into the opposite side of the hole.
#[test]
fn out_of_a_ring_is_out_of_all_of_it() {
    let mut scene = Scene::new();
    scene.insert("ring", Torus::new(1.0, 0.9), DVec3::ZERO).unwrap();
    for (volume, x) in [
        (Volume::from(Sphere::new(0.3)), 0.0),
        (Sphere::new(0.3).into(), 0.25),
        (Sphere::new(0.5).into(), 0.5),
        (Capsule::new(0.2, 0.6).into(), 0.1),
    ] {
        let at = DVec3::new(x, 0.0, 0.0);
        let found = scene.penetration(&volume, at).unwrap();
        let left = scene.penetration(&volume, at + found.separation());
        assert!(left.is_none_or(|left| left.depth < 1e-5), "{volume:?} {x}: {found:?}, then {left:?}");
    }
    // The separation from a place outside of the box is along the normal of the nearest side.
    let found = scene.penetration(Sphere::new(0.5), [2.25, 0.0, 0.0]).unwrap();
    assert!((found.depth - 0.15).abs() < 1e-6 && found.normal.x > 0.999_999, "{found:?}");
}

/// A ball that counts the calls of its support function.
struct Counted {
    radius: f64,
    asked: Arc<AtomicUsize>,
}

impl CustomShape for Counted {
    fn bounds(&self) -> Aabb {
        Aabb::new([-self.radius as f32; 3], [self.radius as f32; 3])
    }

    fn cast(&self, _: &CustomRay, _: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {}

    fn farthest(&self, direction: DVec3) -> Option<DVec3> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Some(direction * self.radius)
    }
}

/// All arcs of the torus are equally far from the ball in f64. The ball may be at the side of the torus or around
/// it. So no arc is worth splitting.
#[test]
fn a_ring_beside_something_larger_by_far_is_soon_answered() {
    for (major, radius) in [(0.4, 1e8), (0.4, 3e37), (1e-20, 1.0), (3e37, 0.4)] {
        let asked = Arc::new(AtomicUsize::new(0));
        let mut scene = Scene::new();
        scene.insert("ring", Torus::new(major, 0.25 * major), DVec3::ZERO).unwrap();
        let ball = Custom::new(Counted { radius, asked: asked.clone() });
        scene.insert("ball", ball, DVec3::new(0.0, 2.0 * radius, 0.0)).unwrap();
        let distance = scene.pair(&"ring", &"ball").distance().unwrap().distance;
        assert!(distance >= 0.0 && !scene.pair(&"ring", &"ball").overlaps(), "{major:e} {radius:e}: {distance}");
        let times = asked.swap(0, Ordering::Relaxed);
        assert!(times < 4000, "{major:e} {radius:e}: {times}");
    }
}

/// Some of the triangles reach beyond 1e70, so that queries find nothing for the mesh. They do find the mesh when it is
/// smaller by a factor of 1e86.
#[test]
fn what_reaches_too_far_is_met_by_rays_alone() {
    let large = [[3e38, 3e38, 0.0], [-1.5e38, 3e38, 0.0], [1e38, -3e38, 1e38]];
    let small = [[-1e-42, 1e-42, -1e-42], [1e-42, 1e-42, -1e-42], [0.0, 1e-42, 1e-42]];
    let mesh = Mesh::from_soup(&[large, small].concat()).unwrap();
    for (scale, is_found) in [(1e117, false), (1e31, true)] {
        let mut scene = Scene::new();
        scene.insert("mesh", mesh.clone(), DAffine3::from_scale(DVec3::splat(scale))).unwrap();
        assert_eq!(scene.closest_point([0.0; 3]).is_some(), is_found, "{scale:e}");
        scene.insert("ball", Sphere::new(1.0), DVec3::ZERO).unwrap();
        let distance = scene.pair(&"mesh", &"ball").distance();
        assert_eq!(distance.is_some_and(|found| found.distance >= 0.0), is_found, "{scale:e}");
    }
}
